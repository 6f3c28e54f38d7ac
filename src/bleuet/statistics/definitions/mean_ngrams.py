"""The matches of texts with the mean counts of n-grams: the definition of the kernel's function."""

from __future__ import annotations

from array import array
from collections import Counter
from functools import reduce
from operator import add

from bleuet.statistics.definitions.compared_words import read_numbers, read_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    Words: TypeAlias = tuple[int, ...]


def match_mean_ngrams(
    hypotheses: Any, references: Any, weights: Any, words: int, order: int
) -> tuple[bytearray, bytearray]:
    """Return the clipped matches of each hypothesis with the mean n-gram counts of references.

    Source: Vamvas and Sennrich (2024), Linear-time Minimum Bayes Risk Decoding with Reference
    Aggregation, ACL, section 3.2.

    Args:
        hypotheses: the numbers of their words (32 bits), and where each ends (64 bits).
        references: the same of the references, at least one.
        weights: the weight of each reference (64-bit floats), not all zero.
        words: numbers of words are below it.
        order: the longest n-gram.

    Returns:
        Of each hypothesis its matches of 1-grams, 2-grams and so on; and the mean numbers of
        n-grams of the references (64-bit floats).
    """
    own, others = list(read_texts(hypotheses)), list(read_texts(references))
    shares: Sequence[float] = read_numbers(weights, "d").tolist()
    total = reduce(add, shares)
    lengths, columns = array("d"), []
    for n in range(1, order + 1):
        mean: dict[Words, float] = {}
        length = 0.0
        for text, share in zip(others, shares, strict=True):
            for ngram, count in _ngrams(text, n).items():
                mean[ngram] = mean.get(ngram, 0.0) + count * share / total
            length += max(len(text) - n + 1, 0) * share / total
        lengths.append(length)
        columns.append([_shared(_ngrams(text, n), mean) for text in own])
    matches = array("d", [number for row in zip(*columns, strict=True) for number in row])
    return bytearray(matches), bytearray(lengths)


def _ngrams(text: Words, n: int) -> Counter[Words]:
    return Counter(zip(*(text[i:] for i in range(n)), strict=False))


def _shared(counts: Counter[Words], mean: dict[Words, float]) -> float:
    found = 0.0
    for ngram, count in counts.items():
        if ngram in mean:
            found += min(count, mean[ngram])
    return found
