"""What of one hypothesis and its references counts, and how: matched n-grams, edits, alignments."""

from __future__ import annotations

from bleuet.frozen import Frozen
from bleuet.output.answer import Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.derivation import FormulaStep
    from bleuet.metrics.score import Score
    from bleuet.output.document import Cell, Document, Record, Table

    # The first token and the one after the last, from 0; empty where a side has none.
    Span: TypeAlias = tuple[int, int]

# How the words of both sides differ.
EQUAL, SUBSTITUTED, MISSING, EXTRA, SHIFTED = (
    "equal",
    "substituted",
    "missing",
    "extra",
    "shifted",
)


class Mark(Frozen):
    """Some tokens of a hypothesis and what they have to do with some tokens of a reference.

    Args:
        kind: what they have in common, such as "2-gram", "equal", "missing" or "stem".
        hypothesis: the tokens of the hypothesis: the first, and the one after the last.
        reference: the tokens of the reference, in the same form.
        reference_number: which reference, from 0.
    """

    __slots__ = ("hypothesis", "kind", "reference", "reference_number")
    _fields = ("kind", "hypothesis", "reference", "reference_number")
    kind: str
    hypothesis: Span
    reference: Span
    reference_number: int

    def __init__(
        self, kind: str, hypothesis: Span, reference: Span, reference_number: int = 0
    ) -> None:
        self._set(kind=kind, hypothesis=hypothesis, reference=reference)
        self._set(reference_number=reference_number)


class MarkedSegment(Frozen, Answer):
    """One segment as a metric sees it: its score, its tokens, marks on them, and the steps.

    Args:
        score: the score of the segment.
        hypothesis: the tokens of the hypothesis; none if the metric marks none.
        references: the tokens of each reference.
        marks: the marks.
        steps: the steps from what was counted to the score.
    """

    __slots__ = ("hypothesis", "marks", "references", "score", "steps")
    _fields = ("score", "hypothesis", "references", "marks", "steps")
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

    def tables(self) -> list[Table]:
        """Return a table of the marks, if the metric marks anything, and one of the steps."""
        from bleuet.metrics.derivation import steps_table

        if not self.references:
            return [steps_table(self.steps, str(self.score))]
        return [self._marks_table(), steps_table(self.steps)]

    def _marks_table(self) -> Table:
        """Return a table with a row per mark; equal ones share a row."""
        from bleuet.output.document import Column, Table

        several = len(self.references) > 1
        columns = [Column("mark"), Column("hypothesis"), Column("reference")]
        columns += [Column("of reference", kind="count")] if several else []
        columns.append(Column("times", kind="count"))
        rows = [[*key[: len(columns) - 1], times] for key, times in self._rows()]
        return Table("marks", str(self.score), columns, rows)

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
            "steps": [step.to_dict() for step in self.steps],
        }

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")


class MarkedSegments(Answer):
    """One segment as several metrics see it.

    Args:
        views: the segment by each metric.
    """

    __slots__ = ("views",)

    def __init__(self, views: Sequence[MarkedSegment]) -> None:
        self.views = views

    def document(self) -> Document:
        """Return a table per metric."""
        from bleuet.metrics.score import headings
        from bleuet.output.document import Document

        names = headings([view.score.name for view in self.views])
        signatures = [view.score.signature for view in self.views]
        return Document(
            tables=[table for view in self.views for table in view.tables()],
            signatures=zip(names, signatures, strict=True),
            data=lambda: [view.to_dict() for view in self.views],
            records={
                "marks": lambda: (one for view in self.views for one in view.records()),
                "steps": lambda: (one for view in self.views for one in view.step_records()),
            },
        )


def matched_ngrams(
    hypothesis: Sequence[object], references: Sequence[Sequence[object]], orders: Sequence[int]
) -> list[Mark]:
    """Mark the n-grams of a hypothesis that a reference has, longest first.

    An n-gram matches as often as the reference that has it most often has it; what is left is
    marked as clipped.

    Args:
        hypothesis: its tokens.
        references: the tokens of each reference.
        orders: the lengths of n-grams, shortest first.

    >>> [mark.kind for mark in matched_ngrams("a b b".split(), ["a b".split()], [1, 2])]
    ['2-gram', '1-gram', '1-gram', '1-gram, clipped']
    """
    marks = []
    for n in reversed(orders):
        places = [_places(reference, n) for reference in references]
        seen: dict[tuple[object, ...], int] = {}
        for start in range(len(hypothesis) - n + 1):
            ngram = tuple(hypothesis[start : start + n])
            number = max(range(len(places)), key=lambda r: len(places[r].get(ngram, ())))
            found = places[number].get(ngram, [])
            at = seen[ngram] = seen.get(ngram, -1) + 1
            span = start, start + n
            if at < len(found):
                marks.append(Mark(f"{n}-gram", span, (found[at], found[at] + n), number))
            elif found:
                marks.append(Mark(f"{n}-gram, clipped", span, (0, 0), number))
    return marks


def _places(tokens: Sequence[object], n: int) -> dict[tuple[object, ...], list[int]]:
    """Return where each n-gram begins."""
    found: dict[tuple[object, ...], list[int]] = {}
    for start in range(len(tokens) - n + 1):
        found.setdefault(tuple(tokens[start : start + n]), []).append(start)
    return found


def best_reference(metric: Any, hypothesis: Any, references: Sequence[Any]) -> int:
    """Return which reference gives a hypothesis the highest score, the first of several, from 0.

    Args:
        metric: a `Metric`, whose module imports this one, of which more is better.
        hypothesis: the hypothesis.
        references: its references, at least one.
    """
    scores = [metric.sentence_score(hypothesis, [one]).score for one in references]
    return scores.index(max(scores))


def edit_marks(edits: Sequence[str], reference_number: int = 0) -> list[Mark]:
    """Mark the words that edits align; neighbours of one kind share a mark.

    Args:
        edits: from left to right `EQUAL`, `SUBSTITUTED`, `MISSING` (a word that only the reference
            has) and `EXTRA` (a word that only the hypothesis has).
        reference_number: which reference, from 0.

    >>> [(one.kind, one.hypothesis, one.reference) for one in edit_marks([EQUAL, EQUAL, MISSING])]
    [('equal', (0, 2), (0, 2)), ('missing', (2, 2), (2, 3))]
    """
    marks: list[Mark] = []
    h = r = begin_h = begin_r = 0
    for place, edit in enumerate(edits):
        h += edit != MISSING
        r += edit != EXTRA
        if place + 1 == len(edits) or edits[place + 1] != edit:
            marks.append(Mark(edit, (begin_h, h), (begin_r, r), reference_number))
            begin_h, begin_r = h, r
    return marks
