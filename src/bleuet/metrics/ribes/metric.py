"""RIBES (Isozaki et al. 2010), a score of word order for distant languages."""

from __future__ import annotations

from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.mean_of_segments import MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option
from bleuet.metrics.base.option_types import MAX_WEIGHT
from bleuet.metrics.base.words import WORDS, WordOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marks import Mark


class RIBESScore(MeanScore):
    """A RIBES score and the means of its factors over segments, in percent."""

    components = ("segments", "word_order", "precision", "brevity_penalty")
    metric: RIBES

    @property
    def word_order(self) -> float:
        """Pairs of aligned words that are in the order of the reference."""
        return self.mean("word_order")

    @property
    def precision(self) -> float:
        """Words of the hypothesis that are aligned with a word of the reference."""
        return self.mean("precision")

    @property
    def brevity_penalty(self) -> float:
        """The brevity penalty, 100 for hypotheses at least as long as the reference."""
        return self.mean("brevity_penalty")


class RIBES(WordOptions[RIBESScore], MeanOfSegments[RIBESScore]):
    """Rank-based intuitive bilingual evaluation score: the order of the words that are right.

    RIBES = NKT * P^alpha * BP^beta, in percent, where NKT is the share of pairs of aligned words
    that are in the order of the reference, P the share of words of the hypothesis that are
    aligned, and BP the brevity penalty (Isozaki et al. 2010, section 3; Hirao et al. 2014). The
    score of a corpus is the mean over segments. With several references, a segment counts with
    the best.

    >>> print(RIBES().corpus_score(["Bob hit John yesterday"], ["John hit Bob yesterday"]))
    RIBES = 50.00
    """

    alpha: float = option(
        default=0.25,
        help="exponent of the precision: how much words that are not aligned cost",
        key="alpha",
        least=0,
        most=MAX_WEIGHT,
    )
    beta: float = option(
        default=0.1,
        help="exponent of the brevity penalty",
        key="beta",
        least=0,
        most=MAX_WEIGHT,
    )
    left_first: bool = option(
        default=True,
        help="of the words around a repeated word, compare those on its left first, as the "
        "authors' program does; off: those on its right, as NLTK does",
        key="context",
        values={"left": True, "right": False},
    )
    counter = CounterClass("bleuet.metrics.ribes.definition:RibesCounter", **WORDS)
    score_type = RIBESScore
    real_columns = ("ribes", "word_order", "precision", "brevity_penalty")
    definition = "100 * mean over segments of NKT * P^alpha * BP^beta"
    source = (
        "Isozaki, Hirao, Duh, Sudoh and Tsukada (2010), Automatic Evaluation of Translation "
        "Quality for Distant Language Pairs, EMNLP, section 3"
    )
    same_number = (
        "NLTK's corpus_ribes with tokenize=none and left_first=no, times 100, except where a "
        "reference has one word or a word is repeated all through a segment"
    )

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the words, and those that are aligned with words of the best reference."""
        from bleuet.metrics.base.marks import aligned_marks

        words, *several = map(self.tokens, (hypothesis, *references))
        return words, several, aligned_marks(self, hypothesis, references, ("aligned",))[1]

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the order of the aligned words, their share, and the brevity penalty."""
        words, several, marks = steps.marked
        _, _, order, precision, brevity = row
        n, pairs = len(marks), len(marks) * (len(marks) - 1) // 2
        steps.count("c", "words of the hypothesis", len(words))
        title = "word order, pairs of aligned words in the order of the reference"
        if pairs:
            steps.compute("NKT", title, f"{round(order * pairs)} / {pairs}", whole=1)
        else:
            steps.count("NKT", f"{title}: fewer than two words are aligned", order, whole=1)
        if words:
            steps.compute("P", "precision, words that are aligned", f"{n} / {len(words)}", whole=1)
        else:
            steps.count("P", "precision: the hypothesis is empty", precision, whole=1)
        if brevity in (0, 1):
            steps.count("BP", "brevity penalty", brevity, whole=1)
        else:
            length = len(several[marks[0].reference_number if marks else 0])
            steps.count("r", "words of the reference", length)
            steps.compute("BP", "brevity penalty", "exp(1 - r / c)", whole=1)
        formula = "100 * NKT * P^alpha * BP^beta" if words else "0"
        steps.score(self.name, formula, whole=100, alpha=self.alpha, beta=self.beta)
