"""JSON Lines: one JSON value on each line.

The lines are the items of the document's data where that is a list, else its default records.
"""

from __future__ import annotations

from bleuet.output.json_data import encoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO, Any

    from bleuet.output.document import Document
    from bleuet.output.rendering import Settings


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
    return next(iter(document.records.values()), tuple)()
