"""Draw mutants of each room of the product, and report which of them the tests find.

A mutant is a small change of the code that a program draws. The share that tests find says how
closely they hold a room:

    make reached
    python -m tests.planted.mutants gate web --number 20 --seed 3 --jobs 2

`make reached` runs the tests once, and stores in `build/reached` which test runs which line. Each
mutant is tried with the tests that run its line, those first that run the fewest lines. Whoever
reads a mutant that was not found decides whether it changes what the program does: if so, a test
is missing.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from tests.planted.copies import TIMEOUT, Copy, Options, Outcome, Processes, steps_for, try_all
from tests.planted.faults import ROOT, Fault, read_list
from tests.planted.mutate import changes, draw

PRODUCT = ROOT / "src/bleuet"
REACHED = ROOT / "build/reached/.coverage"
# Rooms within rooms, which are measured by themselves.
INNER = ("metrics/neural",)
# Tests that are tried with a mutant before the others.
FIRST = 20


class Mutant(NamedTuple):
    """A change, the room that it belongs to, and how it is shown."""

    room: str
    fault: Fault
    line: int
    shown: str


def room_of(file: str) -> str:
    """Return the room of a file, whose path begins at the root of the checkout."""
    if file.startswith("kernel/") or file.endswith(".js"):
        return "kernel" if file.startswith("kernel/") else "scripts"
    place = file.removeprefix("src/bleuet/")
    inner = [room for room in INNER if place.startswith(f"{room}/")]
    return inner[0] if inner else place.split("/")[0] if "/" in place else "top"


def listed(path: Path) -> list[Mutant]:
    """Return the faults of a file, such as those of somebody who has not read the tests."""
    return [
        Mutant(room_of(fault.file), fault, line, f"{fault.was!r} -> {fault.now!r}")
        for fault in read_list(path)
        for line in [_first_changed(fault)]
    ]


def _first_changed(fault: Fault) -> int:
    source = (ROOT / fault.file).read_text(encoding="utf-8")
    pairs = zip(source.split("\n"), fault.planted_in(source).split("\n"), strict=False)
    return next(line for line, (was, now) in enumerate(pairs, 1) if was != now)


def rooms() -> dict[str, list[Path]]:
    """Return the files of each room: folders of the package, its scripts for pages, the kernel."""
    files: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(PRODUCT.rglob("*.py")):
        files[room_of(path.relative_to(ROOT).as_posix())].append(path)
    files["scripts"] = sorted(PRODUCT.rglob("*.js"))
    files["kernel"] = [
        path for path in sorted((ROOT / "kernel").rglob("*.?pp")) if "tests" not in path.parts
    ]
    return dict(files)


def mutants_of(room: str, files: list[Path], number: int, seed: int) -> list[Mutant]:
    """Draw mutants of a room, of all its files together."""
    sources = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files
    }
    known = [
        change._replace(file=file)
        for file, source in sources.items()
        for change in changes(source, Path(file).suffix)
    ]
    chosen = []
    for change in draw(known, number, random.Random(f"{room} {seed}")):
        source = sources[change.file]
        line = source.count("\n", 0, change.begin) + 1
        planted = source[: change.begin] + change.now + source[change.end :]
        shown = f"{source[change.begin : change.end]!r} -> {change.now!r}"
        name = f"{change.file}:{line} {change.kind}"
        fault = Fault(room, name, change.file, source, planted, "mutation")
        chosen.append(Mutant(room, fault, line, shown))
    return chosen


class Reached:
    """Which tests run which lines, as coverage.py has stored it."""

    def __init__(self, stored: Path, run: str) -> None:
        # It is not needed to plant the faults that are listed.
        from coverage import CoverageData

        self._present = _tests_of_run(run)
        self._data = CoverageData(str(stored))
        self._data.read()
        self._files: dict[str, dict[int, set[str]]] = {}
        self._lines = Counter[str]()
        self._files_of = {self._relative(file): file for file in self._data.measured_files()}
        for file in self._files_of:
            for tests in self.lines_of(file).values():
                self._lines.update(tests)

    @staticmethod
    def _relative(file: str) -> str:
        path = Path(file)
        return path.relative_to(ROOT).as_posix() if path.is_absolute() else file

    def lines_of(self, file: str) -> dict[int, set[str]]:
        """Return the tests that run each line of a file."""
        if file not in self._files:
            stored = self._files_of.get(file)
            found = self._data.contexts_by_lineno(stored) if stored else {}
            self._files[file] = {
                line: {_test_of(context) for context in contexts} & self._present
                for line, contexts in found.items()
            }
        return self._files[file]

    def tests_of(self, file: str, first: int, last: int) -> list[str]:
        """Return the tests that run one of these lines, those that run the fewest lines first.

        For code that runs when the file is imported, they are the tests that run any line of it.
        """
        lines = self.lines_of(file)
        found = set().union(*(lines.get(line, set()) for line in range(first, last + 1)))
        if not found:
            found = set().union(*lines.values())
        return sorted(found, key=lambda test: (self._lines[test], test))


def _tests_of_run(run: str) -> set[str]:
    """Return the tests that are there, some of which may be newer than what is stored."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", f"--run={run}"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {line for line in listed.splitlines() if "::" in line}


