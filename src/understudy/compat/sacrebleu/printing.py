"""What sacreBLEU prints of several scores: aligned lines, a table, LaTeX, JSON."""

from __future__ import annotations

from understudy.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

_ANSI = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36, "white": 37}
_LATEX = str.maketrans(
    {
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
        "^": r"\^{}",
        "~": r"\textasciitilde{}",
        "\\": r"\textbackslash{}",
        "<": r"\ensuremath{<}",
        ">": r"\ensuremath{>}",
    }
)
# A column is at least so much wider than its heading.
_AROUND_HEADING = 2


class Color:
    """Colours of a terminal."""

    ENABLE_COLORS = True

    @staticmethod
    def format(msg: str, color: str) -> str:
        """Return a text in a colour, or as it is where colours are off or unknown.

        >>> Color.ENABLE_COLORS = True
        >>> Color.format("a", "cyan")
        '\\x1b[36ma\\x1b[0m'
        """
        code = _ANSI.get(color.lower())
        if not Color.ENABLE_COLORS or code is None:
            return msg
        return f"\x1b[{code}m{msg}\x1b[0m"


def print_single_results(results: list[str], args: Namespace) -> None:
    """Print one system's scores, one per metric; lines of text are aligned at their ' = '.

    Args:
        results: formatted scores.
        args: parsed arguments, of which `format` counts.
    """
    if args.format == "json":
        joined = ",\n".join(results)
        print(f"[\n{joined}\n]" if len(results) > 1 else joined)
        return
    if "μ" in results[0]:
        import re

        interval = re.compile(r"\(μ = [0-9.]+ ± [0-9.]+\)")
        results = [interval.sub(lambda m: Color.format(m[0], "cyan"), line) for line in results]
    if len(results) == 1 or not all(" = " in line for line in results):
        _print_unaligned(results)
        return
    # The first of these, since a version may hold one without spaces.
    ends = [line.index(" = ") for line in results]
    for end, line in zip(ends, results, strict=True):
        print(" " * (max(ends) - end) + line)


def _print_unaligned(results: Sequence[str]) -> None:
    for line in results:
        print(line)


def print_results_table(
    results: Mapping[str, Sequence[str]], signatures: Mapping[str, object], args: Namespace
) -> None:
    """Print several systems' scores: as JSON, or as a table with the signatures below.

    Args:
        results: "System" with the names, then each metric's name with the formatted scores.
        signatures: each metric's signature.
        args: parsed arguments, of which `format` counts: json, text or latex.

    Raises:
        InputError: the results are not of one system after the other.
    """
    for name, cells in results.items():
        if not all(isinstance(cell, str) for cell in cells):
            raise InputError(f"the cells of {name} are no strings: give formatted scores")
    if args.format == "json":
        print(_json(results))
        return
    headings = list(results)
    rows = list(zip(*results.values(), strict=True))
    draw = _latex_table if args.format == "latex" else _grid
    print(draw(headings, rows))
    print("\n-----------------\nMetric signatures\n-----------------")
    for name, signature in signatures.items():
        print(f" - {name:<10} {signature}")


def _json(results: Mapping[str, Sequence[str]]) -> str:
    from json import dumps

    keys = ["system", *list(results)[1:]]
    systems = zip(*results.values(), strict=True)
    return dumps([dict(zip(keys, row, strict=True)) for row in systems], indent=4)


def _padded(
    headings: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[list[int], list[str], list[list[str]]]:
    """Widths, and all cells brought to them: the first column to the right, others in the middle.

    Headings are coloured, which takes no room.
    """
    stripped = [[cell.strip() for cell in row] for row in rows]
    widths = [
        max(len(heading) + _AROUND_HEADING, *(len(row[c]) for row in stripped))
        for c, heading in enumerate(headings)
    ]

    def pad(cell: str, c: int) -> str:
        return cell.rjust(widths[c]) if c == 0 else f"{cell:^{widths[c]}}"

    top = [
        pad(heading, c).replace(heading, Color.format(heading, "cyan"))
        for c, heading in enumerate(headings)
    ]
    return widths, top, [[pad(cell, c) for c, cell in enumerate(row)] for row in stripped]


def _grid(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Draw a table with lines between all cells.

    >>> Color.ENABLE_COLORS = False
    >>> print(_grid(["System", "BLEU"], [["a", "10.0"]]))
    ╒══════════╤════════╕
    │   System │  BLEU  │
    ╞══════════╪════════╡
    │        a │  10.0  │
    ╘══════════╧════════╛
    >>> Color.ENABLE_COLORS = True
    """
    widths, top, body = _padded(headings, rows)

    def rule(left: str, line: str, cross: str, right: str) -> str:
        return left + cross.join(line * (width + 2) for width in widths) + right

    def row(cells: Sequence[str]) -> str:
        return f"│ {' │ '.join(cells)} │"

    between = f"\n{rule('├', '─', '┼', '┤')}\n"
    return "\n".join(
        (
            rule("╒", "═", "╤", "╕"),
            row(top),
            rule("╞", "═", "╪", "╡"),
            between.join(map(row, body)),
            rule("╘", "═", "╧", "╛"),
        )
    )


def _latex_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table for LaTeX's package booktabs; what LaTeX would take as commands is escaped."""
    _, top, body = _padded(headings, rows)

    def row(cells: Sequence[str]) -> str:
        return f" {' & '.join(cell.translate(_LATEX) for cell in cells)} \\\\"

    return "\n".join(
        (
            f"\\begin{{tabular}}{{r{'c' * (len(headings) - 1)}}}\n\\toprule",
            row(top),
            "\\midrule",
            *map(row, body),
            "\\bottomrule\n\\end{tabular}",
        )
    )
