"""The scores of the example corpus in each release, which tell users whether a number has changed.

    python -m release.numbers            compare with the files of this and of the last release
    python -m release.numbers --write    write the file of this release

A release that changes a number explains it: changes/README.md says how.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
from pathlib import Path

import bleuet
from bleuet.metrics.catalogue import NAMES, parse_metric
from release.changelog import unexplained

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "release" / "scores"
# They read neither plain text nor English: M2 files, and code with an optional library.
LEFT_OUT = ("errant", "codebleu")

Scores = dict[str, dict[str, float | str]]


def lines_of(name: str) -> list[str]:
    """Return the lines of a file of the example corpus."""
    return (ROOT / "examples" / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def compute() -> Scores:
    """Return each metric's scores of both systems, and its signature without bleuet's version."""
    # METEOR would use files that the user has downloaded.
    os.environ["XDG_DATA_HOME"] = os.devnull
    names = ("reference-1", "reference-2")
    references = list(map(list, zip(*map(lines_of, names), strict=True)))
    scores: Scores = {}
    for name in NAMES:
        if name in LEFT_OUT:
            continue
        metric = parse_metric(name)
        entry: dict[str, float | str] = {}
        for system in ("system-a", "system-b"):
            # There is no source text; a reference takes its place.
            corpus = bleuet.Corpus(lines_of(system), references, lines_of("reference-2"))
            entry[system] = float(metric.corpus_score(corpus).score)
        signature = str(metric.signature(len(names)))
        scores[name] = {**entry, "signature": re.sub(r"\|version:.*", "", signature)}
    return scores


def differing(left: Scores, right: Scores) -> list[str]:
    """Return the metrics that both have, with other numbers or another signature."""
    return [name for name in left if name in right and not _equal(left[name], right[name])]


def _equal(left: dict[str, float | str], right: dict[str, float | str]) -> bool:
    # The logarithm of two systems can differ in the last digit.
    return left.keys() == right.keys() and all(
        math.isclose(value, other, rel_tol=1e-12)
        if isinstance(value, float) and isinstance(other, float)
        else value == other
        for value, other in ((left[key], right[key]) for key in left)
    )


def stored() -> dict[tuple[int, ...], Scores]:
    """Return the stored scores of all releases by version, the oldest first."""
    files = {tuple(map(int, file.stem.split("."))): file for file in FOLDER.glob("*.json")}
    return {key: json.loads(files[key].read_text(encoding="utf-8")) for key in sorted(files)}


def faults() -> list[str]:
    """Return what is wrong with the numbers of this version, a sentence each."""
    version = bleuet.__version__
    key = tuple(map(int, version.split(".")))
    releases = stored()
    if key not in releases:
        return [f"{FOLDER / version}.json is missing: python -m release.numbers --write writes it"]
    found = []
    computed = compute()
    wrong = differing(releases[key], computed)
    if wrong or releases[key].keys() != computed.keys():
        names = ", ".join(wrong or sorted(releases[key].keys() ^ computed.keys()))
        found.append(
            f"{names}: not the numbers of release/scores/{version}.json; if the change is "
            "meant, run python -m release.numbers --write, and explain it in a file "
            "changes/NAME.numbers.md"
        )
    before = [other for other in releases if other < key]
    if before:
        changed = differing(releases[max(before)], releases[key])
        if changed and max(before)[:2] == key[:2]:
            found.append(f"{', '.join(changed)}: a patch release changes no number")
        silent = unexplained(changed, version)
        if silent:
            found.append(
                f"{', '.join(silent)}: not the number of the last release; a file "
                "changes/NAME.numbers.md must explain it"
            )
    return found


def main() -> None:
    """Compare, or write the file of this version."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        FOLDER.mkdir(exist_ok=True)
        text = json.dumps(compute(), indent=1) + "\n"
        (FOLDER / f"{bleuet.__version__}.json").write_text(text, encoding="utf-8")
    found = faults()
    if found:
        raise SystemExit("\n".join(found))
    print(f"The numbers are those of release/scores/{bleuet.__version__}.json.")


if __name__ == "__main__":
    main()
