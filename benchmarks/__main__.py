"""`python -m benchmarks`: equal scores first, then times; prints Markdown and keeps a copy.

The exit code is 0 also where a bar is missed, 1 where a score differs, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from datetime import datetime, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks import report
from benchmarks.corpora import GENERATED_PAIRS, REPOSITORY, generated, has_wmt, wmt
from benchmarks.races import RACES, Ground, Sizes
from benchmarks.sameness import differences, strangers
from benchmarks.timing import Effort, Race, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.corpora import Pairs

QUICK_SIZES = Sizes(bleu=300, chrf=60, ter=20, command_line=300)
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
        wrong, unequal = _compare(races)
        if wrong:
            sys.stderr.write("".join(f"scores differ: {sentence}\n" for sentence in wrong))
            return 1
        rows, times = _time(races, unequal, QUICK_EFFORT if given.quick else Effort())
    _write(rows, corpora, times, about, Path(given.output))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--corpus",
        choices=("wmt", "generated", "both"),
        help="default: both, or the generated one where the WMT data is missing",
    )
    parser.add_argument("--rows", default="", help="only the races whose name has this pattern")
    parser.add_argument("--quick", action="store_true", help="few pairs, to see whether it works")
    parser.add_argument("--output", default=REPOSITORY / "benchmarks" / "results", metavar="FOLDER")
    return parser


def _corpora(chosen: str | None, count: int) -> list[Pairs]:
    if chosen is None:
        chosen = "both" if has_wmt() else "generated"
    corpora = [generated(count)] if chosen != "wmt" else []
    return [*corpora, wmt()] if chosen != "generated" else corpora


def _races(
    corpora: list[Pairs], given: argparse.Namespace, folder: Path
) -> dict[tuple[str, str], Race]:
    sizes = QUICK_SIZES if given.quick else Sizes()
    return {
        (pairs.name, name): make(Ground(pairs, sizes, folder))
        for pairs in corpora
        for name, make in RACES.items()
        if re.search(given.rows, name, re.IGNORECASE)
    }


def _compare(races: dict[tuple[str, str], Race]) -> tuple[list[str], set[tuple[str, str, str]]]:
    """Return what differs and must not, and who has other numbers and may."""
    wrong: list[str] = []
    unequal: set[tuple[str, str, str]] = set()
    for (corpus, name), race in races.items():
        _tell(f"comparing {name} ({corpus})")
        wrong += [f"{name} ({corpus}): {sentence}" for sentence in differences(race)]
        unequal |= {(corpus, name, stranger) for stranger in strangers(race)}
    return wrong, unequal


def _time(
    races: dict[tuple[str, str], Race], unequal: set[tuple[str, str, str]], effort: Effort
) -> tuple[list[report.Row], dict[str, Any]]:
    rows: list[report.Row] = []
    times: dict[str, Any] = {}
    for (corpus, name), race in races.items():
        _tell(f"timing {name} ({corpus})")
        taken = measure(race.contestants, effort)
        others = {who for where, what, who in unequal if (where, what) == (corpus, name)}
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
    date = datetime.now(timezone.utc).strftime("%Y-%m-%d")
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
