"""Pairwise accuracy with tie calibration, acc*eq: close scores of the metric count as ties.

Deutsch, Foster and Freitag (2023), "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
Accuracy and Tie Calibration", EMNLP: acc_eq = (C + Thm) / (C + D + Th + Tm + Thm), where the metric
ties two scores that differ by at most epsilon, and epsilon maximises acc_eq. Differences that are
equal up to rounding are equal.
"""

from __future__ import annotations

from bleuet.extras import deferred
from bleuet.meta_evaluation.grouping import grouped
from bleuet.meta_evaluation.pair_counts import mean_of_drawn
from bleuet.meta_evaluation.rounding import TOLERANCE, typical, without_rounding
from bleuet.meta_evaluation.statistic_value import StatisticValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.meta_evaluation.statistic_options import StatisticOptions

    # Some pairs: the absolute differences of the metric, and the group of each pair.
    Pairs: TypeAlias = tuple[Floats, Integers]
else:
    np = deferred("numpy")


class TieSweep:
    """All pairs of all groups, prepared to find the best epsilon of all possible ones.

    A larger epsilon can gain only pairs with a human tie and lose only concordant ones. So these
    two kinds are stored, sorted by the difference of the metric, and the best epsilon is 0 or a
    difference of the first kind. Sorting n pairs dominates the cost: O(n log n).

    Args:
        human: human scores, one row per group, one column per member; NaN for a missing score.
        metric: the metric's scores in the same layout.

    >>> human = np.array([[1.0, 2.0, 2.0, 3.0, 4.0]])
    >>> TieSweep(human, np.array([[2.0, 1.0, 1.5, 5.0, 3.0]])).best()
    (0.7, 0.5)
    """

    def __init__(self, human: Floats, metric: Floats) -> None:
        pairs, ties, concordant = _collected(human, metric)
        self.pairs: Integers = pairs
        with np.errstate(divide="ignore"):
            self._share: Floats = np.where(pairs > 0, 1.0 / pairs, 0.0)
        (ties_at, self._ties), (concordant_at, self._concordant) = ties, concordant
        self._concordant_at: Floats = concordant_at
        self._epsilons = np.unique(np.concatenate([[0.0], ties_at]))
        self._tied = np.searchsorted(ties_at, self._epsilons, side="right")
        self._lost = np.searchsorted(concordant_at, self._epsilons, side="right")

    def best(self, times: Integers | None = None) -> tuple[float, float]:
        """Return the greatest mean accuracy over groups, and the smallest epsilon that reaches it.

        Args:
            times: how often each group counts; None counts each once.
        """
        weights: Floats = self._share if times is None else self._share * times
        groups = self.pairs > 0
        total = float(groups.sum() if times is None else times[groups].sum())
        if total == 0:
            return float("nan"), float("nan")
        gained = _running(weights[self._ties])[self._tied]
        kept = _running(weights[self._concordant])
        accuracies = gained + kept[-1] - kept[self._lost]
        # Values that differ by rounding only are equal: the first has the smallest epsilon.
        at = int((accuracies >= accuracies.max() - 1e-12 * total).argmax())
        # A running sum of many shares may exceed their number by rounding.
        return min(float(accuracies[at] / total), 1.0), float(self._epsilons[at])

    def share_tied(self, epsilon: float) -> float:
        """Return the share of concordant pairs that an epsilon makes ties."""
        count = len(self._concordant_at)
        tied = int(np.searchsorted(self._concordant_at, epsilon, side="right"))
        return tied / count if count else 0.0


def _running(values: Floats) -> Floats:
    sums: Floats = np.concatenate([[0.0], np.cumsum(values)])
    return sums


def _collected(human: Floats, metric: Floats) -> tuple[Integers, Pairs, Pairs]:
    """Return the number of pairs of each group, and the human ties and the concordant pairs."""
    pairs = np.zeros(len(human), dtype=np.int64)
    ties: list[Pairs] = []
    concordant: list[Pairs] = []
    for distance in range(1, human.shape[1]):
        by_human = human[:, distance:] - human[:, :-distance]
        by_metric = metric[:, distance:] - metric[:, :-distance]
        present = ~np.isnan(by_human + by_metric)
        pairs += present.sum(axis=1)
        ties.append(_chosen(by_metric, (by_human == 0) & present))
        concordant.append(_chosen(by_metric, np.sign(by_human) * np.sign(by_metric) > 0))
    return pairs, *_sorted(ties, concordant, typical(metric))


def _chosen(differences: Floats, chosen: Any) -> Pairs:
    group, pair = np.nonzero(chosen)
    return np.abs(differences[group, pair]), group


def _sorted(ties: list[Pairs], concordant: list[Pairs], scale: float) -> tuple[Pairs, Pairs]:
    """Return both kinds of pairs, each in the order of their differences."""
    listed = [_joined(ties), _joined(concordant)]
    differences = without_rounding(np.concatenate([part[0] for part in listed]), scale)
    found = []
    for (own, groups), start in zip(listed, (0, len(listed[0][0])), strict=True):
        sizes = differences[start : start + len(own)]
        order = np.argsort(sizes, kind="stable")
        found.append((sizes[order], groups[order]))
    return found[0], found[1]


def _joined(parts: list[Pairs]) -> Pairs:
    differences: Floats = np.concatenate([np.zeros(0), *(part[0] for part in parts)])
    groups = np.concatenate([np.zeros(0, dtype=np.int64), *(part[1] for part in parts)])
    return differences, groups


