"""`python -m benchmarks.comparing`: the comparison of four systems beside compare-mt.

Each run is a process of its own; time is what passes, memory the most that it holds. compare-mt is
measured if it is installed, up to a size, since its memory grows to gigabytes.
Before, the accuracy of words by frequency, which both print, is checked to be equal.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.commands import command
from benchmarks.corpora import generated, noisy_copies

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (3_000, 30_000, 100_000)
LARGEST_OF_OTHERS = 30_000
SYSTEMS = 4
OTHER = "compare-mt"
# compare-mt cuts words at spaces, and has groups that are empty.
LIKE_OTHER = ("-m", "bleu:tokenize=none", "--show", "words", "-f", "json", "-q")


class Run(NamedTuple):
    """One process."""

    seconds: float
    megabytes: float
    output: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a table; 1 if figures differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comparing", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="SEGMENTS")
    parser.add_argument("--others-up-to", type=int, default=LARGEST_OF_OTHERS, metavar="SEGMENTS")
    args = parser.parse_args(arguments)
    print("| segments x 4 | program | seconds | megabytes | page, MB |")
    print("| ---: | --- | ---: | ---: | ---: |")
    with TemporaryDirectory() as folder:
        for size in args.sizes:
            files = write(size, Path(folder))
            if not measure(size, files, Path(folder), others=size <= args.others_up_to):
                return 1
    return 0


def write(size: int, folder: Path) -> list[str]:
    """Write references and systems; return the paths, the references first."""
    pairs = generated(size)
    texts = [pairs.references, pairs.hypotheses, *noisy_copies(pairs, SYSTEMS - 1)]
    paths = []
    for number, lines in enumerate(texts):
        path = folder / f"{size}-{number}.txt"
        path.write_text("".join([f"{line}\n" for line in lines]), encoding="utf-8")
        paths.append(str(path))
    return paths


def measure(size: int, files: list[str], folder: Path, *, others: bool) -> bool:
    """Print a row for each program; return whether the figures are equal."""
    reference, *systems = files
    compare = [*command("bleuet"), "compare", reference, "-i", *systems]
    page = folder / f"{size}.html"
    show(size, "bleuet compare", run([*compare, "-q"]))
    show(size, "bleuet compare --show all", run([*compare, "-q", "--show", "all"]))
    show(size, "bleuet compare --html", run([*compare, "-q", "--html", str(page)]), page)
    folders = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
    other = shutil.which(OTHER, path=os.pathsep.join(folders))
    if not others or other is None:
        return True
    found = run([other, *files])
    show(size, OTHER, found)
    ours, theirs = accuracies(run([*compare, *LIKE_OTHER]).output), other_accuracies(found.output)
    if ours != theirs:
        sys.stderr.write(f"{size}: the accuracy of words differs: {ours} and {theirs}\n")
    return ours == theirs


def show(size: int, program: str, found: Run, page: Path | None = None) -> None:
    """Print one row."""
    megabytes = f"{page.stat().st_size / 1e6:.1f}" if page else ""
    print(
        f"| {size:,} | {program} | {found.seconds:.1f} | {found.megabytes:,.0f} | {megabytes} |",
        flush=True,
    )


def run(arguments: Sequence[str]) -> Run:
    """Run a command; its memory is that of this child alone."""
    begin = time.perf_counter()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    seconds = time.perf_counter() - begin
    return Run(seconds, usage.ru_maxrss / 1024, output.decode())


def accuracies(output: str) -> list[list[str]]:
    """Return the accuracy of words by frequency of each system, in compare-mt's digits."""
    found = next(one for one in json.loads(output)["words"] if one["name"] == "frequency")
    return [[f"{group['f'] / 100:.4f}" for group in own] for own in found["systems"].values()]


def other_accuracies(output: str) -> list[list[str]]:
    """Return the same of compare-mt, without the groups that are empty."""
    block = output.split("--- word fmeas by frequency bucket\n")[1].split("\n\n")[0]
    rows = [line.split("\t")[1:] for line in block.splitlines()[1:]]
    return [list(own) for own in zip(*rows, strict=True)]


if __name__ == "__main__":
    sys.exit(main())
