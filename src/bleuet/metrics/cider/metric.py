"""CIDEr and CIDEr-D (Vedantam, Zitnick and Parikh 2015), for descriptions of images."""

from __future__ import annotations

from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.mean_of_segments import MeanOfSegments, MeanScore
from bleuet.metrics.base.option import option
from bleuet.metrics.base.words import WORDS, WordOptions
from bleuet.metrics.bleu.options import BLEUOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation

PLAIN, D = "plain", "d"
SIGMA = 6.0


class CIDErScore(MeanScore):
    """A CIDEr score."""

    metric: CIDEr


class CIDEr(WordOptions[CIDErScore], MeanOfSegments[CIDErScore]):
    """Consensus with the references of a segment: similarity of weighted n-grams.

    CIDEr = 10 * mean over segments, references and orders of the cosine of the n-gram counts, each
    times ln(segments / segments with the n-gram in a reference) (Vedantam et al. 2015, equations 1
    to 3). CIDEr-D clips counts and penalizes other lengths (equation 4). Scores are from 0 to 10.

    >>> hypotheses = ["a cat sat", "dogs run fast"]
    >>> references = [["a cat sat down", "the cat sat"], ["dogs run", "two dogs run fast"]]
    >>> print(CIDEr().corpus_score(hypotheses, references))
    CIDEr = 4.6685
    >>> print(CIDEr(variant="d").corpus_score(hypotheses, references))
    CIDEr-D = 4.6141
    """

    max_ngram_order: int = option(
        default=4, key="order", scoring=False, like=BLEUOptions.max_ngram_order
    )
    variant: Literal["plain", "d"] = option(
        default="plain",
        help="plain is CIDEr, d is CIDEr-D, with clipped counts and a length penalty",
        key="cider",
        choices=(PLAIN, D),
    )
    sigma: float = option(
        default=SIGMA,
        help="of CIDEr-D, the standard deviation of the length penalty, in words",
        key="sigma",
        sign_default=False,
        least=0.001,
        most=1000,
    )
    counter = CounterClass(
        "bleuet.metrics.cider.definition:CiderCounter",
        **WORDS,
        variant=None,
        clipped=lambda metric: metric.variant == D,
        sigma=None,
        variance=lambda metric: metric.sigma**2,
    )
    score_type = CIDErScore
    real_columns = ("similarity",)
    scale = 10.0
    extra_digits = 2
    learns = True
    # The logarithm of segments / segments with the n-gram is 0 for one segment.
    fewest_segments = 2
    definition = (
        "10 * mean over segments, references and orders of the cosine of n-gram counts, weighted "
        "by ln(segments / segments with the n-gram in a reference)"
    )
    source = (
        "Vedantam, Zitnick and Parikh (2015), CIDEr: Consensus-based Image Description Evaluation, "
        "equations 1 to 4"
    )
    needs = "all references before it counts"
    same_number = "cider-d: pycocoevalcap's Cider with tokenize=none on the same tokens"

    def check_options(self) -> None:
        """Check that no deviation is set without the penalty that uses it."""
        super().check_options()
        if self.variant == PLAIN and self.sigma != SIGMA:
            raise self.rejected("sigma", "belongs to variant=d: leave it out, or use CIDEr-D")

    @property
    def name(self) -> str:
        """The printed name, CIDEr or CIDEr-D."""
        return "CIDEr-D" if self.variant == D else "CIDEr"

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the similarity with each reference, and their mean."""
        read = self.tokenize_text or (lambda text: text)
        for n, one in enumerate(references, 1):
            title = f"mean of the cosines of {self.max_ngram_order} orders with reference {n}"
            if self.variant == D:
                title += ", times the penalty of the length"
            similarity = self._counter.row(self.counted_kind, read(hypothesis), [read(one)])[1]
            steps.count(f"s{n}", title, similarity, whole=1)
        names = " + ".join(f"s{n}" for n in range(1, len(references) + 1))
        mean = f"({names}) / {len(references)}" if len(references) > 1 else names
        steps.score(self.name, f"10 * {mean}")
