"""What every method of tuning is: options, and rounds that each return better weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.errors import OptionError
from bleuet.extras import deferred
from bleuet.metrics.base.declared import Declared

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
    from bleuet.tuning.scored_lists import ScoredLists
else:
    np = deferred("numpy")


# Features are up to 1e100, and there are up to 10,000 of them.
_LARGEST = 1e200


class Method(Declared):
    """A method of tuning, made from its options."""

    def search(self, lists: ScoredLists, start: Floats, random: Any) -> Iterator[Floats]:
        """Yield the weights after each round.

        Args:
            lists: the hypotheses, and what they score.
            start: the weights to begin with.
            random: numpy's generator of random numbers.
        """
        raise NotImplementedError


def finite(numbers: Floats) -> Floats:
    """Return weights or model scores that are far from an overflow.

    Raises:
        OptionError: they are not.
    """
    if not (np.abs(numbers) < _LARGEST).all():
        raise OptionError(
            "the weights overflow; expected options with which they stay finite: choose a smaller "
            "step or l2, or a higher temperature"
        )
    return numbers


def weighted(features: Floats, weights: Floats) -> Floats:
    """Return the sums of weighted features, which are on the last axis.

    A product of matrices would add in another order on a machine with other threads.

    >>> weighted(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0])).tolist()
    [21.0, 43.0]
    """
    sums: Floats = np.einsum("...f,f->...", features, weights)
    return sums


def unit(weights: Floats) -> Floats:
    """Return weights whose squares sum to 1; zeros stay as they are.

    >>> unit(np.array([3.0, 4.0])).tolist()
    [0.6, 0.8]
    """
    # Squares of large or tiny numbers are none. A power of 2 changes no digit.
    _, exponent = np.frexp(np.abs(weights).max())
    weights = np.ldexp(weights, -exponent)
    length = float(np.sqrt(weights @ weights))
    return weights / length if length else weights
