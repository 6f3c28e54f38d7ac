"""Text on a terminal, drawn with rich for the terminal's width.

Tables are as narrow as they can be: names and headings fold before anything else, numbers never.
A table that still does not fit is wider than the terminal, whose own line breaks cut nothing. Rows
with long texts are paragraphs.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Drawn
from rich.text import Text

from bleuet.output import plain_text
from bleuet.output.cells import (
    EMPTY,
    best_cells,
    body_texts,
    headings,
    number_of,
    padded,
    text_columns,
    text_of,
)
from bleuet.output.document import ADDED, MISSED, MOVED, DocumentTable, MarkedText
from bleuet.output.escaping import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Literal

    from bleuet.output.document import Cell, Document
    from bleuet.output.settings import Settings

_GAP = 2
_INDENT = 2
# How wide labels and names may be, so that there is room for the numbers beside them.
_LABEL = 16
_NAME = 20
_SHORTEST = 10
# A heading that is no longer stays on one line.
_HEADING = 6
# The most rows of a table that is shown in part.
_ROWS = 30
_BEST = "bold green"
_MARKED = {ADDED: "green", MISSED: "red", MOVED: "yellow", "": ""}


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document to a terminal; arguments as of `bleuet.output.rendering.write`."""
    if any(table.streamed for table in document.tables):
        plain_text.write(document, out, settings)
        return
    console = Console(file=out, highlight=False, emoji=False)
    indent = _INDENT if any(table.title for table in document.tables) else 0
    between = False
    if document.title:
        _write_paragraph(console, document.title)
        between = True
    for table in document.tables:
        if between:
            console.print()
        _write_table(console, table, settings.width, indent)
        between = True
    if document.notes:
        if between:
            console.print()
        for note in document.notes:
            _write_paragraph(console, note, style="dim" if between else "")
        between = True
    if document.signatures:
        if between:
            console.print()
        for line in plain_text.signature_lines(document, settings):
            _write_line(console, line, "dim")


def _write_line(console: Console, line: str, style: str = "") -> None:
    console.print(Text(printable(line), style=style), soft_wrap=True)


def _write_paragraph(console: Console, text: str, *, indent: int = 0, style: str = "") -> None:
    for line in Text(printable(text)).wrap(console, max(console.width - indent, _LABEL)):
        line.rstrip()
        _write_line(console, " " * indent + line.plain, style)


def _write_table(console: Console, table: DocumentTable, width: int | None, indent: int) -> None:
    if table.title:
        _write_line(console, table.title, "bold")
    if not table.rows:
        _write_line(console, " " * indent + plain_text.NO_ROWS)
    elif any(column.kind == "long text" for column in table.columns):
        _write_texts(console, table, width, indent)
    else:
        shown = _largest(table)
        _draw(console, shown, width, indent)
        left_out = len(list(table.rows)) - len(list(shown.rows))
        if left_out:
            line = f"and {left_out} more, none larger; the other formats have all"
            _write_line(console, " " * indent + line, "dim")
    if table.note:
        _write_paragraph(console, table.note, indent=indent, style="dim")


# --- Tables ---------------------------------------------------------------------------------------


def _largest(table: DocumentTable) -> DocumentTable:
    """Return a table of very many rows with only its largest, if it says which are large."""
    rows = list(table.rows)
    keys = [column.key for column in table.columns]
    if len(rows) <= _ROWS or table.largest_by not in keys:
        return table
    at = keys.index(table.largest_by)
    order = sorted(range(len(rows)), key=lambda number: -(number_of(rows[number][at]) or 0))
    kept = [rows[number] for number in sorted(order[:_ROWS])]
    return DocumentTable(table.key, table.title, table.columns, kept, rank_best=table.rank_best)


def _draw(console: Console, table: DocumentTable, width: int | None, indent: int) -> None:
    head, body = headings(table), body_texts(table, width)
    texts = text_columns(table)
    widths = _widths(console.width - indent, table, head, body)
    drawn = Drawn(box=None, header_style="bold", pad_edge=False, padding=(0, _GAP, 0, 0))
    for at, (heading, own) in enumerate(zip(head, widths, strict=True)):
        justify: Literal["left", "right"] = "left" if at in texts else "right"
        drawn.add_column(Text(heading), justify=justify, overflow="fold", width=own)
    best = best_cells(table, width)
    for row, (cells, shown) in enumerate(zip(table.rows, body, strict=True)):
        drawn.add_row(
            *(
                _words(cell, text) if at in texts else _number(text, widths[at], (row, at) in best)
                for at, (cell, text) in enumerate(zip(cells, shown, strict=True))
            )
        )
    before = console.width
    console.width = max(before, indent + sum(widths) + _GAP * len(widths))
    console.print(Padding(drawn, (0, 0, 0, indent), expand=False))
    console.width = before


