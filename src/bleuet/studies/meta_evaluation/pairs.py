"""Pairs of scores counted by how metric and people order them: counts add, and tau is a ratio.

A pair is concordant, discordant, tied by the metric only, tied by people only, or tied by both.
Counts per segment are a small table whose rows add, so a statistic of any choice of segments, a
bootstrap draw among them, is a function of a sum of rows.
"""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.studies.meta_evaluation.judgments import PairwiseJudgments, ScoreMatrix
from bleuet.studies.meta_evaluation.measured import Measured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    import numpy as np

    from bleuet.studies.meta_evaluation.rows import Floats, Integers

    # What a pair adds to the numerator: rows are people's <, =, >, columns the metric's.
    Coefficients: TypeAlias = tuple[tuple[float, float, float], ...]
else:
    np = optional("numpy")

# The columns of every table of counts.
KINDS = ("concordant", "discordant", "metric_ties", "human_ties", "both_ties")
# The kind of a pair by 3 * people's sign + the metric's sign + 4.
_KIND_OF_SIGNS = (0, 2, 1, 3, 4, 3, 1, 2, 0)

X = float("nan")  # the pair is not counted
# Machacek and Bojar (2014), "Results of the WMT14 Metrics Shared Task", section on segment-level
# evaluation, give the three as such tables. Deutsch, Foster and Freitag (2023), "Ties Matter",
# write them as (C-D-Tm)/(C+D+Tm), (C-D)/(C+D) and (C-D)/(C+D+Tm).
WMT12: Coefficients = ((1, -1, -1), (X, X, X), (-1, -1, 1))
WMT13: Coefficients = ((1, X, -1), (X, X, X), (-1, X, 1))
WMT14: Coefficients = ((1, 0, -1), (X, X, X), (-1, 0, 1))
# Half a concordant and half a discordant pair: 1/2 - 1/2 above the line, 1/2 + 1/2 below it.
CHEN_CHERRY: Coefficients = WMT14
ACCURACY: Coefficients = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def kinds_of(human: Floats | Integers, metric: Floats) -> Integers:
    """Return the kind of each pair, as a position in `KINDS`.

    Args:
        human: people's first score minus their second, or their preference; no NaN.
        metric: the metric's first score minus its second; no NaN.

    >>> kinds_of(np.array([1, 1, 1, 0, 0]), np.array([0.5, -0.5, 0.0, 0.5, 0.0])).tolist()
    [0, 1, 2, 3, 4]
    """
    signs = 3 * np.sign(human).astype(np.int64) + np.sign(metric).astype(np.int64) + 4
    kinds: Integers = np.array(_KIND_OF_SIGNS, dtype=np.int64)[signs]
    return kinds


def count_members(human: Floats, metric: Floats) -> Integers:
    """Count all pairs of members of each group.

    Args:
        human: people's scores, one row per group, one column per member; NaN for none.
        metric: the metric's scores, alike.

    Returns:
        One row per group, one column per kind.

    >>> count_members(np.array([[3.0, 2.0, 2.0]]), np.array([[0.9, 0.1, 0.9]])).tolist()
    [[1, 0, 1, 1, 0]]
    """
    counts = np.zeros((len(human), len(KINDS)), dtype=np.int64)
    # All pairs that lie the same number of columns apart, at once.
    for apart in range(1, human.shape[1]):
        by_people = human[:, apart:] - human[:, :-apart]
        by_metric = metric[:, apart:] - metric[:, :-apart]
        group, pair = np.nonzero(~np.isnan(by_people + by_metric))
        kinds = kinds_of(by_people[group, pair], by_metric[group, pair])
        counts += _tallied(group, kinds, len(human))
    return counts


def _tallied(group: Integers, kinds: Integers, groups: int, weights: Floats | None = None) -> Any:
    cells = group * len(KINDS) + kinds
    return np.bincount(cells, weights, groups * len(KINDS)).reshape(groups, len(KINDS))


def ratio(counts: Integers | Floats, coefficients: Coefficients) -> Floats:
    """Return what a table of coefficients makes of counts.

    Args:
        counts: along the last axis one count per kind.
        coefficients: what a pair adds to the numerator; X where it is in neither part.

    Returns:
        Numerator by denominator; NaN where no pair is counted.

    >>> round(float(ratio(np.array([6, 3, 1, 0, 0]), WMT12)), 3)
    0.2
    """
    per_kind, counted = _folded(coefficients)
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Floats = (counts @ per_kind) / (counts @ counted)
    return value


