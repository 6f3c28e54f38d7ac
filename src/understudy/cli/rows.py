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


def write_markdown(out: IO[str], cells: Cells) -> None:
    """Write a pipe table."""
    header, *body = cells
    out.write(f"| {' | '.join(header)} |\n| --- |{' ---: |' * (len(header) - 1)}\n")
    for name, *numbers in body:
        out.write(f"| {in_markdown(name)} | {' | '.join(numbers)} |\n")


def write_latex(out: IO[str], cells: Cells, comments: Sequence[str] = ()) -> None:
    """Write a tabular with booktabs, and comments before it."""
    header, *body = cells
    out.write("% needs \\usepackage{booktabs}\n")
    for comment in comments:
        out.write(f"% {printable(comment)}\n")
    out.write(f"\\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}\n\\toprule\n")
    out.write(" & ".join(in_latex(cell) for cell in header) + " \\\\\n\\midrule\n")
    for name, *numbers in body:
        out.write(" & ".join([in_latex(name), *numbers]) + " \\\\\n")
    out.write("\\bottomrule\n\\end{tabular}\n")
