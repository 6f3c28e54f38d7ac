"""BLEU's rows of texts each of which is compared with all others (Zhu et al. 2018)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

from bleuet.statistics.definitions.learned_ngrams import ngrams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from typing import TypeAlias

    Ngram: TypeAlias = tuple[Hashable, ...]


def self_rows(
    texts: Sequence[Sequence[Hashable]],
    chosen: Sequence[int],
    itself: bool,
    *,
    max_ngram_order: int,
    reference_length: str,
    phantom_ngrams: bool,
) -> tuple[list[tuple[int | float, ...]], list[int]]:
    """Return the row of each text against the others, and the number of different n-grams.

    Of an n-gram, only the two texts that have it most often matter for all others.

    Args:
        texts: the tokens of each text.
        chosen: of each text, whether it is a reference.
        itself: whether a text that is a reference is also one of itself.
        max_ngram_order: the longest n-grams that count.
        reference_length: "closest", "shortest" or "average".
        phantom_ngrams: as of `bleu_row`.

    >>> texts = ["a b".split(), "a c c".split(), "a b c".split()]
    >>> self_rows(texts, [1, 1, 1], False, max_ngram_order=2, reference_length="closest",
    ...     phantom_ngrams=False)
    ([(2, 3, 2, 1, 2, 1), (3, 3, 2, 0, 3, 2), (3, 3, 3, 1, 3, 2)], [3, 4])
    """
    orders = range(1, max_ngram_order + 1)
    counts = [[Counter(ngrams(text, n)) for n in orders] for text in texts]
    best = _two_best(counts, chosen)
    lengths = sorted(len(text) for text, is_chosen in zip(texts, chosen, strict=True) if is_chosen)
    rows = []
    for place, of_text in enumerate(counts):
        own = place if chosen[place] and not itself else -1
        matches = [
            sum(min(count, _most(best.get(ngram), own)) for ngram, count in of_order.items())
            for of_order in of_text
        ]
        length = len(texts[place])
        totals = [max(int(phantom_ngrams), length - n + 1) for n in orders]
        others = _without(lengths, length) if own >= 0 else lengths
        if reference_length == "average":
            rows.append((length, *matches, *totals, sum(others) / len(others)))
        else:
            reference = others[0] if reference_length == "shortest" else _closest(others, length)
            rows.append((length, reference, *matches, *totals))
    return rows, [len(set().union(*(of_text[n - 1] for of_text in counts))) for n in orders]


def _two_best(
    counts: Sequence[Sequence[Counter[Ngram]]], chosen: Sequence[int]
) -> dict[Ngram, tuple[int, int, int]]:
    """Return for each n-gram its two largest counts in references, and whose the first is."""
    best: dict[Ngram, tuple[int, int, int]] = {}
    for place, ngram, count in _counts_of(counts, chosen):
        most, second, whose = best.get(ngram, (0, 0, -1))
        if count > most:
            best[ngram] = count, most, place
        elif count > second:
            best[ngram] = most, count, whose
    return best


def _counts_of(
    counts: Sequence[Sequence[Counter[Ngram]]], chosen: Sequence[int]
) -> Iterator[tuple[int, Ngram, int]]:
    for place, of_text in enumerate(counts):
        for of_order in of_text if chosen[place] else ():
            for ngram, count in of_order.items():
                yield place, ngram, count


def _most(best: tuple[int, int, int] | None, own: int) -> int:
    """Return the most that a reference other than text `own` has an n-gram."""
    if best is None:
        return 0
    most, second, whose = best
    return second if whose == own else most


def _without(lengths: list[int], length: int) -> list[int]:
    first = bisect_left(lengths, length)
    return lengths[:first] + lengths[first + 1 :]


def _closest(lengths: Sequence[int], length: int) -> int:
    return min(lengths, key=lambda other: (abs(other - length), other))
