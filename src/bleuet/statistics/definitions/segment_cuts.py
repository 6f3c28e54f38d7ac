"""Where a hypothesis is cut, so that its segments fit the references with the fewest edits.

The definition of the kernel's function of the same name (E. Matusov et al., "Evaluating machine
translation output with automatic sentence segmentation", IWSLT 2005).
"""

from __future__ import annotations

from array import array

from bleuet.statistics.definitions.compared_words import read_numbers, read_segments

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
    edges: Sequence[Any],
    characters: tuple[Any, Any, Any, Any],
    report: Callable[[float], object] | None = None,
) -> tuple[int, bytearray]:
    """Return the fewest edits, and with which word of the hypothesis each segment ends.

    Several cuts can have the fewest edits. The one before the middle segment is chosen first, then
    those in the middle of both halves, and so on. It is where most fits: 2 for a word before the
    cut that looks as the last word of a reference, 1 for one that is that word, and as much for the
    word behind the cut and the first word of the next reference. Of places that fit as well it is
    the last. Then each cut in turn is chosen again, between the cuts beside it: of the places with
    the fewest edits that fit best, the last of those with the fewest edits of characters.

    Args:
        hypothesis: the numbers of its words (32 bits).
        references: the numbers of their words (32 bits), where each ends, and with which of them
            those of each segment end (64 bits).
        edges: how each word of the hypothesis looks at its begin and at its end, and which word it
            is without marks; how each reference looks at its begin and at its end, and its first
            and its last word (32 bits). A negative number is equal to none.
        characters: the characters of the hypothesis (32 bits), where each word begins and ends
            among them (64 bits), and the characters of the references, as `references`.
        report: is called with the share of the work that is done.
    """
    words = read_numbers(hypothesis, "i").tolist()
    segments = list(read_segments(references))
    fit = _fit([read_numbers(edge, "i").tolist() for edge in edges], references[2], len(words))
    ends = array("q", [len(words)]) * len(segments)
    edits = _choose(words, segments, range(len(segments)), range(len(words)), fit, ends)
    _settle(words, segments, _Letters(characters), fit, ends)
    if report is not None:
        report(1.0)
    return edits, bytearray(ends)


def _choose(
    words: Words, segments: Segments, rows: range, places: range, fit: Fit, ends: array[int]
) -> int:
    """Choose the cuts between some segments, which have the words at `places`."""
    own = [words[place] for place in places]
    if len(rows) < 2:
        return edits_of_begins(own, [segments[row] for row in rows])[-1]
    before, behind = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    edits = edits_of_cuts(own, *([segments[row] for row in half] for half in (before, behind)))
    fewest = min(edits)
    cut = max(
        (places.start + j for j, count in enumerate(edits) if count == fewest),
        key=lambda place: (fit(behind.start, place), place),
    )
    ends[behind.start - 1] = cut
    _choose(words, segments, before, range(places.start, cut), fit, ends)
    _choose(words, segments, behind, range(cut, places.stop), fit, ends)
    return fewest


def _settle(
    words: Words, segments: Segments, letters: _Letters, fit: Fit, ends: array[int]
) -> None:
    """Choose each cut again, between the cuts beside it."""
    for row in range(1, len(segments)):
        places = range(ends[row - 2] if row > 1 else 0, ends[row])
        edits = edits_of_cuts(
            words[places.start : places.stop], [segments[row - 1]], [segments[row]]
        )
        fewest = min(edits)
        best = [places.start + j for j, count in enumerate(edits) if count == fewest]
        if len(best) > 1:
            costs = letters.edits_of_cuts(row, places)
            ends[row - 1] = max(
                best, key=lambda place: (fit(row, place), -costs[place - places.start], place)
            )


class _Letters:
    """The characters of texts, and where each word begins and ends among them."""

    def __init__(self, characters: tuple[Any, Any, Any, Any]) -> None:
        own, begins, ends, references = characters
        self._own = read_numbers(own, "i").tolist()
        self._begins, self._ends = (read_numbers(places, "q").tolist() for places in (begins, ends))
        self._segments = list(read_segments(references))

    def edits_of_cuts(self, row: int, places: range) -> list[int]:
        """Return the fewest edits of characters of two segments, for a cut before each word."""
        begins, ends = (of[places.start : places.stop] for of in (self._begins, self._ends))
        first, last = begins[0], ends[-1]
        own, texts = self._own[first:last], self._segments
        left = edits_of_begins(own, [texts[row - 1]])
        right = edits_of_ends(own, [texts[row]])
        return [
            left[end - first] + right[begin - first]
            for end, begin in zip([first, *ends], [*begins, last], strict=True)
        ]


def edits_of_cuts(words: Words, before: Segments, behind: Segments) -> list[int]:
    """Return the fewest edits with a cut after the first j words, for each j.

    >>> edits_of_cuts([1, 2, 3], [[[1]]], [[[3], [2, 3]]])
    [2, 0, 1, 3]
    """
    return list(map(int.__add__, edits_of_begins(words, before), edits_of_ends(words, behind)))


def edits_of_ends(words: Words, segments: Segments) -> list[int]:
    """Return the fewest edits that make all segments of the words from the j-th on, for each j."""
    reverse = [[text[::-1] for text in references] for references in reversed(segments)]
    return edits_of_begins(words[::-1], reverse)[::-1]


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


def _fit(edges: Sequence[Words], groups: Any, words: int) -> Fit:
    begins, ends, own, first, last, first_words, last_words = edges
    starts = [0, *read_numbers(groups, "q")]

    def fit(segment: int, place: int) -> int:
        fits = 0
        if place > 0:
            texts = slice(starts[segment - 1], starts[segment])
            fits += 2 * _is_in(ends[place - 1], last[texts])
            fits += _is_in(own[place - 1], last_words[texts])
        if place < words:
            texts = slice(starts[segment], starts[segment + 1])
            fits += 2 * _is_in(begins[place], first[texts])
            fits += _is_in(own[place], first_words[texts])
        return fits

    return fit


def _is_in(number: int, numbers: Words) -> bool:
    return number >= 0 and number in numbers
