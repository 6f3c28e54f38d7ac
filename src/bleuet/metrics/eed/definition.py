"""The extended edit distance, slow and readable, from the definition."""

from __future__ import annotations

from math import inf

from bleuet.statistics.definitions.counter import RowCounter
from bleuet.statistics.definitions.length_limit import MOST_EED_CELLS, check_cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.statistics.definitions.counter import Number


class EedCounter(RowCounter):
    """The extended edit distance."""

    integers = 1
    reals = 1

    def read(self, text: str, *, reference: bool) -> str:
        """Return the text as it is."""
        return text

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return 1 and the distance to the nearest reference."""
        return eed_row(hypothesis, references, **self.options)

    def path(self, kind: str, hypothesis: Any, references: Any) -> tuple[int, float, int]:
        """Return the number of the nearest reference, and the cheapest path through it.

        Arguments as for `row`.

        Returns:
            The number, from 0; what the path costs; and how often it visits places again or never.
        """
        several = self._references(kind, references)
        return nearest_path(self._read(kind, hypothesis, False), several, **self.options)


def eed_row(
    hypothesis: str,
    references: list[str],
    *,
    alpha: float,
    rho: float,
    deletion: float,
    insertion: float,
    count_start: bool = True,
) -> tuple[int, float]:
    """Return the number 1 and the distance to the nearest reference.

    Args:
        hypothesis: a prepared text.
        references: prepared texts, at least one.
        alpha: the cost of a jump.
        rho: the cost of a hypothesis character that is used once more, or never.
        deletion: the cost of a hypothesis character without a reference character.
        insertion: the cost of a reference character without a hypothesis character.
        count_start: whether the place before the first character counts among the places.

    Source: Stanchev, Wang and Ney (2019), section 2, with the details of the authors' program: of
    its code in Python, which torchmetrics has, or of that in C++, which leaves out the start.

    >>> eed_row(" a b ", [" a b "], alpha=2.0, rho=0.3, deletion=0.2, insertion=1.0)[1]
    0.05660377358490566
    """
    costs = {"alpha": alpha, "deletion": deletion, "insertion": insertion}
    paths = [cheapest_path(hypothesis, one, **costs, count_start=count_start) for one in references]
    sizes = map(len, references)
    return 1, min(distance(*path, size, rho) for path, size in zip(paths, sizes, strict=True))


def nearest_path(
    hypothesis: str,
    references: list[str],
    *,
    alpha: float,
    rho: float,
    deletion: float,
    insertion: float,
    count_start: bool = True,
) -> tuple[int, float, int]:
    """Return the number of the nearest reference, from 0, and the cheapest path through it.

    Arguments as for `eed_row`.

    Returns:
        The number, what the path costs, and how often it visits places again or never.

    >>> nearest_path("ab", ["b", "ab"], alpha=2.0, rho=0.3, deletion=0.2, insertion=1.0)
    (1, 0.0, 1)
    """
    costs = {"alpha": alpha, "deletion": deletion, "insertion": insertion}
    paths = [cheapest_path(hypothesis, one, **costs, count_start=count_start) for one in references]
    sizes = map(len, references)
    far = [distance(*path, size, rho) for path, size in zip(paths, sizes, strict=True)]
    number = far.index(min(far))
    return number, *paths[number]


def distance(cost: float, visits: int, characters: int, rho: float) -> float:
    """Return the distance of two texts, from 0 to 1.

    Args:
        cost: what the cheapest path costs.
        visits: how often it visits places again or never.
        characters: those of the reference.
        rho: as for `eed_row`.

    >>> distance(1.0, 1, 4, rho=1.0)
    0.4
    """
    coverage = rho * visits
    cost, most = cost + coverage, float(characters) + coverage
    if most == 0:
        return 1.0 if cost > 0 else 0.0
    return min(1.0, cost / most)


def cheapest_path(
    hypothesis: str,
    reference: str,
    *,
    alpha: float,
    deletion: float,
    insertion: float,
    count_start: bool = True,
) -> tuple[float, int]:
    """Return the cost of the cheapest path, and how often it visits places again or never.

    Arguments as for `eed_row`.

    >>> cheapest_path("ab", "ab", alpha=2.0, deletion=0.2, insertion=1.0)
    (0.0, 1)
    """
    if hypothesis != reference:
        check_cells("EED of characters", len(hypothesis), len(reference), MOST_EED_CELLS)
    # The cheapest path to each place in the hypothesis, after some reference characters.
    row = [0.0] + [1.0] * len(hypothesis)
    visits = [0] * len(row)
    for wanted in reference:
        below = []
        left = inf
        for i, above in enumerate(row):
            if i == 0:
                left = above + 1.0
            else:
                replaced = row[i - 1] + (hypothesis[i - 1] != wanted)
                left = min(left + deletion, replaced, above + insertion)
            below.append(left)
        least = min(below)
        visits[below.index(least)] += 1
        # Words end at spaces, and only there is a jump possible.
        jump = alpha + least if wanted == " " else inf
        row = [min(cost, jump) for cost in below]
    # A place that no reference character comes to counts as one that a second one comes to.
    counted = visits if count_start else visits[1:]
    return row[-1], sum(1 if count == 0 else count - 1 for count in counted)
