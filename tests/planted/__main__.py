"""Plant each fault in a copy of the checkout, run the tests for its file, and list what they find.

python -m tests.planted --group writing options --jobs 2
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.planted.copies import Copy, Options, Outcome, Processes, steps_for, try_all
from tests.planted.faults import GROUPS, ROOT, Fault, all_faults, selection_for


def _check(faults: Sequence[Fault], copy: Copy, checkout: Path) -> list[str]:
    """Return what fails without any fault, one line for each selection of tests."""
    failures = []
    first_file = {selection_for(fault.file): fault.file for fault in faults}
    for selection, file in first_file.items():
        start = time.monotonic()
        failed, by = copy.run_tests(steps_for(file, checkout))
        seconds = time.monotonic() - start
        print(
            f"unchanged  {' '.join(selection.first)}  {by or 'passes'}  {seconds:.1f} s", flush=True
        )
        if failed or by:
            failures.append(by)
    return failures


def _table(outcomes: Sequence[tuple[Fault, Outcome]]) -> str:
    planted = Counter(fault.group for fault, _ in outcomes)
    found = Counter(fault.group for fault, outcome in outcomes if outcome.found)
    lines = [f"{'group':<12}{'planted':>8}{'found':>8}  not found"]
    for group in planted:
        missed = [
            fault.name for fault, outcome in outcomes if fault.group == group and not outcome.found
        ]
        lines.append(
            f"{group:<12}{planted[group]:>8}{found[group]:>8}  {' '.join(missed)}".rstrip()
        )
    lines.append(f"{'all':<12}{planted.total():>8}{found.total():>8}")
    return "\n".join(lines)


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("--group", nargs="+", choices=GROUPS, default=GROUPS)
    parser.add_argument("--fault", nargs="+", metavar="NAME", help="only these faults")
    parser.add_argument("--jobs", type=int, default=1, help="copies that are tried at once")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes there too")
    parser.add_argument(
        "--tests", type=Path, metavar="CHECKOUT", help="take the tests of another checkout"
    )
    parser.add_argument("--run", choices=("test", "quick", "all"), default="test")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one fault")
    parser.add_argument(
        "--check", action="store_true", help="first run the selected tests without a fault"
    )
    return parser.parse_args()


def _chosen(groups: Sequence[str], names: Sequence[str] | None) -> list[Fault]:
    faults = [fault for fault in all_faults() if fault.group in groups]
    if names is None:
        return faults
    unknown = set(names) - {fault.name for fault in faults}
    if unknown:
        raise SystemExit(f"There is no such fault: {', '.join(sorted(unknown))}.")
    return [fault for fault in faults if fault.name in names]


def main() -> int:
    """Run the command and return its exit status."""
    arguments = _read_arguments()
    faults = _chosen(arguments.group, arguments.fault)
    builds = max(1, (os.cpu_count() or 1) // arguments.jobs)
    options = Options(arguments.run, arguments.limit, arguments.tests, builds)
    checkout = arguments.tests or ROOT
    processes = Processes()
    outcomes: list[tuple[Fault, Outcome]] = []
    # A request to end is treated as an interruption, which removes the copies.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        root = Path(name).resolve()
        for in_kernel in (False, True):
            chosen = [fault for fault in faults if fault.in_kernel == in_kernel]
            if not chosen:
                continue
            kind = "kernel" if in_kernel else "python"

            def make_copy(number: int, kind: str = kind, builds: bool = in_kernel) -> Copy:
                return Copy(root / f"{kind}-{number}", options, processes, builds=builds)

            copies = {0: make_copy(0)} if arguments.check else {}
            if arguments.check and _check(chosen, copies[0], checkout):
                print("These tests fail without any fault.", file=sys.stderr)
                return 1
            tried = try_all(
                chosen,
                lambda fault: steps_for(fault.file, checkout),
                arguments.jobs,
                copies,
                make_copy,
                processes,
            )
            for fault, outcome in tried:
                outcomes.append((fault, outcome))
                verdict = f"by {outcome.by}" if outcome.found else outcome.by
                print(
                    f"{'found' if outcome.found else 'NOT FOUND'}  {fault.group}  {fault.name}  "
                    f"{verdict}  {outcome.seconds:.1f} s",
                    flush=True,
                )
    print(_table(outcomes))
    if arguments.json is not None:
        records = [fault._asdict() | outcome._asdict() for fault, outcome in outcomes]
        for record, (fault, _) in zip(records, outcomes, strict=True):
            record["planted_by"] = fault.by
        arguments.json.write_text(json.dumps(records, indent=1), encoding="utf-8")
    return 0 if all(outcome.found for _, outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
