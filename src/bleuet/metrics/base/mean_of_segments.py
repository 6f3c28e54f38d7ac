"""Corpus scores that are the mean of what each segment scores separately."""

from __future__ import annotations

from bleuet.frozen import cached_property
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, ClassVar

    from typing_extensions import TypeVar

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.statistics.table import Table
    from bleuet.text.segments import Segments

    MeanT = TypeVar("MeanT", bound="Score", default="MeanScore", covariant=True)

    class _Mean(Metric[MeanT]):
        pass
else:
    _Mean = Metric


class MeanScore(Score):
    """The mean of the scores of some segments; a subclass adds a component per measure."""

    components: ClassVar[tuple[str, ...]] = ("segments",)

    @property
    def segments(self) -> int:
        """The number of segments."""
        return int(self.values[0])

    def mean(self, measure: str) -> float:
        """Return the mean of a measure over segments, on the scale of the score.

        Args:
            measure: one of the metric's real columns.
        """
        mean: float = self.metric.mean(self.values, measure)
        return mean


class MeanOfSegments(_Mean["MeanT"]):
    """A metric whose corpus score is the mean of one measure of its segments.

    A row holds the number 1 and the measures of the segment, so that a sum of rows holds the
    number of segments and the sum of each measure. A subclass names its measures in
    `real_columns`, in the unit of the paper, and the one that is the score in `measure`.
    """

    score_type = MeanScore
    integer_columns = ("segments",)
    # A measure of 1 is a score of 100.
    scale: ClassVar[float] = 100.0
    # The most that a measure of one segment can be, and what rounding may add; None for no limit.
    highest: ClassVar[float | None] = 1.0

    @property
    def measure(self) -> str:
        """The column whose mean is the score: the first real one, unless a metric overrides."""
        return self.real_columns[0]

    def mean(self, values: Sequence[int | float], measure: str) -> float:
        """Return the mean of a measure, in percent; 0 without segments.

        Args:
            values: sums in the order of `columns`.
            measure: one of the real columns.
        """
        segments = values[0]
        return self.scale * (values[self.columns.index(measure)] / segments) if segments else 0.0

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the mean of the measure that is the score, in percent."""
        segments = values[0]
        return self.scale * (values[self._place] / segments) if segments else 0.0

    @cached_property
    def _place(self) -> int:
        """That of the measure among the columns."""
        return self.columns.index(self.measure)

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        if type(self).formula is not MeanOfSegments.formula:
            super()._fill_scores(table, scores)
            return
        numbers, sums = map(table.column, (self.columns[0], self.measure))
        scale = self.scale
        for i, (segments, total) in enumerate(zip(numbers, sums, strict=True)):
            scores[i] = scale * (total / segments) if segments else 0.0

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return the number of segments, which is 1, and the most that measures can be."""
        from bleuet.metrics.base.row_limit import RowLimit

        limits = [RowLimit("segments", "", least=1, exact=True)]
        if self.highest is not None:
            most = self.highest * (1 + 1e-9)
            limits += [RowLimit(name, "segments", factor=most) for name in self.real_columns]
        return limits


class MeanOfMetric(_Mean["MeanT"]):
    """A mean over segments of the score of another metric, whose options it has.

    The other metric counts. A subclass says what its own rows are in `table_from`, and what a
    single segment scores in `sentence_score`.
    """

    # The metric whose segment scores this one averages.
    averages: ClassVar[type[Metric[Any]]]

    @cached_property
    def averaged(self) -> Metric[Any]:
        """The metric of each segment."""
        options = {one.name: getattr(self, one.name) for one in self.averages.options}
        return self.averages(**options)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the steps of the other metric, whose score has the symbol `score`."""
        row = self.averaged.sentence_score(hypothesis, references).values
        self.averaged.derive_segment(steps, row, hypothesis, references)

    @classmethod
    def rescoring_options(cls, n_references: int | None) -> frozenset[str]:
        """Return none, because every option changes the segment scores that its rows hold."""
        return frozenset()

    @property
    def counted_by(self) -> Metric[Any]:
        """The metric of each segment, with the same options."""
        return self.averaged

    def _fill(self, hypotheses: Segments, references: Any, threads: int) -> Table:
        return self.table_from(self.averaged._fill(hypotheses, references, threads))

    def _make_counter(self) -> Any:
        return self.averaged._counter

    @cached_property
    def counted_kind(self) -> str:
        """The kind that the metric of each segment counts."""
        return self.averaged.counted_kind

    @cached_property
    def tokenize_text(self) -> Callable[[str], str] | None:
        """The function from text to tokens that the metric of each segment counts with."""
        return self.averaged.tokenize_text
