"""CrystalBLEU's row of one segment: BLEU's, without the most common n-grams."""

from __future__ import annotations

from functools import cached_property
from heapq import nsmallest

from bleuet.metrics.bleu.definition import bleu_row
from bleuet.statistics.definitions.learned_ngrams import LearnedNgrams, ngrams_up_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bleuet.statistics.definitions.learned_ngrams import Ngram


class CrystalBleuCounter(LearnedNgrams):
    """BLEU's statistics of the n-grams that are not common (Eghbali and Pradel 2022, section 3).

    Args:
        max_ngram_order: the longest n-grams that count.
        ignored: how many n-grams are common.
        max_ignored_order: the longest common n-grams.
        **options: the other options of BLEU's counter, and `learned`: how often all references
            have each n-gram.
    """

    def __init__(
        self, *, max_ngram_order: int, ignored: int, max_ignored_order: int, **options: Any
    ) -> None:
        super().__init__(max_ngram_order=max_ignored_order, **options)
        self.options["max_ngram_order"] = max_ngram_order
        self.ignored = ignored
        self.reals = int(self.options["reference_length"] == "average")
        self.integers = 2 * max_ngram_order + 2 - self.reals

    def lessons(self, references: list[Any]) -> Iterator[Ngram]:
        """Yield all n-grams of the references."""
        for reference in references:
            yield from ngrams_up_to(reference, self.order)

    def common(self) -> list[Ngram]:
        """Return the n-grams that do not count, the most common ones first.

        Of equally common ones, the shortest come first, then those whose words do.
        """

        def order(one: tuple[Ngram, int]) -> tuple[int, int, Ngram]:
            ngram, count = one
            return -count, len(ngram), ngram

        return [ngram for ngram, _ in nsmallest(self.ignored, self.learned.items(), key=order)]

    @cached_property
    def _common(self) -> frozenset[Ngram]:
        return frozenset(self.common())

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[int | float, ...]:
        """Return lengths, matches and totals."""
        return bleu_row(hypothesis, references, ignored=self._common, **self.options)
