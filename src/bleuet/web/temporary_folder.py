"""The server's folder of uploaded files, and the folders that servers before it have left."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from threading import Lock

try:
    import fcntl
except ImportError:  # Windows: what is left stays until the system removes it
    fcntl = None  # type: ignore[assignment]

PREFIX = "bleuet-serve-"
ATTEMPTS = 3


class TemporaryFolder:
    """A folder that only this user can read, which is locked as long as this process lives."""

    def __init__(self) -> None:
        self._removal = Lock()
        for _ in range(ATTEMPTS):
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._lock = _lock(self.path)
            if self._lock >= 0:
                return
            # A server that starts right now is removing it, or this file system has no locks.
            self.path.rmdir()
        self.path.mkdir(mode=0o700)

    def remove(self) -> None:
        """Remove all files; nothing is left to do where another thread did it."""
        shutil.rmtree(self.path, ignore_errors=True)
        with self._removal:
            if self._lock > 0:
                os.close(self._lock)
            self._lock = -1


def remove_abandoned() -> None:
    """Remove the folders that servers of this user left, which were killed."""
    if fcntl is None:
        return
    with os.scandir(tempfile.gettempdir()) as entries:
        found = [Path(one.path) for one in entries if one.name.startswith(PREFIX)]
    for path in found:
        held = _lock(path)
        if held >= 0:
            shutil.rmtree(path, ignore_errors=True)
            os.close(held)


def _lock(path: Path) -> int:
    """Open and lock the folder; return -1 if it is gone, in use, or another user's."""
    if fcntl is None:
        return 0
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return -1
    try:
        if os.fstat(folder).st_uid == os.getuid():
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(folder), os.lstat(path)):
                return folder
    except OSError:
        pass
    os.close(folder)
    return -1
