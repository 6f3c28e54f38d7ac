"""Ties: utilities that differ only by rounding are equal, and of equals the first is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Scores are rounded at the 16th digit; a mean of means of them differs by a few units there.
_RELATIVE = 1e-12
# Most scores are percents: their parts are rounded as numbers up to 100, however small a mean is.
_PERCENT = 100.0


def rounding(value: float, weight: float = 1.0) -> float:
    """Return the largest difference that rounding explains.

    Args:
        value: a utility, or a weighted sum of utilities.
        weight: the sum of the weights.

    >>> rounding(40.0), rounding(-1e6)
    (1e-10, 1e-06)
    """
    return _RELATIVE * max(_PERCENT * weight, abs(value))


def first_of_best(utilities: Sequence[float]) -> int:
    """Return the number of the first utility that is the highest, up to rounding.

    >>> first_of_best([-20.0, -15.625, -15.624999999999998])
    1
    """
    best = max(utilities)
    least = best - rounding(best)
    return next(n for n, utility in enumerate(utilities) if utility >= least)
