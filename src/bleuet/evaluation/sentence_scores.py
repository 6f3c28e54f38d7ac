"""Scores of every segment, computed row by row as they are written."""

from __future__ import annotations

from bleuet.evaluation.system_scores import score_columns
from bleuet.metrics.base.score import headings
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.engines.spooling import SpooledRows
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.segment_scores import SegmentScores
    from bleuet.metrics.base.signature import Signature
    from bleuet.output.document import Cell, Record


class SentenceScores(Answer):
    """Scores of every segment of one or more systems, computed as they are written.

    Args:
        names: the systems' names.
        metrics: the metrics.
        rows: the counted rows of all systems and metrics.
        cumulative: show BLEU-1 to BLEU-n beside BLEU.
    """

    __slots__ = ("cumulative", "metrics", "names", "rows")

    def __init__(
        self,
        names: Sequence[str],
        metrics: Sequence[Metric[Any]],
        rows: SpooledRows,
        *,
        cumulative: bool = False,
    ) -> None:
        self.names = names
        self.metrics = metrics
        self.rows = rows
        self.cumulative = cumulative

    def document(self) -> Document:
        """Return one streamed table, with a row per segment and system."""
        first = [metric.score(tables[0].row(0)) for metric, tables in self._first()]
        columns = [Column("segment", kind="count"), *score_columns(first, self.cumulative)]
        if len(self.names) == 1:
            del columns[1]
        return Document(
            tables=[DocumentTable("sentences", "", columns, _Rows(self))],
            signatures=self.signatures,
            data=self._data,
            records={"sentences": self._records},
        )

    def _first(self) -> Iterator[Any]:
        return zip(self.metrics, zip(*next(iter(self.rows)).tables, strict=True), strict=True)

    @property
    def signatures(self) -> list[tuple[str, Signature]]:
        """The heading and signature of each metric."""
        names = headings([metric.name for metric in self.metrics])
        counts = zip(self.metrics, self.rows.n_references, strict=True)
        return list(zip(names, [metric.signature(n) for metric, n in counts], strict=True))

    def _batches(self) -> Iterator[tuple[Sequence[int], list[list[SegmentScores[Any]]]]]:
        """Yield the segments of a batch, and their scores by system and metric."""
        for counted in self.rows:
            yield (
                counted.segments,
                [
                    [
                        metric.segment_scores(table)
                        for metric, table in zip(self.metrics, tables, strict=True)
                    ]
                    for tables in counted.tables
                ],
            )

    def _scores(self) -> Iterator[tuple[int, str, list[Score]]]:
        """Yield segment, system and its scores, one by each metric."""
        for segments, scores in self._batches():
            for row, segment in enumerate(segments):
                for name, of_system in zip(self.names, scores, strict=True):
                    yield segment, name, [some.score(row) for some in of_system]

    def numbers(self) -> Iterator[tuple[int, str, Sequence[float]]]:
        """Yield segment, system and its numbers, in the order of the columns."""
        if self.cumulative:
            for segment, name, found in self._scores():
                values: list[float] = []
                for score in found:
                    values += (score.score, *getattr(score, "cumulative", ()))
                yield segment, name, values
            return
        for segments, scores in self._batches():
            columns = [zip(*(some.values for some in found), strict=True) for found in scores]
            for segment, *rows in zip(segments, *columns, strict=True):
                for name, row in zip(self.names, rows, strict=True):
                    yield segment, name, row

    def _data(self) -> Iterator[dict[str, Any]]:
        for segment, system, scores in self._scores():
            for score in scores:
                yield {"segment": segment, "system": system, **score.to_dict()}

    def _records(self) -> Iterator[Record]:
        first = [metric.score(tables[0].row(0)) for metric, tables in self._first()]
        signatures = {name: str(signature) for name, signature in self.signatures}
        names = [column.key for column in score_columns(first, self.cumulative)[1:]]
        signed = [signatures.get(name) or signatures[name.rpartition("-")[0]] for name in names]
        for segment, system, values in self.numbers():
            for name, value, signature in zip(names, values, signed, strict=True):
                yield {
                    "segment": segment,
                    "system": system,
                    "metric": name,
                    "score": value,
                    "signature": signature,
                }


class _Rows:
    """The rows of the table of segments; they can be read again."""

    def __init__(self, scores: SentenceScores) -> None:
        self._scores = scores

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        several = len(self._scores.names) > 1
        for segment, system, values in self._scores.numbers():
            yield (segment, system, *values) if several else (segment, *values)
