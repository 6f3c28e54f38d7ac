"""Markdown: pipe tables under headings, notes, and signatures as a list."""

from __future__ import annotations

from bleuet.output.cells import marks_of, rows_of_texts, text_columns, text_of
from bleuet.output.escaping import in_markdown, markdown_code, markdown_paragraph

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from bleuet.output.document import Cell, Column, Document, DocumentTable
    from bleuet.output.settings import Settings


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as Markdown; arguments as of `bleuet.output.rendering.write`."""
    between = ""
    for block in _blocks(document, settings):
        out.write(between)
        out.writelines(block)
        between = "\n"


def _blocks(document: Document, settings: Settings) -> Iterator[Iterator[str] | list[str]]:
    if document.title:
        yield [f"{markdown_paragraph(document.title)}\n"]
    for table in document.tables:
        yield _table(table, settings.width)
    for note in document.notes:
        yield [f"{markdown_paragraph(note)}\n"]
    if document.signatures:
        texts = document.signature_texts(short=settings.short)
        yield [f"- {markdown_paragraph(name)}: {markdown_code(text)}\n" for name, text in texts]


def _table(table: DocumentTable, width: int | None) -> Iterator[str]:
    if table.title:
        yield f"## {in_markdown(table.title)}\n\n"
    if table.rows:
        texts = text_columns(table)
        yield _line([in_markdown(column.title) for column in table.columns])
        yield _line(["---" if at in texts else "---:" for at in range(len(table.columns))])
    else:
        yield "None.\n"
    yield from map(_line, rows_of_texts(table, width, _cell, "**{}**".format))
    if table.note:
        yield f"\n{markdown_paragraph(table.note)}\n"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cell(cell: Cell, column: Column, width: int | None) -> str:
    text = in_markdown(text_of(cell, column, width))
    marks = marks_of(cell)
    return f"{text} <sup>{in_markdown(marks)}</sup>" if marks else text
