"""Scores of every hypothesis against every reference, as a document."""

from __future__ import annotations

from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.metrics.base.metric import Metric
    from bleuet.output.document import Cell, Record


class PairScores(Answer):
    """Matrices of scores: one, or one for each segment of a file of lists.

    Args:
        metric: the metric.
        matrices: for each segment the scores, a row for each hypothesis.
        numbered: whether rows have the number of their segment.
        n_references: references of each column, None where they differ.

    >>> from bleuet import BLEU
    >>> bleu = BLEU()
    >>> answer = PairScores(bleu, [bleu.matrix(["a b c d"], ["a b c d", "x"])], False, 1)
    >>> print(answer.to_csv(width=0), end="")
    hypothesis,1,2
    1,100,0
    """

    __slots__ = ("matrices", "metric", "n_references", "numbered")

    def __init__(
        self,
        metric: Metric[Any],
        matrices: Sequence[Any],
        numbered: bool,
        n_references: int | None,
    ) -> None:
        self.metric = metric
        self.matrices = matrices
        self.numbered = numbered
        self.n_references = n_references

    def document(self) -> Document:
        """Return one table: a row for each hypothesis, a column for each reference."""
        metric = self.metric
        widest = max(matrix.shape[1] for matrix in self.matrices)
        columns = [
            *[Column("segment", kind="count")][: self.numbered],
            Column("hypothesis", kind="count"),
            *[
                Column(
                    str(n),
                    kind="score",
                    extra_digits=metric.extra_digits,
                    lower_is_better=not metric.higher_is_better,
                )
                for n in range(1, widest + 1)
            ],
        ]
        return Document(
            tables=[DocumentTable("scores", "", columns, list(self._rows(widest)))],
            signatures=[(metric.name, metric.signature(self.n_references))],
            data=self._data,
        )

    def _rows(self, widest: int) -> Iterator[list[Cell]]:
        for segment, matrix in enumerate(self.matrices, 1):
            for number, scores in enumerate(matrix.tolist(), 1):
                absent = [None] * (widest - len(scores))
                yield [*[segment][: self.numbered], number, *scores, *absent]

    def _data(self) -> Record:
        lists = [matrix.tolist() for matrix in self.matrices]
        return {
            "metric": self.metric.name,
            "signature": str(self.metric.signature(self.n_references)),
            **({"matrices": lists} if self.numbered else {"matrix": lists[0]}),
        }
