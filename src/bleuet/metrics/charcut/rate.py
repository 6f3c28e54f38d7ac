"""The numbers of a row of CharCut, and the rate that they give."""

from __future__ import annotations

# Characters of each kind, the cost, and what it is divided by.
COLUMNS = ("deletions", "insertions", "shifts", "cost", "length")


def share(cost: float, length: float) -> float:
    """Return the cost per character, and 0 without characters.

    Args:
        cost: deletions, insertions and shifts.
        length: the characters.

    >>> share(1, 4), share(0, 0)
    (0.25, 0.0)
    """
    return cost / length if length else 0.0
