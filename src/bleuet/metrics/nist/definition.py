"""NIST's row of one segment: the information of the n-grams that match (Doddington 2002)."""

from __future__ import annotations

from collections import Counter as Counts
from itertools import chain, repeat
from math import log, log2

from bleuet.statistics.definitions.learned_ngrams import (
    WHOLE,
    LearnedNgrams,
    ngrams,
    ngrams_up_to,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.statistics.definitions.learned_ngrams import Ngram


class NistCounter(LearnedNgrams):
    """NIST's statistics: n-grams per order, mean reference length, information per order.

    Args:
        mteval: whether a bigram after the token `0` has the information that mteval gives it.
        **options: the other options, and `learned`: how often all references have each n-gram, and
            their words.
    """

    _log2 = staticmethod(log2)

    def __init__(self, *, mteval: bool, **options: Any) -> None:
        super().__init__(**options)
        self.integers = self.order
        self.reals = self.order + 1
        self.mteval = mteval
        # Of the n-grams that matched so far.
        self.information: dict[Ngram, float] = {}

    def lessons(self, references: list[Any]) -> Iterator[Ngram]:
        """Yield all n-grams of the references, and for each word the empty one."""
        words = repeat(WHOLE, sum(map(len, references)))
        return chain(words, *[ngrams_up_to(reference, self.order) for reference in references])

    def count(self, hypothesis: Any, references: list[Any]) -> list[int | float]:
        """Return the row of one segment.

        Args:
            hypothesis: its tokens.
            references: the tokens of each reference, at least one.

        Returns:
            N-grams of the hypothesis of order 1..N, the mean length of the references, and the
            information of the matching n-grams of order 1..N.
        """
        length = len(hypothesis)
        totals = [max(0, length - n) for n in range(self.order)]
        mean = sum(map(len, references)) / len(references)
        information = [0.0] * self.order
        for n in range(1, min(self.order, length) + 1):
            matched = self._matched(hypothesis, references, n)
            if not matched:
                break
            # Not sum(), which compensates for rounding from Python 3.12 on.
            for ngram in matched:
                information[n - 1] += self._information_of(ngram)
        return [*totals, mean, *information]

    def _information_of(self, ngram: Ngram) -> float:
        """Return log2 of how often its first words occur per occurrence of all its words.

        Source: Doddington (2002), equation 2.
        """
        known = self.information.get(ngram)
        if known is None:
            first = ngram[:-1]
            # mteval tests the first words as a string, and Perl takes "0" for an empty one.
            history = WHOLE if self.mteval and first == ("0",) else first
            known = self._log2(max(self.occurrences(history) / self.occurrences(ngram), 1.0))
            self.information[ngram] = known
        return known

    def _matched(
        self, hypothesis: Sequence[Any], references: list[Sequence[Any]], order: int
    ) -> list[Ngram]:
        """Return the n-grams that match, from left to right, each as often as one reference."""
        most: Counts[Ngram] = Counts(ngrams(references[0], order))
        for reference in references[1:]:
            most |= Counts(ngrams(reference, order))
        matched = []
        for ngram in ngrams(hypothesis, order):
            left = most.get(ngram, 0)
            if left:
                most[ngram] = left - 1
                matched.append(ngram)
        return matched


class NltkCounter(NistCounter):
    """NIST's statistics as NLTK has them of several references.

    For each order, the reference whose matches have the most information counts, with its length;
    of equal ones, the longest.

    Args:
        **options: as for `NistCounter`.
    """

    # Rounds as NLTK's, which decides which of two references counts that are as good.
    _log2 = staticmethod(lambda ratio: log(ratio, 2))

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.reals = 2 * self.order

    def count(self, hypothesis: Any, references: list[Any]) -> list[int | float]:
        """Return the row of one segment.

        Args:
            hypothesis: its tokens.
            references: the tokens of each reference, at least one.

        Returns:
            N-grams of the hypothesis of order 1..N, the length of the reference that counts for
            each order, and the information of its matching n-grams of each order.
        """
        orders = range(1, self.order + 1)
        totals = [max(0, len(hypothesis) - n + 1) for n in orders]
        own = [Counts(ngrams(hypothesis, n)) for n in orders]
        found = [[(self._bits(own[n - 1], one, n), len(one)) for one in references] for n in orders]
        bits, lengths = zip(*map(max, found), strict=True)
        return [*totals, *map(float, lengths), *bits]

    def _bits(self, own: Counts[Ngram], reference: Any, order: int) -> float:
        # NLTK adds each n-gram once, with its count.
        theirs: dict[Ngram, int] = {}
        for ngram in ngrams(reference, order):
            if ngram in own:
                theirs[ngram] = theirs.get(ngram, 0) + 1
        bits = 0.0
        if theirs:
            for ngram, times in own.items():
                if ngram in theirs:
                    bits += self._information_of(ngram) * min(times, theirs[ngram])
        return bits
