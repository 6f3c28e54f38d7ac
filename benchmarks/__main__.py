"""`python -m benchmarks`: check that scores are equal, measure times, print Markdown and save it.

The exit code is 0 even if a target is missed, 1 if a score differs or a command fails, 2 for wrong
usage.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks import report
from benchmarks.corpora import GENERATED_PAIRS, REPOSITORY, generated, has_wmt, wmt
from benchmarks.tasks import TASKS, Setup, Sizes
from benchmarks.timing import Effort, Task, measure
from benchmarks.verification import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.corpora import Pairs

    Tasks: TypeAlias = dict[tuple[str, str], Task]  # by corpus and name

QUICK_SIZES = Sizes(
    bleu=300, chrf=60, ter=20, wer=60, others=10, command_line=300,
    drawn=300, draws=50, exchanged=60, trials=100, self_bleu=300, matrix=16,
)  # fmt: skip
QUICK_EFFORT = Effort(rounds=2, seconds=0.005)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks and return the exit code."""
    args = _parser().parse_args(arguments)
    corpora = _corpora(args.corpus, GENERATED_PAIRS if not args.quick else QUICK_SIZES.bleu)
    about = report.machine()
    with TemporaryDirectory() as folder:
        tasks = _tasks(corpora, args, Path(folder))
        if not tasks:
            sys.stderr.write(f"no row matches {args.rows!r}; there are: {', '.join(TASKS)}\n")
            return 2
        try:
            wrong, different = _compare(tasks)
        except CalledProcessError as error:
            sys.stderr.write(f"{' '.join(error.cmd)} failed:\n{error.stderr}")
            return 1
        if wrong:
            sys.stderr.write("".join(f"scores differ: {sentence}\n" for sentence in wrong))
            return 1
        rows, times = _time(tasks, different, QUICK_EFFORT if args.quick else Effort())
    _write(rows, corpora, times, about, Path(args.output))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--corpus",
        choices=("wmt", "generated", "both"),
        help="default: both; without the WMT data, the generated one",
    )
    parser.add_argument(
        "--rows", default="", help=f"a pattern that selects some of: {'; '.join(TASKS)}"
    )
    parser.add_argument(
        "--quick", action="store_true", help="use few pairs, only to check that everything runs"
    )
    parser.add_argument("--output", default=REPOSITORY / "benchmarks" / "results", metavar="FOLDER")
    return parser


def _corpora(chosen: str | None, count: int) -> list[Pairs]:
    if chosen is None:
        chosen = "both" if has_wmt() else "generated"
    corpora = [generated(count)] if chosen != "wmt" else []
    return [*corpora, wmt()] if chosen != "generated" else corpora


def _tasks(corpora: list[Pairs], args: argparse.Namespace, folder: Path) -> Tasks:
    sizes = QUICK_SIZES if args.quick else Sizes()
    return {
        (pairs.name, name): make(Setup(pairs, sizes, folder))
        for pairs in corpora
        for name, make in TASKS.items()
        if re.search(args.rows, name, re.IGNORECASE)
    }


def _compare(tasks: Tasks) -> tuple[list[str], dict[tuple[str, str], set[str]]]:
    """Return the differences that are errors, and per task the tools whose scores may differ."""
    wrong: list[str] = []
    different: dict[tuple[str, str], set[str]] = {}
    for (corpus, name), task in tasks.items():
        _report_progress(f"comparing {name} ({corpus})")
        outcome = verify(task)
        wrong += [f"{name} ({corpus}): {sentence}" for sentence in outcome.wrong]
        different[corpus, name] = outcome.different
    return wrong, different


def _time(
    tasks: Tasks, different: dict[tuple[str, str], set[str]], effort: Effort
) -> tuple[list[report.Row], dict[str, Any]]:
    rows: list[report.Row] = []
    times: dict[str, Any] = {}
    for (corpus, name), task in tasks.items():
        _report_progress(f"timing {name} ({corpus})")
        taken = measure(task, effort)
        others = different[corpus, name]
        rows += [report.row_of(corpus, task, one, taken, others) for one in task.comparisons]
        times.setdefault(corpus, {})[name] = taken
    return rows, times


def _report_progress(progress: str) -> None:
    sys.stderr.write(f"{progress} ...\n")
    sys.stderr.flush()


def _write(
    rows: list[report.Row],
    corpora: list[Pairs],
    times: dict[str, Any],
    about: dict[str, Any],
    folder: Path,
) -> None:
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    page = report.markdown(rows, corpora, about, date)
    values = report.as_json(rows, times, about, date)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{date}.md").write_text(page, encoding="utf-8")
    (folder / f"{date}.json").write_text(
        json.dumps(values, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    sys.stdout.write(page)


if __name__ == "__main__":
    sys.exit(main())
