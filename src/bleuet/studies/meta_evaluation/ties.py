"""Pairwise accuracy with tie calibration, acc*eq: a metric may call close scores equal too.

Deutsch, Foster and Freitag (2023), "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
Accuracy and Tie Calibration", EMNLP: acc_eq = (C + Thm) / (C + D + Th + Tm + Thm), where the metric
ties two scores that differ by at most epsilon, and epsilon is the one that maximises it.
"""

from __future__ import annotations

from bleuet.extras import optional
from bleuet.studies.meta_evaluation.grouping import grouped
from bleuet.studies.meta_evaluation.measured import Measured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    import numpy as np

    from bleuet.studies.meta_evaluation.rows import Floats, Integers

    # The metric's absolute differences and the groups of some pairs.
    Pairs: TypeAlias = tuple[Floats, Integers]
else:
    np = optional("numpy")


class TieSweep:
    """All pairs of all groups, ready to find the best epsilon among all there are.

    Only pairs that people tie can gain by a wider epsilon, and only concordant ones lose, so those
    two are kept, sorted by the metric's difference; and only the differences of the first, and 0,
    can be best. Sorting n pairs is all it costs: O(n log n).

    Args:
        human: people's scores, one row per group, one column per member; NaN for none.
        metric: the metric's scores, alike.

    >>> people = np.array([[1.0, 2.0, 2.0, 3.0, 4.0]])
    >>> TieSweep(people, np.array([[2.0, 1.0, 1.5, 5.0, 3.0]])).best()
    (0.7, 0.5)
    """

    def __init__(self, human: Floats, metric: Floats) -> None:
        pairs, ties, concordant = _collected(human, metric)
        self.pairs: Integers = pairs
        with np.errstate(divide="ignore"):
            self._share: Floats = np.where(pairs > 0, 1.0 / pairs, 0.0)
        (ties_at, self._ties), (concordant_at, self._concordant) = ties, concordant
        self._epsilons = np.unique(np.concatenate([[0.0], ties_at]))
        self._tied = np.searchsorted(ties_at, self._epsilons, side="right")
        self._lost = np.searchsorted(concordant_at, self._epsilons, side="right")

    def best(self, times: Integers | None = None) -> tuple[float, float]:
        """Return the greatest mean accuracy over groups, and the least epsilon that gives it.

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
        # What is equal but for rounding is equal: the first, so the least epsilon, is taken.
        at = int((accuracies >= accuracies.max() - 1e-12 * total).argmax())
        return float(accuracies[at] / total), float(self._epsilons[at])


def _running(values: Floats) -> Floats:
    sums: Floats = np.concatenate([[0.0], np.cumsum(values)])
    return sums


def _collected(human: Floats, metric: Floats) -> tuple[Integers, Pairs, Pairs]:
    """Return how many pairs each group has, the pairs people tie, and the concordant ones."""
    pairs = np.zeros(len(human), dtype=np.int64)
    ties: list[Pairs] = []
    concordant: list[Pairs] = []
    for apart in range(1, human.shape[1]):
        by_people = human[:, apart:] - human[:, :-apart]
        by_metric = metric[:, apart:] - metric[:, :-apart]
        there = ~np.isnan(by_people + by_metric)
        pairs += there.sum(axis=1)
        ties.append(_chosen(by_metric, (by_people == 0) & there))
        concordant.append(_chosen(by_metric, np.sign(by_people) * np.sign(by_metric) > 0))
    return pairs, _sorted(ties), _sorted(concordant)


def _chosen(differences: Floats, chosen: Any) -> Pairs:
    group, pair = np.nonzero(chosen)
    return np.abs(differences[group, pair]), group


def _sorted(parts: list[Pairs]) -> Pairs:
    differences = np.concatenate([[], *(part[0] for part in parts)])
    groups = np.concatenate([np.zeros(0, dtype=np.int64), *(part[1] for part in parts)])
    order = np.argsort(differences, kind="stable")
    return differences[order], groups[order]


def accuracy_with_ties(human: Floats, metric: Floats, epsilon: float) -> Floats:
    """Return acc_eq of each group at a given epsilon, as one calibrated on other data.

    Args:
        human: people's scores, one row per group, one column per member; NaN for none.
        metric: the metric's scores, alike.
        epsilon: the difference of metric scores up to which they tie.

    >>> accuracy_with_ties(np.array([[1.0, 2.0, 2.0]]), np.array([[0.1, 0.3, 0.4]]), 0.15).tolist()
    [1.0]
    """
    agreed = np.zeros(len(human))
    pairs = np.zeros(len(human))
    for apart in range(1, human.shape[1]):
        by_people = human[:, apart:] - human[:, :-apart]
        by_metric = metric[:, apart:] - metric[:, :-apart]
        pairs += (~np.isnan(by_people + by_metric)).sum(axis=1)
        called = np.where(np.abs(by_metric) <= epsilon, 0.0, np.sign(by_metric))
        agreed += (np.sign(by_people) == called).sum(axis=1)
    with np.errstate(invalid="ignore"):
        accuracy: Floats = agreed / pairs
    return accuracy


def measure_calibrated(human: Floats, metric: Floats, grouping: str) -> Measured:
    """Return acc*eq over all scores, or its mean over groups with one epsilon for all.

    Args:
        human: people's scores, one row per system, one column per segment; NaN for none.
        metric: the metric's scores, alike.
        grouping: one of `GROUPINGS`; with "none" every pair of scores of the whole matrix is
            compared, half the square of their number.
    """
    there = ~np.isnan(human + metric)
    sweep = TieSweep(grouped(human, grouping), grouped(metric, grouping))
    value, epsilon = sweep.best()
    missing = int(there.size - there.sum())
    if grouping == "none":
        return Measured(value, int(there.sum()), 0, missing, epsilon)
    groups = int((sweep.pairs > 0).sum())
    return Measured(value, groups, len(sweep.pairs) - groups, missing, epsilon)


def draw_calibrated_items(human: Floats, metric: Floats, times: Integers) -> Floats:
    """Return acc*eq by item for bootstrap draws of segments, calibrated anew for each.

    Args:
        human: people's scores, as above.
        metric: the metric's scores, as above.
        times: one row per draw, how often each segment was drawn.
    """
    sweep = TieSweep(human.T, metric.T)
    return np.array([sweep.best(drawn)[0] for drawn in times])
