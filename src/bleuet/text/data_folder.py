"""The user's folder for data that bleuet does not contain and a command stores."""

from __future__ import annotations

import os
import sys


def data_folder() -> str:
    """Return the folder, which need not exist.

    It is `bleuet` in `$XDG_DATA_HOME`, or where that is not set, in the folder that the system has
    for data: `~/.local/share`, on macOS `~/Library/Application Support`, on Windows
    `%LOCALAPPDATA%`.
    """
    home = os.environ.get("XDG_DATA_HOME", "")
    # As its specification says, a path that is not absolute is ignored.
    if not os.path.isabs(home):
        home = os.path.expanduser(_system_folder())
    return os.path.join(home, "bleuet")


def stored_folder(name: str) -> str | None:
    """Return the folder that a command has stored in the data folder, if it has.

    Args:
        name: the name of the folder.
    """
    folder = os.path.join(data_folder(), name)
    return folder if os.path.isdir(folder) else None


def _system_folder() -> str:
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    if sys.platform == "darwin":
        return "~/Library/Application Support"
    return "~/.local/share"
