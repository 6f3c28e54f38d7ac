"""Groupings: which scores are compared with each other.

- none: all scores of all systems and segments, in one vector per side;
- item: the scores of all systems on each segment, then the mean over segments;
- system: the scores of each system on all segments, then the mean over systems.

A group with an undefined statistic, such as one with equal human scores, is left out of the mean
and counted, as in mt-metrics-eval, or counts as 0, as with its replace_nans_with_zeros. Where no
group is defined, the value is NaN; mt-metrics-eval returns 0, which reads as "no agreement".
"""

from __future__ import annotations

from bleuet.extras import deferred
from bleuet.meta_evaluation.pair_counts import mean_of_drawn
from bleuet.meta_evaluation.statistic_value import StatisticValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.meta_evaluation.statistic_options import StatisticOptions

    Correlation: TypeAlias = Callable[[Floats, Floats], Floats]
else:
    np = deferred("numpy")


def grouped(values: Floats, grouping: str) -> Floats:
    """Return scores as one row per group.

    Args:
        values: one row per system, one column per segment.
        grouping: one of `GROUPINGS`.

    >>> values = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> [grouped(values, grouping).tolist() for grouping in ("none", "item", "system")]
    [[[1.0, 2.0, 3.0, 4.0]], [[1.0, 3.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]
    """
    arranged: dict[str, Floats] = {
        "none": values.reshape(1, -1),
        "item": values.T,
        "system": values,
    }
    return arranged[grouping]


def measure_grouped(
    correlation: Correlation,
    human: Floats,
    metric: Floats,
    grouping: str,
    options: StatisticOptions,
) -> StatisticValue:
    """Return a correlation of all scores, or its mean over groups.

    Args:
        correlation: returns one value per row, as the functions of `correlation`.
        human: human scores, one row per system, one column per segment; NaN for a missing score.
        metric: the metric's scores in the same layout.
        grouping: one of `GROUPINGS`.
        options: whether an undefined value counts as 0.
    """
    present = ~np.isnan(human + metric)
    missing = int(present.size - present.sum())
    values = _values(correlation, grouped(human, grouping), grouped(metric, grouping), options)
    if grouping == "none":
        return StatisticValue(float(values[0]), int(present.sum()), 0, missing)
    defined = ~np.isnan(values)
    value = float(values[defined].mean()) if defined.any() else float("nan")
    groups = int(defined.sum())
    return StatisticValue(value, groups, len(values) - groups, missing)


def _values(
    correlation: Correlation, human: Floats, metric: Floats, options: StatisticOptions
) -> Floats:
    """Return the value of each group; a group of fewer than two members never has one."""
    values = correlation(human, metric)
    if not options.settings.undefined_as_zero:
        return values
    pairs = (~np.isnan(human + metric)).sum(axis=-1) > 1
    return np.where(np.isnan(values) & pairs, 0.0, values)


def draw_items(
    correlation: Correlation,
    human: Floats,
    metric: Floats,
    times: Integers,
    options: StatisticOptions,
) -> Floats:
    """Return the mean over items for bootstrap draws of segments; each item is computed once.

    Args:
        correlation: as in `measure_grouped`.
        human: as in `measure_grouped`.
        metric: as in `measure_grouped`.
        times: one row per draw: how often each segment was drawn.
        options: as in `measure_grouped`.
    """
    return mean_of_drawn(_values(correlation, human.T, metric.T, options), times)
