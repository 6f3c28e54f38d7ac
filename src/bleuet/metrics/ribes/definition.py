"""RIBES's row of one segment: the order of the words that it shares with a reference.

Isozaki et al. (2010), "Automatic Evaluation of Translation Quality for Distant Language Pairs",
EMNLP, section 3; for contexts of any length and the brevity penalty, Hirao et al. (2014),
"Evaluating Translation Quality with Word Order Correlations".
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from math import exp

from bleuet.statistics.definitions.counter import AligningCounter, WordCounter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Any

    from bleuet.statistics.definitions.counter import Aligned, Number

# The longest n-gram that is tried: without a limit, the time grows with the square of the length of
# a segment that repeats itself throughout.
LONGEST = 100


class RibesCounter(WordCounter, AligningCounter):
    """RIBES's statistics."""

    integers = 1
    reals = 4

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return 1, RIBES and its factors for the best reference."""
        return 1, *ribes_row(hypothesis, references, **self.options)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return the aligned words of the best reference."""
        return aligned_with_best(hypothesis, references, **self.options)


def ribes_row(
    hypothesis: Sequence[Hashable],
    references: Sequence[Sequence[Hashable]],
    *,
    alpha: float = 0.25,
    beta: float = 0.1,
    left_first: bool = True,
) -> tuple[float, float, float, float]:
    """Return what one segment scores against the best of its references.

    Args:
        hypothesis: its words.
        references: the words of each reference, at least one.
        alpha: the exponent of the precision.
        beta: the exponent of the brevity penalty.
        left_first: look to the left of a repeated word before looking to the right.

    Returns:
        RIBES, the rank correlation, the precision and the brevity penalty, from 0 to 1.

    >>> row = ribes_row("b c a".split(), ["a b c".split()])
    >>> [round(value, 3) for value in row]
    [0.333, 0.333, 1.0, 1.0]
    """
    return _best(hypothesis, references, alpha, beta, left_first)[1]


def aligned_with_best(
    hypothesis: Sequence[Hashable],
    references: Sequence[Sequence[Hashable]],
    *,
    alpha: float = 0.25,
    beta: float = 0.1,
    left_first: bool = True,
) -> tuple[int, list[Aligned]]:
    """Return the number of the best reference, from 0, and the words that are aligned with it.

    Arguments as for `ribes_row`.

    Returns:
        The number; and of each aligned word its place and 1, the same in the reference, and 0.

    >>> aligned_with_best("a x b".split(), ["x y".split(), "a b".split()])
    (1, [(0, 1, 0, 1, 0), (2, 1, 1, 1, 0)])
    """
    number, _ = _best(hypothesis, references, alpha, beta, left_first)
    words = aligned_words(hypothesis, references[number], left_first=left_first)
    return number, [(i, 1, at, 1, 0) for i, at in words]


def _best(
    hypothesis: Sequence[Hashable],
    references: Sequence[Sequence[Hashable]],
    alpha: float,
    beta: float,
    left_first: bool,
) -> tuple[int, tuple[float, float, float, float]]:
    """Return the number of the reference with the highest RIBES, and the row with it."""
    rows = []
    for reference in references:
        aligned = aligned_words(hypothesis, reference, left_first=left_first)
        positions = [position for _, position in aligned]
        order = rank_correlation(positions, len(reference))
        precision = len(positions) / len(hypothesis) if hypothesis else 0.0
        brevity = exp(min(0.0, 1 - len(reference) / len(hypothesis))) if hypothesis else 0.0
        ribes = order * precision**alpha * brevity**beta if hypothesis else 0.0
        rows.append((ribes, order, precision, brevity))
    return max(enumerate(rows), key=lambda pair: pair[1][0])


def aligned_words(
    hypothesis: Sequence[Hashable], reference: Sequence[Hashable], *, left_first: bool = True
) -> list[tuple[int, int]]:
    """Return the positions of aligned words in the hypothesis and in the reference.

    A word is aligned if it occurs once in both. If not, the shortest n-gram that begins or ends
    with it and occurs once in both aligns it. Other words are not aligned.

    Args:
        hypothesis: its words.
        reference: its words.
        left_first: of two n-grams of the same length, the one that ends with the word decides.

    >>> aligned_words("the boy read the book".split(), "the book the boy read".split())
    [(0, 2), (1, 3), (2, 4), (3, 0), (4, 1)]
    """
    found: dict[int, int] = {}
    waiting = list(range(len(hypothesis)))
    # The n-gram that begins at each position.
    ours, theirs = list(hypothesis), list(reference)
    for n in range(1, LONGEST + 1):
        in_ours, in_theirs = Counter(ours), Counter(theirs)
        place = {gram: i for i, gram in enumerate(theirs)}
        repeated = []
        for i in waiting:
            right = ours[i] if i < len(ours) else None
            left = ours[i - n + 1] if i >= n - 1 else None
            contexts = [(left, n - 1), (right, 0)] if left_first else [(right, 0), (left, n - 1)]
            contexts = [(gram, at) for gram, at in contexts if gram in place]
            for gram, at in contexts:
                if in_ours[gram] == in_theirs[gram] == 1:
                    found[i] = place[gram] + at
                    break
            else:
                if contexts:
                    repeated.append(i)
        waiting = repeated
        if not waiting:
            break
        numbers: dict[Hashable, int] = {}
        ours = _longer(ours, hypothesis[n:], numbers)
        theirs = _longer(theirs, reference[n:], numbers)
    return sorted(found.items())


def _longer(
    grams: Sequence[Hashable], following: Sequence[Hashable], numbers: dict[Hashable, int]
) -> list[Hashable]:
    """Return the number of each n-gram that is one word longer; equal n-grams have equal ones."""
    pairs = zip(grams, following, strict=False)
    return [numbers.setdefault(pair, len(numbers)) for pair in pairs]


def rank_correlation(positions: Sequence[int], reference_length: int) -> float:
    """Return the share of pairs of words that are in the order of the reference.

    It is Kendall's tau, normalized to 0 to 1 (equation 2). Fewer than two words have no order,
    which counts as 0, but one word is all that a reference of one word can match.

    >>> rank_correlation([2, 1, 0, 3], 4), rank_correlation([0], 1), rank_correlation([0], 2)
    (0.5, 1.0, 0.0)
    """
    n = len(positions)
    if n < 2:
        return float(n == reference_length == 1)
    before: list[int] = []
    increasing = 0
    for position in positions:
        lower = bisect_left(before, position)
        increasing += lower
        # Those that are equal come after it, and so are not lower than another one that is equal.
        before.insert(lower, position)
    return increasing / (n * (n - 1) // 2)
