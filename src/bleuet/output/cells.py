"""Cells as text: each kind of column knows its digits."""

from __future__ import annotations

from bleuet.output.document import Estimate
from bleuet.output.escaping import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.output.document import Cell, Column

DEFAULT_WIDTH = 2
# With two digits a p-value of chance and one of certainty could look alike.
P_VALUE_WIDTH = 4
# What stands where there is no number, as in an empty bucket.
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
    """
    if cell is None:
        return EMPTY
    if isinstance(cell, str):
        return printable(cell)
    digits = (DEFAULT_WIDTH if width is None else width) + column.extra_digits
    if column.kind == "p-value":
        digits = max(digits, P_VALUE_WIDTH)
    if isinstance(cell, tuple):
        return " to ".join(f"{end:+.{digits}f}" for end in cell)
    if isinstance(cell, Estimate):
        return _estimate(cell, digits)
    if column.kind == "share":
        return f"{cell:.0%}"
    if column.kind == "count" or isinstance(cell, int):
        return str(cell)
    return f"{cell:+.{digits}f}" if column.kind == "difference" else f"{cell:.{digits}f}"


def marks_of(cell: Cell) -> str:
    """Return the marks of an estimate, "" for any other cell."""
    return cell.marks if isinstance(cell, Estimate) else ""


def _estimate(cell: Estimate, digits: int) -> str:
    value = f"{cell.value:.{digits}f}"
    if cell.low is None or cell.high is None:
        return value
    if cell.asymmetric:
        return f"{value} [{cell.low:.{digits}f}, {cell.high:.{digits}f}]"
    return f"{value} ± {cell.half_width:.{digits}f}"
