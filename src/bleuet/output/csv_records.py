"""Comma-separated values.

A document that sets its records is written as its default (first) records: one line for each, the
keys of the first as the heading. So is a document of one table, whose rows are the records. The
tables of any other document have different columns, so that each cell is a line (`HEADING`):
the table's key, its title, the number of the row, the row's first cell, the column and the value.

Numbers have all their digits unless a width is set. A cell without a number, not even an infinite
one, is empty. Lists are written as JSON.
"""

from __future__ import annotations

import csv

from bleuet.output.document import rows_as_records
from bleuet.output.json_data import digits_of, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO, Any

    from bleuet.output.document import Document, Record, Table
    from bleuet.output.rendering import Settings

HEADING = ("part", "table", "row", "item", "column", "value")


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as CSV; arguments as of `bleuet.output.rendering.write`."""
    writer = csv.writer(out, lineterminator="\n")
    if document.has_records or len(document.tables) == 1:
        _write_records(writer, next(iter(document.records.values()))(), settings.width)
        return
    if document.tables:
        writer.writerow(HEADING)
    for table in document.tables:
        _write_cells(writer, table, settings.width)


def _write_records(writer: Any, records: Iterable[Record], width: int | None) -> None:
    heading: list[str] = []
    for record in records:
        if not heading:
            heading = list(record)
            writer.writerow(map(_value, heading))
        writer.writerow([_value(record[key], digits_of(key, width)) for key in heading])


def _write_cells(writer: Any, table: Table, width: int | None) -> None:
    for number, record in enumerate(rows_as_records(table), 1):
        (_, item), *cells = record.items()
        before = [table.key, _value(table.title), number, _value(item, width)]
        for key, value in cells:
            writer.writerow([*before, _value(key), _value(value, digits_of(key, width))])


def _value(value: Any, width: int | None = None) -> str:
    if isinstance(value, float) and width is not None:
        return f"{value:.{width}f}" if plain(value, None) is not None else ""
    value = plain(value, width)
    if isinstance(value, dict | list):
        from json import dumps

        return dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)