def _folded(coefficients: Coefficients) -> tuple[Floats, Floats]:
    """Fold the two directions of a pair into kinds; which came first means nothing."""
    less, equal, _ = coefficients
    per_kind = np.array([less[0], less[2], less[1], equal[0], equal[1]])
    counted = ~np.isnan(per_kind)
    return np.where(counted, per_kind, 0.0), counted.astype(np.float64)


class JudgedPairs:
    """The judgments that a metric has scores for, each with its kind.

    Args:
        judgments: people's.
        metric: scores of every judged system, for every judged segment; more systems are fine.

    Raises:
        InputError: the metric lacks a judged system or segment.
    """

    def __init__(self, judgments: PairwiseJudgments, metric: ScoreMatrix) -> None:
        scores = metric.select(judgments.systems).values
        self.segments = metric.segments
        self.systems = len(judgments.systems)
        if len(judgments) and judgments.segment.max() >= self.segments:
            raise InputError(
                f"segment {int(judgments.segment.max())} was judged, but the metric has scores "
                f"for the segments 0 to {self.segments - 1} only"
            )
        flat = scores.ravel()
        differences = (
            flat[judgments.first * self.segments + judgments.segment]
            - flat[judgments.second * self.segments + judgments.segment]
        )
        there = ~np.isnan(differences)
        self.missing = int(len(there) - there.sum())
        if self.missing:
            judgments, differences = judgments.select(there), differences[there]
        self._judgments = judgments
        self._kinds = kinds_of(judgments.preference, differences)
        self.counts: Integers = _tallied(judgments.segment, self._kinds, self.segments)

    def measured(self, coefficients: Coefficients, grouping: str) -> Measured:
        """Return the statistic over all judgments ("none"), or its mean over segments ("item")."""
        totals = self.counts.sum(axis=0)
        value = measure_counts(self.counts, coefficients, grouping)
        if grouping == "none":
            used = int(totals @ _folded(coefficients)[1])
            return Measured(value, used, int(totals.sum()) - used, self.missing)
        judged = int((self.counts.sum(axis=1) > 0).sum())
        defined = int((~np.isnan(ratio(self.counts, coefficients))).sum())
        return Measured(value, defined, judged - defined, self.missing)

    def drawn(
        self, coefficients: Coefficients, grouping: str, times: Integers, systems: Integers | None
    ) -> Floats:
        """Return the statistic of bootstrap draws.

        Args:
            coefficients: as above.
            grouping: as above.
            times: one row per draw, how often each segment was drawn.
            systems: one row per draw, how often each system was drawn; None draws none.
        """
        if systems is None:
            return _of_sums(self.counts, times, coefficients, grouping)
        values = [
            _of_sums(self._weighted(drawn), time[None], coefficients, grouping)[0]
            for time, drawn in zip(times, systems, strict=True)
        ]
        return np.array(values)

    def _weighted(self, systems: Integers) -> Floats:
        judged = self._judgments
        weights = (systems[judged.first] * systems[judged.second]).astype(np.float64)
        counts: Floats = _tallied(judged.segment, self._kinds, self.segments, weights)
        return counts


def measure_counts(counts: Integers | Floats, coefficients: Coefficients, grouping: str) -> float:
    """Return the statistic of a table of counts.

    Args:
        counts: one row per segment, one column per kind.
        coefficients: what a pair adds.
        grouping: "none" for the sum of all rows, "item" for the mean over rows.
    """
    once = np.ones((1, len(counts)), dtype=np.int64)
    return float(_of_sums(counts, once, coefficients, grouping)[0])


def _of_sums(
    counts: Integers | Floats, times: Integers, coefficients: Coefficients, grouping: str
) -> Floats:
    if grouping == "none":
        return ratio(times.astype(np.float64) @ counts, coefficients)
    return mean_of_drawn(ratio(counts, coefficients), times)


def mean_of_drawn(values: Floats, times: Integers) -> Floats:
    """Return the mean of the defined values of each draw of groups.

    Args:
        values: one per group, NaN where undefined.
        times: one row per draw, how often each group was drawn.
    """
    defined = ~np.isnan(values)
    drawn = times.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = (drawn @ np.where(defined, values, 0.0)) / (drawn @ defined)
    return means
