"""Pruning: give up candidates that lose against few pseudo-references.

Source: Cheng and Vlachos (2023), Faster Minimum Bayes Risk Decoding with Confidence-based Pruning,
EMNLP, algorithm 1.
"""

from __future__ import annotations

from math import fsum
from operator import mul
from typing import TYPE_CHECKING

from bleuet.minimum_bayes_risk.equal_utilities import first_of_best, rounding
from bleuet.statistics.resampling import Resampler
from bleuet.statistics.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# The paper's values.
FEWEST, DRAWS, CONFIDENCE = 16, 500, 0.99


def pruned_utilities(
    utilities: Callable[[list[int], int, int], list[list[float]]],
    candidates: int,
    references: int,
    weights: Sequence[float] | None = None,
) -> dict[int, list[float]]:
    """Return the utilities of the candidates that are left, by each pseudo-reference.

    With twice as many pseudo-references each time, a candidate is dropped where its weighted sum is
    at least as high as that of the best in no more than 1% of bootstrap draws. Where fewer are left
    than were used, they are used all at once: dropping candidates would save little.

    With unequal weights, few pseudo-references decide. Nothing is dropped before the squared sum of
    their weights is 16 times the sum of the squares, which is their number if weights are equal
    (Kish 1965, Survey Sampling, the effective sample size).

    Args:
        utilities: returns those of some candidates by the pseudo-references from one number up to
            another.
        candidates: the number of candidates.
        references: the number of pseudo-references.
        weights: of each pseudo-reference, the highest first and none of them 0; default equal.

    >>> def utilities(some, low, high): return [[n % 3.0] * (high - low) for n in some]
    >>> found = pruned_utilities(utilities, 9, 32)
    >>> list(found), len(found[2])
    ([2, 5, 8], 32)
    >>> len(pruned_utilities(utilities, 9, 32, [100.0] + [1.0] * 31))
    9
    """
    rows: dict[int, list[float]] = {candidate: [] for candidate in range(candidates)}
    done, size = 0, min(FEWEST, references)
    while done < references:
        for row, more in zip(rows.values(), utilities(list(rows), done, size), strict=True):
            row += more
        done, size = size, references
        if references >= 2 * done:
            size = 2 * done
            used = None if weights is None else weights[:done]
            if used is None or fsum(used) ** 2 >= FEWEST * fsum(map(mul, used, used)):
                rows = _winners(rows, used)
    return rows


def _winners(
    rows: dict[int, list[float]], weights: Sequence[float] | None
) -> dict[int, list[float]]:
    names = [str(candidate) for candidate in rows]
    weighted = [row if weights is None else list(map(mul, row, weights)) for row in rows.values()]
    table = Table.from_rows((), names, list(zip(*weighted, strict=True)))
    (sums,) = Resampler().draw([table], DRAWS)
    # A draw can take the heaviest pseudo-reference each time.
    heaviest = len(weighted[0]) * (1.0 if weights is None else max(weights))
    best = sums.column(names[first_of_best([fsum(row) / heaviest for row in weighted])]).tolist()
    least = [total - rounding(total, heaviest) for total in best]
    wins = [sum(map(float.__ge__, sums.column(name).tolist(), least)) for name in names]
    enough = (1 - CONFIDENCE) * DRAWS
    return {
        candidate: row
        for (candidate, row), won in zip(rows.items(), wins, strict=True)
        if won > enough
    }
