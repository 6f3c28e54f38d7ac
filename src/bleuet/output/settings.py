"""How a document is written: the settings that every format shares."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.frozen import Frozen
from bleuet.messages import shown

# Digits after the decimal point of a score in percent, where readers set no other number.
DEFAULT_WIDTH = 2
# More digits than a float has, and more spaces than a line needs.
MOST_DIGITS, MOST_SPACES = 17, 100


class Settings(Frozen):
    """How a document is written.

    Args:
        width: digits after the decimal point of scores. Default: 2 for readers, and every number
            in full in CSV, JSON and JSON Lines.
        short: signatures have short keys; in CSV, JSON and JSON Lines they are always long.
        indent: spaces at each level of JSON; None puts all on one line.
    """

    __slots__ = ("indent", "short", "width")
    _fields = ("width", "short", "indent")
    width: int | None
    short: bool
    indent: int | None

    def __init__(
        self, width: int | None = None, *, short: bool = False, indent: int | None = 1
    ) -> None:
        _check("width", width, MOST_DIGITS)
        _check("indent", indent, MOST_SPACES)
        if short is not True and short is not False:
            raise OptionError(f"must be True or False, not {shown(short)}", option="short")
        self._set(width=width, short=short, indent=indent)


def _check(name: str, number: object, most: int) -> None:
    if number is not None and not (type(number) is int and 0 <= number <= most):
        raise OptionError(
            f"must be a whole number from 0 to {most}, or None, not {shown(number)}", option=name
        )
