"""L-BFGS: minimise a function of weights by its gradient and the last few steps.

The library routine of scipy starts threads for products of ten numbers, which takes several times
as long as the products themselves. Here sums are plain loops, in one order on every machine.

Source: Liu and Nocedal (1989), On the Limited Memory BFGS Method for Large Scale Optimization,
Mathematical Programming 45; the line search is algorithm 2.6 of Lewis and Overton (2013),
Nonsmooth Optimization via Quasi-Newton Methods, Mathematical Programming 141.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from bleuet.extras import deferred

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats

    Loss: TypeAlias = Callable[[Floats], tuple[float, Floats]]
else:
    np = deferred("numpy")

# The steps that are remembered.
_MEMORY = 10
# A loss that falls less, relatively, has reached its minimum, as has one with a smaller gradient.
_LEAST_FALL, _LEAST_SLOPE = 2.2e-9, 1e-5
# The step must lower the loss by so much of what the slope promises, and lower the slope so much.
_FALL, _CURVATURE = 1e-4, 0.9
_TRIALS = 40


def minimise(loss: Loss, start: Floats, rounds: int) -> Iterator[Floats]:
    """Yield the weights after each step, until the loss falls no more.

    Args:
        loss: returns the loss of weights, and its gradient.
        start: where the search begins.
        rounds: the most steps.

    >>> *_, last = minimise(lambda w: (float((w - 3) @ (w - 3)), 2 * (w - 3)), np.zeros(2), 20)
    >>> last.round(6).tolist()
    [3.0, 3.0]
    """
    weights = start
    value, gradient = loss(weights)
    steps: deque[tuple[Floats, Floats, float]] = deque(maxlen=_MEMORY)
    for _ in range(rounds):
        if np.abs(gradient).max() <= _LEAST_SLOPE:
            return
        direction = -_times_inverse(gradient, steps)
        length = 1.0 if steps else 1 / max(1.0, np.sqrt(_dot(gradient, gradient)))
        found = _line(loss, weights, value, gradient, direction, length)
        if found is None:
            return
        there, lower, slope = found
        step, change = there - weights, slope - gradient
        steps.append((step, change, _dot(step, change)))
        fall = (value - lower) / max(abs(value), abs(lower), 1.0)
        weights, value, gradient = there, lower, slope
        yield weights
        if fall <= _LEAST_FALL:
            return


def _times_inverse(gradient: Floats, steps: deque[tuple[Floats, Floats, float]]) -> Floats:
    """Return the gradient times the inverse curvature that the steps have shown."""
    found = gradient
    shares = []
    for step, change, curvature in reversed(steps):
        share = _dot(step, found) / curvature
        found = found - share * change
        shares.append(share)
    if steps:
        _, change, curvature = steps[-1]
        found = found * (curvature / _dot(change, change))
    for (step, change, curvature), share in zip(steps, reversed(shares), strict=True):
        found = found + (share - _dot(change, found) / curvature) * step
    return found


def _line(
    loss: Loss, weights: Floats, value: float, gradient: Floats, direction: Floats, length: float
) -> tuple[Floats, float, Floats] | None:
    """Return a point along a direction with a lower loss and slope; None if there is none."""
    promised = _dot(gradient, direction)
    if not promised < 0:
        return None
    low, high = 0.0, np.inf
    for _ in range(_TRIALS):
        there = weights + length * direction
        lower, slope = loss(there)
        if not lower <= value + _FALL * length * promised:
            high = length
        elif _dot(slope, direction) < _CURVATURE * promised:
            low = length
        else:
            return there, lower, slope
        length = (low + high) / 2 if np.isfinite(high) else 2 * low
    return None


def _dot(one: Floats, other: Floats) -> float:
    return float(np.einsum("f,f->", one, other))
