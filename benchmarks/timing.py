"""Measuring times: runners run in turn, and ratios compare neighbouring runs."""

from __future__ import annotations

import gc
import math
import statistics
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple


class Runner(NamedTuple):
    """One way to compute the scores of a task.

    Attributes:
        name: the tool, and how it runs.
        run: compute the scores.
        before: called before each run and not timed, such as emptying caches. A runner with it
            runs once per measurement.
        expected: whether its scores must equal those of the first runner.
    """

    name: str
    run: Callable[[], Sequence[float]]
    before: Callable[[], None] | None = None
    expected: bool = True


class Comparison(NamedTuple):
    """One row of the result: `ours` compared with `theirs`."""

    row: str
    ours: str
    theirs: str


class Check(NamedTuple):
    """Scores that must be equal, besides those that are timed."""

    name: str
    ours: Callable[[], Sequence[float]]
    theirs: Callable[[], Sequence[float]]


class Task(NamedTuple):
    """Contestants that do the same work on the same pairs.

    Attributes:
        pairs: how many pairs each run scores.
        runners: what runs; the scores of the first are the reference.
        comparisons: its rows of the result.
        checks: other scores that must be equal.
        rounds: the number of rounds, if a runner is very slow.
    """

    pairs: int
    runners: list[Runner]
    comparisons: list[Comparison]
    checks: Sequence[Check] = ()
    rounds: int | None = None


class Effort(NamedTuple):
    """The number of rounds, and the shortest duration of a measurement in seconds."""

    rounds: int = 7
    seconds: float = 0.2


def once(runner: Runner, loops: int = 1) -> float:
    """Return the seconds of one run, the mean of `loops` runs, without garbage collection."""
    if runner.before:
        runner.before()
    gc.collect()
    gc.disable()
    try:
        start = perf_counter()
        for _ in range(loops):
            runner.run()
        return (perf_counter() - start) / loops
    finally:
        gc.enable()


def loops_for(runner: Runner, effort: Effort) -> int:
    """Return how many runs make a measurement long enough.

    The check of the scores has already run every runner once.
    """
    if runner.before or not runner.expected:
        return 1
    return max(1, math.ceil(effort.seconds / max(once(runner), 1e-7)))


def measure(task: Task, effort: Effort) -> dict[str, list[float]]:
    """Return the seconds per run of every runner of a task, one figure per round.

    In each round every runner runs once, in order, so that a machine that slows down affects
    neighbouring runs equally.
    """
    rounds = min(effort.rounds, task.rounds or effort.rounds)
    loops = [loops_for(runner, effort) for runner in task.runners]
    times: dict[str, list[float]] = {runner.name: [] for runner in task.runners}
    for _ in range(rounds):
        for runner, count in zip(task.runners, loops, strict=True):
            times[runner.name].append(once(runner, count))
    return times


class Ratio(NamedTuple):
    """How many times longer the slower runner took, over the rounds."""

    median: float
    lowest: float
    highest: float


def ratio(slower: Sequence[float], faster: Sequence[float]) -> Ratio:
    """Return median and range of the ratios of neighbouring runs.

    >>> ratio([6.0, 9.0, 8.0], [2.0, 2.0, 2.0])
    Ratio(median=4.0, lowest=3.0, highest=4.5)
    """
    ratios = [a / b for a, b in zip(slower, faster, strict=True)]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios))
