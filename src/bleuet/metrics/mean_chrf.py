"""The mean of chrF over segments, as Popović's script prints it beside chrF of the document."""

from __future__ import annotations

from array import array

from bleuet.metrics.base.mean_of_segments import MeanOfMetric, MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option
from bleuet.metrics.chrf.metric import CHRF, CHRFOptions
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.derivation import Derivation


class MeanCHRF(MeanOfMetric, MeanOfSegments, CHRFOptions[MeanScore]):
    """The mean of chrF over segments (macro average); chrF++ with word n-grams besides.

    Each segment counts once, however long it is; `CHRF` adds the n-grams of all segments and
    scores once. Defaults give the means of Popović's script chrF++.py, which averages the F-scores
    of all orders.

    >>> hypotheses, references = ["The cat sat down.", "Rain."], ["The cat sat up.", "Rain."]
    >>> print(MeanCHRF(word_order=2).corpus_score(hypotheses, references))
    MeanchrF2++ = 76.60
    """

    eps_smoothing: bool = option(
        default=True, key="segeff", short_key="se", like=CHRFOptions.eps_smoothing
    )
    real_columns = ("chrf",)
    averages = CHRF
    # Its measure is chrF in percent.
    scale = 1.0
    highest = 100.0
    definition = "mean over segments of chrF"
    source = (
        "Popović (2017), chrF++: words helping character n-grams, WMT; the average that her "
        "script chrF++.py prints"
    )
    same_number = "NLTK's corpus_chrf with beta=3, times 100, and the average F of chrF++.py"

    @property
    def name(self) -> str:
        """The name of its chrF after Mean, such as MeanchrF2++."""
        return f"Mean{self.averaged.name}"

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the steps of the segment's chrF, of which the mean is that of one."""
        super().derive_segment(steps, row, hypothesis, references)
        steps.score(f"{self.name}, the mean of one segment", "score / 1")

    def table_from(self, counted: Table) -> Table:
        """Return this metric's rows from those that its chrF has counted.

        Args:
            counted: a table of `self.averaged`, or of a chrF that counts alike.

        Raises:
            TableError: the table lacks a column.
        """
        rows = counted.rows
        scores = array("d", self.averaged.segment_scores(counted).values)
        ones = array("q", [1]) * rows
        return Table(("segments",), ("chrf",), rows, ones, scores, counted.n_references)

    def sentence_score(self, hypothesis: Any, references: Any) -> MeanScore:
        """Score one segment, whose mean is its chrF.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        one = self.averaged.sentence_score(hypothesis, references)
        return self.score_values((1, one.score), one.n_references)
