"""Truncation: hypotheses cut off at a length limit, in the middle of a sentence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material, Side

# So many lines must have the same length, which no line exceeds, ...
LEAST_LINES = 5
# ... and their references must be longer by this factor.
LONGER = 1.1
# The ends of sentences in all scripts, and quotes and brackets that may follow them.
_ENDS = tuple(".!?\u2026:;\u3002\uff01\uff1f\u0964\u06d4\u061f\u104b\u1362\"'\u201d\u2019\u00bb)]")


def find_truncation(material: Material) -> Iterator[Finding]:
    """Find hypotheses that stop at the same length without an end, unlike their references."""
    for side in material.systems:
        for unit, measure in (("words", _words), ("characters", len)):
            limit, rows = _cut(material, side, measure)
            if rows:
                yield side.finding(
                    "truncation",
                    rows,
                    f"{plural(len(rows), 'line stops', 'lines stop')} at {limit} {unit}, the "
                    "length of the longest line, without the end of a sentence",
                    "without these lines",
                    material.effects_without(side, rows),
                )
                break


def _words(text: str) -> int:
    return len(text.split())


def _cut(material: Material, side: Side, measure: Callable[[str], int]) -> tuple[int, list[int]]:
    lengths = [measure(text) for text in side.texts]
    limit, many = max(Counter(lengths).items())
    if many < LEAST_LINES:
        return limit, []
    rows = [
        row
        for row, text in side
        if lengths[row] == limit
        and not text.rstrip().endswith(_ENDS)
        and all(
            measure(reference) >= LONGER * limit and reference.rstrip().endswith(_ENDS)
            for reference in material.alternatives[row]
        )
    ]
    return limit, rows if len(rows) >= LEAST_LINES and 2 * len(rows) >= many else []
