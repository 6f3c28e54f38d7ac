"""The file of a history: JSON Lines, one line for each run of a gate."""

from __future__ import annotations

import os
from contextlib import contextmanager

from bleuet.errors import InputError
from bleuet.frozen import checked
from bleuet.gate.history import History
from bleuet.gate.runs import GateRun, parse_run
from bleuet.output.destination import Destination, check_path
from bleuet.text.files import MAX_SEGMENT_BYTES, compression_suffix, display_name
from bleuet.text.lines import read_lines

try:
    import fcntl
except ImportError:  # Windows: runs that end at the same moment may overwrite each other
    fcntl = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# The oldest runs are removed beyond these.
MOST_RUNS = 1000


@checked
def read_history(path: str, *, max_segment_bytes: int = MAX_SEGMENT_BYTES) -> History:
    """Return the history of a file that `append_run` wrote.

    Args:
        path: the file, or "-" for standard input.
        max_segment_bytes: the most bytes of a line.

    Raises:
        InputError: the file cannot be read, or a line is not a run; the message names the line.

    >>> read_history("/dev/null").runs
    ()
    """
    runs = []
    for number, line in enumerate(read_lines(path, max_segment_bytes, bom="strip"), 1):
        try:
            runs.append(parse_run(line))
        except InputError as error:
            raise InputError(f"{display_name(path)}:{number} {error}") from None
    return History(tuple(runs))


@checked
def append_run(path: str, run: GateRun) -> None:
    """Add a run to a file, which is made if it does not exist, and keep the newest runs.

    Processes that append at the same moment wait for each other. The file is replaced as a whole,
    so that a reader never sees a part of a line, and an error leaves the file as it was.

    Args:
        path: the file.
        run: the run.

    Raises:
        InputError: the file cannot be written.
    """
    check_history(path)
    with _locked(path):
        lines = _lines(path)
        lines.append(run.line().encode())
        with Destination(path, binary=True) as out:
            out.write(b"".join(line + b"\n" for line in lines[-MOST_RUNS:]))


@checked
def check_history(path: str) -> None:
    """Check that runs can be added to a file, before they are known.

    Args:
        path: the file, which need not exist.

    Raises:
        InputError: it cannot be written, is a device, or has the name of a compressed file.
    """
    check_path(path)
    if compression_suffix(path):
        raise InputError(
            f"{path} has the name of a compressed file; expected a plain one, such as history.jsonl"
        )
    if os.path.exists(path) and not os.path.isfile(path):
        raise InputError(f"{path} is not a regular file; expected a history, such as history.jsonl")


def _lines(path: str) -> list[bytes]:
    if not os.path.exists(path):
        return []
    with open(path, "rb") as file:
        return file.read().splitlines()


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Hold the lock of a file, which is made if it does not exist; an error removes it again."""
    if fcntl is None:
        yield
        return
    target = os.path.realpath(path)
    while True:
        is_new = not os.path.exists(target)
        try:
            descriptor = os.open(target, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise InputError(f"{path} cannot be opened ({error.strerror})") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            # While this process waited, another one may have replaced or removed the file.
            if not _is_open(target, descriptor):
                continue
            try:
                yield
            except BaseException:
                if is_new and _is_open(target, descriptor):
                    os.unlink(target)
                raise
            return
        finally:
            os.close(descriptor)


def _is_open(path: str, descriptor: int) -> bool:
    """Return whether a descriptor is that of the file with a name."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
