"""Markdown: pipe tables under headings, notes, and signatures as a list."""

from __future__ import annotations

from bleuet.output.cells import marks_of, text_of
from bleuet.output.document import KINDS
from bleuet.output.escaping import in_markdown, markdown_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from bleuet.output.document import Document, Table
    from bleuet.output.rendering import Settings


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as Markdown; arguments as of `bleuet.output.rendering.write`."""
    blocks = [f"{in_markdown(document.title)}\n"] if document.title else []
    blocks += [_table(table, settings) for table in document.tables]
    blocks += [f"{in_markdown(note)}\n" for note in document.notes]
    if document.signatures:
        texts = (
            (name, one.short() if settings.short else str(one)) for name, one in document.signatures
        )
        blocks.append("".join(f"- {in_markdown(name)}: `{text}`\n" for name, text in texts))
    out.write("\n".join(blocks))


def _table(table: Table, settings: Settings) -> str:
    heading = [in_markdown(column.title) for column in table.columns]
    rows = [
        [
            in_markdown(text_of(cell, column, settings.width))
            + (f" <sup>{marks_of(cell)}</sup>" if marks_of(cell) else "")
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]
    texts = [i for i, column in enumerate(table.columns) if not KINDS[column.kind]]
    title = f"## {in_markdown(table.title)}\n\n" if table.title else ""
    body = markdown_table([heading, *rows], texts) if rows else "None.\n"
    note = f"\n{in_markdown(table.note)}\n" if table.note else ""
    return f"{title}{body}{note}"
