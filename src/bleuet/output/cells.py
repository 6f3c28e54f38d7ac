"""Cells as text: each kind of column knows its digits, and texts know how wide they are."""

from __future__ import annotations

from math import inf, isfinite

from bleuet.output.document import KINDS, AtMost, Estimate
from bleuet.output.escaping import printable
from bleuet.output.settings import DEFAULT_WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bleuet.output.document import Cell, Column, DocumentTable

# With two digits a p-value of chance and one of certainty could look alike.
P_VALUE_WIDTH = 4
# The text of a cell without a number, as in an empty bucket.
EMPTY = "-"


def text_of(cell: Cell, column: Column, width: int | None = None) -> str:
    """Return a cell as text on one line, without marks.

    Args:
        cell: the cell.
        column: its column.
        width: digits after the decimal point of a score in percent; default 2.

    >>> from bleuet.output.document import Column
    >>> text_of(12.345, Column("x", kind="score")), text_of(None, Column("x"))
    ('12.35', '-')
    >>> text_of(Estimate(3.0, 2.0, 4.5), Column("x", kind="score"), 1)
    '3.0 ± 1.2'
    >>> text_of((-1.0, 0.5), Column("x", kind="interval")), text_of(0.5, Column("x", kind="share"))
    ('-1.00 to +0.50', '50%')
    >>> text_of(0.001, Column("x", kind="difference")), text_of(-2, Column("x", kind="difference"))
    ('0.00', '-2.00')
    """
    if cell is None:
        return EMPTY
    if isinstance(cell, str):
        return printable(cell)
    digits = (DEFAULT_WIDTH if width is None else width) + column.extra_digits
    if column.kind == "p-value" and not isinstance(cell, tuple | Estimate):
        return p_value_text(cell, digits)
    signed = column.kind in ("difference", "interval")
    if isinstance(cell, tuple):
        return " to ".join(_number(end, digits, signed) for end in cell)
    if isinstance(cell, Estimate):
        return _estimate(cell, digits, signed)
    if column.kind == "share" and isfinite(cell):
        return f"{cell:.0%}"
    if column.kind == "count" or (isinstance(cell, int) and not signed):
        return str(cell)
    return _number(cell, digits, signed)


def p_value_text(p: float, digits: int = P_VALUE_WIDTH) -> str:
    """Return a p-value as text; one that would look like 0 is below the last digit.

    Args:
        p: the p-value.
        digits: digits after the decimal point, at least `P_VALUE_WIDTH`.

    >>> p_value_text(0.25), p_value_text(0.00001), p_value_text(AtMost(0.001))
    ('0.2500', '< 0.0001', '≤ 0.0010')
    """
    digits = max(digits, P_VALUE_WIDTH)
    text = _number(p, digits, signed=False)
    if text == EMPTY:
        return text
    if not float(text):
        return f"< {10**-digits:.{digits}f}"
    return f"≤ {text}" if isinstance(p, AtMost) else text


def p_value_clause(p: float) -> str:
    """Return a p-value as part of a sentence.

    >>> p_value_clause(0.25), p_value_clause(0.00001)
    ('p = 0.2500', 'p < 0.0001')
    """
    text = p_value_text(p)
    return f"p = {text}" if text[0].isdecimal() else f"p {text}"


def cell_writer(
    columns: Iterable[Column], width: int | None, write: Callable[[Cell, Column, int | None], str]
) -> Callable[[Sequence[Cell]], list[str]]:
    """Return a function from a row to its cells in some format.

    Plain scores and counts are written here, because a table may have millions of them.

    Args:
        columns: the columns.
        width: digits after the decimal point of a score in percent; default 2.
        write: returns any other cell in the format.

    >>> from bleuet.output.document import Column
    >>> cell_writer([Column("n", kind="count"), Column("x", kind="score")], 1, text_of)([3, 2.25])
    ['3', '2.2']
    """
    digits = DEFAULT_WIDTH if width is None else width
    plan: list[tuple[Column, type | None, str]] = []
    for column in columns:
        if column.kind == "score":
            plan.append((column, float, f"%.{digits + column.extra_digits}f"))
        else:
            plan.append((column, int if column.kind == "count" else None, "%d"))

    def cells(row: Sequence[Cell]) -> list[str]:
        return [
            # Adding 0 makes 0 of -0, which would be written with its sign.
            form % (cell + 0)  # type: ignore[operator]
            if type(cell) is plain and 0 <= cell < inf  # type: ignore[operator]
            else write(cell, column, width)
            for cell, (column, plain, form) in zip(row, plan, strict=True)
        ]

    return cells


