"""GLEU (Wu et al. 2016), the BLEU-like score for sentences, with NLTK's numbers."""

from __future__ import annotations

from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import MAX_ORDER
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.words import WORDS, WordOptions
from bleuet.metrics.bleu.options import BLEUOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marks import Mark
    from bleuet.metrics.base.row_limit import RowLimit


class GLEUScore(Score):
    """A GLEU score and its components."""

    components = ("matching_ngrams", "ngrams")
    metric: GLEU
    values: tuple[int, ...]

    @property
    def matching_ngrams(self) -> int:
        """Matching n-grams of all orders."""
        return self.values[0]

    @property
    def ngrams(self) -> int:
        """The n-grams of the hypothesis or of the reference, whichever has more, summed."""
        return self.values[1]


class GLEU(WordOptions[GLEUScore]):
    """Google-BLEU: matching n-grams per n-gram of the side that has more of them.

    That is the smaller of precision and recall over the n-grams of all orders together (Wu et al.
    2016, section 5). With several references, a segment counts with the one with the best ratio.

    >>> print(GLEU().corpus_score(["The cat sat down."], ["The cat sat up."]))
    GLEU = 50.00
    """

    min_ngram_order: int = option(
        default=1,
        help="length of the shortest n-grams that are counted",
        key="nmin",
        least=1,
        most=MAX_ORDER,
    )
    max_ngram_order: int = option(
        default=4, key="nmax", sign_default=True, scoring=False, like=BLEUOptions.max_ngram_order
    )
    counter = CounterClass("bleuet.metrics.gleu.definition:GleuCounter", **WORDS)
    score_type = GLEUScore
    integer_columns = ("matching_ngrams", "ngrams")
    definition = "100 * matching / max(n-grams of hypothesis, n-grams of reference)"
    source = (
        "Wu et al. (2016), Google's Neural Machine Translation System: Bridging the Gap between "
        "Human and Machine Translation, section 5"
    )
    same_number = "NLTK's corpus_gleu and sentence_gleu with tokenize=none, times 100"

    def check_options(self) -> None:
        """Check that the shortest order is not longer than the longest."""
        super().check_options()
        if self.min_ngram_order > self.max_ngram_order:
            raise self.rejected(
                "min_ngram_order", f"must be at most max_ngram_order, {self.max_ngram_order}"
            )

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return the most that can match."""
        from bleuet.metrics.base.row_limit import RowLimit

        return [RowLimit("matching_ngrams", "ngrams")]

    def formula(self, values: Sequence[int | float]) -> float:
        """Return matching n-grams per n-gram in percent (Wu et al. 2016, section 5)."""
        matching, ngrams = values
        return 100 * (matching / ngrams) if ngrams else 0.0

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the tokens, and the n-grams that match those of the best reference."""
        from bleuet.metrics.base.marks import best_reference, matched_ngrams

        words, *several = map(self.tokens, (hypothesis, *references))
        best = best_reference(self, hypothesis, references)
        orders = range(self.min_ngram_order, self.max_ngram_order + 1)
        return words, several, matched_ngrams(words, several, orders, best)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the matches and the n-grams of the longer side."""
        matching, ngrams = row
        steps.count(
            "n", "n-grams of the hypothesis or of the reference, whichever has more", ngrams
        )
        steps.count("m", "n-grams that match", matching, whole=ngrams)
        steps.score(self.name, "100 * m / n" if ngrams else "0")
