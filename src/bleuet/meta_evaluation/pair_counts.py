"""Counts of pairs by how metric and human scores order them.

A pair is concordant, discordant, tied by the metric only, tied by the human scores only, or tied by
both. Counts per segment are rows that add: a statistic of any selection of segments, such as a
bootstrap draw, is a ratio of sums of rows.
"""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments
from bleuet.meta_evaluation.rounding import without_rounding
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.statistic_value import StatisticValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.meta_evaluation.statistic_options import StatisticOptions

    # What a pair adds to the numerator: rows are human <, =, >, columns those of the metric.
    Coefficients: TypeAlias = tuple[tuple[float, float, float], ...]
else:
    np = deferred("numpy")

# The columns of every table of counts.
KINDS = ("concordant", "discordant", "metric_ties", "human_ties", "both_ties")
# The kind of a pair by 3 * human sign + metric sign + 4.
_KIND_OF_SIGNS = (0, 2, 1, 3, 4, 3, 1, 2, 0)

X = float("nan")  # the pair is not counted
# Machacek and Bojar (2014), "Results of the WMT14 Metrics Shared Task", section on segment-level
# evaluation, give the three as such tables. Deutsch, Foster and Freitag (2023), "Ties Matter",
# write them as (C-D-Tm)/(C+D+Tm), (C-D)/(C+D) and (C-D)/(C+D+Tm).
WMT12: Coefficients = ((1, -1, -1), (X, X, X), (-1, -1, 1))
WMT13: Coefficients = ((1, X, -1), (X, X, X), (-1, X, 1))
WMT14: Coefficients = ((1, 0, -1), (X, X, X), (-1, 0, 1))
# A metric tie is half a concordant and half a discordant pair: 1/2 - 1/2 in the numerator,
# 1/2 + 1/2 in the denominator.
CHEN_CHERRY: Coefficients = WMT14
ACCURACY: Coefficients = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def kinds_of(human: Floats | Integers, metric: Floats) -> Integers:
    """Return the kind of each pair, as a position in `KINDS`.

    Args:
        human: the first human score minus the second, or the human preference; no NaN.
        metric: the metric's first score minus its second; no NaN.

    >>> kinds_of(np.array([1, 1, 1, 0, 0]), np.array([0.5, -0.5, 0.0, 0.5, 0.0])).tolist()
    [0, 1, 2, 3, 4]
    """
    signs = 3 * np.sign(human).astype(np.int64) + np.sign(metric).astype(np.int64) + 4
    kinds: Integers = np.array(_KIND_OF_SIGNS, dtype=np.int64)[signs]
    return kinds


def count_members(human: Floats, metric: Floats) -> Integers:
    """Count the pairs of each kind among all pairs of members of each group.

    Args:
        human: human scores, one row per group, one column per member; NaN for a missing score.
        metric: the metric's scores in the same layout.

    Returns:
        One row per group, one column per kind.

    >>> count_members(np.array([[3.0, 2.0, 2.0]]), np.array([[0.9, 0.1, 0.9]])).tolist()
    [[1, 0, 1, 1, 0]]
    """
    counts = np.zeros((len(human), len(KINDS)), dtype=np.int64)
    # Each step counts all pairs of columns with the same distance.
    for distance in range(1, human.shape[1]):
        by_human = human[:, distance:] - human[:, :-distance]
        by_metric = metric[:, distance:] - metric[:, :-distance]
        group, pair = np.nonzero(~np.isnan(by_human + by_metric))
        kinds = kinds_of(by_human[group, pair], by_metric[group, pair])
        counts += _tallied(group, kinds, len(human))
    return counts


def _tallied(group: Integers, kinds: Integers, groups: int, weights: Floats | None = None) -> Any:
    cells = group * len(KINDS) + kinds
    return np.bincount(cells, weights, groups * len(KINDS)).reshape(groups, len(KINDS))


def ratio(counts: Integers | Floats, coefficients: Coefficients) -> Floats:
    """Return the statistic that a table of coefficients defines.

    Args:
        counts: one count per kind along the last axis.
        coefficients: what a pair adds to the numerator; X where the pair is not counted.

    Returns:
        The numerator divided by the number of counted pairs; NaN where no pair is counted.

    >>> round(float(ratio(np.array([6, 3, 1, 0, 0]), WMT12)), 3)
    0.2
    """
    per_kind, counted = _folded(coefficients)
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Floats = (counts @ per_kind) / (counts @ counted)
    return value


def _folded(coefficients: Coefficients) -> tuple[Floats, Floats]:
    """Return coefficients and whether they count by kind; the order within a pair means nothing."""
    less, equal, _ = coefficients
    per_kind = np.array([less[0], less[2], less[1], equal[0], equal[1]])
    counted = ~np.isnan(per_kind)
    return np.where(counted, per_kind, 0.0), counted.astype(np.float64)


class JudgedPairs:
    """The judgments that a metric has scores for, with the kind of each pair.

    Args:
        judgments: human judgments.
        metric: scores of all judged systems and segments; there may be more systems.

    Raises:
        InputError: the metric lacks a judged system or segment.
    """

    def __init__(self, judgments: PairwiseJudgments, metric: ScoreMatrix) -> None:
        scores = without_rounding(metric.select(judgments.systems).values)
        self.segments = metric.segments
        self.systems = len(judgments.systems)
        if len(judgments) and judgments.segment.max() >= self.segments:
            raise InputError(
                f"segment {int(judgments.segment.max())} has a judgment, but the metric only has "
                f"scores of the segments 0 to {self.segments - 1}"
            )
        flat = scores.ravel()
        differences = (
            flat[judgments.first * self.segments + judgments.segment]
            - flat[judgments.second * self.segments + judgments.segment]
        )
        present = ~np.isnan(differences)
        self.missing = int(len(present) - present.sum())
        if self.missing:
            judgments, differences = judgments.select(present), differences[present]
        self._judgments = judgments
        self._kinds = kinds_of(judgments.preference, differences)
        self.counts: Integers = _tallied(judgments.segment, self._kinds, self.segments)

    def measured(self, coefficients: Coefficients, options: StatisticOptions) -> StatisticValue:
        """Return the statistic of all judgments ("none"), or its mean over segments ("item")."""
        grouping = options.grouping or "none"
        totals = self.counts.sum(axis=0)
        value = measure_counts(self.counts, coefficients, grouping)
        if grouping == "none":
            used = int(totals @ _folded(coefficients)[1])
            return StatisticValue(value, used, int(totals.sum()) - used, self.missing)
        judged = int((self.counts.sum(axis=1) > 0).sum())
        defined = int((~np.isnan(ratio(self.counts, coefficients))).sum())
        return StatisticValue(value, defined, judged - defined, self.missing)

    def drawn(
        self, coefficients: Coefficients, grouping: str, times: Integers, systems: Integers | None
    ) -> Floats:
        """Return the statistic of bootstrap draws.

        Args:
            coefficients: what a pair adds.
            grouping: "none" or "item".
            times: one row per draw: how often each segment was drawn.
            systems: one row per draw: how often each system was drawn; None takes each once.
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
        grouping: "none" takes the sum of all rows, "item" the mean over rows.
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
        times: one row per draw: how often each group was drawn.
    """
    defined = ~np.isnan(values)
    drawn = times.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = (drawn @ np.where(defined, values, 0.0)) / (drawn @ defined)
    return means
