"""A folder that appears only when it is complete."""

from __future__ import annotations

import os

from bleuet.errors import InputError
from bleuet.output.destination import (
    Destination,
    check_local,
    clean_up_on_signals,
    remove,
    unfinished,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class NewFolder:
    """A folder to write files into, as a context manager that returns its temporary path.

    It has a temporary name beside its place, and takes the place at the end. So an error or Ctrl-C
    leaves an older folder there as it was.

    Args:
        path: its place.
    """

    def __init__(self, path: str) -> None:
        check_local(path)
        self._path = os.path.abspath(path)

    def __enter__(self) -> str:
        self._unfinished = self._beside("unfinished")
        if Destination.is_program:
            clean_up_on_signals()
        unfinished.add(self._unfinished)
        try:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            os.mkdir(self._unfinished)
        except OSError as error:
            unfinished.discard(self._unfinished)
            self._fail(error)
        return self._unfinished

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        try:
            if problem is None:
                self._finish()
        except OSError as error:
            self._fail(error)
        finally:
            remove(self._unfinished)

    def _finish(self) -> None:
        """Put the folder in its place; where that fails, put the older one back."""
        old = self._beside("old")
        replaced = os.path.lexists(self._path)
        if replaced:
            os.rename(self._path, old)
        try:
            os.rename(self._unfinished, self._path)
        except OSError:
            if replaced:
                os.rename(old, self._path)
            raise
        if replaced:
            remove(old)

    def _beside(self, ending: str) -> str:
        folder, name = os.path.split(self._path)
        return os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(4).hex()}.{ending}")

    def _fail(self, error: OSError) -> NoReturn:
        raise InputError(
            f"the folder {self._path} cannot be written ({error.strerror or error}): make room, or "
            "allow writing there"
        ) from error
