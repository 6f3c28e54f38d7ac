"""Open descriptors: which paths stand for one, and streams that write every byte to one."""

from __future__ import annotations

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TextIO

STANDARD_INPUT, STANDARD_OUTPUT, STANDARD_ERROR = 0, 1, 2
# As many as Linux follows.
_MOST_LINKS = 40


class Descriptor(FileIO):
    """A file without a buffer that writes every byte: after a part the rest, or it raises.

    Python's text layer over a plain `FileIO` ignores how much was written.
    """

    def write(self, data: Any, /) -> int:
        """Write all bytes, and wait where the descriptor is not ready.

        Args:
            data: the bytes.

        Raises:
            OSError: a byte cannot be written.
        """
        rest = memoryview(data).cast("B")
        size = len(rest)
        while rest:
            written = super().write(rest)
            if written is None:
                self._wait()
            else:
                rest = rest[written:]
        return size

    def _wait(self) -> None:
        from select import POLLOUT, poll

        ready = poll()
        ready.register(self, POLLOUT)
        ready.poll()


def complete_streams() -> None:
    """Replace the standard streams of this process that could lose output without an error.

    Standard output is replaced where it has no buffer (`python -u`) or does not wait (its reader
    may have set that). Where it is closed, writing to it is an error, and what is written to
    closed standard error is dropped. Files that are opened later never get their numbers, since
    libraries print there.
    """
    if sys.stdout is None:
        sys.stdout = _text(_in_place_of(STANDARD_OUTPUT, os.O_RDONLY))
    else:
        buffer = getattr(sys.stdout, "buffer", None)
        # A console of Windows and a file in memory are of other types.
        if type(getattr(buffer, "raw", buffer)) is FileIO:
            sys.stdout = _text(sys.stdout.fileno(), sys.stdout)
    if sys.stderr is None:
        sys.stderr = _text(_in_place_of(STANDARD_ERROR, os.O_WRONLY))


def _text(number: int, like: TextIO | None = None) -> TextIO:
    """Return a text stream to a descriptor, which stays open; with the settings of another."""
    raw = BufferedWriter(Descriptor(number, "w", closefd=False))
    if not isinstance(like, TextIOWrapper):
        return TextIOWrapper(raw, "utf-8", "backslashreplace")
    at_once = like.line_buffering or like.write_through
    return TextIOWrapper(raw, like.encoding, like.errors, line_buffering=at_once)


def _in_place_of(number: int, flags: int) -> int:
    """Return a descriptor of the null device, which gets the number of a closed one."""
    while True:
        # Each gets the lowest number that is free.
        found = os.open(os.devnull, flags)
        if found >= number:
            return found


def descriptor_of(path: str) -> int | None:
    """Return the descriptor that a path stands for, None for any other path.

    Such a path is /dev/stdout, a link to it, or the file that standard output or standard error
    goes to: to rename another file over that would lose what else is written there.

    >>> descriptor_of("/dev/fd/7"), descriptor_of("scores.txt")
    (7, None)
    """
    own = os.path.realpath("/dev/fd")
    for folder, name in _links(path):
        if folder == own and name.isdecimal():
            return int(name)
    if not os.path.isfile(path):
        return None
    streams = (STANDARD_OUTPUT, STANDARD_ERROR)
    return next((number for number in streams if is_same_file(path, number)), None)


def is_special(path: str) -> bool:
    """Return whether a path is a device, a pipe or a descriptor: written to, never replaced.

    >>> is_special("/dev/null"), is_special("/dev/stdout"), is_special("no-such-file")
    (True, True, False)
    """
    if os.path.exists(path) and not os.path.isfile(path):
        return True
    # /proc/1/fd/1 is the output of another process, even if that goes to a regular file.
    in_proc = any(folder.startswith("/proc/") for folder, _ in _links(path))
    return in_proc or descriptor_of(path) is not None


def _links(path: str) -> Iterator[tuple[str, str]]:
    """Yield the folder and name of a path, and then of each link on the way to the file."""
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        yield folder, name
        try:
            path = os.path.join(folder, os.readlink(path))
        except OSError:
            return


def is_same_file(one: str, other: str | int) -> bool:
    """Return whether a path and another path or descriptor are the same file.

    >>> is_same_file(".", os.getcwd()), is_same_file("no-such-file", ".")
    (True, False)
    """
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False
