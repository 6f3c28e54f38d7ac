"""Run drawn commands with the product of another commit and with this one, and show what differs.

    python -m tests.differences main --number 2000 --seed 5

A test holds what somebody thought of. This holds whatever drawn commands say, which a change that
only moves code must leave as it is: each difference is then an error, or is named in the notes of
the change.
"""

from __future__ import annotations

import argparse
import difflib
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.differences.drawing import Words, draw_lines
from tests.planted.copies import make_environment
from tests.planted.faults import ROOT

DIFFER = 3
# Lines of each difference that are shown.
SHOWN = 12


class Difference(NamedTuple):
    """A command that says something else than before."""

    line: str
    before: dict[str, str]
    now: dict[str, str]

    @property
    def parts(self) -> list[str]:
        """What differs: the exit code, standard output, errors, a file."""
        parts = [*self.before, *(part for part in self.now if part not in self.before)]
        return [part for part in parts if self.before.get(part) != self.now.get(part)]

    def text(self) -> str:
        """Return the line and what differs."""
        shown = [f"bleuet {self.line}"]
        for part in self.parts:
            before, now = (said.get(part, "").splitlines() for said in (self.before, self.now))
            changed = [*difflib.unified_diff(before, now, "before", "now", n=0, lineterm="")][2:]
            shown += [f"  {part}:", *(f"    {row[:160]}" for row in changed[:SHOWN])]
        return "\n".join(shown)


def package_of(commit: str, folder: Path) -> Path:
    """Return the folder with the package of a commit, or of a folder that is built.

    The kernel is that of this checkout, and so must not differ.
    """
    if Path(commit, "src/bleuet").is_dir():
        return Path(commit).resolve() / "src"
    compared = ["git", "diff", "--quiet", commit, "--", "kernel", "CMakeLists.txt"]
    if subprocess.run(compared, cwd=ROOT, check=False).returncode != 0:
        raise SystemExit(
            f"the kernel of {commit} differs or there is no such commit: build that commit in a "
            "folder of its own, and name the folder"
        )
    stored = subprocess.run(
        ["git", "archive", commit, "src"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    subprocess.run(["tar", "-x", "-C", folder], input=stored.stdout, check=True)
    for module in (ROOT / "src/bleuet/statistics").glob("_kernel*"):
        shutil.copy2(module, folder / module.relative_to(ROOT))
    return folder / "src"


def said_by(package: Path, lines: Path, folder: Path) -> dict[str, dict[str, str]]:
    """Return what each command says with the package of a folder."""
    results = folder / "results.jsonl"
    python = make_environment(folder / "environment", package, _printed)
    printed = _printed(python, "-m", "tests.differences.running", str(lines), str(results))
    if str(package / "bleuet") not in printed:
        raise SystemExit(f"expected the package of {package}, not {printed.strip()}")
    with results.open(encoding="utf-8") as file:
        return {entry["line"]: entry["said"] for entry in map(json.loads, file)}


def _printed(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def differences(
    before: dict[str, dict[str, str]], now: dict[str, dict[str, str]]
) -> list[Difference]:
    """Return the commands that say something else, in the order in which they ran."""
    return [Difference(line, said, now[line]) for line, said in before.items() if said != now[line]]


def main() -> int:
    """Run the command, and return 3 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.differences", description=__doc__)
    parser.add_argument("before", help="a commit, or the folder of a checkout that is built")
    parser.add_argument("--number", type=int, default=1000, help="commands")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="differences that are shown")
    arguments = parser.parse_args()
    lines = draw_lines(arguments.number, Random(arguments.seed))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        stored = folder / "lines.json"
        stored.write_text(json.dumps(lines), encoding="utf-8")
        before = said_by(package_of(arguments.before, folder), stored, folder)
        now = said_by(ROOT / "src", stored, folder)
    found = differences(before, now)
    for difference in found[: arguments.show]:
        print(difference.text())
    counted = Counter(Words.read(difference.line).command for difference in found)
    named = ", ".join(f"{command} {number}" for command, number in counted.most_common())
    ran = sum(said.get("exit code") == "0" for said in before.values())
    print(f"{len(lines)} commands, of which {ran} end with 0: {len(found)} differ. {named}")
    return DIFFER if found else 0


if __name__ == "__main__":
    sys.exit(main())
