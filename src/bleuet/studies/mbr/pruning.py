"""Pruning: give up candidates that lose against few pseudo-references.

Source: Cheng and Vlachos (2023), Faster Minimum Bayes Risk Decoding with Confidence-based Pruning,
EMNLP, algorithm 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.statistics.resampling import Resampler
from bleuet.statistics.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

# The paper's values.
FEWEST, DRAWS, CONFIDENCE = 16, 500, 0.99


def pruned_utilities(
    utilities: Callable[[list[int], int, int], list[list[float]]], candidates: int, references: int
) -> dict[int, list[float]]:
    """Return the utilities of the candidates that are left, by each pseudo-reference.

    With twice as many pseudo-references each time, a candidate is dropped where it is at least as
    good as the best in no more than 1% of bootstrap draws. Where fewer are left than were used,
    they are used all at once: dropping candidates would save little.

    Args:
        utilities: returns those of some candidates by the pseudo-references from one number up to
            another.
        candidates: the number of candidates.
        references: the number of pseudo-references.

    >>> def utilities(some, low, high): return [[n % 3.0] * (high - low) for n in some]
    >>> found = pruned_utilities(utilities, 9, 32)
    >>> list(found), len(found[2])
    ([2, 5, 8], 32)
    """
    rows: dict[int, list[float]] = {candidate: [] for candidate in range(candidates)}
    done, size = 0, min(FEWEST, references)
    while done < references:
        for row, more in zip(rows.values(), utilities(list(rows), done, size), strict=True):
            row += more
        done, size = size, references
        if references >= 2 * done:
            rows = _winners(rows)
            size = 2 * done
    return rows


def _winners(rows: dict[int, list[float]]) -> dict[int, list[float]]:
    names = [str(candidate) for candidate in rows]
    table = Table.from_rows((), names, list(zip(*rows.values(), strict=True)))
    (sums,) = Resampler().draw([table], DRAWS)
    totals = table.totals().values
    best = sums.column(names[max(range(len(names)), key=totals.__getitem__)]).tolist()
    wins = [sum(map(float.__ge__, sums.column(name).tolist(), best)) for name in names]
    enough = (1 - CONFIDENCE) * DRAWS
    return {
        candidate: row
        for (candidate, row), won in zip(rows.items(), wins, strict=True)
        if won > enough
    }
