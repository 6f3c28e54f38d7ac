"""What commands that do not yet answer with documents need to know of their output."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from bleuet.cli.given import Given

DEFAULT_WIDTH = 2


def width_of(given: Given) -> int:
    """Return the digits after the decimal point."""
    return DEFAULT_WIDTH if given.width is None else int(given.width)


def can_hold_all_of_unicode(out: IO[str]) -> bool:
    """Return whether an output is UTF-8, so that JSON needs no escapes."""
    return (getattr(out, "encoding", None) or "").lower().replace("-", "") == "utf8"
