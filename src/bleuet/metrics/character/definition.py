"""CharacTER, slow and readable, from the definition."""

from __future__ import annotations

from collections import Counter

from bleuet.metrics.ter.definition import shift
from bleuet.metrics.wer.definition import last_row
from bleuet.statistics.definitions.counter import RowCounter
from bleuet.statistics.definitions.length_limit import (
    MOST_EDIT_CELLS,
    MOST_SHIFT_CELLS,
    MOST_SHIFT_TABLE,
    check_cells,
    too_long,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    from bleuet.statistics.definitions.counter import Number

    Words: TypeAlias = Sequence[str]


class CharacterCounter(RowCounter):
    """The rates of CharacTER."""

    integers = 1
    reals = 1

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Return the words."""
        return words_of(text, **self.options)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return 1 and the rate of the nearest reference."""
        return 1, min(rate(*parts(hypothesis, one)) for one in references)

    def parts(self, kind: str, hypothesis: Any, references: Any) -> tuple[float, int, int]:
        """Return what the rate of the nearest reference is computed from, as `parts` returns it.

        Arguments as for `row`.
        """
        ours = self._read(kind, hypothesis, False)
        several = self._references(kind, references)
        return min((parts(ours, one) for one in several), key=lambda found: rate(*found))


def words_of(text: str, *, lowercase: bool) -> list[str]:
    """Return what stands between white space.

    Args:
        text: a segment.
        lowercase: lower-case the text.
    """
    return (text.lower() if lowercase else text).split()


def rate(shifts: float, edits: int, characters: int) -> float:
    """Return the rate, from 0 to 1.

    Args:
        shifts: what the shifts cost.
        edits: edits of characters after them.
        characters: characters of the hypothesis.

    >>> rate(3.0, 1, 8), rate(0.0, 9, 3), rate(0.0, 2, 0)
    (0.5, 1.0, 1.0)
    """
    cost = shifts + edits
    if not characters:
        return 1.0 if cost > 0 else 0.0
    return min(1.0, cost / characters)


def parts(hypothesis: Words, reference: Words) -> tuple[float, int, int]:
    """Return what shifts of words cost, the edits of characters after them, and the characters.

    Args:
        hypothesis: words.
        reference: words.

    Returns:
        What the shifts cost, the edits, and the number of characters of the hypothesis, with a
        space between two words.

    Source: Wang, Peter, Rosendahl and Ney (2016), section 2. What the paper leaves open was found
    by running the package cer 1.2.0.

    >>> parts("sat the cat".split(), "the cat sat".split())
    (3.0, 0, 11)
    """
    shifted = shifted_words(hypothesis, reference)
    ours, theirs = " ".join(shifted), " ".join(reference)
    if ours != theirs:
        check_cells("edits of characters", len(ours), len(theirs), MOST_EDIT_CELLS)
    return shift_cost(hypothesis, shifted), edit_distance(ours, theirs), len(ours)


def shifted_words(hypothesis: Words, reference: Words) -> list[str]:
    """Return the words in the order that the shifts give them.

    In each round the shift with the fewest word edits is made, and of those with as few the one
    whose words come last in the order of code points, as long as the edits per reference word fall.

    Args:
        hypothesis: words.
        reference: words.

    >>> shifted_words("c d a b".split(), "a b c d".split())
    ['a', 'b', 'c', 'd']
    """
    words = list(hypothesis)
    if not words or not reference or words == list(reference):
        return words
    check_cells("shifts of words", len(words), len(reference), MOST_SHIFT_TABLE)
    edits = edit_distance(words, reference)
    check_shifts(words, reference, edits)
    before = edits / len(reference)
    while True:
        tried = [shift(words, *move) for move in shift_candidates(words, reference)]
        gains = [(before - edit_distance(one, reference) / len(reference), one) for one in tried]
        gain, best = max(gains, default=(0.0, words))
        if gain <= 0:
            return words
        words = best
        # The program does not divide again. Where this rounds up, a shift without a gain follows.
        before -= gain


def edit_distance(hypothesis: Words, reference: Words) -> int:
    """Return the Levenshtein distance of two sequences.

    >>> edit_distance("cat", "cart"), edit_distance("", "cat")
    (1, 3)
    """
    return last_row(reference, hypothesis)[-1] if hypothesis else len(reference)


def shift_candidates(hypothesis: Words, reference: Words) -> Iterator[tuple[int, int, int]]:
    """Yield the shifts to try: of words that the reference has in another place.

    Args:
        hypothesis: words.
        reference: words.

    Yields:
        The first word, how many words, and before which word they go, as `shift` takes them: so
        that the first word gets the number that it has in the reference.

    >>> list(shift_candidates("c a b".split(), "a b c".split()))
    [(0, 1, 3), (1, 2, 0), (2, 1, 1)]
    """
    for start, word in enumerate(hypothesis):
        for place, theirs in enumerate(reference):
            if word == theirs and start != place:
                length = _run(hypothesis[start:], reference[place:])
                yield start, length, place if place < start else place + length


def shift_cost(hypothesis: Words, shifted: Words) -> float:
    """Return what shifts cost.

    Each run of words that stands further right than before costs its mean number of characters.

    Args:
        hypothesis: words.
        shifted: the same words in their new order.

    >>> shift_cost("aa b c".split(), "c aa b".split())
    1.5
    """
    cost = 0.0
    start = 0
    while start < len(hypothesis):
        length = 0
        if hypothesis[start] in shifted[start:]:
            place = shifted.index(hypothesis[start], start)
            if place > start:
                length = _run(hypothesis[start:], shifted[place:])
                cost += sum(map(len, hypothesis[start : start + length])) / length
        start += max(length, 1)
    return cost


def check_shifts(hypothesis: Words, reference: Words, edits: int) -> None:
    """Raise an error if shifts would take minutes.

    Each round saves an edit, and at best all but those of the words that one side lacks. In each
    round, each word of each block takes time in proportion to the reference's length.

    Args:
        hypothesis: words.
        reference: words.
        edits: the edits between them before any shift.

    Raises:
        TooLongError: it would take more than `MOST_SHIFT_CELLS`.
    """
    n, m = len(hypothesis), len(reference)
    common = (Counter(hypothesis) & Counter(reference)).total()
    rounds = edits - (max(n, m) - common)
    # After some rounds, the hypothesis may repeat itself as the reference does.
    words = n + max(run_words(hypothesis, reference), run_words(reference, reference))
    if rounds * m * words > MOST_SHIFT_CELLS:
        product = (
            "the reference's length, of the words of all blocks that can be shifted, and of the "
            "edits that shifts can save"
        )
        raise too_long("shifts of words", n, m, product, MOST_SHIFT_CELLS)


def run_words(hypothesis: Words, reference: Words) -> int:
    """Return how many words all blocks have that stand elsewhere in the reference.

    Args:
        hypothesis: words.
        reference: words.

    >>> run_words("c a b".split(), "a b c".split())  # a b, b, and c
    4
    """
    total = 0
    below = [0] * (len(reference) + 1)
    for start in range(len(hypothesis) - 1, -1, -1):
        lengths = [
            length + 1 if word == hypothesis[start] else 0
            for word, length in zip(reference, below[1:], strict=True)
        ]
        total += sum(lengths) - (lengths[start] if start < len(lengths) else 0)
        below = [*lengths, 0]
    return total


def _run(a: Words, b: Words) -> int:
    """Return how many words both begin with."""
    for k, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return k
    return min(len(a), len(b))
