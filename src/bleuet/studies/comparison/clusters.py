"""Rank clusters: systems that significance tests tell apart, and those they do not."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.errors import InputError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol, TypeAlias

    # The p-value of the difference between two systems, named in either order.
    PValues: TypeAlias = Mapping[tuple[str, str], float]

    class TestedPair(Protocol):
        """What a paired test found of two systems by one metric."""

        @property
        def baseline(self) -> str:
            """The first system."""
            ...

        @property
        def system(self) -> str:
            """The second."""
            ...

        @property
        def metric(self) -> str:
            """The metric."""
            ...

        @property
        def p(self) -> float:
            """The p-value to go by."""
            ...

    class PairedTest(Protocol):
        """What a paired test found of several pairs of systems by several metrics."""

        @property
        def test(self) -> str:
            """What was done."""
            ...

        @property
        def correction(self) -> str | None:
            """How p-values were corrected for several tests."""
            ...

        @property
        def metrics(self) -> Sequence[str]:
            """The metrics, in order."""
            ...

        @property
        def comparisons(self) -> Sequence[TestedPair]:
            """What was found of each pair by each metric."""
            ...


ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Ranked:
    """A system's place among others.

    Attributes:
        system: its name.
        cluster: the number of its cluster, from 1 for the best.
        best: the best rank it could have: one more than there are systems significantly better.
        worst: the worst: how many systems are not significantly worse than it, itself included.
    """

    system: str
    cluster: int
    best: int
    worst: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "system": self.system,
            "cluster": self.cluster,
            "ranks": [self.best, self.worst],
        }


@dataclass(frozen=True, slots=True)
class Ranking:
    """All systems in rank clusters by one metric.

    Attributes:
        metric: the metric's printed name.
        systems: the systems, the best first.
        alpha: a difference was significant where its p-value was below this.
        test: what the p-values come from, as far as it is known.
    """

    metric: str
    systems: tuple[Ranked, ...]
    alpha: float
    test: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "metric": self.metric,
            "systems": [one.to_dict() for one in self.systems],
            "alpha": self.alpha,
            "test": self.test,
        }


def rank_clusters(
    scores: Mapping[str, float],
    p_values: PValues,
    *,
    alpha: float = ALPHA,
    higher_is_better: bool = True,
) -> tuple[Ranked, ...]:
    """Rank systems and draw a line wherever all above are significantly better than all below.

    This is how the WMT shared tasks present their rankings: systems between two lines are a
    cluster, and each has the range of ranks it could have (Bojar et al. 2016).

    Args:
        scores: each system's score by its name.
        p_values: the p-value of every pair's difference, corrected for several tests if need be.
        alpha: a difference is significant where its p-value is below this.
        higher_is_better: whether a higher score is a better one.

    Returns:
        The systems, the best first.

    Raises:
        InputError: the p-value of a pair is missing or no probability.
        OptionError: alpha is not between 0 and 1.

    >>> p = {("a", "b"): 0.2, ("a", "c"): 0.01, ("b", "c"): 0.01}
    >>> [one.cluster for one in rank_clusters({"a": 30.0, "b": 29.5, "c": 20.0}, p)]
    [1, 1, 2]
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha must be between 0 and 1, not {alpha!r}")
    sign = -1 if higher_is_better else 1
    order = sorted(scores, key=lambda name: sign * scores[name])
    apart = {
        (one, other)
        for place, one in enumerate(order)
        for other in order[place + 1 :]
        if _p_value(p_values, one, other) < alpha and scores[one] != scores[other]
    }
    ranked: list[Ranked] = []
    cluster = 1
    for place, name in enumerate(order):
        above, below = order[:place], order[place + 1 :]
        if place and all((one, other) in apart for one in above for other in order[place:]):
            cluster += 1
        better = sum((one, name) in apart for one in above)
        worse = sum((name, other) in apart for other in below)
        ranked.append(Ranked(name, cluster, better + 1, len(order) - worse))
    return tuple(ranked)


def _p_value(p_values: PValues, one: str, other: str) -> float:
    found = p_values.get((one, other), p_values.get((other, one)))
    if found is None:
        raise InputError(
            f"there is no p-value for {one} and {other}; expected one for every pair of systems"
        )
    if not 0 <= found <= 1:
        raise InputError(
            f"the p-value for {one} and {other} is {found!r}; expected a number from 0 to 1"
        )
    return found


def systems_in_clusters(ranked: Sequence[Ranked]) -> tuple[tuple[str, ...], ...]:
    """Return the names of the systems of each cluster, the best first."""
    numbers = sorted({one.cluster for one in ranked})
    return tuple(tuple(one.system for one in ranked if one.cluster == number) for number in numbers)


def p_values_of(results: PairedTest, metrics: Sequence[str]) -> dict[str, PValues]:
    """Return the p-values of a paired test by metric and pair.

    Args:
        results: what the test found.
        metrics: what the metrics are called here, in the order they have there.
    """
    here = dict(zip(results.metrics, metrics, strict=False))
    found: dict[str, dict[tuple[str, str], float]] = {name: {} for name in here.values()}
    for pair in results.comparisons:
        if pair.metric in here:
            found[here[pair.metric]][pair.baseline, pair.system] = pair.p
    # A metric may not have been tested at all; of one that was, every pair must have been.
    return {name: pairs for name, pairs in found.items() if pairs}
