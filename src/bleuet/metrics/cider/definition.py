"""CIDEr's row of one segment: cosines of vectors of n-grams (Vedantam et al. 2015)."""

from __future__ import annotations

from collections import Counter as Counts
from itertools import chain
from math import exp, log, sqrt

from bleuet.statistics.definitions.learned_ngrams import (
    WHOLE,
    LearnedNgrams,
    ngrams,
    ngrams_up_to,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from bleuet.statistics.definitions.learned_ngrams import Ngram

    # The weight of each n-gram of one order in a text, and the length of that vector.
    Vector: TypeAlias = tuple[dict[Ngram, float], float]


class CiderCounter(LearnedNgrams):
    """CIDEr's statistics: the segment, and its mean similarity with its references.

    Args:
        clipped: whether an n-gram counts at most as often as in the reference, and other lengths
            than the reference's are penalized, as in CIDEr-D.
        variance: of that penalty, in words squared.
        **options: the other options, and `learned`: how many segments have each n-gram in a
            reference, and how many there are.
    """

    integers = 1
    reals = 1

    def __init__(self, *, clipped: bool, variance: float, **options: Any) -> None:
        super().__init__(**options)
        self.clipped = clipped
        self.variance = variance
        self.segments = log(self.occurrences(WHOLE))
        # The inverse document frequencies that were needed so far.
        self.rareness: dict[Ngram, float] = {}

    def lessons(self, references: list[Any]) -> set[Ngram]:
        """Return the n-grams that a reference has, and the empty one for the segment."""
        found = chain.from_iterable(ngrams_up_to(one, self.order) for one in references)
        return {WHOLE, *found}

    def count(self, hypothesis: Any, references: list[Any]) -> list[int | float]:
        """Return the row of one segment.

        Args:
            hypothesis: its tokens.
            references: the tokens of each reference, at least one.

        Returns:
            1, and the similarity, a mean over references and orders.
        """
        own = self._vectors(hypothesis)
        total = 0.0
        for reference in references:
            # Not sum(), which compensates for rounding from Python 3.12 on.
            cosines = 0.0
            for pair in zip(own, self._vectors(reference), strict=False):
                cosines += self._similarity(*pair)
            total += cosines / self.order * self._penalty(len(hypothesis) - len(reference))
        return [1, total / len(references)]

    def _vectors(self, tokens: Sequence[Any]) -> list[Vector]:
        """Return the vectors of the orders that a text has (Vedantam et al. 2015, equation 1).

        As in the programs of the paper's authors, n-grams are counted and not divided by the length
        of the text, which would change only CIDEr-D.
        """
        vectors = []
        for n in range(1, min(self.order, len(tokens)) + 1):
            weights = {
                ngram: count * self._rareness_of(ngram)
                for ngram, count in Counts(ngrams(tokens, n)).items()
            }
            square = 0.0
            for weight in weights.values():
                square += weight * weight
            vectors.append((weights, sqrt(square)))
        return vectors

    def _rareness_of(self, ngram: Ngram) -> float:
        known = self.rareness.get(ngram)
        if known is None:
            known = max(self.segments - log(self.occurrences(ngram)), 0.0)
            self.rareness[ngram] = known
        return known

    def _similarity(self, hypothesis: Vector, reference: Vector) -> float:
        """Return the cosine of two vectors (equation 2), which CIDEr-D clips (equation 4)."""
        weights, norm = hypothesis
        others, other_norm = reference
        if not norm or not other_norm:
            return 0.0
        product = 0.0
        for ngram, weight in weights.items():
            other = others.get(ngram, 0.0)
            product += (min(weight, other) if self.clipped else weight) * other
        return product / (norm * other_norm)

    def _penalty(self, words: int) -> float:
        """Return the Gaussian of a difference in length (equation 4)."""
        return exp(-(words**2) / (2 * self.variance)) if self.clipped else 1.0
