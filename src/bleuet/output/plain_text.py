"""Plain text: one line for each row, never folded or cut.

Columns have equal width. A streamed table is separated by tabs instead, and everything else stands
above it in lines that begin with "# ".
"""

from __future__ import annotations

from bleuet.output.cells import (
    body_texts,
    cell_width,
    cell_writer,
    headings,
    marks_of,
    padded,
    text_columns,
    text_of,
)
from bleuet.output.escaping import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from bleuet.output.document import Cell, Column, Document, DocumentTable
    from bleuet.output.settings import Settings

GAP = "  "
NO_ROWS = "none"


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as plain text; arguments as of `bleuet.output.rendering.write`."""
    if any(table.streamed for table in document.tables):
        _write_streamed(document, out, settings)
        return
    blocks = [f"{printable(document.title)}\n"] if document.title else []
    blocks += [_table(table, settings) for table in document.tables]
    if document.notes:
        blocks.append("".join(f"{printable(note)}\n" for note in document.notes))
    if document.signatures:
        blocks.append("".join(f"{line}\n" for line in signature_lines(document, settings)))
    out.write("\n".join(blocks))


def signature_lines(document: Document, settings: Settings) -> list[str]:
    """Return the signatures as sacreBLEU writes them, one line for each metric."""
    texts = document.signature_texts(short=settings.short)
    return [f"{printable(name)}|{printable(text)}" for name, text in texts]


def _table(table: DocumentTable, settings: Settings) -> str:
    lines = [printable(table.title)] if table.title else []
    lines += _aligned(table, settings) if table.rows else [NO_ROWS]
    if table.note:
        lines.append(printable(table.note))
    return "\n".join(lines) + "\n"


def _aligned(table: DocumentTable, settings: Settings) -> list[str]:
    rows = [headings(table), *body_texts(table, settings.width)]
    widths = [max(map(cell_width, cells)) for cells in zip(*rows, strict=True)]
    texts = text_columns(table)
    return [
        GAP.join(
            padded(cell, width, right=at not in texts)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _write_streamed(document: Document, out: IO[str], settings: Settings) -> None:
    comments = [document.title, *document.notes] if document.title else [*document.notes]
    comments += [text for table in document.tables for text in (table.title, table.note) if text]
    lines = [*map(printable, comments), *signature_lines(document, settings)]
    out.writelines(f"# {line}\n" for line in lines)
    for table in document.tables:
        out.write("\t".join(headings(table)) + "\n")
        cells = cell_writer(table.columns, settings.width, _cell)
        for row in table.rows:
            out.write("\t".join(cells(row)) + "\n")


def _cell(cell: Cell, column: Column, width: int | None) -> str:
    return f"{text_of(cell, column, width)} {marks_of(cell)}".rstrip()