def _words(cell: Cell, text: str) -> Text:
    """Return words to draw, marked ones in colours."""
    if not isinstance(cell, MarkedText):
        return Text(text)
    parts = ((printable(part), _MARKED[kind]) for part, kind in cell.parts)
    return Text(" ").join(Text(part, style=style) for part, style in parts)


def _number(text: str, width: int, best: bool) -> Text:
    """Return a number to draw; spaces after it stay, where other numbers have marks."""
    style = _BEST if best else ""
    return Text.assemble((padded(text, width, right=True), style), justify="left")


def _widths(
    room: int, table: DocumentTable, head: Sequence[str], body: Sequence[Sequence[str]]
) -> list[int]:
    """Return how wide each column is: headings fold before labels, and numbers never.

    Args:
        room: the columns of the terminal that the table may take.
        table: the table.
        head: its headings as text.
        body: its rows as text.
    """
    room -= _GAP * (len(head) - 1)
    texts = text_columns(table)
    longest = [max(map(cell_len, cells)) for cells in zip(*body, strict=True)]
    wanted = [max(cell_len(name), own) for name, own in zip(head, longest, strict=True)]
    widths = [
        max(min(own, _LABEL) if at in texts else own, min(cell_len(name), _HEADING))
        for at, (own, name) in enumerate(zip(longest, head, strict=True))
    ]
    words = [
        max(own, min(max(map(cell_len, name.split()), default=0), _LABEL))
        for own, name in zip(widths, head, strict=True)
    ]
    if sum(words) > room:
        # Scores and counts may be headed by names of systems, too long to stay whole.
        words = [
            own if column.kind in ("score", "count") else word
            for column, own, word in zip(table.columns, widths, words, strict=True)
        ]
    widths = words
    spare = room - sum(widths)
    if spare < 0 and texts:
        narrowed = max(texts, key=lambda at: widths[at])
        widths[narrowed] = max(widths[narrowed] + spare, min(widths[narrowed], _SHORTEST))
    order = sorted(range(len(widths)), key=lambda at: wanted[at] - widths[at])
    for place, at in enumerate(order):
        share = max(spare, 0) // (len(order) - place)
        more = min(wanted[at] - widths[at], share)
        widths[at] += more
        spare -= more
    return widths


# --- Rows with long texts -------------------------------------------------------------------------


def _write_texts(console: Console, table: DocumentTable, width: int | None, indent: int) -> None:
    """Write each row as a paragraph: its short cells on one line, then each long text."""
    names = headings(table)
    long = [column.kind == "long text" for column in table.columns]
    longest = max(cell_len(name) for name, own in zip(names, long, strict=True) if own)
    for row in table.rows:
        cells = [
            text_of(cell, column, width) for cell, column in zip(row, table.columns, strict=True)
        ]
        both = list(zip(names, cells, long, strict=True))
        filled = [one for one in both if one[1] not in ("", EMPTY)]
        short = ", ".join(f"{name} {text}" for name, text, is_long in filled if not is_long)
        if short:
            _write_line(console, " " * indent + short, "italic")
        for name, text, is_long in filled:
            if is_long:
                _write_text(console, name, text, min(longest, _NAME), indent + _INDENT)


def _write_text(console: Console, name: str, text: str, longest: int, indent: int) -> None:
    """Write a text beside its name, wrapped at words; a name that is too long has its own line.

    Args:
        console: the terminal.
        name: the name.
        text: the text.
        longest: the columns of the terminal for the name.
        indent: the spaces before it.
    """
    margin = " " * indent
    begin = margin + name + " " * (longest + _GAP - cell_len(name))
    if cell_len(name) > longest:
        _write_line(console, margin + name, "dim")
        begin = margin + " " * (longest + _GAP)
    room = cell_len(begin)
    lines = Text(text).wrap(console, max(console.width - room, _LABEL), overflow="fold")
    for number, line in enumerate(lines):
        line.rstrip()
        name_or_room = begin if number == 0 else " " * room
        console.print(Text.assemble((name_or_room, "dim"), line), soft_wrap=True)
