"""Plain text: one line for each row, never folded or cut, columns of equal width."""

from __future__ import annotations

from bleuet.output.cells import marks_of, text_of
from bleuet.output.document import KINDS
from bleuet.output.escaping import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from bleuet.output.document import Document, Table
    from bleuet.output.rendering import Settings


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as plain text; arguments as of `bleuet.output.rendering.write`."""
    blocks = [f"{printable(document.title)}\n"] if document.title else []
    blocks += [_table(table, settings) for table in document.tables]
    if document.notes:
        blocks.append("".join(f"{printable(note)}\n" for note in document.notes))
    if document.signatures:
        texts = (
            (name, one.short() if settings.short else str(one)) for name, one in document.signatures
        )
        blocks.append("".join(f"{printable(name)}|{text}\n" for name, text in texts))
    out.write("\n".join(blocks))


def _table(table: Table, settings: Settings) -> str:
    lines = [printable(table.title)] if table.title else []
    if table.rows:
        lines += _aligned(table, settings)
    else:
        lines.append("none")
    if table.note:
        lines.append(printable(table.note))
    return "\n".join(lines) + "\n"


def _aligned(table: Table, settings: Settings) -> list[str]:
    heading = [printable(column.title) for column in table.columns]
    body = [
        [
            f"{text_of(cell, column, settings.width)} {marks_of(cell)}".rstrip()
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]
    widths = [max(map(len, cells)) for cells in zip(heading, *body, strict=True)]
    right = [KINDS[column.kind] for column in table.columns]
    return [
        "  ".join(
            cell.rjust(width) if numeric else cell.ljust(width)
            for cell, width, numeric in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in (heading, *body)
    ]
