r"""LaTeX: tables for the package booktabs; title, notes and signatures are comments.

A table of more than `LONG` rows, or a streamed one, is a `longtable`, which continues on the next
page. Texts outside Latin need XeLaTeX or LuaLaTeX and a font that has them.
"""

from __future__ import annotations

from bleuet.output.cells import cell_writer, marks_of, text_columns, text_of
from bleuet.output.document import KINDS
from bleuet.output.escaping import in_latex, number_in_latex, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from bleuet.output.document import Cell, Column, Document, DocumentTable
    from bleuet.output.settings import Settings

# The rows that fit on a page.
LONG = 40
# Whole texts need lines that break.
TEXT_COLUMN = r"p{0.2\textwidth}"


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as LaTeX; arguments as of `bleuet.output.rendering.write`."""
    packages = "booktabs,longtable" if any(map(_is_long, document.tables)) else "booktabs"
    out.write(f"% needs \\usepackage{{{packages}}}\n")
    signatures = document.signature_texts(short=settings.short)
    comments = [*document.notes, *(f"{name}: {text}" for name, text in signatures)]
    for comment in [document.title, *comments] if document.title else comments:
        out.write(_comment(comment))
    for table in document.tables:
        out.write("\n")
        out.writelines(_table(table, settings.width))


def _comment(text: str) -> str:
    return f"% {printable(text)}\n"


def _is_long(table: DocumentTable) -> bool:
    return not isinstance(table.rows, list | tuple) or len(table.rows) > LONG


def _table(table: DocumentTable, width: int | None) -> Iterator[str]:
    if table.title:
        yield _comment(table.title)
    if not table.rows:
        yield _comment("none")
    if table.note:
        yield _comment(table.note)
    if table.rows:
        yield from _tabular(table, width)


def _tabular(table: DocumentTable, width: int | None) -> Iterator[str]:
    name = "longtable" if _is_long(table) else "tabular"
    texts = text_columns(table)
    kinds = [
        TEXT_COLUMN if column.kind == "long text" else "l" if at in texts else "r"
        for at, column in enumerate(table.columns)
    ]
    yield f"\\begin{{{name}}}{{{''.join(kinds)}}}\n\\toprule\n"
    yield _line([in_latex(column.title) for column in table.columns])
    yield "\\midrule\n" + ("\\endhead\n" if name == "longtable" else "")
    cells = cell_writer(table.columns, width, _cell)
    for row in table.rows:
        yield _line(cells(row))
    yield f"\\bottomrule\n\\end{{{name}}}\n"


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + " \\\\\n"


def _cell(cell: Cell, column: Column, width: int | None) -> str:
    text = in_latex(text_of(cell, column, width))
    if not isinstance(cell, str) and KINDS[column.kind]:
        text = number_in_latex(text).replace("±", r"$\pm$")
    marks = marks_of(cell)
    return f"{text}\\textsuperscript{{{in_latex(marks)}}}" if marks else text
