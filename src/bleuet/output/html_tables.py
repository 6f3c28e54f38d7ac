"""HTML: plain tables without scripts; all texts in them are escaped.

It is a fragment that a notebook or a page can hold. Opened by itself it is read as UTF-8.
"""

from __future__ import annotations

from html import escape

from bleuet.output.cells import cell_writer, marks_of, text_columns, text_of
from bleuet.output.document import KINDS
from bleuet.output.escaping import printable
from bleuet.output.json_data import holds_unicode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from bleuet.output.document import Cell, Column, Document, DocumentTable
    from bleuet.output.settings import Settings

CHARSET = '<meta charset="utf-8">\n'
# Notebooks align all cells at the right, and browsers all at the left.
STYLE = (
    "<style>.bleuet caption,.bleuet th,.bleuet td{text-align:left!important;padding:0 .5em}"
    ".bleuet .number{text-align:right!important}</style>\n"
)


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as HTML; arguments as of `bleuet.output.rendering.write`."""
    unicode = holds_unicode(out)
    out.write(CHARSET)
    for piece in fragments(document, settings):
        text = piece if unicode else piece.encode("ascii", "xmlcharrefreplace").decode()
        out.write(text)


def fragments(document: Document, settings: Settings) -> Iterator[str]:
    """Yield the parts of a document as HTML.

    Args:
        document: the document.
        settings: digits and signatures.
    """
    if document.title:
        yield f"<p>{in_html(document.title)}</p>\n"
    if any(table.rows for table in document.tables):
        yield STYLE
    for table in document.tables:
        yield from table_in_html(table, settings.width)
    for note in document.notes:
        yield f'<p class="note">{in_html(note)}</p>\n'
    if document.signatures:
        texts = document.signature_texts(short=settings.short)
        items = (f"<li>{in_html(name)}: <code>{in_html(text)}</code></li>" for name, text in texts)
        yield f"<ul>{''.join(items)}</ul>\n"


def table_in_html(table: DocumentTable, width: int | None = None) -> Iterator[str]:
    """Yield the parts of a table, with its title as the caption and its note below.

    Args:
        table: the table.
        width: digits after the decimal point of a score in percent; default 2.
    """
    if not table.rows:
        yield f"<p>{in_html(table.title)}: none</p>\n" if table.title else "<p>none</p>\n"
    else:
        caption = f"<caption>{in_html(table.title)}</caption>" if table.title else ""
        texts = text_columns(table)
        kinds = ["" if at in texts else ' class="number"' for at in range(len(table.columns))]
        titles = zip(kinds, (in_html(column.title) for column in table.columns), strict=True)
        heading = "".join(f'<th scope="col"{kind}>{title}</th>' for kind, title in titles)
        yield f'<table class="bleuet">{caption}<thead><tr>{heading}</tr></thead>\n<tbody>\n'
        tags = [(f"<td{kind}>", "</td>") for kind in kinds]
        if 0 in texts:
            tags[0] = '<th scope="row">', "</th>"
        cells = cell_writer(table.columns, width, _cell)
        for row in table.rows:
            parts = zip(tags, cells(row), strict=True)
            yield f"<tr>{''.join([f'{tag}{cell}{end}' for (tag, end), cell in parts])}</tr>\n"
        yield "</tbody></table>\n"
    if table.note:
        yield f'<p class="note">{in_html(table.note)}</p>\n'


def in_html(text: str) -> str:
    """Return text as HTML, whose direction of writing touches nothing around it.

    >>> in_html("<b> & c"), in_html("\u05d0")
    ('&lt;b&gt; &amp; c', '<bdi>\u05d0</bdi>')
    """
    shown = escape(printable(text))
    return shown if shown.isascii() else f"<bdi>{shown}</bdi>"


def _cell(cell: Cell, column: Column, width: int | None) -> str:
    text = text_of(cell, column, width)
    if isinstance(cell, str) or not KINDS[column.kind]:
        return in_html(text)
    value, sign, half_width = escape(text).partition(" ± ")
    interval = f" <small>± {half_width}</small>" if sign else ""
    marks = marks_of(cell)
    return f"{value}{interval}" + (f"<sup>{in_html(marks)}</sup>" if marks else "")
