"""hLEPOR's row of one segment: lengths, places of equal words, precision and recall.

Han, Wong, Chao, He, Lu, Xing and Zeng (2013), "Language-independent Model for Machine Translation
Evaluation with Reinforced Factors", MT Summit XIV, section 3.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from math import exp

from bleuet.statistics.definitions.counter import WordCounter
from bleuet.statistics.definitions.length_limit import MOST_EQUAL_WORDS, check_pairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Any

    from bleuet.statistics.definitions.counter import Number


class HleporCounter(WordCounter):
    """hLEPOR and its three factors."""

    integers = 1
    reals = 4

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return 1, hLEPOR and its three factors, of the reference with the highest score."""
        return 1, *max(hlepor_row(hypothesis, one, **self.options) for one in references)


def hlepor_row(
    ours: Sequence[Hashable],
    theirs: Sequence[Hashable],
    *,
    alpha: float = 9,
    beta: float = 1,
    context: int = 2,
    length_weight: float = 2,
    position_weight: float = 1,
    words_weight: float = 7,
) -> tuple[float, float, float, float]:
    """Return hLEPOR and its three factors, from 0 to 1 (equations 1 to 8).

    Args:
        ours: the words of the hypothesis.
        theirs: the words of the reference.
        alpha: the weight of recall.
        beta: the weight of precision.
        context: as of `distances`.
        length_weight: the weight of the length penalty.
        position_weight: the weight of the position penalty.
        words_weight: the weight of precision and recall.

    >>> hlepor_row("a b".split(), "a c".split())
    (0.5882352941176471, 1.0, 1.0, 0.5)
    """
    shared = (Counter(ours) & Counter(theirs)).total()
    if not shared:
        return 0.0, 0.0, 0.0, 0.0
    sizes = sorted((len(ours), len(theirs)))
    length = exp(1 - sizes[1] / sizes[0])
    distance = 0.0 if list(ours) == list(theirs) else distances(ours, theirs, context)
    position = exp(-distance / len(ours))
    precision, recall = shared / len(ours), shared / len(theirs)
    words = (beta + alpha) / (beta / precision + alpha / recall)
    # The length penalty of texts whose lengths differ by a factor of a thousand rounds to 0.
    if not (length and position):
        return 0.0, length, position, words
    # Not by `sum`, which adds in another way from Python 3.12 on.
    weights = length_weight + position_weight + words_weight
    inverse = length_weight / length + position_weight / position + words_weight / words
    return weights / inverse, length, position, words


def distances(ours: Sequence[Any], theirs: Sequence[Any], context: int) -> float:
    """Return how far equal words are apart, as shares of the lengths, summed.

    Each word of the hypothesis stands for an equal word of the reference that is not taken yet. If
    there are several, those count first that have a word in common within `context` words, and of
    these the nearest. As in the authors' program, its rank among these is then taken as the rank
    among all, and words before it count only where there are at least `context` of them.

    Args:
        ours: the words of the hypothesis.
        theirs: the words of the reference.
        context: how many words on each side are compared.

    Raises:
        InputError: so many words are equal that it would take minutes.

    Source: Han et al. (2013), section 3.2.

    >>> distances("a b".split(), "b a".split(), 2)
    1.0
    """
    places: dict[Any, list[int]] = {}
    for j, word in enumerate(theirs):
        places.setdefault(word, []).append(j)
    once = Counter(ours)
    pairs = sum(count * len(places.get(word, ())) for word, count in once.items())
    check_pairs("hLEPOR", "equal words", pairs, MOST_EQUAL_WORDS)
    around = [_around(theirs, j, context) for j in range(len(theirs))]
    total = 0.0
    for i, word in enumerate(ours):
        free = places.get(word)
        if not free:
            continue
        chosen = 0
        if once[word] > 1 or len(free) > 1:
            is_other = _around(ours, i, context).isdisjoint
            equal = [j for j in free if not is_other(around[j])] or free
            # Of two that are equally near, the first.
            chosen = bisect_left(equal, i)
            if chosen and (chosen == len(equal) or i - equal[chosen - 1] <= equal[chosen] - i):
                chosen -= 1
        total += abs((i + 1) / len(ours) - (free.pop(chosen) + 1) / len(theirs))
    return total


def _around(words: Sequence[Any], place: int, context: int) -> set[Any]:
    # A negative start counts from the end, so that the first words mostly have none before them.
    return {*words[place - context : place], *words[place + 1 : place + context + 1]}
