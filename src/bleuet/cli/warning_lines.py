"""Warnings of every command: one line on standard error, which --quiet hides."""

from __future__ import annotations

import warnings

from bleuet.errors import BleuetWarning, cut_message
from bleuet.output.rendering import FORMATS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bleuet.cli.options import Arguments


def warn(message: str) -> None:
    """Print a warning on standard error."""
    from bleuet.output.failure import print_line

    print_line(f"warning: {cut_message(message)} (--quiet hides this)")


def warn_of_left_out(args: Arguments, notes: Iterable[object]) -> None:
    """Print what was left out, where the format has no place for notes."""
    if not (FORMATS[args.format].notes or args.quiet):
        for note in notes:
            warn(str(note).rstrip("."))


def show_warnings(quiet: bool) -> None:
    """From here on print Python's warnings as `warn` does, or hide them all."""
    if quiet:
        warnings.simplefilter("ignore")
    else:
        # Whatever the environment does with those of Python.
        warnings.simplefilter("default", BleuetWarning)
        warnings.showwarning = _show_warning


def _show_warning(message: Warning | str, *place: Any, **more: Any) -> None:
    warn(str(message))
