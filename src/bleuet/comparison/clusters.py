"""Rank clusters: groups of systems between which all differences are significant."""

from __future__ import annotations

from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value
from bleuet.output.document import Column, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.significance.settings import ALPHA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from bleuet.evaluation.evaluation import Evaluation

    # The p-value of the difference between two systems, named in either order.
    PValues: TypeAlias = Mapping[tuple[str, str], float]


class RankedSystem(Value, Plain):
    """The place of a system among the others.

    Attributes:
        system: the name of the system.
        cluster: the number of its cluster, 1 for the best.
        best: its best possible rank: 1 plus the number of significantly better systems.
        worst: its worst possible rank: the number of systems, itself included, that are not
            significantly worse.
        score: its score, in units of the metric.
    """

    system: str
    cluster: int
    best: int
    worst: int
    score: float
    plain_fields = ("system", "score", "cluster", "ranks=best_and_worst")

    @property
    def best_and_worst(self) -> list[int]:
        """The best and the worst possible rank."""
        return [self.best, self.worst]

    @property
    def ranks(self) -> str:
        """The possible ranks as text.

        >>> RankedSystem("mine", 1, 1, 2, 34.5).ranks
        '1-2'
        """
        return f"{self.best}-{self.worst}" if self.best < self.worst else str(self.best)


class Ranking(Value, Plain):
    """All systems in rank clusters by one metric.

    Attributes:
        metric: the printed name of the metric.
        systems: the systems, the best first.
        alpha: a difference is significant where its p-value is below this.
        test: the source of the p-values, None if it is unknown.
    """

    metric: str
    systems: tuple[RankedSystem, ...]
    alpha: float
    test: str | None = None

    def tables(self, evaluation: Evaluation) -> Iterator[DocumentTable]:
        """Yield the systems with their scores, clusters and possible ranks."""
        how = ", ".join([*filter(None, [self.test]), f"alpha {self.alpha:g}"])
        digits = evaluation.extra_digits[evaluation.headings.index(self.metric)]
        columns = [
            Column("system"),
            Column("score", self.metric, kind="score", extra_digits=digits),
            Column("cluster", kind="count"),
            Column("ranks"),
        ]
        yield DocumentTable.of(
            "clusters", f"Clusters by {self.metric} ({how})", columns, self.systems
        )


def rank_clusters(
    scores: Mapping[str, float],
    p_values: PValues,
    *,
    alpha: float = ALPHA,
    higher_is_better: bool = True,
) -> tuple[RankedSystem, ...]:
    """Rank systems, with a line wherever all above are significantly better than all below.

    The WMT shared tasks present their rankings like this: the systems between two lines are a
    cluster, and each has a range of possible ranks (Bojar et al. 2016).

    Args:
        scores: the score of each system by its name.
        p_values: the p-value of each pair's difference, corrected for several tests if need be.
        alpha: a difference is significant where its p-value is below this.
        higher_is_better: whether larger scores are better.

    Returns:
        The systems, the best first.

    Raises:
        InputError: the p-value of a pair is missing or not a probability.
        OptionError: alpha is not between 0 and 1.

    >>> p = {("a", "b"): 0.2, ("a", "c"): 0.01, ("b", "c"): 0.01}
    >>> [one.cluster for one in rank_clusters({"a": 30.0, "b": 29.5, "c": 20.0}, p)]
    [1, 1, 2]
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha must be between 0 and 1, such as 0.05, not {alpha!r}")
    sign = -1 if higher_is_better else 1
    order = sorted(scores, key=lambda name: sign * scores[name])
    significant = {
        (one, other)
        for place, one in enumerate(order)
        for other in order[place + 1 :]
        if _p_value(p_values, one, other) < alpha and scores[one] != scores[other]
    }
    ranked: list[RankedSystem] = []
    cluster = 1
    for place, name in enumerate(order):
        above, below = order[:place], order[place + 1 :]
        if place and all((one, other) in significant for one in above for other in order[place:]):
            cluster += 1
        better = sum((one, name) in significant for one in above)
        worse = sum((name, other) in significant for other in below)
        ranked.append(RankedSystem(name, cluster, better + 1, len(order) - worse, scores[name]))
    return tuple(ranked)


def _p_value(p_values: PValues, one: str, other: str) -> float:
    found = p_values.get((one, other), p_values.get((other, one)))
    if found is None:
        raise InputError(
            f"there is no p-value for {one} and {other}; expected one for each pair of systems"
        )
    if not 0 <= found <= 1:
        raise InputError(
            f"the p-value for {one} and {other} is {found!r}; expected a number from 0 to 1"
        )
    return found
