"""The extended edit distance, slow and readable, from the definition."""

from __future__ import annotations

from math import inf
from struct import Struct

from bleuet.statistics.definitions.counter import RowCounter
from bleuet.statistics.definitions.length_limit import MOST_EED_CELLS, check_cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
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
    published: bool = False,
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
        published: whether all is as in the authors' program in C++; `count_start` has no effect.

    Source: Stanchev, Wang and Ney (2019), section 2, with the details of the authors' program: of
    its code in Python, which torchmetrics has, or of that in C++.

    >>> eed_row(" a b ", [" a b "], alpha=2.0, rho=0.3, deletion=0.2, insertion=1.0)[1]
    0.05660377358490566
    """
    costs = {"alpha": alpha, "deletion": deletion, "insertion": insertion}
    several = distances(hypothesis, references, rho, costs, count_start, published)
    return 1, min(far for far, _ in several)


def nearest_path(
    hypothesis: str,
    references: list[str],
    *,
    alpha: float,
    rho: float,
    deletion: float,
    insertion: float,
    count_start: bool = True,
    published: bool = False,
) -> tuple[int, float, int]:
    """Return the number of the nearest reference, from 0, and the cheapest path through it.

    Arguments as for `eed_row`.

    Returns:
        The number, what the path costs, and how often it visits places again or never.

    >>> nearest_path("ab", ["b", "ab"], alpha=2.0, rho=0.3, deletion=0.2, insertion=1.0)
    (1, 0.0, 1)
    """
    costs = {"alpha": alpha, "deletion": deletion, "insertion": insertion}
    several = distances(hypothesis, references, rho, costs, count_start, published)
    far = [one for one, _ in several]
    number = far.index(min(far))
    return number, *several[number][1]


def distances(
    hypothesis: str,
    references: list[str],
    rho: float,
    costs: Mapping[str, float],
    count_start: bool,
    published: bool,
) -> list[tuple[float, tuple[float, int]]]:
    """Return the distance to each reference, with the path; arguments as for `eed_row`."""
    found = []
    for one in references:
        if published:
            path = published_path(hypothesis, one, **costs)
            found.append((published_distance(*path, len(one), rho), path))
        else:
            path = cheapest_path(hypothesis, one, **costs, count_start=count_start)
            found.append((distance(*path, len(one), rho), path))
    return found


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


# --- The authors' program in C++ ------------------------------------------------------------------

_SINGLE = Struct("f")


def single(number: float) -> float:
    """Round to single precision.

    >>> single(0.1)
    0.10000000149011612
    """
    rounded: float = _SINGLE.unpack(_SINGLE.pack(number))[0]
    return rounded


def published_distance(cost: float, visits: int, characters: int, rho: float) -> float:
    """Return the distance of two texts in single precision; arguments as for `distance`.

    >>> published_distance(1.0, 1, 4, rho=1.0)
    0.4000000059604645
    """
    coverage = single(single(rho) * visits)
    cost, most = single(cost + coverage), single(characters + coverage)
    if most == 0:
        return 1.0 if cost > 0 else 0.0
    return min(1.0, single(cost / most))


def published_path(
    hypothesis: str, reference: str, *, alpha: float, deletion: float, insertion: float
) -> tuple[float, int]:
    """Return what `cheapest_path` returns, as the authors' program in C++ has it.

    Costs have single precision. The lowest cost of a row is looked for from the left, and kept as a
    whole number, without what is behind the point. So the place that counts as visited, and from
    which jumps start, can cost more than others. The first place never counts.

    >>> published_path(" baabaa ", " a ", alpha=2.0, deletion=0.2, insertion=1.0)[1]
    7
    """
    if hypothesis != reference:
        check_cells("EED of characters", len(hypothesis), len(reference), MOST_EED_CELLS)
    alpha, deletion, insertion = map(single, (alpha, deletion, insertion))
    row = [0.0] + [1.0] * len(hypothesis)
    visits = [0] * len(row)
    for wanted in reference:
        below = [single(row[0] + 1.0)]
        for i, letter in enumerate(hypothesis):
            replaced = single(row[i] + (letter != wanted))
            inserted = single(row[i + 1] + insertion)
            below.append(min(single(below[i] + deletion), replaced, inserted))
        visited, whole = 0, int(below[0])
        for i, cost in enumerate(below):
            if cost < whole:
                visited, whole = i, int(cost)
        visits[visited] += 1
        jump = single(alpha + below[visited]) if wanted == " " else inf
        row = [min(cost, jump) for cost in below]
    return row[-1], sum(1 if count == 0 else count - 1 for count in visits[1:])
