"""The label of a run: the commit that continuous integration checked out, or that of the folder.

The folder `.git` is only read: no program is started, so that a foreign repository cannot run one.
"""

from __future__ import annotations

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# GitHub Actions and GitLab.
VARIABLES = ("GITHUB_SHA", "CI_COMMIT_SHA")
# So many digits of a commit are shown.
SHORT = 7
_COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_LONGEST = 4096


def commit(environment: Mapping[str, str], folder: str) -> str:
    """Return the commit of a run, "" if it is unknown.

    Args:
        environment: the environment variables.
        folder: the working folder.

    >>> commit({"GITHUB_SHA": "5" * 40}, "/") == "5" * 40
    True
    """
    found = [environment.get(name, "") for name in VARIABLES]
    known = (value for value in found if _COMMIT.fullmatch(value))
    return next(known, "") or _head(_git_folder(folder))


def short_label(label: str) -> str:
    """Return a label as readers see it: of a commit the first digits.

    >>> short_label("0123456789" * 4), short_label("release 2")
    ('0123456', 'release 2')
    """
    return label[:SHORT] if _COMMIT.fullmatch(label) else label


def _git_folder(folder: str) -> str:
    """Return the folder `.git` of a folder or of one above it, "" if there is none."""
    folder = os.path.realpath(folder)
    while True:
        found = os.path.join(folder, ".git")
        if os.path.isdir(found):
            return found
        # That of a worktree or a submodule is a file with the name of the folder.
        key, _, name = _text(found).partition(": ")
        if key == "gitdir" and name:
            return os.path.join(folder, name)
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above


def _head(git: str) -> str:
    """Return the commit of the branch that is checked out, "" if it is unknown."""
    head = _text(os.path.join(git, "HEAD")) if git else ""
    key, _, name = head.partition(": ")
    if key != "ref":
        return head if _COMMIT.fullmatch(head) else ""
    parts = name.split("/")
    if parts[0] != "refs" or ".." in parts:
        return ""
    common = os.path.join(git, _text(os.path.join(git, "commondir")))
    for place in (git, common):
        found = _text(os.path.join(place, *parts))
        if _COMMIT.fullmatch(found):
            return found
    return _packed(os.path.join(common, "packed-refs"), name)


def _packed(path: str, name: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                found, _, own = line.rstrip("\n").partition(" ")
                if own == name and _COMMIT.fullmatch(found):
                    return found
    except (OSError, ValueError):
        pass
    return ""


def _text(path: str) -> str:
    """Return the text of a small file, "" if there is none."""
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(_LONGEST).strip()
    except (OSError, ValueError):
        return ""
