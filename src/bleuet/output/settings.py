"""How a document is written: the settings that every format shares."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.frozen import Value
from bleuet.messages import shown

# More digits than a float has, and more spaces than a line needs.
MOST_DIGITS, MOST_SPACES = 17, 100


class Settings(Value):
    """How a document is written.

    Args:
        width: digits after the decimal point of scores. Default: 2 for readers, and every number
            in full in CSV, JSON and JSON Lines.
        short: signatures have short keys; in CSV, JSON and JSON Lines they are always long.
        indent: spaces at each level of JSON; None puts all on one line.
    """

    width: int | None = None
    short: bool = False
    indent: int | None = 1

    def _complete(self) -> None:
        _check("width", self.width, MOST_DIGITS)
        _check("indent", self.indent, MOST_SPACES)
        if self.short is not True and self.short is not False:
            raise OptionError(f"must be True or False, not {shown(self.short)}", option="short")


def _check(name: str, number: object, most: int) -> None:
    if number is not None and not (type(number) is int and 0 <= number <= most):
        raise OptionError(
            f"must be a whole number from 0 to {most}, or None, not {shown(number)}", option=name
        )
