"""Where output goes: standard output, or a file that appears only when it is whole."""

from __future__ import annotations

import os
import sys

from understudy.errors import InputError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, NoReturn

STDOUT = "-"


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
    if _is_special(path):
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


def _is_special(path: str) -> bool:
    """Whether it is a device or a pipe, which is written to and must never be replaced."""
    return os.path.exists(path) and not os.path.isfile(path)


class Destination:
    """The file to write to, as a context manager.

    A regular file is written beside its name and moved there at the end, so that an error or
    Ctrl-C leaves what was there before.

    Args:
        path: a file, or None or "-" for standard output.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path or STDOUT
        self._unfinished = ""
        self._out: IO[str]

    def __enter__(self) -> IO[str]:
        if self._path == STDOUT:
            return sys.stdout
        try:
            self._out = self._open()
        except (OSError, ValueError) as error:
            self._refuse(error)
        return self._out

    def _open(self) -> IO[str]:
        if _is_special(self._path):
            return open(self._path, "w", encoding="utf-8", newline="")
        # A link stays a link: what it leads to is replaced.
        self._path = os.path.realpath(self._path)
        folder, name = os.path.split(self._path)
        self._unfinished = os.path.join(folder, f".{name[:100]}.{os.getpid()}.unfinished")
        return open(self._unfinished, "x", encoding="utf-8", newline="")

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if self._path == STDOUT:
            return
        try:
            self._out.close()
            if problem is None and self._unfinished:
                self._finish()
        except OSError as error:
            problem = problem or error
        if problem is not None:
            self._discard()
        if isinstance(problem, OSError):
            self._refuse(problem)

    def _finish(self) -> None:
        if os.path.exists(self._path):
            os.chmod(self._unfinished, os.stat(self._path).st_mode & 0o7777)
        os.replace(self._unfinished, self._path)

    def _discard(self) -> None:
        if self._unfinished and os.path.exists(self._unfinished):
            os.unlink(self._unfinished)

    def _refuse(self, error: Exception) -> NoReturn:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{self._path} cannot be written ({reason}): make room, or choose another place"
        ) from error
