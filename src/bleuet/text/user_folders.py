"""The user's folders: for data that a command stores, and for what can be made again."""

from __future__ import annotations

import os
import sys


def data_folder() -> str:
    """Return the folder, which need not exist.

    It is `bleuet` in `$XDG_DATA_HOME`, or where that is not set, in the folder that the system has
    for data: `~/.local/share`, on macOS `~/Library/Application Support`, on Windows
    `%LOCALAPPDATA%`.
    """
    return _own_folder("XDG_DATA_HOME", "~/.local/share", "~/Library/Application Support")


def cache_folder() -> str:
    """Return the folder for what can be made again, which need not exist.

    It is `bleuet` in `$XDG_CACHE_HOME`, or where that is not set, in `~/.cache`, on macOS
    `~/Library/Caches`, on Windows `%LOCALAPPDATA%`.
    """
    return _own_folder("XDG_CACHE_HOME", "~/.cache", "~/Library/Caches")


def stored_folder(name: str) -> str | None:
    """Return the folder that a command has stored in the data folder, if it has.

    Args:
        name: the name of the folder.
    """
    folder = os.path.join(data_folder(), name)
    return folder if os.path.isdir(folder) else None


def _own_folder(variable: str, usual: str, on_macos: str) -> str:
    home = os.environ.get(variable, "")
    # As its specification says, a path that is not absolute is ignored.
    if not os.path.isabs(home):
        systems = {
            "win32": os.environ.get("LOCALAPPDATA") or "~/AppData/Local",
            "darwin": on_macos,
        }
        home = os.path.expanduser(systems.get(sys.platform, usual))
    return os.path.join(home, "bleuet")
