"""Tables of cells, a heading first: plain, Markdown or LaTeX; names on the left, numbers right."""

from __future__ import annotations

from understudy.cli.names import in_latex, in_markdown, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
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
    header, *body = cells
    rules = ["---" if i in texts else "---:" for i in range(len(header))]
    out.write(f"| {' | '.join(map(in_markdown, header))} |\n| {' | '.join(rules)} |\n")
    for row in body:
        shown = [in_markdown(cell) if i in texts else cell for i, cell in enumerate(row)]
        out.write(f"| {' | '.join(shown)} |\n")


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
    header, *body = cells
    kinds = [column if i in texts else "r" for i in range(len(header))]
    out.write("% needs \\usepackage{booktabs}\n")
    for comment in comments:
        out.write(f"% {printable(comment)}\n")
    out.write(f"\\begin{{tabular}}{{{''.join(kinds)}}}\n\\toprule\n")
    out.write(" & ".join(in_latex(cell) for cell in header) + " \\\\\n\\midrule\n")
    for row in body:
        shown = [in_latex(cell) if i in texts else cell for i, cell in enumerate(row)]
        out.write(" & ".join(shown) + " \\\\\n")
    out.write("\\bottomrule\n\\end{tabular}\n")
