"""How sentence scores are printed: one line per segment and system, all or nothing."""

from __future__ import annotations

from tempfile import TemporaryFile

from bleuet.cli.destination import Destination
from bleuet.cli.names import in_latex, in_markdown, printable
from bleuet.cli.output import (
    as_dict,
    can_hold_all_of_unicode,
    columns_of,
    signature_of_column,
    width_of,
)
from bleuet.errors import InputError
from bleuet.metrics.score import headings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import IO, Any, TypeAlias

    from bleuet.cli.given import Given
    from bleuet.metrics.metric import Metric
    from bleuet.metrics.score import SegmentScores
    from bleuet.statistics.counted import Counted

    # Heading and signature of each metric.
    Signatures: TypeAlias = list[tuple[str, str]]

COPY_CHARACTERS = 1 << 20


class Sentences:
    """The lines of a run, gathered in a temporary file until all of them are there.

    So an error in the last line of a corpus, or Ctrl-C, leaves nothing half written, and the head
    can say what is known only at the end: whether all segments have as many references.
    """

    def __init__(self, given: Given, metrics: Sequence[Metric], names: Sequence[str]) -> None:
        self._given = given
        self._metrics = metrics
        self._names = names
        self._writer = WRITERS[given.format](given, metrics, names)
        self._n_references: int | None = None
        self._lines: IO[str]

    def gather(
        self, batches: Iterable[Counted], after_batch: Callable[[Counted], None] | None = None
    ) -> None:
        """Score segment by segment and keep the lines."""
        self._lines = TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115
        first = True
        for counted in batches:
            self._note_references(counted, first=first)
            try:
                self._gather_batch(counted)
            except OSError as error:
                self._refuse(error)
            first = False
            if after_batch is not None:
                after_batch(counted)

    def _note_references(self, counted: Counted, first: bool) -> None:
        found = counted.tables[0][0].n_references
        self._n_references = found if first or found == self._n_references else None

    def _gather_batch(self, counted: Counted) -> None:
        scores = [
            [
                metric.segment_scores(table)
                for metric, table in zip(self._metrics, tables, strict=True)
            ]
            for tables in counted.tables
        ]
        for row, segment in enumerate(counted.segments):
            for name, of_system in zip(self._names, scores, strict=True):
                self._writer.write(self._lines, segment, name, of_system, row)
        self._lines.flush()

    def _refuse(self, error: OSError) -> None:
        from tempfile import gettempdir

        raise InputError(
            f"the lines cannot be gathered in {gettempdir()} ({error.strerror}): make room there, "
            "or name another folder in TMPDIR"
        ) from error

    def write(self) -> None:
        """Write head, lines and foot."""
        given = self._given
        signatures = [metric.signature(self._n_references) for metric in self._metrics]
        texts = [s.short() if given.short else str(s) for s in signatures]
        named = list(zip(headings([m.name for m in self._metrics]), texts, strict=True))
        with self._lines, Destination(given.output) as out:
            out.write(self._writer.head(named))
            self._lines.seek(0)
            while chunk := self._lines.read(COPY_CHARACTERS):
                out.write(chunk)
            out.write(self._writer.foot(named))


class Writer:
    """Writes the numbers of one segment of one system; a format overrides what differs."""

    def __init__(self, given: Given, metrics: Sequence[Metric], names: Sequence[str]) -> None:
        self.given = given
        self.width = width_of(given)
        self.names = headings([metric.name for metric in metrics])
        self.columns = self.names
        self.several = len(names) > 1

    def write(
        self, out: IO[str], segment: int, system: str, scores: Sequence[SegmentScores], row: int
    ) -> None:
        """Write the line of a segment, counted from 1; `row` is its place in the batch."""
        if self.given.cumulative:
            columns = columns_of([some[row] for some in scores], self.given)
            self.columns = [heading for heading, _ in columns]
            values = [value for _, value in columns]
        else:
            values = [some.values[row] for some in scores]
        self.line(out, segment, system, [f"{value:.{self.width}f}" for value in values])

    def head(self, signatures: Signatures) -> str:
        """Return what comes before the first line."""
        return ""

    def line(self, out: IO[str], segment: int, system: str, numbers: list[str]) -> None:
        """Write one line."""
        raise NotImplementedError

    def foot(self, signatures: Signatures) -> str:
        """Return what comes after the last line."""
        return ""


