"""How a document is written: the settings that every format shares."""

from __future__ import annotations

from bleuet.frozen import Frozen


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
        self._set(width=width, short=short, indent=indent)
