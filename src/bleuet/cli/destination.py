"""Output that could not be written is refused before the work, not after it."""

from __future__ import annotations

import os
import sys

from bleuet.errors import InputError, OptionError
from bleuet.output.destination import STDOUT, Destination, is_special

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["STDOUT", "Destination", "check_destination"]


def check_destination(path: str | None, inputs: Sequence[str], option: str = "-o") -> None:
    """Refuse an output that could not be written, before hours of scoring rather than after.

    Args:
        path: a name that was given; None and "-" stand for standard output.
        inputs: the files that are read, none of which may be overwritten.
        option: what it was given with, for the error.

    Raises:
        OptionError: there is no name, or it is one of the inputs.
        InputError: a folder stands in the way, is missing or may not be written.
    """
    if path is None or path == STDOUT:
        if sys.stdout is None:
            raise InputError("standard output is closed: open it, or name a file with -o")
        return
    if not path:
        raise OptionError(
            f"{option} names no file; expected one: is a variable of the shell empty?"
        )
    if os.path.isdir(path):
        raise InputError(f"{path} is a folder; expected a file to write: name one inside it")
    if is_special(path):
        return
    if any(_same_file(path, other) for other in inputs):
        raise OptionError(
            f"{option} {path} would overwrite a file that is read: choose another name"
        )
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise InputError(
            f"{path} cannot be written, for there is no folder {folder}: make it first"
        )
    if not os.access(folder, os.W_OK):
        raise InputError(
            f"{path} cannot be written, for the folder {folder} may not be: choose another"
        )


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False