def decisions(human: Floats, metric: Floats, epsilon: float | Floats) -> Iterator[tuple[Any, Any]]:
    """Yield whether human scores and metric agree on pairs of members, and whether both are scored.

    Args:
        human: human scores, one row per group, one column per member; NaN for a missing score.
        metric: the metric's scores in the same layout.
        epsilon: the largest difference at which two metric scores tie, or one for each group.

    Yields:
        Two arrays of truth values, one row per group, one column per pair; all pairs of columns of
        the same distance at a time.
    """
    scale = np.maximum(np.asarray(epsilon, dtype=np.float64), typical(metric))
    most = np.broadcast_to(epsilon + TOLERANCE * scale, (len(human),))[:, None]
    for distance in range(1, human.shape[1]):
        by_human = human[:, distance:] - human[:, :-distance]
        by_metric = metric[:, distance:] - metric[:, :-distance]
        present = ~np.isnan(by_human + by_metric)
        decided = np.where(np.abs(by_metric) <= most, 0.0, np.sign(by_metric))
        yield (np.sign(by_human) == decided) & present, present


def accuracy_with_ties(human: Floats, metric: Floats, epsilon: float | Floats) -> Floats:
    """Return acc_eq of each group for an epsilon, such as one calibrated on other data.

    Args:
        human: human scores, one row per group, one column per member; NaN for a missing score.
        metric: the metric's scores in the same layout.
        epsilon: the largest difference at which two metric scores tie, or one for each group.

    >>> accuracy_with_ties(np.array([[1.0, 2.0, 2.0]]), np.array([[0.1, 0.3, 0.4]]), 0.15).tolist()
    [1.0]
    """
    agreed = np.zeros(len(human))
    pairs = np.zeros(len(human))
    for equal, present in decisions(human, metric, epsilon):
        agreed += equal.sum(axis=1)
        pairs += present.sum(axis=1)
    with np.errstate(invalid="ignore"):
        accuracy: Floats = agreed / pairs
    return accuracy


def calibrated_epsilons(
    human: Floats,
    metric: Floats,
    grouping: str,
    options: StatisticOptions,
    times: Integers | None = None,
) -> Floats:
    """Return the epsilon of each group: one for all, or one for each part of the segments.

    Args:
        human: human scores, one row per system, one column per segment; NaN for a missing score.
        metric: the metric's scores in the same layout.
        grouping: one of `GROUPINGS`; "item" where the epsilon is calibrated on other segments.
        options: whether each part's epsilon is calibrated on the other parts.
        times: how often each group counts; None counts each once.
    """
    sweep = TieSweep(grouped(human, grouping), grouped(metric, grouping))
    groups = len(sweep.pairs)
    if not options.settings.held_out_epsilon:
        return np.full(groups, sweep.best(times)[1])
    parts = options.folds(groups)
    once = np.ones(groups, dtype=np.int64) if times is None else times
    found = np.zeros(groups)
    for part in np.unique(parts):
        own = parts == part
        found[own] = sweep.best(np.where(own, 0, once))[1]
    return np.nan_to_num(found)  # without another scored segment, only equal scores tie


def measure_calibrated(
    human: Floats, metric: Floats, grouping: str, options: StatisticOptions
) -> StatisticValue:
    """Return acc*eq of all scores, or its mean over groups with one epsilon for all groups.

    Args:
        human: human scores, one row per system, one column per segment; NaN for a missing score.
        metric: the metric's scores in the same layout.
        grouping: one of `GROUPINGS`; "none" compares all pairs of scores of the whole matrix,
            about half the square of their number.
        options: whether epsilon is calibrated on other segments.
    """
    present = ~np.isnan(human + metric)
    if options.settings.held_out_epsilon:
        return _held_out(human, metric, options)
    sweep = TieSweep(grouped(human, grouping), grouped(metric, grouping))
    value, epsilon = sweep.best()
    missing = int(present.size - present.sum())
    tied = sweep.share_tied(epsilon)
    if grouping == "none":
        return StatisticValue(value, int(present.sum()), 0, missing, epsilon, tied)
    groups = int((sweep.pairs > 0).sum())
    return StatisticValue(value, groups, len(sweep.pairs) - groups, missing, epsilon, tied)


def _held_out(human: Floats, metric: Floats, options: StatisticOptions) -> StatisticValue:
    epsilons = calibrated_epsilons(human, metric, "item", options)
    values = accuracy_with_ties(human.T, metric.T, epsilons)
    defined = ~np.isnan(values)
    value = float(values[defined].mean()) if defined.any() else float("nan")
    missing, groups = int(np.isnan(human + metric).sum()), int(defined.sum())
    epsilon = float(np.median(epsilons)) if groups else float("nan")
    tied = TieSweep(human.T, metric.T).share_tied(epsilon)
    return StatisticValue(value, groups, len(values) - groups, missing, epsilon, tied)


def draw_calibrated_items(
    human: Floats, metric: Floats, times: Integers, options: StatisticOptions
) -> Floats:
    """Return acc*eq by item for bootstrap draws of segments, calibrated for each draw.

    Args:
        human: as in `measure_calibrated`.
        metric: as in `measure_calibrated`.
        times: one row per draw: how often each segment was drawn.
        options: as in `measure_calibrated`.
    """
    if options.settings.held_out_epsilon:
        return np.array([_held_out_draw(human, metric, drawn, options) for drawn in times])
    sweep = TieSweep(human.T, metric.T)
    return np.array([sweep.best(drawn)[0] for drawn in times])


def _held_out_draw(
    human: Floats, metric: Floats, times: Integers, options: StatisticOptions
) -> float:
    epsilons = calibrated_epsilons(human, metric, "item", options, times)
    values = accuracy_with_ties(human.T, metric.T, epsilons)
    return float(mean_of_drawn(values, times[None])[0])
