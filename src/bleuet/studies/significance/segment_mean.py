"""The mean of scores that each segment has already: a neural metric's, or people's."""

from __future__ import annotations

from math import floor, isfinite, log10

from bleuet.errors import InputError, OptionError, SignatureError
from bleuet.metrics.metric import Metric
from bleuet.metrics.score import Score
from bleuet.metrics.signature import Signature, version_of
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, ClassVar, NoReturn

    from bleuet.metrics.option import Option
    from bleuet.metrics.signature import ParsedSignature
    from bleuet.text.corpus import Corpus

# Scores of this size need no more digits than those in percent do, and every tenth of it one more.
PERCENT = 20
MOST_DIGITS = 6


class SegmentMeanScore(Score):
    """The mean of the scores of some segments."""

    components = ("segments",)

    @property
    def segments(self) -> int:
        """How many segments have a score."""
        return int(self.values[0])


class SegmentMean(Metric[SegmentMeanScore]):
    """A corpus score that is the mean of segment scores which are known already.

    Its rows are a count and a score, so that they add as any metric's do, and whatever judges
    segments can be tested beside the metrics that count n-grams.

    Args:
        label: the printed name, such as "COMET" or "human".
        higher_is_better: whether larger scores are better.

    Raises:
        OptionError: the label is empty, or holds what separates the parts of a signature.

    >>> comet = SegmentMean("COMET")
    >>> table = comet.table_of([0.81, 0.64, None, 0.95])
    >>> print(comet.score(table.totals()))
    COMET = 0.80
    """

    __slots__ = ("higher_is_better", "label")
    _fields = ("label", "higher_is_better")
    score_type = SegmentMeanScore
    options: ClassVar[tuple[Option, ...]] = ()
    integer_columns = ("segments",)
    real_columns = ("sum",)
    label: str
    # Each mean says for itself what its metric class says for others.
    higher_is_better: bool  # type: ignore[misc]

    def __init__(self, label: str, higher_is_better: bool = True) -> None:
        if not isinstance(label, str) or not label.strip() or "|" in label or "\n" in label:
            raise OptionError(
                f"the label of a mean is a name without '|' or line breaks, not {label!r}"
            )
        self._set(label=label, higher_is_better=bool(higher_is_better))

    @property
    def name(self) -> str:
        """The label."""
        return self.label

    def table_of(self, scores: Iterable[float | None]) -> Table:
        """Return the rows of some segment scores.

        Args:
            scores: one number per segment, in any unit; None where a segment was not judged.

        Raises:
            InputError: a score is no finite number.
        """
        rows = []
        for segment, score in enumerate(scores):
            number = 0.0 if score is None else _finite(score, segment, self.label)
            rows.append((int(score is not None), number))
        return Table.from_rows(self.integer_columns, self.real_columns, rows, None)

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature, which can say no more than that this is a mean."""
        return Signature(self.label, [("mean", "segments"), ("version", version_of(False))])

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> NoReturn:
        """Refuse: the scores come from elsewhere.

        Raises:
            SignatureError: always.
        """
        raise SignatureError("a mean of segment scores is made of scores, not of a signature")

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the mean of the scores; 0 where there are none."""
        segments, total = values
        return total / segments if segments else 0.0

    def check_corpus(self, corpus: Corpus) -> NoReturn:
        """Refuse texts.

        Raises:
            InputError: always.
        """
        raise InputError(f"{self.label} is a mean of given scores: use table_of, not texts")

    def _make_counter(self) -> Any:
        raise InputError(f"{self.label} is a mean of given scores: use table_of, not texts")


def digits_beyond_percent(scores: Iterable[float]) -> int:
    """Return how many digits more than scores in percent others need.

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
            f"the {label} score of segment {segment} is {score!r}; give a finite number, or None "
            "where a segment was not judged"
        )
    return number
