"""Tables of cells, a heading first: plain, Markdown or LaTeX; names on the left, numbers right."""

from __future__ import annotations

from bleuet.output.escaping import (
    in_latex,
    in_markdown,
    latex_table,
    markdown_table,
    number_in_latex,
    printable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO

    Cells = Sequence[Sequence[str]]


def write_plain(out: IO[str], cells: Cells) -> None:
    """Write columns of equal width."""
    shown = [[printable(name), *numbers] for name, *numbers in cells]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for first, *rest in shown:
        line = [first.ljust(widths[0])]
        line += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        out.write("  ".join(line).rstrip() + "\n")


def write_markdown(out: IO[str], cells: Cells, texts: Sequence[int] = (0,)) -> None:
    """Write a pipe table; `texts` are the columns that hold words instead of numbers."""
    out.write(markdown_table(_escaped(cells, texts, in_markdown), texts))


def write_latex(
    out: IO[str],
    cells: Cells,
    comments: Sequence[str] = (),
    texts: Sequence[int] = (0,),
    column: str = "l",
) -> None:
    """Write a tabular with booktabs, and comments before it.

    Args:
        out: where to.
        cells: the table.
        comments: what is told before it.
        texts: the columns that hold words instead of numbers.
        column: LaTeX's specification of such a column.
    """
    out.write("% needs \\usepackage{booktabs}\n")
    for comment in comments:
        out.write(f"% {printable(comment)}\n")
    out.write(latex_table(_escaped(cells, texts, in_latex, number_in_latex), texts, column))


def _escaped(
    cells: Cells,
    texts: Sequence[int],
    escape: Callable[[str], str],
    number: Callable[[str], str] = str,
) -> Cells:
    """Return cells as markup: the heading and the words escaped, numbers in their own way."""
    header, *body = cells
    kinds = [escape if i in texts else number for i in range(len(header))]
    shown = [[kind(cell) for kind, cell in zip(kinds, row, strict=True)] for row in body]
    return [[escape(cell) for cell in header], *shown]
