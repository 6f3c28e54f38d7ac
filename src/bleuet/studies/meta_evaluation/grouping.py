"""Which scores are compared with each other: all, those of one item, or those of one system.

- none: all scores of all systems and segments, in one vector per side;
- item: the systems' scores of each segment, and the mean over segments;
- system: each system's scores over the segments, and the mean over systems.

A group whose statistic is undefined, as where people gave all its scores alike, is left out of the
mean and counted, as mt-metrics-eval leaves it out. Where no group is defined the value is NaN, and
not mt-metrics-eval's 0, which would read as "no agreement".
"""

from __future__ import annotations

from bleuet.extras import optional
from bleuet.studies.meta_evaluation.measured import Measured
from bleuet.studies.meta_evaluation.pairs import mean_of_drawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    import numpy as np

    from bleuet.studies.meta_evaluation.rows import Floats, Integers

    Correlation: TypeAlias = Callable[[Floats, Floats], Floats]
else:
    np = optional("numpy")

GROUPINGS = ("none", "item", "system")


def grouped(values: Floats, grouping: str) -> Floats:
    """Return scores as one row per group.

    Args:
        values: one row per system, one column per segment.
        grouping: one of `GROUPINGS`.

    >>> values = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> [grouped(values, grouping).tolist() for grouping in GROUPINGS]
    [[[1.0, 2.0, 3.0, 4.0]], [[1.0, 3.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]
    """
    arranged: dict[str, Floats] = {
        "none": values.reshape(1, -1),
        "item": values.T,
        "system": values,
    }
    return arranged[grouping]


def measure_grouped(
    correlation: Correlation, human: Floats, metric: Floats, grouping: str
) -> Measured:
    """Return a correlation over all scores, or its mean over groups.

    Args:
        correlation: gives one value per row, as those of `correlation` do.
        human: people's scores, one row per system, one column per segment; NaN for none.
        metric: the metric's scores, alike.
        grouping: one of `GROUPINGS`.
    """
    there = ~np.isnan(human + metric)
    missing = int(there.size - there.sum())
    values = correlation(grouped(human, grouping), grouped(metric, grouping))
    if grouping == "none":
        return Measured(float(values[0]), int(there.sum()), 0, missing)
    defined = ~np.isnan(values)
    value = float(values[defined].mean()) if defined.any() else float("nan")
    groups = int(defined.sum())
    return Measured(value, groups, len(values) - groups, missing)


def draw_items(correlation: Correlation, human: Floats, metric: Floats, times: Integers) -> Floats:
    """Return the mean over items for bootstrap draws of segments: each item is measured once.

    Args:
        correlation: as above.
        human: people's scores, as above.
        metric: the metric's scores, as above.
        times: one row per draw, how often each segment was drawn.
    """
    return mean_of_drawn(correlation(human.T, metric.T), times)
