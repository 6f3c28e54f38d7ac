"""Warnings of every command: one line on standard error, which --quiet hides."""

from __future__ import annotations

import sys
import warnings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def warn(message: str) -> None:
    """Print a warning on standard error."""
    if sys.stderr is not None:
        from bleuet.output.escaping import printable

        sys.stderr.write(f"bleuet: warning: {printable(message)} (--quiet hides this)\n")


def show_warnings(quiet: bool) -> None:
    """From here on print Python's warnings as `warn` does, or hide them all."""
    if quiet:
        warnings.simplefilter("ignore")
    else:
        warnings.showwarning = _show_warning


def _show_warning(message: Warning | str, *place: Any, **more: Any) -> None:
    warn(str(message))
