"""`python -m benchmarks`: equal scores first, then times; prints Markdown and keeps a copy.

The exit code is 0 also where a bar is missed, 1 where a score differs or a command fails, 2 for
wrong usage.
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
from benchmarks.races import RACES, Ground, Sizes
from benchmarks.sameness import compare
from benchmarks.timing import Effort, Race, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.corpora import Pairs

    Races: TypeAlias = dict[tuple[str, str], Race]  # by corpus and name

QUICK_SIZES = Sizes(
    bleu=300, chrf=60, ter=20, others=10, command_line=300,
    drawn=300, draws=50, exchanged=60, trials=100,
)  # fmt: skip
QUICK_EFFORT = Effort(rounds=2, seconds=0.005)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks and return the exit code."""
    given = _parser().parse_args(arguments)
    corpora = _corpora(given.corpus, GENERATED_PAIRS if not given.quick else QUICK_SIZES.bleu)
    about = report.machine()
    with TemporaryDirectory() as folder:
        races = _races(corpora, given, Path(folder))
        if not races:
            sys.stderr.write(f"no row matches {given.rows!r}; there are: {', '.join(RACES)}\n")
            return 2
        try:
            wrong, strangers = _compare(races)
        except CalledProcessError as error:
            sys.stderr.write(f"{' '.join(error.cmd)} failed:\n{error.stderr}")
            return 1
        if wrong:
            sys.stderr.write("".join(f"scores differ: {sentence}\n" for sentence in wrong))
            return 1
        rows, times = _time(races, strangers, QUICK_EFFORT if given.quick else Effort())
    _write(rows, corpora, times, about, Path(given.output))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--corpus",
        choices=("wmt", "generated", "both"),
        help="default: both, or the generated one where the WMT data is missing",
    )
    parser.add_argument(
        "--rows", default="", help=f"a pattern, to run only some of: {'; '.join(RACES)}"
    )
    parser.add_argument("--quick", action="store_true", help="few pairs, to see whether it works")
    parser.add_argument("--output", default=REPOSITORY / "benchmarks" / "results", metavar="FOLDER")
    return parser


def _corpora(chosen: str | None, count: int) -> list[Pairs]:
    if chosen is None:
        chosen = "both" if has_wmt() else "generated"
    corpora = [generated(count)] if chosen != "wmt" else []
    return [*corpora, wmt()] if chosen != "generated" else corpora


def _races(corpora: list[Pairs], given: argparse.Namespace, folder: Path) -> Races:
    sizes = QUICK_SIZES if given.quick else Sizes()
    return {
        (pairs.name, name): make(Ground(pairs, sizes, folder))
        for pairs in corpora
        for name, make in RACES.items()
        if re.search(given.rows, name, re.IGNORECASE)
    }


def _compare(races: Races) -> tuple[list[str], dict[tuple[str, str], set[str]]]:
    """Return what differs and must not, and per race who has other numbers and may."""
    wrong: list[str] = []
    strangers: dict[tuple[str, str], set[str]] = {}
    for (corpus, name), race in races.items():
        _tell(f"comparing {name} ({corpus})")
        outcome = compare(race)
        wrong += [f"{name} ({corpus}): {sentence}" for sentence in outcome.wrong]
        strangers[corpus, name] = outcome.strangers
    return wrong, strangers


def _time(
    races: Races, strangers: dict[tuple[str, str], set[str]], effort: Effort
) -> tuple[list[report.Row], dict[str, Any]]:
    rows: list[report.Row] = []
    times: dict[str, Any] = {}
    for (corpus, name), race in races.items():
        _tell(f"timing {name} ({corpus})")
        taken = measure(race, effort)
        others = strangers[corpus, name]
        rows += [report.row_of(corpus, race, one, taken, others) for one in race.comparisons]
        times.setdefault(corpus, {})[name] = taken
    return rows, times


def _tell(progress: str) -> None:
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
