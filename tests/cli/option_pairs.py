"""Commands in which every two values of two options meet, drawn by a seed."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Row = dict[str, str]
Pair = tuple[tuple[str, str], tuple[str, str]]


def pairs_of(row: Mapping[str, str]) -> set[Pair]:
    """Return each pair of values in a row."""
    return set(combinations(sorted(row.items()), 2))


def rows_with_all_pairs(
    options: Mapping[str, Sequence[str]],
    allowed: Callable[[Mapping[str, str]], bool] = lambda _row: True,
    seed: int = 41,
) -> list[Row]:
    """Return rows in which each two values of two options meet, where that is allowed.

    Args:
        options: the values of each option, "" where it is left out.
        allowed: whether options may stand together; it gets rows that are not complete, too.
        seed: the seed of what is drawn.
    """
    random = Random(seed)
    single = [(name, value) for name, values in options.items() for value in values]
    missing = {
        pair
        for pair in combinations(sorted(single), 2)
        if pair[0][0] != pair[1][0] and allowed(dict(pair))
    }
    rows = []
    while missing:
        row = dict(random.choice(sorted(missing)))
        others = [name for name in options if name not in row]
        random.shuffle(others)
        for name in others:
            fitting = [value for value in options[name] if allowed({**row, name: value})]
            random.shuffle(fitting)
            covered = [len(missing & pairs_of({**row, name: value})) for value in fitting]
            row[name] = fitting[covered.index(max(covered))]
        found = missing & pairs_of(row)
        if not found:  # the other options leave no room for this pair
            missing -= {
                pair for pair in missing if pair[0] in row.items() and pair[1] in row.items()
            }
        missing -= found
        rows.append({name: row[name] for name in options})
    return rows
