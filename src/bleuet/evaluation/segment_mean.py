"""The mean of external scores of segments: those of a neural metric, or of humans."""

from __future__ import annotations

from math import floor, isfinite, log10

from bleuet.errors import InputError, SignatureError
from bleuet.frozen import checked
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.signature import Signature, version_of
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

    from bleuet.metrics.base.signature import ParsedSignature

# Scores of this size need no extra digits, and every tenth of it needs one more.
PERCENT = 20
MOST_DIGITS = 6


class SegmentMeanScore(Score):
    """The mean of the scores of some segments."""

    components = ("segments",)

    @property
    def segments(self) -> int:
        """The number of segments with a score."""
        return int(self.values[0])


def _checked_label(label: str) -> str:
    if not label.strip() or "|" in label or "\n" in label:
        raise ValueError(f"must be a name without '|' or line breaks, not {label!r}")
    return label


class SegmentMean(Metric[SegmentMeanScore]):
    """A corpus score that is the mean of external segment scores.

    Its rows are a count and a score, which add like those of any metric, so external scores can
    be tested together with metrics that count n-grams.

    Raises:
        OptionError: the label is empty, or contains a separator of signatures.

    >>> comet = SegmentMean("COMET")
    >>> table = comet.table_of([0.81, 0.64, None, 0.95])
    >>> print(comet.score(table.totals()))
    COMET = 0.80
    """

    label: str = option(
        default="mean", help="the printed name, such as COMET or human", check=_checked_label
    )
    # An option of each mean; for other metrics, an attribute of the class.
    higher_is_better: bool = option(default=True, help="whether larger scores are better")  # type: ignore[misc]
    score_type = SegmentMeanScore
    integer_columns = ("segments",)
    real_columns = ("sum",)

    def __init__(self, label: str, higher_is_better: bool = True) -> None:
        super().__init__(label=label, higher_is_better=higher_is_better)

    @property
    def name(self) -> str:
        """The label."""
        return self.label

    @checked
    def table_of(self, scores: Iterable[float | None]) -> Table:
        """Return segment scores as a table, one row per segment.

        Args:
            scores: one number per segment, in any unit; None for a segment without a score.

        Raises:
            InputError: a score is not a finite number.
        """
        rows = []
        for segment, score in enumerate(scores):
            number = 0.0 if score is None else _finite(score, segment, self.label)
            rows.append((int(score is not None), number))
        return Table.from_rows(self.integer_columns, self.real_columns, rows, None)

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature, which names nothing but the mean."""
        return Signature(self.label, [("mean", "segments"), ("version", version_of(False))])

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> NoReturn:
        """Raise an error: external scores cannot be computed.

        Raises:
            SignatureError: always.
        """
        raise SignatureError("a mean of external scores cannot be made from a signature")

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the mean of the scores, 0 without scores."""
        segments, total = values
        return total / segments if segments else 0.0

    def _make_counter(self) -> Any:
        raise InputError(f"{self.label} is a mean of external scores: use table_of, not texts")


def digits_beyond_percent(scores: Iterable[float]) -> int:
    """Return how many digits scores need beyond those of scores in percent.

    >>> [digits_beyond_percent([score]) for score in (0.81, -3.5, 85)]
    [2, 1, 0]
    """
    greatest = max(map(abs, scores), default=0.0)
    return min(max(0, -floor(log10(greatest / PERCENT))), MOST_DIGITS) if greatest else 0


def _finite(score: Any, segment: int, label: str) -> float:
    try:
        number = float(score)
    except (TypeError, ValueError):
        number = float("nan")
    if not isfinite(number):
        raise InputError(
            f"the {label} score of segment {segment} must be a finite number, or None for none, "
            f"not {score!r}"
        )
    return number
