"""How sentence scores are printed: one line per segment and system, all or nothing."""

from __future__ import annotations

from tempfile import TemporaryFile

from understudy.cli.output import (
    LATEX_SPECIALS,
    as_dict,
    columns_of,
    destination,
    headings,
    signatures_of,
    width_of,
)
from understudy.engines.streaming import count_batches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Sequence
    from typing import IO, Any

    from understudy.engines.streaming import Counted
    from understudy.metrics.metric import Metric
    from understudy.metrics.score import SegmentScores
    from understudy.text.parallel import Parallel

COPY_CHARACTERS = 1 << 20


def write_sentences(
    given: Namespace,
    metrics: Sequence[Metric],
    names: Sequence[str],
    batches: Parallel,
    after_batch: Callable[[Counted], None],
) -> None:
    """Score segment by segment and write the lines.

    Lines are gathered in a temporary file first, so that an error in the last line of a corpus,
    or Ctrl-C, leaves nothing half written.
    """
    with TemporaryFile("w+", encoding="utf-8", newline="") as gathered:
        writer = WRITERS[given.format](gathered, given, metrics, names)
        segment = 0
        stream: Any = batches
        for counted in count_batches(metrics, stream, threads=given.threads):
            by_system = [
                [
                    metric.segment_scores(table)
                    for metric, table in zip(metrics, tables, strict=True)
                ]
                for tables in counted.tables
            ]
            rows = len(counted.hypotheses[0])
            for row in range(rows):
                for name, scores in zip(names, by_system, strict=True):
                    writer.write(segment + row, name, scores, row)
            segment += rows
            after_batch(counted)
        writer.finish()
        gathered.seek(0)
        with destination(given.output) as out:
            while chunk := gathered.read(COPY_CHARACTERS):
                out.write(chunk)


class Writer:
    """Writes the numbers of one segment of one system; a format overrides what differs."""

    def __init__(
        self, out: IO[str], given: Namespace, metrics: Sequence[Metric], names: Sequence[str]
    ) -> None:
        self.out = out
        self.given = given
        self.width = width_of(given)
        self.metrics = metrics
        self.several = len(names) > 1
        self.signatures: list[tuple[str, str]] = []
        self.started = False

    def write(self, segment: int, system: str, scores: Sequence[SegmentScores], row: int) -> None:
        """Write one line; the first call writes the head too."""
        cells = self.cells(scores, row)
        if not self.started:
            self.started = True
            self.signatures = signatures_of([some[row] for some in scores], self.given)
            self.start([heading for heading, _ in cells])
        self.line(segment + 1, system, [f"{value:.{self.width}f}" for _, value in cells])

    def cells(self, scores: Sequence[SegmentScores], row: int) -> list[tuple[str, float]]:
        """Return heading and number of every column."""
        if self.given.cumulative:
            return columns_of([some[row] for some in scores], self.given)
        names = headings([metric.name for metric in self.metrics])
        return [(name, some.values[row]) for name, some in zip(names, scores, strict=True)]

    def start(self, names: list[str]) -> None:
        """Write what comes before the first line."""

    def line(self, segment: int, system: str, numbers: list[str]) -> None:
        """Write one line."""
        raise NotImplementedError

    def finish(self) -> None:
        """Write what comes after the last line."""


class Text(Writer):
    """Tab-separated: segment from 1, system where there are several, one number per metric."""

    def start(self, names: list[str]) -> None:
        """Write the headings, with the signatures as comments before them."""
        if self.given.score_only:
            return
        for heading, signature in self.signatures:
            self.out.write(f"# {heading}|{signature}\n")
        self.out.write("\t".join(["segment", *["system"] * self.several, *names]) + "\n")

    def line(self, segment: int, system: str, numbers: list[str]) -> None:
        """Write one tab-separated line."""
        first = [] if self.given.score_only else [str(segment), *[system] * self.several]
        self.out.write("\t".join([*first, *numbers]) + "\n")


class Csv(Writer):
    """One line per segment, system and metric, as for corpora."""

    def start(self, names: list[str]) -> None:
        """Write the headings."""
        import csv

        self.names = names
        self.csv = csv.writer(self.out, lineterminator="\n")
        self.csv.writerow(["segment", "system", "metric", "score", "signature"])

    def line(self, segment: int, system: str, numbers: list[str]) -> None:
        """Write one line per metric."""
        signatures = dict(self.signatures)
        for name, value in zip(self.names, numbers, strict=True):
            signature = signatures.get(name) or signatures[name.rpartition("-")[0]]
            self.csv.writerow([segment, system, name, value, signature])


class Jsonl(Writer):
    """One JSON object per segment, system and metric, with every component."""

    separator = ""

    def write(self, segment: int, system: str, scores: Sequence[SegmentScores], row: int) -> None:
        """Write one object per metric."""
        import json

        for some in scores:
            values = {"segment": segment + 1, **as_dict(system, some[row], self.given)}
            self.object(json.dumps(values, ensure_ascii=False))

    def object(self, text: str) -> None:
        """Write one object on its line."""
        self.out.write(text + "\n")


class Json(Jsonl):
    """The same objects as one array."""

    def object(self, text: str) -> None:
        """Write one object, after a comma where it is not the first."""
        self.out.write(("," if self.started else "[") + "\n" + text)
        self.started = True

    def finish(self) -> None:
        """Close the array."""
        self.out.write("\n]\n")


class Markdown(Writer):
    """A pipe table."""

    def start(self, names: list[str]) -> None:
        """Write the head of the table."""
        self.out.write(f"| segment | system | {' | '.join(names)} |\n")
        self.out.write(f"| ---: | --- |{' ---: |' * len(names)}\n")

    def line(self, segment: int, system: str, numbers: list[str]) -> None:
        """Write one row."""
        shown = system.replace("\\", "\\\\").replace("|", "\\|")
        self.out.write(f"| {segment} | {shown} | {' | '.join(numbers)} |\n")

    def finish(self) -> None:
        """Write the signatures."""
        self.out.write("\n")
        for heading, signature in self.signatures:
            self.out.write(f"- {heading}: `{signature}`\n")


class Latex(Writer):
    """A booktabs longtable, which breaks across pages."""

    def start(self, names: list[str]) -> None:
        """Write the head of the table."""
        self.out.write("% needs \\usepackage{booktabs,longtable}\n")
        for heading, signature in self.signatures:
            self.out.write(f"% {heading}: {signature}\n")
        self.out.write(f"\\begin{{longtable}}{{rl{'r' * len(names)}}}\n\\toprule\n")
        cells = ["segment", "system", *names]
        self.out.write(" & ".join(cell.translate(LATEX_SPECIALS) for cell in cells))
        self.out.write(" \\\\\n\\midrule\n\\endhead\n")

    def line(self, segment: int, system: str, numbers: list[str]) -> None:
        """Write one row."""
        cells = [str(segment), system.translate(LATEX_SPECIALS), *numbers]
        self.out.write(" & ".join(cells) + " \\\\\n")

    def finish(self) -> None:
        """Close the table."""
        self.out.write("\\bottomrule\n\\end{longtable}\n")


WRITERS: dict[str, type[Writer]] = {
    "text": Text,
    "json": Json,
    "jsonl": Jsonl,
    "csv": Csv,
    "markdown": Markdown,
    "latex": Latex,
}
