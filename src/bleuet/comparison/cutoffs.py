"""Cutoffs: ranges of numbers, such as lengths below 10, from 10 to 19, and so on."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import ceil, floor, isfinite, log10

from bleuet.errors import OptionError
from bleuet.frozen import Value, checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR, LEAST = 1e-9, 1e-300


@checked
class Cutoffs(Value):
    """Ranges that cover all numbers: below the first cutoff, between two cutoffs, from the last.

    A number that equals a cutoff belongs to the range above it.

    Args:
        values: where one range ends and the next begins, in ascending order.
        whole: whether the numbers are whole, which makes the labels simpler.

    Raises:
        OptionError: there are no cutoffs, or they are not in ascending order.

    >>> Cutoffs((1, 2, 10)).labels
    ('<1', '1', '2 to 9', '>=10')
    >>> Cutoffs((10.0, 20.0), whole=False).labels
    ('<10', '[10, 20)', '>=20')
    """

    values: tuple[float, ...]
    whole: bool = True

    def _complete(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        listed = ", ".join(f"{value:g}" for value in self.values) or "none"
        ascending = all(low < high for low, high in pairwise(self.values))
        if not self.values or not ascending or not all(map(isfinite, self.values)):
            raise OptionError(
                f"cutoffs must be finite numbers in ascending order, such as 10, 20, 30, not "
                f"{listed}"
            )
        if self.whole and not all(float(value).is_integer() for value in self.values):
            raise OptionError(f"cutoffs of whole numbers must be whole, not {listed}")

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of each range, in ascending order."""
        between = [self._between(low, high) for low, high in pairwise(self.values)]
        return (f"<{self.values[0]:g}", *between, f">={self.values[-1]:g}")

    def _between(self, low: float, high: float) -> str:
        if not self.whole:
            return f"[{low:g}, {high:g})"
        last = high - 1
        return f"{low:g}" if last == low else f"{low:g} to {last:g}"

    def place(self, number: float) -> int:
        """Return the index of the range that a number belongs to.

        >>> [Cutoffs((1, 10)).place(number) for number in (0, 1, 9, 10)]
        [0, 1, 1, 2]
        """
        return bisect_right(self.values, number)

    def groups(self, numbers: Iterable[float | None]) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return the label of each range and the positions of its numbers; None is in no range.

        >>> Cutoffs((5,)).groups([3, 8, None, 5])
        (('<5', (0,)), ('>=5', (1, 3)))
        """
        found: list[list[int]] = [[] for _ in self.labels]
        for position, number in enumerate(numbers):
            if number is not None:
                found[self.place(number)].append(position)
        return tuple(zip(self.labels, map(tuple, found), strict=True))


def even_edges(low: float, high: float, most: int) -> tuple[float, ...]:
    """Return round numbers with equal distances, from below some numbers to above them.

    Args:
        low: the smallest of the numbers.
        high: the largest.
        most: the largest number of steps between the edges; there may be one or two more where the
            numbers begin or end within a step.

    >>> even_edges(0.31, 0.87, 10)
    (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    >>> even_edges(-25, 0, 10)
    (-25.0, -20.0, -15.0, -10.0, -5.0, 0.0)
    """
    distance = high / most - low / most
    # Where the numbers are this close, edges between them would be the same number.
    if distance <= max(NEAR * max(abs(low), abs(high)), LEAST):
        distance = max(abs(high), LEAST) if high else 1.0
    exponent = floor(log10(distance))
    # With a tolerance, since 0.3 / 3 is slightly above 0.1.
    factor = next(one for one in (1, 2, 5, 10) if distance <= one * 10.0**exponent * (1 + 1e-9))
    step = factor * 10.0**exponent
    first = floor(low / step + 1e-9)
    last = max(ceil(high / step - 1e-9), first + 1)
    return tuple(round(number * step, max(0, -exponent)) for number in range(first, last + 1))