def _test_of(context: str) -> str:
    """Return the test of a context: `a.py::test_b|run`, or `a.py::test_b (call)` in programs."""
    return re.sub(r"(\|run|\|setup|\|teardown| \(\w+\))$", "", context)


def _statement(source: str, line: int) -> tuple[int, int]:
    """Return the first and last line of the innermost statement at a line of Python."""
    first, last = line, line
    size = 1 << 30
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            # The head of a compound statement, not its body.
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or 0
            end = max(end, node.lineno)
            if node.lineno <= line <= end and end - node.lineno < size:
                first, last, size = node.lineno, end, end - node.lineno
    return first, last


def steps_of(mutant: Mutant, reached: Reached, most: int) -> list[list[str]]:
    """Return the tests for a mutant, step by step."""
    if not mutant.fault.file.endswith(".py"):
        return steps_for(mutant.fault.file, ROOT)
    source = (ROOT / mutant.fault.file).read_text(encoding="utf-8")
    first, last = _statement(source, mutant.line)
    tests = reached.tests_of(mutant.fault.file, first, last)[:most]
    return [tests[:FIRST], tests[FIRST:]]


def main() -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="all by default")
    parser.add_argument("--number", type=int, default=20, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="mutants that are tried at once")
    parser.add_argument("--run", choices=("test", "quick", "all"), default="test")
    parser.add_argument("--limit", type=float, default=240, help="seconds for one mutant")
    parser.add_argument("--tests", type=int, default=150, help="tests of each mutant, at most")
    parser.add_argument("--faults", type=Path, metavar="FILE", help="faults of a list, none drawn")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these mutants of the rooms")
    parser.add_argument("--json", type=Path, metavar="FILE", help="add the outcomes to this file")
    arguments = parser.parse_args()
    known = rooms()
    if unknown := set(arguments.rooms) - set(known):
        parser.error(f"there is no room {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    if not REACHED.exists():
        parser.error("which test runs which line is not known yet: run `make reached` first")
    if arguments.faults is not None:
        chosen = listed(arguments.faults)
    else:
        chosen = [
            mutant
            for room in arguments.rooms or known
            for mutant in mutants_of(room, known[room], arguments.number, arguments.seed)
        ]
    if arguments.only is not None:
        chosen = [mutant for mutant in chosen if mutant.fault.name in arguments.only]
    by_fault = {mutant.fault: mutant for mutant in chosen}
    reached = Reached(REACHED, arguments.run)
    options = Options(arguments.run, arguments.limit, None, arguments.jobs)
    processes = Processes()
    outcomes: list[tuple[Mutant, Outcome]] = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        folder = Path(name).resolve()
        for in_kernel in (False, True):
            faults = [fault for fault in by_fault if fault.in_kernel == in_kernel]
            if not faults:
                continue
            kind = "kernel" if in_kernel else "python"

            def make_copy(number: int, kind: str = kind, builds: bool = in_kernel) -> Copy:
                return Copy(folder / f"{kind}-{number}", options, processes, builds=builds)

            def steps(fault: Fault) -> list[list[str]]:
                return steps_of(by_fault[fault], reached, arguments.tests)

            for fault, outcome in try_all(faults, steps, arguments.jobs, {}, make_copy, processes):
                mutant = by_fault[fault]
                outcomes.append((mutant, outcome))
                print(_line(mutant, outcome), flush=True)
                if arguments.json is not None:
                    with arguments.json.open("a", encoding="utf-8") as file:
                        print(json.dumps(_record(mutant, outcome)), file=file)
    print(_table(outcomes))
    return 0


def _line(mutant: Mutant, outcome: Outcome) -> str:
    verdict = f"by {outcome.by}" if outcome.found else f"{mutant.shown}  {outcome.by}"
    found = "found" if outcome.found else "NOT FOUND"
    return f"{found}  {mutant.room}  {mutant.fault.name}  {verdict}  {outcome.seconds:.1f} s"


def _record(mutant: Mutant, outcome: Outcome) -> dict[str, Any]:
    return {
        "room": mutant.room,
        "name": mutant.fault.name,
        "change": mutant.shown,
        **outcome._asdict(),
    }


def _table(outcomes: list[tuple[Mutant, Outcome]]) -> str:
    tried = Counter(mutant.room for mutant, _ in outcomes)
    # A busy machine may be why a test does not end.
    late = Counter(mutant.room for mutant, outcome in outcomes if outcome.by == TIMEOUT)
    found = Counter(mutant.room for mutant, outcome in outcomes if outcome.found) - late

    def row(name: object, *numbers: object) -> str:
        return f"{name:<20}" + "".join(f"{number:>10}" for number in numbers)

    lines = [row("room", "mutants", "found", "timeouts")]
    lines += [row(room, tried[room], found[room], late[room]) for room in sorted(tried)]
    return "\n".join([*lines, row("all", tried.total(), found.total(), late.total())])


if __name__ == "__main__":
    sys.exit(main())
