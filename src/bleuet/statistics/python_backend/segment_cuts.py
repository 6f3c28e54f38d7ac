"""Where a hypothesis is cut, so that its segments fit the references with the fewest edits.

The definition of the kernel's function of the same name (E. Matusov et al., "Evaluating machine
translation output with automatic sentence segmentation", IWSLT 2005).
"""

from __future__ import annotations

from array import array

from bleuet.statistics.python_backend.compared_words import read_numbers, read_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    Words: TypeAlias = Sequence[int]
    # The references of each segment.
    Segments: TypeAlias = Sequence[Sequence[Words]]
    # How well a cut fits: before a segment, behind so many words.
    Fit: TypeAlias = Callable[[int, int], int]


def cut_segments(
    hypothesis: Any,
    references: Any,
    edges: tuple[Any, Any, Any, Any],
    report: Callable[[float], object] | None = None,
) -> tuple[int, bytearray]:
    """Return the fewest edits, and with which word of the hypothesis each segment ends.

    Several cuts can have the fewest edits. The one before the middle segment is chosen first, then
    those in the middle of both halves, and so on. It is where most fits: 2 for a word before the
    cut that looks as the last word of a reference, 1 for one that is that word, and as much for the
    word behind the cut and the first word of the next reference. Of places that fit as well it is
    the last.

    Args:
        hypothesis: the numbers of its words (32 bits).
        references: the numbers of their words (32 bits), where each ends, and with which of them
            those of each segment end (64 bits).
        edges: how each word of the hypothesis looks at its begin and at its end, and how each
            reference does (32 bits); nothing looks as a negative number does.
        report: is called with the share of the work that is done.
    """
    words = read_numbers(hypothesis, "i").tolist()
    segments = list(read_segments(references))
    looks = [read_numbers(edge, "i").tolist() for edge in edges]
    fit = _fit(words, segments, looks, [0, *read_numbers(references[2], "q")])
    ends = array("q", [len(words)]) * len(segments)
    edits = _choose(words, segments, range(len(segments)), range(len(words)), fit, ends)
    if report is not None:
        report(1.0)
    return edits, bytearray(ends)


def _choose(
    words: Words, segments: Segments, rows: range, places: range, fit: Fit, ends: array[int]
) -> int:
    """Choose the cuts between some segments, which have the words at `places`."""
    if len(rows) < 2:
        own = [words[place] for place in places]
        return edits_of_begins(own, [segments[row] for row in rows])[-1]
    before, behind = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    own = [words[place] for place in places]
    left = edits_of_begins(own, [segments[row] for row in before])
    right = edits_of_begins(
        own[::-1], [[text[::-1] for text in segments[row]] for row in reversed(behind)]
    )
    edits = list(map(int.__add__, left, reversed(right)))
    fewest = min(edits)
    cut = max(
        (places.start + j for j, count in enumerate(edits) if count == fewest),
        key=lambda place: (fit(behind.start, place), place),
    )
    ends[behind.start - 1] = cut
    _choose(words, segments, before, range(places.start, cut), fit, ends)
    _choose(words, segments, behind, range(cut, places.stop), fit, ends)
    return fewest


def edits_of_begins(words: Words, segments: Segments) -> list[int]:
    """Return the fewest edits that make all segments of the first j words, for each j.

    Each segment is made of the reference that is nearest.

    >>> edits_of_begins([1, 2, 3], [[[1]], [[3], [2, 3]]])
    [2, 1, 1, 0]
    """
    row = list(range(len(words) + 1))
    for references in segments:
        row = list(map(min, zip(*(_behind(row, words, text) for text in references), strict=True)))
    return row


def _behind(row: list[int], words: Words, reference: Words) -> list[int]:
    """Return the row of Levenshtein's table behind a reference, from the row before it."""
    for word in reference:
        above, row = row, [row[0] + 1]
        for j, own in enumerate(words):
            row.append(min(above[j] + (own != word), above[j + 1] + 1, row[j] + 1))
    return row


def _fit(words: Words, segments: Segments, edges: Sequence[Words], groups: Words) -> Fit:
    begins, ends, first, last = edges

    def fit(segment: int, place: int) -> int:
        fits = 0
        if place > 0:
            looks = last[groups[segment - 1] : groups[segment]]
            fits += 2 * (ends[place - 1] >= 0 and ends[place - 1] in looks)
            fits += words[place - 1] in [text[-1] for text in segments[segment - 1] if text]
        if place < len(words):
            looks = first[groups[segment] : groups[segment + 1]]
            fits += 2 * (begins[place] >= 0 and begins[place] in looks)
            fits += words[place] in [text[0] for text in segments[segment] if text]
        return fits

    return fit
