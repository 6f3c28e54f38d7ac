"""CrystalBLEU's row of one segment: BLEU's, without the most common n-grams."""

from __future__ import annotations

from functools import cached_property
from heapq import nsmallest

from bleuet.statistics.python_backend.bleu_rows import bleu_row
from bleuet.statistics.python_backend.learned_ngrams import LearnedNgrams, ngrams_up_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bleuet.statistics.python_backend.learned_ngrams import Ngram


class CrystalBleuCounter(LearnedNgrams):
    """BLEU's statistics of the n-grams that are not common (Eghbali and Pradel 2022, section 3).

    Args:
        max_ngram_order: the longest n-grams that count.
        tokenizer: a tokenizer that needs no other library.
        lowercase: lower-case texts.
        reference_length: "closest", "shortest" or "average".
        phantom_ngrams: count one n-gram of every order that a hypothesis has none of.
        ignored: how many n-grams are common.
        max_ignored_order: the longest common n-grams.
        learned: how often all references have each n-gram.
    """

    def __init__(
        self,
        max_ngram_order: int,
        tokenizer: str,
        lowercase: bool,
        reference_length: str,
        phantom_ngrams: bool,
        ignored: int,
        max_ignored_order: int,
        learned: Mapping[Ngram, int] | None,
    ) -> None:
        super().__init__(max_ignored_order, tokenizer, lowercase, learned)
        self.options: dict[str, Any] = {
            "max_ngram_order": max_ngram_order,
            "reference_length": reference_length,
            "phantom_ngrams": phantom_ngrams,
        }
        self.ignored = ignored
        self.reals = int(reference_length == "average")
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
