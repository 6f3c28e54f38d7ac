"""Comma-separated values.

A document that sets its records is written as its default (first) records: one line for each, the
keys of the first as the heading. So is a document of one table, whose rows are the records. The
tables of any other document have different columns, so that each cell is a line (`HEADING`):
the table's key, its title, the number of the row, the row's first cell, the column and the value.

Numbers have all their digits unless a width is set. A cell without a number, not even an infinite
one, is empty. Lists are written as JSON.
"""

from __future__ import annotations

from json import dumps
from math import isfinite

from bleuet.output.document import rows_as_records
from bleuet.output.escaping import well_formed
from bleuet.output.json_data import digits_of, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO, Any

    from bleuet.output.document import Document, DocumentTable, Record
    from bleuet.output.settings import Settings

HEADING = ("part", "table", "row", "item", "column", "value")


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as CSV; arguments as of `bleuet.output.rendering.write`."""
    if document.has_records or len(document.tables) == 1:
        records = next(iter(document.records.values()))()
        out.writelines(_wide(records, settings.width))
        return
    if document.tables:
        out.write(_line(HEADING))
    for table in document.tables:
        out.writelines(_long(table, settings.width))


def _wide(records: Iterable[Record], width: int | None) -> Iterator[str]:
    heading: list[str] = []
    for record in records:
        if not heading:
            heading = list(record)
            yield _line(map(_value, heading))
        yield _line(_value(record[key], digits_of(key, record[key], width)) for key in heading)


def _long(table: DocumentTable, width: int | None) -> Iterator[str]:
    for number, record in enumerate(rows_as_records(table), 1):
        (_, item), *cells = record.items()
        before = (table.key, _value(table.title), str(number), _value(item, width))
        for key, value in cells:
            yield _line((*before, _value(key), _value(value, digits_of(key, value, width))))


def _line(values: Iterable[str]) -> str:
    r"""Return a line of CSV.

    Python's own writer puts no quotes around a carriage return, which its reader then rejects.

    >>> _line(["a", "b, c", 'd"e', ""])
    'a,"b, c","d""e",\n'
    """
    cells = [_quoted(value) if _needs_quotes(value) else value for value in values]
    # A line of one empty cell would be an empty line, which readers skip.
    return (",".join(cells) if cells != [""] else '""') + "\n"


def _needs_quotes(value: str) -> bool:
    return "," in value or '"' in value or "\n" in value or "\r" in value


def _quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def _value(value: Any, width: int | None = None) -> str:
    if isinstance(value, float):
        if not isfinite(value):
            return ""
        return str(value) if width is None else f"{value:.{width}f}"
    if isinstance(value, str):
        return value if value.isascii() else well_formed(value)
    if isinstance(value, dict | list | tuple):
        return dumps(plain(value, width), ensure_ascii=False)
    return "" if value is None else str(value)
