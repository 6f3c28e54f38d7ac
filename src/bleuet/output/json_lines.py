"""JSON Lines: one JSON value on each line.

The lines are the items of the document's data where that is a list, else its default records. A
document of several tables that sets no records has one line for each row of each table: the table's
key and title, and the row's values.
"""

from __future__ import annotations

from bleuet.output.document import rows_as_records
from bleuet.output.json_data import encoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO, Any

    from bleuet.output.document import Document
    from bleuet.output.settings import Settings


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as JSON Lines; arguments as of `bleuet.output.rendering.write`."""
    encode = encoder(out, settings.width)
    for item in _items(document):
        out.write(encode(item) + "\n")


def _items(document: Document) -> Iterable[Any]:
    data: Any = document.data
    items: Iterable[Any] = data
    if not isinstance(data, dict | str | int | float | None):
        return items
    if document.has_records or len(document.tables) < 2:
        return next(iter(document.records.values()), tuple)()
    return (
        {"part": table.key, "table": table.title, "values": record}
        for table in document.tables
        for record in rows_as_records(table)
    )
