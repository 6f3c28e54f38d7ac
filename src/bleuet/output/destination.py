"""Where output goes: standard output, or a file that appears only when it is whole."""

from __future__ import annotations

import os
import sys

from bleuet.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, NoReturn

STDOUT = "-"


def is_special(path: str) -> bool:
    """Return whether it is a device or a pipe, which is written to and must never be replaced.

    >>> is_special("/dev/null"), is_special("no-such-file")
    (True, False)
    """
    return os.path.exists(path) and not os.path.isfile(path)


class Destination:
    """The file to write to, as a context manager.

    A regular file is written beside its name and moved there at the end, so that an error or
    Ctrl-C leaves what was there before.

    Args:
        path: a file, or None or "-" for standard output.
        binary: whether bytes are written, and not text.
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
            self._refuse(error)
        return self._out

    def _open(self) -> IO[Any]:
        if is_special(self._path):
            return self._open_as(self._path, "w")
        # A link stays a link: what it leads to is replaced.
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
