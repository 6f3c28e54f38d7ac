"""The results as Markdown and JSON."""

from __future__ import annotations

import os
import platform
import statistics
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.corpora import Pairs
from benchmarks.targets import target_of
from benchmarks.timing import Comparison, Ratio, Task, ratio
from bleuet.statistics.backend import is_native
from bleuet.version import __version__

TOOLS = ("sacrebleu", "nltk", "torchmetrics", "bleuscore")
HEAD = (
    "| work | pairs | ours, µs | compared with | theirs, µs | ratio | range | rounds | target | |\n"
    "| --- | ---: | ---: | --- | ---: | ---: | --- | ---: | ---: | --- |\n"
)


class Row(NamedTuple):
    """The result of one comparison; times are medians, in µs per pair."""

    corpus: str
    work: str
    pairs: int
    ours: str
    our_time: float
    theirs: str
    their_time: float
    ratio: Ratio
    rounds: int
    target: float | None
    equal: bool

    @property
    def verdict(self) -> str:
        """Whether the target is reached, if there is one."""
        if not self.equal:
            return "other scores"
        if self.target is None:
            return ""
        return "reached" if self.ratio.median >= self.target else "**missed**"


def row_of(
    corpus: str, task: Task, one: Comparison, times: dict[str, list[float]], different: set[str]
) -> Row:
    """Return the row of one comparison of a task."""
    ours, theirs = times[one.ours], times[one.theirs]
    return Row(
        corpus=corpus,
        work=one.row,
        pairs=task.pairs,
        ours=one.ours,
        our_time=_per_pair(ours, task),
        theirs=one.theirs,
        their_time=_per_pair(theirs, task),
        ratio=ratio(theirs, ours),
        rounds=len(ours),
        target=_target(corpus, one, different),
        equal=one.theirs not in different,
    )


def _per_pair(times: list[float], task: Task) -> float:
    return statistics.median(times) / task.pairs * 1e6


def _target(corpus: str, one: Comparison, different: set[str]) -> float | None:
    """Return the target: compared with sacreBLEU, or with one thread in a row of two threads."""
    threaded = "2 threads" in one.row
    compared_with = "bleuet" if threaded else "sacrebleu"
    is_meant = one.theirs.lower() == compared_with and one.theirs not in different
    return target_of(one.row, corpus) if is_meant else None


def machine() -> dict[str, Any]:
    """Return the machine and the versions of the tools."""
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
    """Return the command that repeats this measurement."""
    return " ".join(["python -m benchmarks", *sys.argv[1:]])


def markdown(rows: list[Row], corpora: list[Pairs], about: dict[str, Any], date: str) -> str:
    """Return all results as one page."""
    facts = "".join(f"- {name}: {value}\n" for name, value in about.items())
    text = f"# Benchmarks, {date}\n\n`{command()}`\n\n{facts}"
    for pairs in corpora:
        lines = "".join(_line(row) for row in rows if row.corpus == pairs.name)
        text += f"\n## {pairs.title}: {_size(pairs)}\n\n{HEAD}{lines}"
    return text + (
        "\nScores were checked to be equal before times were measured, except in rows with other "
        "scores. Times are medians per pair. A ratio is the median over neighbouring runs, and the "
        "range is its lowest and highest value. sacreBLEU's caches are emptied before each run. "
        "Two threads are compared with one thread of bleuet, and with sacreBLEU; the speed-up of "
        "compression is what the machine allowed in those rounds.\n"
    )


def _size(pairs: Pairs) -> str:
    words = sum(len(line.split()) for line in pairs.references) / len(pairs.references)
    return f"{len(pairs.references):,} pairs, {words:.1f} words per reference"


def _line(row: Row) -> str:
    ours, theirs = _microseconds(row.our_time), _microseconds(row.their_time)
    target = "" if row.target is None else f"{row.target:g}×"
    span = f"{_times(row.ratio.lowest)}–{_times(row.ratio.highest)}"
    return (
        f"| {row.work} | {row.pairs:,} | {ours} | {row.theirs} | {theirs} "
        f"| {_times(row.ratio.median)}× | {span} | {row.rounds} | {target} | {row.verdict} |\n"
    )


def _microseconds(value: float) -> str:
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _times(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def as_json(
    rows: list[Row], times: dict[str, Any], about: dict[str, Any], date: str
) -> dict[str, Any]:
    """Return the rows, and every measured time in seconds per run, as plain values."""
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
