"""The result, as Markdown and as JSON."""

from __future__ import annotations

import os
import platform
import statistics
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.bars import bar_of
from benchmarks.corpora import Pairs
from benchmarks.timing import Comparison, Race, Ratio, ratio
from bleuet.statistics.backend import is_native
from bleuet.version import __version__

TOOLS = ("sacrebleu", "nltk", "torchmetrics", "bleuscore")
HEAD = (
    "| work | pairs | ours, µs | held against | theirs, µs | ratio | range | rounds | bar | |\n"
    "| --- | ---: | ---: | --- | ---: | ---: | --- | ---: | ---: | --- |\n"
)


class Row(NamedTuple):
    """One comparison and what came of it; times are in µs per pair, medians."""

    corpus: str
    work: str
    pairs: int
    ours: str
    our_time: float
    theirs: str
    their_time: float
    ratio: Ratio
    rounds: int
    bar: float | None
    equal: bool

    @property
    def verdict(self) -> str:
        """Whether the bar was reached, where there is one."""
        if not self.equal:
            return "other numbers"
        if self.bar is None:
            return ""
        return "reached" if self.ratio.median >= self.bar else "**missed**"


def row_of(
    corpus: str, race: Race, one: Comparison, times: dict[str, list[float]], strangers: set[str]
) -> Row:
    """Return the row of one comparison of a race."""
    ours, theirs = times[one.ours], times[one.theirs]
    return Row(
        corpus=corpus,
        work=one.row,
        pairs=race.pairs,
        ours=one.ours,
        our_time=_per_pair(ours, race),
        theirs=one.theirs,
        their_time=_per_pair(theirs, race),
        ratio=ratio(theirs, ours),
        rounds=len(ours),
        bar=_bar(corpus, one, strangers),
        equal=one.theirs not in strangers,
    )


def _per_pair(times: list[float], race: Race) -> float:
    return statistics.median(times) / race.pairs * 1e6


def _bar(corpus: str, one: Comparison, strangers: set[str]) -> float | None:
    """The bar is for the oracle, or for one thread where two are held against it."""
    threaded = "2 threads" in one.row
    held_against = "bleuet" if threaded else "sacrebleu"
    is_meant = one.theirs.lower() == held_against and one.theirs not in strangers
    return bar_of(one.row, corpus) if is_meant else None


def machine() -> dict[str, Any]:
    """Return what a reader has to know about machine and versions."""
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else "unknown"
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load at the start": load,
        "system": platform.platform(terse=True),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "bleuet": f"{__version__}, {'kernel' if is_native() else 'python'}",
        **{tool: version for tool in TOOLS if (version := _version(tool))},
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _version(tool: str) -> str | None:
    try:
        return metadata.version(tool)
    except metadata.PackageNotFoundError:
        return None


def command() -> str:
    """Return the command that gives this result again."""
    return " ".join(["python -m benchmarks", *sys.argv[1:]])


def markdown(rows: list[Row], corpora: list[Pairs], about: dict[str, Any], date: str) -> str:
    """Return the whole result as one page."""
    facts = "".join(f"- {name}: {value}\n" for name, value in about.items())
    text = f"# Benchmarks, {date}\n\n`{command()}`\n\n{facts}"
    for pairs in corpora:
        lines = "".join(_line(row) for row in rows if row.corpus == pairs.name)
        text += f"\n## {pairs.title}: {_size(pairs)}\n\n{HEAD}{lines}"
    return text + (
        "\nScores were equal before anything was timed, except where a row says other numbers. "
        "Times are medians per pair; a ratio is the median over pairs of neighbouring runs, "
        "the range its lowest and highest. sacreBLEU's caches are emptied before each run. Two "
        "threads are held against one thread of bleuet, and against sacreBLEU; what they "
        "gain on compression is what the machine gave in those rounds.\n"
    )


def _size(pairs: Pairs) -> str:
    words = sum(len(line.split()) for line in pairs.references) / len(pairs.references)
    return f"{len(pairs.references):,} pairs, {words:.1f} words per reference"


def _line(row: Row) -> str:
    ours, theirs = _microseconds(row.our_time), _microseconds(row.their_time)
    bar = "" if row.bar is None else f"{row.bar:g}×"
    span = f"{_times(row.ratio.lowest)}–{_times(row.ratio.highest)}"
    return (
        f"| {row.work} | {row.pairs:,} | {ours} | {row.theirs} | {theirs} "
        f"| {_times(row.ratio.median)}× | {span} | {row.rounds} | {bar} | {row.verdict} |\n"
    )


def _microseconds(value: float) -> str:
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _times(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def as_json(
    rows: list[Row], times: dict[str, Any], about: dict[str, Any], date: str
) -> dict[str, Any]:
    """Return the rows, and every time that was taken, in seconds per run, as plain values."""
    return {
        "date": date,
        "command": command(),
        "machine": about,
        "rows": [
            {**row._asdict(), "ratio": row.ratio._asdict(), "verdict": row.verdict.strip("*")}
            for row in rows
        ],
        "seconds": times,
    }
