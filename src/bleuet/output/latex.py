r"""LaTeX: tables for the package booktabs; title, notes and signatures are comments.

A table of more than `LONG` rows, or a streamed one, is a `longtable`, which continues on the next
page. Texts outside Latin need XeLaTeX or LuaLaTeX and a font that has them.
"""

from __future__ import annotations

from bleuet.output.cells import marks_of, rows_of_texts, text_columns, text_of
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
_PLUS_MINUS = in_latex("±")


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document as LaTeX; arguments as of `bleuet.output.rendering.write`."""
    packages = "booktabs,longtable" if any(map(_is_long, document.tables)) else "booktabs"
    out.write(f"% needs \\usepackage{{{packages}}}\n")
    signatures = document.signature_texts(short=settings.short)
    comments = [document.title, *document.notes] if document.title else [*document.notes]
    if not any(table.label for table in document.tables):
        comments += [f"{name}: {text}" for name, text in signatures]
    for comment in comments:
        out.write(_comment(comment))
    for table in document.tables:
        out.write("\n")
        if table.label:
            out.writelines(_labelled(table, signatures, settings.width))
        else:
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


def _labelled(
    table: DocumentTable, signatures: list[tuple[str, str]], width: int | None
) -> Iterator[str]:
    """Yield a table with a caption and a label, which floats unless it is long.

    Args:
        table: the table.
        signatures: the name of each metric, and its signature.
        width: digits after the decimal point of a score in percent; default 2.
    """
    sentences = [in_latex(text) for text in (table.title, table.note) if text]
    if signatures:
        texts = (f"{in_latex(name)}: \\texttt{{{_signature(text)}}}" for name, text in signatures)
        sentences.append("Signatures:\n" + ";\n".join(texts) + ".")
    caption = "\\caption{%\n" + "\n".join(sentences) + f"}}\n\\label{{{table.label}}}"
    if _is_long(table):
        yield from _tabular(table, width, f"{caption} \\\\\n")
    else:
        yield "\\begin{table}\n\\centering\n"
        yield from _tabular(table, width)
        yield f"{caption}\n\\end{{table}}\n"


def _signature(text: str) -> str:
    """Return a signature, whose lines end after a bar: it has no spaces.

    Typewriter fonts have the bar itself, but not the one of the command.
    """
    return "|\\allowbreak ".join(map(in_latex, text.split("|")))


def _tabular(table: DocumentTable, width: int | None, caption: str = "") -> Iterator[str]:
    name = "longtable" if _is_long(table) else "tabular"
    texts = text_columns(table)
    kinds = [
        TEXT_COLUMN if column.kind == "long text" else "l" if at in texts else "r"
        for at, column in enumerate(table.columns)
    ]
    yield f"\\begin{{{name}}}{{{''.join(kinds)}}}\n{caption}\\toprule\n"
    yield _line([in_latex(column.title) for column in table.columns])
    yield "\\midrule\n" + ("\\endhead\n" if name == "longtable" else "")
    yield from map(_line, _rows(table, width))
    yield f"\\bottomrule\n\\end{{{name}}}\n"


def _rows(table: DocumentTable, width: int | None) -> Iterator[list[str]]:
    """Yield the cells of each row; the numbers of a column end in one line although marks follow.

    Args:
        table: the table.
        width: digits after the decimal point of a score in percent; default 2.
    """
    places = range(len(table.columns))
    longest = [
        "" if table.streamed else max((marks_of(row[at]) for row in table.rows), key=len)
        for at in places
    ]
    texts = rows_of_texts(table, width, _cell, "\\textbf{{{}}}".format)
    for row, own in zip(table.rows, texts, strict=True):
        missing = (most[len(marks_of(row[at])) :] for at, most in enumerate(longest))
        yield [
            f"{text}\\phantom{{\\textsuperscript{{{in_latex(marks)}}}}}" if marks else text
            for text, marks in zip(own, missing, strict=True)
        ]


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + " \\\\\n"


def _cell(cell: Cell, column: Column, width: int | None) -> str:
    text = in_latex(text_of(cell, column, width))
    if not isinstance(cell, str) and KINDS[column.kind]:
        value, sign, half_width = number_in_latex(text).partition(f" {_PLUS_MINUS} ")
        text = f"{value} {{\\scriptsize {sign.strip()} {half_width}}}" if sign else value
    marks = marks_of(cell)
    return f"{text}\\textsuperscript{{{in_latex(marks)}}}" if marks else text
