"""The pieces of two texts as CharCut shows them: equal, shifted, deleted and inserted."""

from __future__ import annotations

from bleuet.metrics.base.marks import EQUAL, EXTRA, MISSING, SHIFTED, Mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    # A piece of a text by its first character and the one after the last, and its block, if any.
    Piece: TypeAlias = tuple[int, int, int | None]


def marked_pieces(
    metric: Any, hypothesis: str, references: Sequence[str]
) -> tuple[list[str], list[list[str]], list[Mark]]:
    """Return the pieces of a hypothesis and of the nearest reference, and their marks.

    Args:
        metric: a `CharCut`, whose module imports this one.
        hypothesis: the hypothesis.
        references: its references, at least one; all but the nearest are one piece each.

    >>> from bleuet import CharCut
    >>> ours, theirs, marks = marked_pieces(CharCut(), "a cat sat", ["a hat sat"])
    >>> ours, theirs, [mark.kind for mark in marks]
    (['a ', 'cat', ' sat'], [['a ', 'hat', ' sat']], ['equal', 'extra', 'equal', 'missing'])
    """
    number, found = metric._counter.align(metric.counted_kind, hypothesis, references)
    # The counter leaves out white space at the ends.
    text, *several = (one.strip() for one in (hypothesis, *references))
    ours = _pieces(len(text), ((i, n) for i, n, _, _, _ in found))
    theirs = _pieces(len(several[number]), ((j, n) for _, _, j, n, _ in found))
    places = {block: place for place, (_, _, block) in enumerate(theirs)}
    marks, before = [], 0
    for place, (_, _, block) in enumerate(ours):
        if block is None:
            marks.append(Mark(EXTRA, (place, place + 1), (before, before), number))
            continue
        before = places[block] + 1
        kind = (EQUAL, SHIFTED)[found[block][4]]
        marks.append(Mark(kind, (place, place + 1), (before - 1, before), number))
    behind, after = {block: place + 1 for place, (_, _, block) in enumerate(ours)}, 0
    for place, (_, _, block) in enumerate(theirs):
        if block is None:
            marks.append(Mark(MISSING, (after, after), (place, place + 1), number))
        else:
            after = behind[block]
    shown = [[one] if one else [] for one in several]
    shown[number] = _cut(several[number], theirs)
    return _cut(text, ours), shown, marks


def _pieces(length: int, spans: Iterable[tuple[int, int]]) -> list[Piece]:
    """Return the pieces of a text, from left to right, with the numbers of their blocks."""
    pieces: list[Piece] = []
    end = 0
    for start, size, number in sorted((i, n, number) for number, (i, n) in enumerate(spans)):
        if end < start:
            pieces.append((end, start, None))
        end = start + size
        pieces.append((start, end, number))
    return [*pieces, (end, length, None)] if end < length else pieces


def _cut(text: str, pieces: Iterable[Piece]) -> list[str]:
    return [text[start:end] for start, end, _ in pieces]
