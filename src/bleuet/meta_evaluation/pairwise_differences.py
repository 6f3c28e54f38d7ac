"""Pairwise Difference Pearson: the correlation of the differences between systems on a segment.

DiIanni and Deutsch (2025), "Don't Sweat the Small Stuff: Segment-Level Meta-Evaluation Based on
Pairwise Difference Correlation", EMNLP: Pearson's r of the human and the metric's differences, of
all segments together. Each pair of systems counts in both orders, so that the order of systems
means nothing and the mean difference is 0.
"""

from __future__ import annotations

from bleuet.extras import deferred
from bleuet.meta_evaluation.arrays import row_means
from bleuet.meta_evaluation.statistic_value import StatisticValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
else:
    np = deferred("numpy")


def measure_differences(human: Floats, metric: Floats) -> StatisticValue:
    """Return Pairwise Difference Pearson, computed from the pairs of systems on each segment.

    Args:
        human: human scores, one row per system, one column per segment; NaN for a missing score.
        metric: the metric's scores in the same layout.

    >>> human, metric = np.array([[1.0, 5.0], [2.0, 9.0]]), np.array([[2.0, 3.0], [4.0, 3.0]])
    >>> round(measure_differences(human, metric).value, 3)
    0.243
    """
    present = ~np.isnan(human + metric)
    systems = present.sum(axis=0)
    pairs = int((systems * (systems - 1) // 2).sum())
    value = float(_of_sums(_sums(human, metric).sum(axis=0)[None])[0])
    return StatisticValue(value, pairs, 0, int(present.size - present.sum()))


def draw_differences(human: Floats, metric: Floats, times: Integers) -> Floats:
    """Return Pairwise Difference Pearson of bootstrap draws of segments.

    Args:
        human: as in `measure_differences`.
        metric: as in `measure_differences`.
        times: one row per draw: how often each segment was drawn.
    """
    return _of_sums(times.astype(np.float64) @ _sums(human, metric))


def _of_sums(sums: Floats) -> Floats:
    products, of_human, of_metric = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Floats = np.clip(products / np.sqrt(of_human * of_metric), -1.0, 1.0)
    return value


def _sums(human: Floats, metric: Floats) -> Floats:
    """Return the sums of each segment's products and squares of differences, up to a factor.

    The sum over all pairs of n systems, in both orders, is 2n times that of the products of their
    distances from the mean.
    """
    present = ~np.isnan(human + metric)
    one, other = (_centred(np.where(present, side, np.nan)) for side in (human, metric))
    products = np.stack([one * other, one * one, other * other], axis=-1)
    sums: Floats = present.sum(axis=0)[:, None] * products.sum(axis=0)
    return sums


def _centred(scores: Floats) -> Floats:
    """Return the distances from each segment's mean, 0 where the segment's scores are all equal."""
    least, most = np.fmin.reduce(scores), np.fmax.reduce(scores)
    distances = np.where(least < most, scores - row_means(scores.T), 0.0)
    distances = np.where(np.isnan(scores), 0.0, distances)
    # Scaled, so that squares neither overflow nor underflow.
    largest = np.abs(distances).max(initial=0.0)
    centred: Floats = distances / largest if largest > 0 else distances
    return centred
