"""SARI's row of one segment: n-grams that a simplification adds, keeps and deletes.

Xu, Napoles, Pavlick, Chen and Callison-Burch (2016), "Optimizing Statistical Machine Translation
for Text Simplification", TACL 4, section 4.
"""

from __future__ import annotations

from collections import Counter

from bleuet.statistics.definitions.counter import WordCounter
from bleuet.statistics.definitions.learned_ngrams import ngrams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.statistics.definitions.counter import Number


class SariCounter(WordCounter):
    """SARI and its three parts; the first reference of a segment is its source."""

    integers = 1
    reals = 4

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Return the words; Hugging Face evaluate's sari finds an empty one where there is none."""
        return super().read(text, reference=reference) or [""]

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return 1, SARI and its three parts."""
        return 1, *sari_row(hypothesis, references, **self.options)


def sari_row(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    max_ngram_order: int = 4,
) -> tuple[float, float, float, float]:
    """Return SARI, F1 of added and of kept n-grams, and precision of deleted ones, from 0 to 1.

    Args:
        hypothesis: the words of the simplification.
        references: the words of the source, and those of each simplification by others.
        max_ngram_order: the longest n-grams.

    >>> sari_row(["a", "c"], [["a", "b"], ["a", "c"]], max_ngram_order=1)
    (1.0, 1.0, 1.0, 1.0)
    """
    source, *several = references
    add = keep = delete = 0.0
    # Not by `sum`, which adds in another way from Python 3.12 on.
    for n in range(1, max_ngram_order + 1):
        parts = parts_of_order(source, hypothesis, several, n)
        add, keep, delete = add + parts[0], keep + parts[1], delete + parts[2]
    add, keep, delete = (part / max_ngram_order for part in (add, keep, delete))
    return (add + keep + delete) / 3, add, keep, delete


def parts_of_order(
    source: Sequence[str], hypothesis: Sequence[str], references: Sequence[Sequence[str]], n: int
) -> tuple[float, float, float]:
    """Return F1 of added and of kept n-grams, and precision of deleted ones, from 0 to 1.

    Each n-gram of the source and the hypothesis counts once for each reference, so that it is kept
    or deleted rightly in the share of the references that do so. Nothing out of nothing is 1.

    Args:
        source: the words of the source.
        hypothesis: the words of the hypothesis.
        references: the words of each reference.
        n: the length of n-grams.

    Source: Xu et al. (2016), equations 2 to 7.

    >>> parts_of_order("a b".split(), "a c".split(), ["a c".split(), "a b".split()], 1)
    (1.0, 0.8, 0.5)
    """
    times = len(references)
    before, after = Counter(ngrams(source, n)), Counter(ngrams(hypothesis, n))
    expected: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        expected.update(ngrams(reference, n))
    kept = deleted = rightly_kept = to_keep = 0
    keep_precision = delete_precision = 0.0
    for gram, count in before.items():
        theirs = expected.get(gram, 0)
        had = times * count
        to_keep += min(had, theirs)
        if stays := min(had, times * after.get(gram, 0)):
            kept += 1
            rightly_kept += min(stays, theirs)
            keep_precision += min(stays, theirs) / stays
        if goes := had - stays:
            deleted += 1
            delete_precision += max(goes - theirs, 0) / goes
    added = after.keys() - before.keys()
    right, to_add = len(added & expected.keys()), len(expected.keys() - before.keys())
    return (
        _f1(_share(right, len(added)), _share(right, to_add)),
        _f1(_share(keep_precision, kept), _share(rightly_kept, to_keep)),
        _share(delete_precision, deleted),
    )


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 1.0


def _f1(precision: float, recall: float) -> float:
    both = precision + recall
    return 2 * precision * recall / both if both else 0.0