def rows_of_texts(
    table: DocumentTable,
    width: int | None,
    write: Callable[[Cell, Column, int | None], str],
    bold: Callable[[str], str],
) -> Iterator[list[str]]:
    """Yield the cells of each row in some format, the best scores in bold.

    Args:
        table: the table.
        width: digits after the decimal point of a score in percent; default 2.
        write: returns a cell in the format; it begins with the number.
        bold: returns a number in bold.
    """
    cells = cell_writer(table.columns, width, write)
    best = best_cells(table, width)
    for at, row in enumerate(table.rows):
        texts = cells(row)
        for place, column in enumerate(table.columns if best else ()):
            if (at, place) in best:
                number = write(number_of(row[place]), column, width)
                texts[place] = bold(number) + texts[place][len(number) :]
        yield texts


def number_of(cell: Cell) -> float | None:
    """Return a cell's number, None for NaN, infinity and anything but a number."""
    value = cell.value if isinstance(cell, Estimate) else cell
    return value if isinstance(value, int | float) and isfinite(value) else None


def best_cells(table: DocumentTable, width: int | None) -> set[tuple[int, int]]:
    """Return where the best numbers of the columns of scores are, if several rows are ranked.

    Numbers that look equal with so many digits share the first place.

    Args:
        table: the table.
        width: digits after the decimal point of a score in percent; default 2.

    Returns:
        The place of the row and of the column of each best number.

    >>> from bleuet.output.document import Column, DocumentTable
    >>> columns = [Column("x", kind="score"), Column("y", kind="score", lower_is_better=True)]
    >>> table = DocumentTable("t", "", columns, [[1.0, 1.0], [1.001, 2.0]], rank_best=True)
    >>> sorted(best_cells(table, 2)), sorted(best_cells(table, 3))
    ([(0, 0), (0, 1), (1, 0)], [(0, 1), (1, 0)])
    """
    if not table.rank_best or table.streamed or len(rows := list(table.rows)) < 2:
        return set()
    best = set()
    for place, column in enumerate(table.columns):
        found = {at: number_of(row[place]) for at, row in enumerate(rows)}
        numbers = {at: number for at, number in found.items() if number is not None}
        if column.kind == "score" and numbers:
            select = min if column.lower_is_better else max
            first = text_of(select(numbers.values()), column, width)
            best |= {
                (at, place)
                for at, number in numbers.items()
                if text_of(number, column, width) == first
            }
    return best


def marks_of(cell: Cell) -> str:
    """Return the marks of an estimate, "" for any other cell."""
    return cell.marks if isinstance(cell, Estimate) else ""


def _number(value: float, digits: int, signed: bool) -> str:
    if not isfinite(value):
        return EMPTY
    text = f"{value:.{digits}f}"
    if not float(text):
        # Zero has no sign, even if a negative number was rounded to it.
        return text.removeprefix("-")
    return f"+{text}" if signed and value > 0 else text


def _estimate(cell: Estimate, digits: int, signed: bool) -> str:
    value = _number(cell.value, digits, signed)
    if cell.low is None or cell.high is None or cell.half_width is None:
        return value
    if cell.asymmetric:
        low, high = (_number(end, digits, signed) for end in (cell.low, cell.high))
        return f"{value} [{low}, {high}]"
    return f"{value} ± {_number(cell.half_width, digits, signed=False)}"


# --- Columns of equal width -----------------------------------------------------------------------


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    East Asian wide characters take two, combining ones none.

    >>> cell_width("abc"), cell_width("\u4e2d\u6587"), cell_width("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0
        if category(mark) in ("Mn", "Me", "Cf")
        else 2
        if east_asian_width(mark) in ("W", "F")
        else 1
        for mark in text
    )


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return a text with spaces up to a width in columns of a terminal.

    Args:
        text: the text.
        width: the columns it shall take; a longer text stays as it is.
        right: put the spaces before the text.

    >>> padded("\u4e2d", 3) + "|" + padded("1", 3, right=True)
    '\u4e2d |  1'
    """
    spaces = " " * (width - cell_width(text))
    return spaces + text if right else text + spaces


def body_texts(table: DocumentTable, width: int | None) -> list[list[str]]:
    """Return all rows as texts whose numbers end in one line although marks of any length follow.

    Args:
        table: the table.
        width: digits after the decimal point of a score in percent; default 2.
    """
    rows = list(table.rows)
    marked = [max((len(marks_of(row[at])) for row in rows), default=0) for at in _places(table)]
    return [
        [
            text_of(cell, column, width) + (f" {marks_of(cell).ljust(most)}" if most else "")
            for cell, column, most in zip(row, table.columns, marked, strict=True)
        ]
        for row in rows
    ]


def headings(table: DocumentTable) -> list[str]:
    """Return the headings of a table's columns, each on one line."""
    return [printable(column.title) for column in table.columns]


def text_columns(table: DocumentTable) -> list[int]:
    """Return the places of the columns that hold words instead of numbers."""
    return [at for at in _places(table) if not KINDS[table.columns[at].kind]]


def _places(table: DocumentTable) -> range:
    return range(len(table.columns))
