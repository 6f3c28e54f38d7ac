"""How a comparison is printed: one function per format, and the table of formats."""

from __future__ import annotations

from understudy.cli.destination import Destination
from understudy.cli.output import can_hold_all_of_unicode, width_of
from understudy.studies.comparison.markup import text_of, to_latex, to_markdown
from understudy.studies.comparison.sections import Scored, sections_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

    from understudy.cli.compare_arguments import CompareGiven
    from understudy.studies.comparison import Comparison
    from understudy.studies.comparison.sections import Cell


def write_comparison(given: CompareGiven, comparison: Comparison) -> None:
    """Write a comparison in the format asked for."""
    with Destination(given.output) as out:
        FORMATS[given.format](out, comparison, given)


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
                first = text_of(item, width)
                for name, value in _values(column, cell, width):
                    writer.writerow([section.key, section.title, number, first, name, value])


def _values(column: str, cell: Cell, width: int) -> Iterator[tuple[str, str]]:
    """Return what a cell holds, each number by itself."""
    if isinstance(cell, Scored):
        yield column, f"{cell.score:.{width}f}"
        for name, end in zip(("low", "high"), cell.ends or (), strict=False):
            yield f"{column} {name}", f"{end:.{width}f}"
        yield f"{column} better than", cell.marks
    else:
        yield column, "" if cell is None else text_of(cell, width)


def _write_markdown(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    out.write(to_markdown(comparison, given.show, width_of(given), short=given.short))


def _write_latex(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    out.write(to_latex(comparison, given.show, width_of(given), short=given.short))


FORMATS: dict[str, Callable[[IO[str], Comparison, CompareGiven], None]] = {
    "text": _write_text,
    "json": _write_json,
    "csv": _write_csv,
    "latex": _write_latex,
    "markdown": _write_markdown,
}
