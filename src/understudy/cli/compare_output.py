"""How a comparison is printed: one function per format, and the table of formats."""

from __future__ import annotations

from understudy.cli.destination import Destination
from understudy.cli.names import in_markdown, printable
from understudy.cli.output import can_hold_all_of_unicode, width_of
from understudy.cli.rows import write_latex, write_markdown
from understudy.studies.comparison.sections import sections_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from understudy.cli.compare_arguments import CompareGiven
    from understudy.studies.comparison import Comparison
    from understudy.studies.comparison.sections import Cell, Section

# What stands where there is no number, as in an empty bucket.
NOTHING = "-"


def write_comparison(given: CompareGiven, comparison: Comparison) -> None:
    """Write a comparison in the format asked for."""
    with Destination(given.output) as out:
        FORMATS[given.format](out, comparison, given)


def text_of(cell: Cell, width: int) -> str:
    """Return a cell as text on one line.

    >>> text_of(12.345, 2), text_of(7, 2), text_of(None, 2)
    ('12.35', '7', '-')
    """
    if cell is None:
        return NOTHING
    return f"{cell:.{width}f}" if isinstance(cell, float) else printable(str(cell))


def is_number(cell: Cell) -> bool:
    """Return whether a cell is shown as a number."""
    return not isinstance(cell, str)


def signature_lines(comparison: Comparison, given: CompareGiven) -> list[tuple[str, str]]:
    """Return each metric's name and signature, with that of sentence scores where it differs."""
    evaluation = comparison.evaluation
    lines = []
    for number, name in enumerate(comparison.metrics):
        n_references = evaluation.tables[0][number].n_references
        for heading, metric in (
            (name, evaluation.metrics[number]),
            (f"sentence {name}", evaluation.sentence_metrics[number]),
        ):
            if heading == name or metric != evaluation.metrics[number]:
                signature = metric.signature(n_references)
                lines.append((heading, signature.short() if given.short else str(signature)))
    return lines


def _write_text(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    # Imported here because only text is drawn.
    from understudy.cli.compare_terminal import print_comparison

    print_comparison(out, comparison, given)


def _write_json(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    import json

    values = comparison.to_dict()
    out.write(json.dumps(values, indent=1, ensure_ascii=not can_hold_all_of_unicode(out)) + "\n")


def _write_csv(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    """Write one line per cell, so that tables of all shapes make one file."""
    import csv

    width = width_of(given)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["part", "table", "row", "item", "column", "value"])
    for section in sections_of(comparison, given.show):
        for number, (item, *cells) in enumerate(section.rows, 1):
            for column, cell in zip(section.columns[1:], cells, strict=True):
                value = "" if cell is None else text_of(cell, width)
                first = text_of(item, width)
                writer.writerow([section.key, section.title, number, first, column, value])


def _write_markdown(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    for section in sections_of(comparison, given.show):
        out.write(f"## {in_markdown(section.title)}\n\n")
        if section.rows:
            write_markdown(out, _cells(section, width_of(given)), _texts(section))
        else:
            out.write("None.\n")
        out.write("\n")
    for heading, signature in signature_lines(comparison, given):
        out.write(f"- {heading}: `{signature}`\n")


def _write_latex(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    for heading, signature in signature_lines(comparison, given):
        out.write(f"% {heading}: {signature}\n")
    for section in sections_of(comparison, given.show):
        if section.rows:
            out.write("\n")
            cells = _cells(section, width_of(given))
            # Whole texts need lines that break.
            column = "p{0.2\\textwidth}" if section.texts else "l"
            write_latex(out, cells, [section.title], _texts(section), column)


def _cells(section: Section, width: int) -> list[list[str]]:
    return [list(section.columns), *([text_of(cell, width) for cell in r] for r in section.rows)]


def _texts(section: Section) -> list[int]:
    return [i for i, cell in enumerate(section.rows[0]) if not is_number(cell)]


FORMATS: dict[str, Callable[[IO[str], Comparison, CompareGiven], None]] = {
    "text": _write_text,
    "json": _write_json,
    "csv": _write_csv,
    "latex": _write_latex,
    "markdown": _write_markdown,
}