class Text(Writer):
    """Tab-separated: segment from 1, system where there are several, one number per metric."""

    def head(self, signatures: Signatures) -> str:
        """Return the headings, with the signatures as comments before them."""
        if self.given.score_only:
            return ""
        comments = [f"# {heading}|{signature}\n" for heading, signature in signatures]
        names = ["segment", *["system"] * self.several, *self.columns]
        return "".join(comments) + "\t".join(names) + "\n"

    def line(self, out: IO[str], segment: int, system: str, numbers: list[str]) -> None:
        """Write one tab-separated line."""
        if not self.given.score_only:
            numbers = [str(segment), *[printable(system)] * self.several, *numbers]
        out.write("\t".join(numbers) + "\n")


class Csv(Writer):
    """One line per segment, system and metric, as for corpora; quoted by the rules of CSV."""

    def __init__(self, given: Given, metrics: Sequence[Metric], names: Sequence[str]) -> None:
        super().__init__(given, metrics, names)
        import csv

        self.rows: Any = csv.writer
        self.signatures: Signatures = []

    def write(
        self, out: IO[str], segment: int, system: str, scores: Sequence[SegmentScores], row: int
    ) -> None:
        """Note the signatures, which stand in every line, and write."""
        if row == 0:
            signatures = [some.metric.signature(some.table.n_references) for some in scores]
            texts = [s.short() if self.given.short else str(s) for s in signatures]
            self.signatures = list(zip(self.names, texts, strict=True))
        super().write(out, segment, system, scores, row)

    def head(self, signatures: Signatures) -> str:
        """Return the headings."""
        return "segment,system,metric,score,signature\n"

    def line(self, out: IO[str], segment: int, system: str, numbers: list[str]) -> None:
        """Write one line per metric."""
        rows = self.rows(out, lineterminator="\n")
        for name, value in zip(self.columns, numbers, strict=True):
            signature = signature_of_column(name, self.signatures)
            rows.writerow([segment, system, name, value, signature])


class Jsonl(Writer):
    """One JSON object per segment, system and metric, with every component."""

    def __init__(self, given: Given, metrics: Sequence[Metric], names: Sequence[str]) -> None:
        super().__init__(given, metrics, names)
        import json
        import sys

        plain = given.output is None and not can_hold_all_of_unicode(sys.stdout)
        self.encode = json.JSONEncoder(ensure_ascii=plain).encode

    def write(
        self, out: IO[str], segment: int, system: str, scores: Sequence[SegmentScores], row: int
    ) -> None:
        """Write one object per metric."""
        for some in scores:
            values = {"segment": segment, **as_dict(system, some[row], self.given)}
            self.object(out, self.encode(values))

    def object(self, out: IO[str], text: str) -> None:
        """Write one object on its line."""
        out.write(text + "\n")


class Json(Jsonl):
    """The same objects as one array."""

    separator = "\n"

    def head(self, signatures: Signatures) -> str:
        """Open the array."""
        return "["

    def object(self, out: IO[str], text: str) -> None:
        """Write one object, after a comma where it is not the first."""
        out.write(self.separator + text)
        self.separator = ",\n"

    def foot(self, signatures: Signatures) -> str:
        """Close the array."""
        return "\n]\n"


class Markdown(Writer):
    """A pipe table."""

    def head(self, signatures: Signatures) -> str:
        """Return the head of the table."""
        names = " | ".join(self.columns)
        return f"| segment | system | {names} |\n| ---: | --- |{' ---: |' * len(self.columns)}\n"

    def line(self, out: IO[str], segment: int, system: str, numbers: list[str]) -> None:
        """Write one row."""
        out.write(f"| {segment} | {in_markdown(system)} | {' | '.join(numbers)} |\n")

    def foot(self, signatures: Signatures) -> str:
        """Return the signatures."""
        return "\n" + "".join(f"- {heading}: `{text}`\n" for heading, text in signatures)


class Latex(Writer):
    """A booktabs longtable, which breaks across pages."""

    def head(self, signatures: Signatures) -> str:
        """Return the head of the table."""
        comments = "".join(f"% {heading}: {text}\n" for heading, text in signatures)
        names = " & ".join(in_latex(name) for name in ("segment", "system", *self.columns))
        return (
            f"% needs \\usepackage{{booktabs,longtable}}\n{comments}"
            f"\\begin{{longtable}}{{rl{'r' * len(self.columns)}}}\n\\toprule\n"
            f"{names} \\\\\n\\midrule\n\\endhead\n"
        )

    def line(self, out: IO[str], segment: int, system: str, numbers: list[str]) -> None:
        """Write one row."""
        out.write(" & ".join([str(segment), in_latex(system), *numbers]) + " \\\\\n")

    def foot(self, signatures: Signatures) -> str:
        """Close the table."""
        return "\\bottomrule\n\\end{longtable}\n"


WRITERS: dict[str, type[Writer]] = {
    "text": Text,
    "json": Json,
    "jsonl": Jsonl,
    "csv": Csv,
    "markdown": Markdown,
    "latex": Latex,
}
