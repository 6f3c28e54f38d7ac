"""One segment as a metric sees it: its score, its tokens, the marks on them, and the steps."""

from __future__ import annotations

from bleuet.frozen import Value
from bleuet.metrics.base.derivation import Derivation, steps_table
from bleuet.output.answer import Answer
from bleuet.text.segments import like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bleuet.metrics.base.derivation import FormulaStep
    from bleuet.metrics.base.marked_sentences import MarkedSentences
    from bleuet.metrics.base.marks import Mark
    from bleuet.metrics.base.score import Score
    from bleuet.output.document import Cell, Document, DocumentTable, Record


class MarkedSegment(Answer, Value):
    """One segment as a metric sees it: its score, its tokens, marks on them, and the steps.

    Args:
        score: the score of the segment.
        hypothesis: the tokens of the hypothesis; none if the metric marks none.
        references: the tokens of each reference.
        marks: the marks.
        steps: the steps from what was counted to the score.
    """

    score: Score
    hypothesis: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    marks: tuple[Mark, ...]
    steps: tuple[FormulaStep, ...]

    def __init__(
        self,
        score: Score,
        hypothesis: Sequence[object],
        references: Sequence[Sequence[object]],
        marks: Sequence[Mark],
        steps: Iterable[FormulaStep] = (),
    ) -> None:
        self._set(
            score=score,
            hypothesis=tuple(map(str, hypothesis)),
            references=tuple(tuple(map(str, reference)) for reference in references),
            marks=tuple(marks),
            steps=tuple(steps),
        )

    def hypothesis_text(self, mark: Mark) -> str:
        """Return the tokens of the hypothesis that a mark is about."""
        return " ".join(self.hypothesis[slice(*mark.hypothesis)])

    def reference_text(self, mark: Mark) -> str:
        """Return the tokens of the reference that a mark is about."""
        if not self.references:
            return ""
        return " ".join(self.references[mark.reference_number][slice(*mark.reference)])

    def document(self) -> Document:
        """Return one table."""
        from bleuet.output.document import Document

        return Document(
            tables=self.tables(),
            signatures=[(self.score.name, self.score.signature)],
            data=self.to_dict,
            records={"marks": self.records, "steps": self.step_records},
        )

    def tables(self) -> list[DocumentTable]:
        """Return tables of the sentences and marks, if the metric has any, and of the steps."""
        if not self.references:
            marks = [self._marks_table()] if self.marks else []
            return [*marks, steps_table(self.steps, str(self.score))]
        sentences = self.sentences.table(str(self.score))
        marks = [self._marks_table()] if self.marks else []
        return [sentences, *marks, steps_table(self.steps)]

    @property
    def sentences(self) -> MarkedSentences:
        """The words of hypothesis and references, and which of them match."""
        from bleuet.metrics.base.marked_sentences import MarkedSentences

        return MarkedSentences(self.hypothesis, self.references, self.marks)

    def _marks_table(self) -> DocumentTable:
        """Return a table with a row per mark; equal ones share a row."""
        from bleuet.output.document import Column, DocumentTable

        several = len(self.references) > 1
        columns = [Column("mark"), Column("hypothesis")]
        columns += [Column("reference")] if self.references else []
        columns += [Column("of reference", kind="count")] if several else []
        columns.append(Column("times", kind="count"))
        rows = [[*key[: len(columns) - 1], times] for key, times in self._rows()]
        return DocumentTable("marks", "", columns, rows)

    def _rows(self) -> Iterator[tuple[tuple[Cell, ...], int]]:
        times: dict[tuple[Cell, ...], int] = {}
        for mark in self.marks:
            texts = self.hypothesis_text(mark) or None, self.reference_text(mark) or None
            key = (mark.kind, *texts, mark.reference_number + 1)
            times[key] = times.get(key, 0) + 1
        yield from times.items()

    def records(self) -> Iterator[Record]:
        """Yield each mark as plain values."""
        for mark in self.marks:
            yield {
                "metric": self.score.name,
                "mark": mark.kind,
                "hypothesis": self.hypothesis_text(mark),
                "reference": self.reference_text(mark),
                "hypothesis_start": mark.hypothesis[0],
                "hypothesis_end": mark.hypothesis[1],
                "reference_start": mark.reference[0],
                "reference_end": mark.reference[1],
                "reference_number": mark.reference_number,
            }

    def step_records(self) -> Iterator[Record]:
        """Yield each step as plain values."""
        for step in self.steps:
            yield {"metric": self.score.name, **step.to_dict()}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; places of tokens count from 0."""
        return {
            **self.score.to_dict(),
            "hypothesis": list(self.hypothesis),
            "references": [list(reference) for reference in self.references],
            "marks": [
                {
                    "mark": mark.kind,
                    "hypothesis": list(mark.hypothesis),
                    "reference": list(mark.reference),
                    "reference_number": mark.reference_number,
                }
                for mark in self.marks
            ],
            **(self.sentences.to_dict() if self.references else {}),
            "steps": [step.to_dict() for step in self.steps],
        }

    def _in_brief(self) -> str:
        return f"of {self.score}"


class MarkedSegments(Answer):
    """One segment as several metrics see it.

    Args:
        views: the segment by each metric.
        sentences: the words to show where no metric marks any.
        notes: sentences below the tables.
    """

    __slots__ = ("notes", "sentences", "views")

    def __init__(
        self,
        views: Sequence[MarkedSegment],
        sentences: MarkedSentences | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.views = views
        self.sentences = sentences
        self.notes = notes

    def document(self) -> Document:
        """Return a table per metric."""
        from bleuet.metrics.base.score import headings
        from bleuet.output.document import Document

        names = headings([view.score.name for view in self.views])
        signatures = [view.score.signature for view in self.views]
        tables = [table for view in self.views for table in view.tables()]
        if self.sentences is not None and not any(view.references for view in self.views):
            tables.insert(0, self.sentences.table("Words between spaces"))
        return Document(
            tables=tables,
            notes=self.notes,
            signatures=zip(names, signatures, strict=True),
            data=lambda: [view.to_dict() for view in self.views],
            records={
                "marks": lambda: (one for view in self.views for one in view.records()),
                "steps": lambda: (one for view in self.views for one in view.step_records()),
            },
        )


def marked_segment(metric: Any, hypothesis: Any, references: Any) -> MarkedSegment:
    """Return one segment as a metric sees it; see `Metric.marked`."""
    corpus = metric.corpus([hypothesis], [references])
    if metric.learns and metric.learned is None:
        metric = metric.prepare(corpus)
    score = metric.sentence_score(hypothesis, references)
    entry = corpus.references[0]
    texts = [entry] if isinstance(entry, str) else [one for one in entry if one is not None]
    # With the source, where there is one.
    several = like(texts, entry)
    steps = Derivation(metric.mark_segment(corpus.hypotheses[0], several))
    metric.derive_segment(steps, score.values, corpus.hypotheses[0], several)
    return MarkedSegment(score, *steps.marked, steps)
