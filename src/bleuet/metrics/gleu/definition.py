"""GLEU's row of one segment: n-grams of all orders together (Wu et al. 2016, section 5)."""

from __future__ import annotations

from bleuet.metrics.bleu.definition import clipped_matches
from bleuet.statistics.definitions.counter import WordCounter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Any


class GleuCounter(WordCounter):
    """GLEU's statistics."""

    integers = 2

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[int, int]:
        """Return matches and n-grams of the reference with the best ratio."""
        return gleu_row(hypothesis, references, **self.options)


def gleu_row(
    hypothesis: Sequence[Hashable],
    references: Sequence[Sequence[Hashable]],
    *,
    min_ngram_order: int = 1,
    max_ngram_order: int = 4,
) -> tuple[int, int]:
    """Return the sufficient statistics of one segment.

    Args:
        hypothesis: its tokens.
        references: the tokens of each reference.
        min_ngram_order: the shortest n-grams that count.
        max_ngram_order: the longest n-grams that count.

    Returns:
        Matching n-grams, and the n-grams of the hypothesis or of the reference, whichever has
        more. They are those of the reference with the best ratio, the first of several.

    >>> gleu_row("a b b".split(), ["a b c".split()], max_ngram_order=2)
    (3, 5)
    """
    orders = range(min_ngram_order, max_ngram_order + 1)
    best = (0, 0)
    for reference in references:
        most = max(count_ngrams(len(side), orders) for side in (hypothesis, reference))
        matching = sum(clipped_matches(hypothesis, [reference], n) for n in orders)
        # A segment without n-grams has no ratio.
        if most and (not best[1] or matching / most > best[0] / best[1]):
            best = matching, most
    return best


def count_ngrams(tokens: int, orders: range) -> int:
    """Return how many n-grams a text of so many tokens has.

    >>> count_ngrams(3, range(1, 5))
    6
    """
    return sum(max(0, tokens - n + 1) for n in orders)
