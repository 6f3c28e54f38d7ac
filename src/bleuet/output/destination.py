"""Where output goes: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os
import sys

from bleuet.errors import InputError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Any, NoReturn

STDOUT = "-"


def is_special(path: str) -> bool:
    """Return whether a path is a device or a pipe, which is written to and never replaced.

    >>> is_special("/dev/null"), is_special("no-such-file")
    (True, False)
    """
    return os.path.exists(path) and not os.path.isfile(path)


class Destination:
    """The file to write to, as a context manager.

    A regular file is written under a temporary name beside it and renamed at the end, so that an
    error or Ctrl-C leaves the file as it was.

    Args:
        path: a file, or None or "-" for standard output.
        binary: write bytes instead of text.
    """

    def __init__(self, path: str | None, *, binary: bool = False) -> None:
        self._path = path or STDOUT
        self._unfinished = ""
        self._settings = {} if binary else {"encoding": "utf-8", "newline": ""}
        self._kind = "b" if binary else ""
        self._out: IO[Any]

    def __enter__(self) -> IO[Any]:
        if self._path == STDOUT:
            return sys.stdout.buffer if self._kind else sys.stdout
        try:
            self._out = self._open()
        except (OSError, ValueError) as error:
            self._fail(error)
        return self._out

    def _open(self) -> IO[Any]:
        if is_special(self._path):
            return self._open_as(self._path, "w")
        # A link stays a link: its target is replaced.
        self._path = os.path.realpath(self._path)
        folder, name = os.path.split(self._path)
        self._unfinished = os.path.join(folder, f".{name[:100]}.{os.getpid()}.unfinished")
        return self._open_as(self._unfinished, "x")

    def _open_as(self, path: str, mode: str) -> IO[Any]:
        return open(path, mode + self._kind, **self._settings)  # type: ignore[call-overload, no-any-return]

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
            self._fail(problem)

    def _finish(self) -> None:
        if os.path.exists(self._path):
            os.chmod(self._unfinished, os.stat(self._path).st_mode & 0o7777)
        os.replace(self._unfinished, self._path)

    def _discard(self) -> None:
        if self._unfinished and os.path.exists(self._unfinished):
            os.unlink(self._unfinished)

    def _fail(self, error: Exception) -> NoReturn:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{self._path} cannot be written ({reason}): make room, or choose another place"
        ) from error


def check_destination(path: str | None, inputs: Sequence[str], option: str = "-o") -> None:
    """Reject an output that cannot be written before hours of work rather than after them.

    Args:
        path: the name of the output; None and "-" stand for standard output.
        inputs: the files that are read, none of which may be overwritten.
        option: the option that names it, for the error.

    Raises:
        OptionError: the name is empty or that of an input.
        InputError: the path is a folder, or its folder is missing or write-protected.
    """
    if path is None or path == STDOUT:
        if sys.stdout is None:
            raise InputError("standard output is closed: open it, or name a file with -o")
        return
    if not path:
        raise OptionError(f"{option} got an empty file name: is a shell variable empty?")
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
            f"{path} cannot be written because there is no folder {folder}: create it first"
        )
    if not os.access(folder, os.W_OK):
        raise InputError(
            f"{path} cannot be written because the folder {folder} is write-protected: choose "
            "another"
        )


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False
