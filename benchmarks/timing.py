"""How time is taken: contestants run in turn, and ratios are those of neighbouring runs."""

from __future__ import annotations

import gc
import math
import statistics
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple


class Contestant(NamedTuple):
    """One way to compute the numbers of a race.

    Attributes:
        name: who, and how.
        run: compute the numbers.
        before: what makes every run the first one, such as emptying caches; not timed. A
            contestant that needs it is run once per measurement.
        expected: whether its numbers must be those of the first contestant.
    """

    name: str
    run: Callable[[], Sequence[float]]
    before: Callable[[], None] | None = None
    expected: bool = True


class Comparison(NamedTuple):
    """One row of the result: `ours` held against `theirs`."""

    row: str
    ours: str
    theirs: str


class Check(NamedTuple):
    """Numbers that have to be equal, besides those that are timed."""

    name: str
    ours: Callable[[], Sequence[float]]
    theirs: Callable[[], Sequence[float]]


class Race(NamedTuple):
    """Contestants that do the same work on the same pairs.

    Attributes:
        pairs: how many pairs each run scores.
        contestants: who takes part; the numbers of the first are the right ones.
        comparisons: the rows of the result that it makes.
        checks: what else has to be equal.
        rounds: how many rounds are enough where somebody takes very long.
    """

    pairs: int
    contestants: list[Contestant]
    comparisons: list[Comparison]
    checks: Sequence[Check] = ()
    rounds: int | None = None


class Effort(NamedTuple):
    """How often to measure, and how long a measurement lasts at least, in seconds."""

    rounds: int = 7
    seconds: float = 0.2


def once(contestant: Contestant, loops: int = 1) -> float:
    """Return the seconds of one run, the mean of `loops` runs, without garbage collection."""
    if contestant.before:
        contestant.before()
    gc.collect()
    gc.disable()
    try:
        start = perf_counter()
        for _ in range(loops):
            contestant.run()
        return (perf_counter() - start) / loops
    finally:
        gc.enable()


def loops_for(contestant: Contestant, effort: Effort) -> int:
    """Return how many runs make a measurement long enough.

    Everybody has been warmed up by the comparison of the numbers.
    """
    if contestant.before or not contestant.expected:
        return 1
    return max(1, math.ceil(effort.seconds / max(once(contestant), 1e-7)))


def measure(race: Race, effort: Effort) -> dict[str, list[float]]:
    """Return the seconds per run of every contestant of a race, one figure per round.

    In each round everybody runs once, in order, so that a machine that slows down slows
    neighbours alike.
    """
    rounds = min(effort.rounds, race.rounds or effort.rounds)
    loops = [loops_for(contestant, effort) for contestant in race.contestants]
    times: dict[str, list[float]] = {contestant.name: [] for contestant in race.contestants}
    for _ in range(rounds):
        for contestant, count in zip(race.contestants, loops, strict=True):
            times[contestant.name].append(once(contestant, count))
    return times


class Ratio(NamedTuple):
    """How many times as long the slower one took, over the rounds."""

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
