"""N-grams that one system matches more often than another."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain

from bleuet.errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from bleuet.studies.comparison.tokens import Tokens, Words

    # N-grams by the number of matches of each system.
    NgramGroups: TypeAlias = Mapping[tuple[int, ...], Sequence[Words]]

LONGEST = 4
SMOOTHING = 1.0


@dataclass(frozen=True, slots=True)
class NgramDifference:
    """An n-gram with the clipped matches of two systems.

    Attributes:
        ngram: the words.
        left: the clipped matches of the first system.
        right: the clipped matches of the second system.
        ratio: the share of the first system after smoothing: above 0.5 where it has more matches.
    """

    ngram: Words
    left: int
    right: int
    ratio: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "ngram": " ".join(self.ngram),
            "left": self.left,
            "right": self.right,
            "ratio": self.ratio,
        }


def match_ngrams(tokens: Tokens, longest: int = LONGEST) -> dict[Words, list[int]]:
    """Count the clipped matches of each n-gram by each system.

    In a segment an n-gram matches as often as the hypothesis has it, but at most as often as the
    reference that has it most (Papineni et al. 2002, section 2.1).

    Args:
        tokens: the words of the test set.
        longest: the length of the longest n-grams.

    Returns:
        The matches of each system by n-gram, for n-grams with at least one match.
    """
    matched: dict[Words, list[int]] = defaultdict(lambda: [0] * len(tokens.hypotheses))
    for row, references in enumerate(tokens.references):
        available = _most(references, longest)
        for system, hypotheses in enumerate(tokens.hypotheses):
            counts = _ngrams(hypotheses[row], longest)
            for ngram in available.keys() & counts.keys():
                matched[ngram][system] += min(counts[ngram], available[ngram])
    return matched


def group_ngrams(matches: Mapping[Words, Sequence[int]]) -> NgramGroups:
    """Group the n-grams that have the same number of matches by each system.

    There are few groups, so that comparing any two systems is fast.

    >>> group_ngrams({("a",): [1, 0], ("b",): [1, 0]})
    {(1, 0): [('a',), ('b',)]}
    """
    groups: dict[tuple[int, ...], list[Words]] = {}
    for ngram, counts in matches.items():
        groups.setdefault(tuple(counts), []).append(ngram)
    return groups


def _ngrams(words: Words, longest: int) -> Counter[Words]:
    orders = range(1, longest + 1)
    return Counter(
        chain.from_iterable(zip(*(words[i:] for i in range(n)), strict=False) for n in orders)
    )


def _most(references: Sequence[Words], longest: int) -> Counter[Words]:
    """Return the count of each n-gram in the reference that has it most."""
    counts = _ngrams(references[0], longest)
    for reference in references[1:]:
        counts |= _ngrams(reference, longest)
    return counts


def smoothed_ratio(left: int, right: int, smoothing: float = SMOOTHING) -> float:
    """Return the share of the first count, both with `smoothing` added.

    Args:
        left: the first count.
        right: the second count.
        smoothing: is added to each.

    >>> smoothed_ratio(3, 0), smoothed_ratio(2, 2)
    (0.8, 0.5)
    """
    return (left + smoothing) / (left + right + 2 * smoothing)


def ngram_differences(
    groups: NgramGroups, left: int, right: int, limit: int, smoothing: float = SMOOTHING
) -> tuple[tuple[NgramDifference, ...], tuple[NgramDifference, ...]]:
    """Return the n-grams in which two systems differ most.

    They are ranked by (left + s) / (left + right + 2s), the smoothed ratio of compare-mt (Neubig
    et al. 2019). Of equal ratios the more frequent n-grams come first, then the longer ones.

    Args:
        groups: the matches of all systems, as `group_ngrams` returns them.
        left: the index of the first system.
        right: the index of the second system.
        limit: the largest number of n-grams for each system.
        smoothing: s; the larger it is, the more frequent are the n-grams that come first.

    Returns:
        The n-grams that the first system has more often, and those that the second has.

    Raises:
        OptionError: the smoothing is not above 0.

    >>> gained, lost = ngram_differences(group_ngrams({("a",): [3, 0], ("b",): [0, 1]}), 0, 1, 5)
    >>> gained[0].ratio, lost[0].to_dict()
    (0.8, {'ngram': 'b', 'left': 0, 'right': 1, 'ratio': 0.3333333333333333})
    """
    if smoothing <= 0:
        raise OptionError(f"the smoothing of n-grams must be above 0, not {smoothing!r}")
    by_counts: dict[tuple[int, int], list[Sequence[Words]]] = {}
    for counts, ngrams in groups.items():
        by_counts.setdefault((counts[left], counts[right]), []).append(ngrams)

    def rank(pair: tuple[int, int]) -> tuple[float, int]:
        one, other = pair
        return -abs(smoothed_ratio(one, other, smoothing) - 0.5), -abs(one - other)

    gained = sorted([pair for pair in by_counts if pair[0] > pair[1]], key=rank)
    lost = sorted([pair for pair in by_counts if pair[0] < pair[1]], key=rank)
    return _first(gained, by_counts, limit, smoothing), _first(lost, by_counts, limit, smoothing)


def _first(
    ranked: Iterable[tuple[int, int]],
    by_counts: Mapping[tuple[int, int], Iterable[Iterable[Words]]],
    limit: int,
    smoothing: float,
) -> tuple[NgramDifference, ...]:
    found: list[NgramDifference] = []
    for pair in ranked:
        if len(found) == limit:
            break
        candidates = chain.from_iterable(by_counts[pair])
        ratio = smoothed_ratio(pair[0], pair[1], smoothing)
        for ngram in nsmallest(limit - len(found), candidates, key=lambda one: (-len(one), one)):
            found.append(NgramDifference(ngram, *pair, ratio))
    return tuple(found)
