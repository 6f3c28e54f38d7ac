"""Scores that are equal up to rounding: they tie, as equal scores do.

0.1 + 0.2 and 0.3 differ in the 17th digit. Two scores tie where they differ by no more than 10^-12
of the larger one, or of a typical score: the median of the absolute scores that are not 0.
"""

from __future__ import annotations

from bleuet.extras import deferred

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
else:
    np = deferred("numpy")

TOLERANCE = 1e-12


def typical(values: Floats) -> float:
    """Return the median absolute value of the scores that are neither missing nor 0."""
    sizes = np.abs(values[~np.isnan(values) & (values != 0)])
    return float(np.median(sizes)) if sizes.size else 0.0


def without_rounding(values: Floats, scale: float | None = None) -> Floats:
    """Return scores in which those that are equal up to rounding are equal exactly.

    Args:
        values: scores in any layout; NaN for a missing score.
        scale: the size of a typical score; None takes that of the scores.

    >>> without_rounding(np.array([0.1 + 0.2, 0.3, 0.5])).tolist()
    [0.30000000000000004, 0.30000000000000004, 0.5]
    """
    distinct, place = np.unique(values, return_inverse=True)
    scale = typical(values) if scale is None else scale
    size = np.maximum(np.maximum(np.abs(distinct[1:]), np.abs(distinct[:-1])), scale)
    # A step begins a new group of equal scores; a missing score is a group of its own.
    steps = np.concatenate([[True], ~(np.diff(distinct) <= TOLERANCE * size)])[: len(distinct)]
    if steps.all():
        return values
    # The largest of a group stands for it, so that a threshold includes the whole group.
    last = np.append(np.flatnonzero(steps)[1:] - 1, len(distinct) - 1)
    equal: Floats = distinct[last[np.cumsum(steps) - 1]][place].reshape(values.shape)
    return equal
