"""Warnings of every command: one line on standard error, which --quiet hides."""

from __future__ import annotations

import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def warn(message: str) -> None:
    """Print a warning on standard error."""
    from bleuet.output.failure import print_line

    print_line(f"warning: {message} (--quiet hides this)")


def show_warnings(quiet: bool) -> None:
    """From here on print Python's warnings as `warn` does, or hide them all."""
    if quiet:
        warnings.simplefilter("ignore")
    else:
        warnings.showwarning = _show_warning


def _show_warning(message: Warning | str, *place: Any, **more: Any) -> None:
    warn(str(message))
