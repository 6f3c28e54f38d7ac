"""Bands: numbers put in order between cutoffs, such as lengths under 10, of 10 to 19, and so on."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, isfinite, log10

from bleuet.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR, LEAST = 1e-9, 1e-300


@dataclass(frozen=True, slots=True)
class Bands:
    """Ranges that cover all numbers: below the first cutoff, between two, from the last on.

    A number equal to a cutoff belongs to the band above it.

    Args:
        cutoffs: where a band ends and the next begins, ascending.
        whole: whether the numbers are whole, which makes plainer labels.

    Raises:
        OptionError: no cutoffs, or they do not ascend.

    >>> Bands((1, 2, 10)).labels
    ('<1', '1', '2 to 9', '>=10')
    >>> Bands((10.0, 20.0), whole=False).labels
    ('<10', '[10, 20)', '>=20')
    """

    cutoffs: tuple[float, ...]
    whole: bool = True

    def __post_init__(self) -> None:
        given = ", ".join(f"{cutoff:g}" for cutoff in self.cutoffs)
        rising = all(low < high for low, high in pairwise(self.cutoffs))
        if not self.cutoffs or not rising or not all(map(isfinite, self.cutoffs)):
            raise OptionError(
                f"cutoffs must be finite numbers that ascend, such as 10, 20, 30; not {given or ''}"
                f"{'' if given else 'none at all'}"
            )
        if self.whole and not all(float(cutoff).is_integer() for cutoff in self.cutoffs):
            raise OptionError(f"cutoffs of whole numbers must be whole, not {given}")

    @property
    def labels(self) -> tuple[str, ...]:
        """What each band is called, in ascending order."""
        between = [self._between(low, high) for low, high in pairwise(self.cutoffs)]
        return (f"<{self.cutoffs[0]:g}", *between, f">={self.cutoffs[-1]:g}")

    def _between(self, low: float, high: float) -> str:
        if not self.whole:
            return f"[{low:g}, {high:g})"
        last = high - 1
        return f"{low:g}" if last == low else f"{low:g} to {last:g}"

    def place(self, number: float) -> int:
        """Return the number of the band that a number belongs to, from 0.

        >>> [Bands((1, 10)).place(number) for number in (0, 1, 9, 10)]
        [0, 1, 1, 2]
        """
        return bisect_right(self.cutoffs, number)

    def groups(self, numbers: Iterable[float | None]) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return each band's label and the positions of the numbers in it; None is in no band.

        >>> Bands((5,)).groups([3, 8, None, 5])
        (('<5', (0,)), ('>=5', (1, 3)))
        """
        found: list[list[int]] = [[] for _ in self.labels]
        for position, number in enumerate(numbers):
            if number is not None:
                found[self.place(number)].append(position)
        return tuple(zip(self.labels, map(tuple, found), strict=True))


def even_edges(low: float, high: float, most: int) -> tuple[float, ...]:
    """Return round numbers, equally far apart, from below some numbers to above them.

    Args:
        low: the least of the numbers.
        high: the greatest.
        most: how many steps there may be between the edges; one or two more where the numbers
            begin or end within a step.

    >>> even_edges(0.31, 0.87, 10)
    (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    >>> even_edges(-25, 0, 10)
    (-25.0, -20.0, -15.0, -10.0, -5.0, 0.0)
    """
    apart = high / most - low / most
    # So near to each other that edges between them would be the same number.
    if apart <= max(NEAR * max(abs(low), abs(high)), LEAST):
        apart = max(abs(high), LEAST) if high else 1.0
    exponent = floor(log10(apart))
    # A little less, as 0.3 / 3 comes out just above 0.1.
    factor = next(one for one in (1, 2, 5, 10) if apart <= one * 10.0**exponent * (1 + 1e-9))
    step = factor * 10.0**exponent
    first = floor(low / step + 1e-9)
    last = max(ceil(high / step - 1e-9), first + 1)
    return tuple(round(number * step, max(0, -exponent)) for number in range(first, last + 1))
