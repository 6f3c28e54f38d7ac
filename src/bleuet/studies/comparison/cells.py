"""A comparison as CSV: one line per cell, so that tables of all shapes make one file."""

from __future__ import annotations

import csv
from io import StringIO

from bleuet.studies.comparison.markup import SHOWN, chosen_sections, text_of
from bleuet.studies.comparison.sections import Scored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.studies.comparison.comparison import Comparison
    from bleuet.studies.comparison.sections import Cell

HEADING = ("part", "table", "row", "item", "column", "value")


def to_csv(comparison: Comparison, parts: Sequence[str] = SHOWN, width: int = 2) -> str:
    """Return the cells of some parts.

    Args:
        comparison: the comparison.
        parts: names of `SECTIONS`.
        width: digits of scores in percent.

    Raises:
        OptionError: there is no such part.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADING)
    for section in chosen_sections(comparison, parts):
        for number, (item, *cells) in enumerate(section.rows, 1):
            for column, cell in zip(section.columns[1:], cells, strict=True):
                first = text_of(item, width)
                for name, value in _values(column, cell, width):
                    writer.writerow([section.key, section.title, number, first, name, value])
    return out.getvalue()


def _values(column: str, cell: Cell, width: int) -> Iterator[tuple[str, str]]:
    """Return what a cell holds, each number by itself."""
    if not isinstance(cell, Scored):
        yield column, "" if cell is None else text_of(cell, width)
        return
    digits = width + cell.more
    yield column, f"{cell.score:.{digits}f}"
    for name, end in zip(("low", "high"), cell.ends or (), strict=False):
        yield f"{column} {name}", f"{end:.{digits}f}"
    yield f"{column} better than", cell.marks
