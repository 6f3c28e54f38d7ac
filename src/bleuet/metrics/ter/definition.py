"""The rows of translation edit rate, slow and readable, from the definition."""

from __future__ import annotations

import math

from bleuet.frozen import Value
from bleuet.statistics.definitions.counter import AligningCounter
from bleuet.text.tokenizers.tercom import tokenize_segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from typing import Any, TypeVar

    from bleuet.statistics.definitions.counter import Aligned, Number

    Word = TypeVar("Word", bound=Hashable)

MAX_SHIFT_SIZE = 10
MAX_SHIFT_DISTANCE = 50
MAX_SHIFT_CANDIDATES = 1000
BEAM_WIDTH = 25

# The edits that turn the hypothesis into the reference.
MATCH = "match"
SUBSTITUTE = "substitute"
ERASE = "erase"
INSERT = "insert"
# The kinds of aligned words.
KINDS = (MATCH, SUBSTITUTE, ERASE, INSERT, "shift")


class TerCounter(AligningCounter):
    """TER's statistics."""

    integers = 1
    reals = 1

    def __init__(self, *, lowercase: bool, tokenize_references_once: bool, **options: Any) -> None:
        super().__init__(**options)
        self.lowercase = lowercase
        self.times = 1 if tokenize_references_once else 2

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Lower-case and tokenize; references twice by default, as sacreBLEU does."""
        line = text.lower() if self.lowercase else text
        return tokenize_segment(line, times=self.times if reference else 1, **self.options)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return edits and mean reference length."""
        return ter_row(hypothesis, references)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return shifts, edits and matches with the nearest reference."""
        return nearest_alignment(hypothesis, references)


class ShiftedAlignment(Value):
    """An alignment of the words of a hypothesis with those of a reference.

    Attributes:
        reached: of each reference position, the last hypothesis position reached when it is
            consumed; -1 before the first.
        hypothesis_errors: of each hypothesis word, whether it is not matched.
        reference_errors: of each reference word, whether it is not matched.
    """

    reached: list[int]
    hypothesis_errors: list[bool]
    reference_errors: list[bool]


def ter_row(
    hypothesis: Sequence[Hashable], references: Sequence[Sequence[Hashable]]
) -> tuple[int, float]:
    """Count the edits of one segment and its mean reference length.

    Args:
        hypothesis: tokens.
        references: at least one reference, tokens as well.

    Returns:
        The edits to the nearest reference, shifts included, and the mean length of all of them.

    Source: Snover et al. (2006), "A study of translation edit rate with targeted human
    annotation", section 3, with the limits of sacreBLEU 2.6.0.

    >>> ter_row("d a b c".split(), ["a b c d".split()])
    (1, 4.0)
    >>> ter_row("a b".split(), ["a c".split(), "a b c".split()])
    (1, 2.5)
    """
    edits = min(edits_to(hypothesis, reference) for reference in references)
    return edits, sum(map(len, references)) / len(references)


def edits_to(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> int:
    """Shift words as long as this reduces the edits, then count the other edits.

    Args:
        hypothesis: tokens.
        reference: tokens.

    Returns:
        The number of shifts, insertions, deletions and substitutions.

    >>> edits_to("c d a b".split(), "a b c d".split())
    1
    """
    return sum(KINDS[kind] != MATCH for *_, kind in alignment_with(hypothesis, reference))


def nearest_alignment(
    hypothesis: Sequence[Hashable], references: Sequence[Sequence[Hashable]]
) -> tuple[int, list[Aligned]]:
    """Return the number of the nearest reference, from 0, and the alignment with it.

    Args:
        hypothesis: tokens.
        references: at least one reference, tokens as well.
    """
    found = [alignment_with(hypothesis, reference) for reference in references]
    edits = [sum(KINDS[kind] != MATCH for *_, kind in one) for one in found]
    number = edits.index(min(edits))
    return number, found[number]


def alignment_with(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[Aligned]:
    """Return the shifts, and then the edits and matches from left to right.

    Args:
        hypothesis: tokens.
        reference: tokens.

    Returns:
        Of each the first word of the hypothesis, how many words, the same of the reference, and its
        place in `KINDS`. A shift has the words from the first to the last that it moves.

    >>> alignment_with("c a b".split(), "a b c".split())[:2]
    [(0, 1, 0, 0, 4), (1, 1, 0, 1, 0)]
    """
    shifts, order, trace = shift_and_edit(hypothesis, reference)
    # Words of a later shift can lie apart in the hypothesis.
    found = [(min(one), max(one) + 1 - min(one), 0, 0, KINDS.index("shift")) for one in shifts]
    h = r = 0
    for edit in trace:
        ours, theirs = int(edit != INSERT), int(edit != ERASE)
        place = order[h] if h < len(order) else len(order)
        found.append((place, ours, r, theirs, KINDS.index(edit)))
        h += ours
        r += theirs
    return found


def shift_and_edit(
    hypothesis: Sequence[Hashable], reference: Sequence[Hashable]
) -> tuple[list[list[int]], list[int], list[str]]:
    """Shift words as long as this reduces the edits, and return all edits.

    Args:
        hypothesis: tokens.
        reference: tokens.

    Returns:
        The words of each shift, and all words in their new order, as places in the hypothesis; and
        the edits as `edit_distance` returns them.

    >>> shift_and_edit("c d a b".split(), "a b c d".split())[:2]
    ([[0, 1]], [2, 3, 0, 1])
    """
    words, order = list(hypothesis), list(range(len(hypothesis)))
    distance, trace = edit_distance(words, reference)
    shifts: list[list[int]] = []
    candidates = 0
    while True:
        # Ordered by gain, then by length, then from left to right.
        best = (0, 0, 0, 0)
        for length, start, target in shift_candidates(words, reference, align(trace)):
            candidates += 1
            if candidates >= MAX_SHIFT_CANDIDATES:
                # The best shift of this round is not made either.
                return shifts, order, trace
            shifted = shift(words, start, length, target)
            gain = distance - edit_distance(shifted, reference)[0]
            if (gain, length, -start, -target) > best and gain > 0:
                best = (gain, length, -start, -target)
        gain, length, start, target = best[0], best[1], -best[2], -best[3]
        if not gain:
            return shifts, order, trace
        shifts.append(order[start : start + length])
        words = shift(words, start, length, target)
        order = shift(order, start, length, target)
        distance, trace = edit_distance(words, reference)


def edit_distance(
    hypothesis: Sequence[Hashable], reference: Sequence[Hashable]
) -> tuple[int, list[str]]:
    """Return the smallest number of edits within Tercom's beam, and the edits.

    In a tie, a match or substitution comes before an erasure, and an erasure before an insertion.

    Args:
        hypothesis: tokens.
        reference: tokens.

    Returns:
        The number of edits, and the edits with the matches between them, from left to right.

    >>> edit_distance("a x b c".split(), "a b c d".split())
    (2, ['match', 'erase', 'match', 'match', 'insert'])
    """
    n, m = len(hypothesis), len(reference)
    costs = [[math.inf] * (m + 1) for _ in range(n + 1)]
    edits = [[INSERT] * (m + 1) for _ in range(n + 1)]
    costs[0] = list(range(m + 1))
    for i in range(1, n + 1):
        for j in beam(i, n, m):
            ways = [(costs[i - 1][j] + 1, ERASE)]
            if j > 0:
                equal = hypothesis[i - 1] == reference[j - 1]
                diagonal = costs[i - 1][j - 1]
                ways.insert(0, (diagonal, MATCH) if equal else (diagonal + 1, SUBSTITUTE))
                ways.append((costs[i][j - 1] + 1, INSERT))
            # min() takes the first of equals
            costs[i][j], edits[i][j] = min(ways, key=lambda way: way[0])

    trace = []
    i, j = n, m
    while i > 0 or j > 0:
        edit = edits[i][j]
        trace.append(edit)
        i -= edit != INSERT
        j -= edit != ERASE
    return int(costs[n][m]), trace[::-1]


def beam(row: int, n_hypothesis: int, n_reference: int) -> range:
    """Return the columns of a row that are inside Tercom's beam.

    Args:
        row: how many hypothesis words have been read, at least 1.
        n_hypothesis: length of the hypothesis.
        n_reference: length of the reference.

    Returns:
        The columns around the diagonal; in the last row all to its right.

    >>> beam(30, 100, 100)
    range(5, 55)
    """
    ratio = n_reference / n_hypothesis
    # A steep diagonal needs a wider beam for the rows to overlap.
    width = math.ceil(ratio / 2 + BEAM_WIDTH) if ratio / 2 > BEAM_WIDTH else BEAM_WIDTH
    diagonal = math.floor(row * ratio)
    end = n_reference + 1
    if row < n_hypothesis:
        end = min(end, diagonal + width)
    return range(max(0, diagonal - width), end)


def align(trace: Sequence[str]) -> ShiftedAlignment:
    """Return which words a trace aligns, and which are errors.

    Args:
        trace: edits as `edit_distance` returns them.

    Returns:
        The alignment.

    >>> align([MATCH, ERASE, MATCH, INSERT]).reached
    [0, 2, 2]
    """
    alignment = ShiftedAlignment([], [], [])
    position = -1
    for edit in trace:
        if edit != INSERT:
            position += 1
            alignment.hypothesis_errors.append(edit != MATCH)
        if edit != ERASE:
            alignment.reached.append(position)
            alignment.reference_errors.append(edit != MATCH)
    return alignment


def shift_candidates(
    hypothesis: Sequence[Hashable], reference: Sequence[Hashable], alignment: ShiftedAlignment
) -> Iterator[tuple[int, int, int]]:
    """Yield the shifts to try: of words that the reference has in another place.

    At least one of the words must be an error, and at least one of the same words of the reference
    must have no match. The targets are next to these words of the reference.

    Args:
        hypothesis: tokens.
        reference: tokens.
        alignment: of these two.

    Yields:
        The length of a shift, the first word it moves, and before which word it goes.

    >>> hypothesis, reference = "c a b".split(), "a b c".split()
    >>> alignment = align(edit_distance(hypothesis, reference)[1])
    >>> list(shift_candidates(hypothesis, reference, alignment))
    [(1, 0, 3)]
    """
    for start, reference_start, length in equal_sequences(hypothesis, reference):
        reached = alignment.reached[reference_start]
        if not any(alignment.hypothesis_errors[start : start + length]):
            continue
        if not any(alignment.reference_errors[reference_start : reference_start + length]):
            continue
        if start <= reached < start + length:
            continue  # the words are there already
        targets = [
            alignment.reached[position] + 1 if position >= 0 else 0
            for position in range(reference_start - 1, reference_start + length)
        ]
        for target in dict.fromkeys(targets):
            yield length, start, target


def equal_sequences(
    hypothesis: Sequence[Hashable], reference: Sequence[Hashable]
) -> Iterator[tuple[int, int, int]]:
    """Yield the word sequences that are on both sides, at most 50 positions apart.

    Args:
        hypothesis: tokens.
        reference: tokens.

    Yields:
        The start in the hypothesis, the start in the reference, and the length, up to 10.

    >>> list(equal_sequences("a b".split(), "b a b".split()))
    [(0, 1, 1), (0, 1, 2), (1, 0, 1), (1, 2, 1)]
    """
    for start, first in enumerate(hypothesis):
        for reference_start, word in enumerate(reference):
            if first != word or abs(reference_start - start) > MAX_SHIFT_DISTANCE:
                continue
            pairs = zip(hypothesis[start:], reference[reference_start:], strict=False)
            for length, (ours, theirs) in enumerate(pairs, start=1):
                if ours != theirs or length > MAX_SHIFT_SIZE:
                    break
                yield start, reference_start, length


def shift(words: Sequence[Word], start: int, length: int, target: int) -> list[Word]:
    """Move words in front of another word.

    Args:
        words: tokens.
        start: the first word to move.
        length: how many words move.
        target: where they go; a target inside them counts from their start, and they move right.

    Returns:
        The same words in their new order.

    >>> shift("a b c d".split(), 0, 1, 3)
    ['b', 'c', 'a', 'd']
    >>> shift("a b c d".split(), 2, 2, 1)
    ['a', 'c', 'd', 'b']
    >>> shift("a b c d".split(), 0, 2, 1)
    ['c', 'a', 'b', 'd']
    """
    block = list(words[start : start + length])
    rest = list(words[:start]) + list(words[start + length :])
    if target > start + length:
        target -= length
    return rest[:target] + block + rest[target:]
