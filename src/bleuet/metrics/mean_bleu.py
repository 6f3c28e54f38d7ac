"""Means of sentence BLEU over a document (Chen and Cherry 2014, equation 13); not BLEU itself."""

from __future__ import annotations

from array import array
from operator import mul

from bleuet.frozen import cached_property
from bleuet.metrics.base.mean_of_segments import MeanOfMetric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.bleu.options import BLEUOptions
from bleuet.metrics.bleu.smoothing import SMOOTHINGS
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.metrics.bleu.options import SmoothingName
    from bleuet.text.tokenizers import Tokenizer

COLUMNS = ("weighted_score", "weight")
# 100, and room for rounding and for weights that add up to a little more than 1.
HIGHEST = 100.01


class MeanBLEUScore(Score):
    """A mean of sentence BLEU, with its numerator and denominator."""

    components = COLUMNS
    metric: MeanBLEU

    @property
    def weighted_score(self) -> float:
        """The sum of weight times BLEU, in percent, over sentences."""
        return self.values[0]

    @property
    def weight(self) -> float:
        """The sum of weights: tokens in the references, or the number of sentences."""
        return self.values[1]


class MeanBLEU(MeanOfMetric[MeanBLEUScore], BLEUOptions[MeanBLEUScore]):
    """The mean of sentence BLEU: each sentence is scored separately, then scores are averaged.

    Mean = sum of weight_i * BLEU_i / sum of weight_i, in percent, where weight_i is len(R_i), the
    sentence's reference length (Chen and Cherry 2014, equation 13), or 1. The BLEU of a document
    is `BLEU`, which adds counts and scores once (Papineni et al. 2002, section 2.1).

    >>> hypotheses, references = ["The cat sat down.", "Rain."], ["The cat sat up.", "Rain."]
    >>> print(MeanBLEU().corpus_score(hypotheses, references))
    MeanBLEU-length = 59.09
    >>> print(MeanBLEU(weighting="plain").corpus_score(hypotheses, references))
    MeanBLEU-plain = 71.36
    """

    effective_order: bool = option(
        default=True,
        help="leave out orders for which the sentence has no n-grams; always off for "
        "chen-cherry-N-literal, mteval and nmt",
        default_for=lambda smooth: SMOOTHINGS[smooth].has_effective_order,
        like=BLEUOptions.effective_order,
    )
    # Another key than that of BLEU, because each sentence is smoothed.
    smooth: SmoothingName = option(
        default="exp", key="sentsmooth", short_key="ss", like=BLEUOptions.smooth
    )
    weighting: Literal["reference-length", "plain"] = option(
        default="reference-length",
        help="the weight of a sentence: its reference length (with several references, the one "
        "that BLEU uses), or 1",
        key="mean",
        values={"length": "reference-length", "plain": "plain"},
        choices=("reference-length", "plain"),
    )
    score_type = MeanBLEUScore
    integer_columns = ()
    real_columns = COLUMNS
    averages = BLEU
    definition = "sum over sentences of weight * BLEU / sum of weights"
    source = (
        "Chen and Cherry (2014), A Systematic Comparison of Smoothing Techniques for "
        "Sentence-Level BLEU, WMT, equation 13"
    )
    same_number = "the mean of sacreBLEU's sentence scores with weighting=plain"

    @property
    def bleu(self) -> BLEU:
        """The BLEU of each sentence."""
        return self.averaged  # type: ignore[return-value]

    @cached_property
    def _tokenizer(self) -> Tokenizer | None:
        return self.bleu._tokenizer

    @property
    def name(self) -> str:
        """The printed name, MeanBLEU-length or MeanBLEU-plain."""
        return f"MeanBLEU-{self.option_named('weighting').sign(self.weighting)}"

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the options that suit BLEU of sentences."""
        return BLEU.suited_to(language=language, sentences=True)

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return the limits: a weight that all sentences share, and the highest sentence score.

        NLTK's smoothings, printed formulas and a floor above 1 give scores above 100.
        """
        from bleuet.metrics.base.row_limit import RowLimit

        limits = []
        if self.weighting == "plain":
            limits.append(RowLimit("weight", "", least=1, exact=True))
        high_floor = self.smooth == "floor" and (self.smooth_value or 0) > 1
        smoothing = SMOOTHINGS[self.smooth]
        if smoothing.is_bounded and not high_floor:
            limits.append(RowLimit("weighted_score", "weight", factor=HIGHEST))
        return limits

    # --- Scoring ----------------------------------------------------------------------------------

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the weighted mean in percent (Chen and Cherry 2014, equation 13).

        The mean is 0 if no sentence has a weight, as with empty references.
        """
        weighted, weight = values
        return weighted / weight if weight else 0.0

    def sentence_score(self, hypothesis: Any, references: Any) -> MeanBLEUScore:
        """Score one hypothesis, whose mean is its BLEU up to rounding.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        one = self.bleu.sentence_score(hypothesis, references)
        weight = 1.0 if self.weighting == "plain" else float(one.ref_len)
        return self.score_values((weight * one.score, weight), one.n_references)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the steps of the sentence's BLEU, and its weight."""
        super().derive_segment(steps, row, hypothesis, references)
        steps.count("w", "weight of the sentence", row[1])
        steps.score(self.name, "w * score / w" if row[1] else "0")

    def table_from(self, counted: Table) -> Table:
        """Return this metric's rows from those that its BLEU has counted.

        Args:
            counted: a table of `self.bleu`, or of a BLEU that counts alike.

        Raises:
            TableError: the table is no such one.

        >>> mean = MeanBLEU(weighting="plain")
        >>> mean.table_from(mean.bleu.count(["a b c"], ["a b d"])).row(0)["weight"]
        1.0
        """
        scores = self.bleu.segment_scores(counted).values
        weights = array("d", [1.0]) * counted.rows
        if self.weighting == "reference-length":
            weights = array("d", counted.column("ref_len"))
        reals = array("d", map(mul, weights, scores))
        reals.extend(weights)
        return Table((), COLUMNS, counted.rows, b"", reals, counted.n_references)
