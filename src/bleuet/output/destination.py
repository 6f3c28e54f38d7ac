"""Where output goes: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os
import sys

from bleuet.errors import InputError, OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import IO, Any, NoReturn

    from bleuet.output.descriptor import Descriptor

STDOUT = "-"
CLOSED = "standard output is closed: open it, or name a file with -o"
_ANY_MAY_WRITE = 0o222
_ADDRESS = "://"
# Files and folders that are being written. A program that ends early removes them.
unfinished: set[str] = set()


class ReaderLeftError(BrokenPipeError):
    """The reader of standard output has closed it, as `head` does once it has its lines."""


class StandardOutput:
    """A context in which standard output is written, and nothing else.

    Only here is an error of the system one of standard output, and not of a file, which has a
    name, of a network or of another process.

    Raises:
        ReaderLeftError: its reader has left.
        InputError: it cannot be written.
    """

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if not isinstance(problem, OSError) or problem.filename is not None:
            return
        if isinstance(problem, ReaderLeftError):
            return
        forget_standard_output()
        if isinstance(problem, BrokenPipeError):
            raise ReaderLeftError from problem
        raise InputError(_about_standard_output(problem)) from problem


def _about_standard_output(error: OSError) -> str:
    from errno import EBADF

    if error.errno == EBADF:
        return CLOSED
    reason = error.strerror or error
    return f"standard output cannot be written ({reason}): make room, or use -o FILE"


class Destination:
    """The file to write to, as a context manager.

    A regular file is written under a temporary name beside it and renamed at the end, so that an
    error or Ctrl-C leaves the file as it was. A device, a pipe or a path such as /dev/stdout is
    written in place. Text is UTF-8 everywhere, except on a terminal that shows another encoding.

    Args:
        path: a file, or None or "-" for standard output.
        binary: write bytes instead of text.
        append: write at the end of the file; an error leaves the file as it was.
    """

    # Whether this process is bleuet's own, so that its signals may be handled.
    is_program = False

    def __init__(self, path: str | None, *, binary: bool = False, append: bool = False) -> None:
        self._path = STDOUT if path is None else path
        self._append = append
        self._size: int | None = None
        self._target = self._unfinished = ""
        self._binary = binary
        self._out: IO[Any]

    def __enter__(self) -> IO[Any]:
        if self._path == STDOUT:
            return sys.stdout.buffer if self._binary else _standard_output()
        check_path(self._path)
        try:
            self._out = self._open()
        except BaseException as error:
            self._discard()
            if isinstance(error, OSError):
                self._fail(error)
            raise
        return self._out

    def _open(self) -> IO[Any]:
        from io import BufferedWriter, TextIOWrapper

        out = BufferedWriter(self._open_descriptor())
        return out if self._binary else TextIOWrapper(out, encoding="utf-8", newline="")

    def _open_descriptor(self) -> Descriptor:
        from bleuet.output.descriptor import Descriptor, descriptor_of, is_special

        number = descriptor_of(self._path)
        if number is not None:
            return Descriptor(os.dup(number), "w")
        if is_special(self._path):
            return Descriptor(self._path, "a")
        # A link stays a link: its target is replaced.
        self._target = os.path.realpath(self._path)
        if not os.path.exists(self._target):
            return self._open_unfinished(None)
        found = os.stat(self._target)
        if self._append:
            self._size = found.st_size
            return Descriptor(self._target, "a")
        return self._open_unfinished(found.st_mode & 0o7777)

    def _open_unfinished(self, mode: int | None) -> Descriptor:
        """Open the temporary file.

        Args:
            mode: the permissions of the file that it replaces, None if there is none.
        """
        from bleuet.output.descriptor import Descriptor

        if self.is_program:
            clean_up_on_signals()
        folder, name = os.path.split(self._target)
        # A name has at most 255 bytes, and numbers of processes repeat, most of all in containers.
        unique = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._unfinished = os.path.join(folder, f".{name[:50]}.{unique}.unfinished")
        unfinished.add(self._unfinished)
        if mode is None:
            return Descriptor(self._unfinished, "x")
        out = Descriptor(self._unfinished, "x", opener=_open_private)
        os.chmod(self._unfinished, mode)
        return out

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if self._path == STDOUT:
            StandardOutput().__exit__(kind, problem, trace)
            return
        try:
            if problem is not None:
                drop(self._out)
            self._out.close()
            if problem is None:
                self._finish()
        except OSError as error:
            problem = problem or error
        finally:
            self._discard()
        if isinstance(problem, OSError):
            self._fail(problem)

    def _finish(self) -> None:
        self._size = None
        if self._unfinished:
            os.replace(self._unfinished, self._target)

    def _discard(self) -> None:
        """Remove what was written, unless it is complete."""
        if self._size is not None:
            os.truncate(self._target, self._size)
        if self._unfinished:
            remove(self._unfinished)

    def _fail(self, error: OSError) -> NoReturn:
        raise _cannot_be_written(self._path, error) from error


def _standard_output() -> IO[str]:
    out = sys.stdout
    encoding = (getattr(out, "encoding", None) or "").lower().replace("-", "").replace("_", "")
    if encoding not in ("", "utf8") and not out.isatty():
        out.reconfigure(encoding="utf-8", errors="strict", newline="")  # type: ignore[union-attr]
    return out


def drop(stream: IO[Any]) -> None:
    """Close what a stream writes to, so that what it still holds is never written."""
    raw = getattr(getattr(stream, "buffer", stream), "raw", None)
    if raw is not None:
        raw.close()


def _open_private(path: str, flags: int) -> int:
    """Open a file that only its owner can read, until it gets the permissions of another."""
    return os.open(path, flags, 0o600)


def _cannot_be_written(path: str, error: Exception) -> InputError:
    from errno import EDQUOT, EFBIG, ENOSPC

    is_full = getattr(error, "errno", None) in (ENOSPC, EDQUOT, EFBIG)
    advice = "make room, or choose another place" if is_full else "choose another place"
    reason = getattr(error, "strerror", None) or error
    return InputError(f"{path} cannot be written ({reason}): {advice}")


# --- Before hours of work -------------------------------------------------------------------------


def check_destination(path: str | None, inputs: Sequence[str], option: str = "-o") -> None:
    """Reject an output that cannot be written before hours of work rather than after them.

    Args:
        path: the name of the output; None and "-" stand for standard output.
        inputs: the files that are read; the output may overwrite none of them.
        option: the option that names it, for the error.

    Raises:
        OptionError: the name is empty or that of an input.
        InputError: the path cannot be written, or standard output is closed.
    """
    if path is None or path == STDOUT:
        _check_standard_output()
        return
    from bleuet.output.descriptor import STANDARD_INPUT, is_same_file, is_special

    if not path:
        raise OptionError(f"{option} got an empty file name: is a shell variable empty?")
    check_path(path)
    if is_special(path):
        return
    if is_same_file(path, STANDARD_INPUT) or any(is_same_file(path, one) for one in inputs):
        raise OptionError(
            f"{option} {path} would overwrite a file that is read: choose another name"
        )


def _check_standard_output() -> None:
    if sys.stdout is None:
        raise InputError(CLOSED)
    try:
        number = sys.stdout.fileno()
    except OSError:  # a file in memory
        return
    # Of a descriptor that cannot be written this is an error already.
    with StandardOutput():
        os.write(number, b"")


def check_path(path: str) -> None:
    """Raise where a file could not be written.

    Raises:
        InputError: the path is an address, a folder, a write-protected file or a loop of links, or
            its folder is missing or write-protected.
    """
    from bleuet.output.descriptor import descriptor_of, is_special

    check_local(path)
    try:
        if descriptor_of(path) is not None:
            return
        status = _status(path)
        folder = os.path.dirname(os.path.realpath(path))
    except (OSError, ValueError) as error:
        raise _cannot_be_written(path, error) from error
    if os.path.isdir(path):
        raise InputError(f"{path} is a folder; expected a file to write: name one inside it")
    # Root may write to every file, but a file that is protected must not be lost.
    if status and not (status.st_mode & _ANY_MAY_WRITE and os.access(path, os.W_OK)):
        raise InputError(
            f"{path} is write-protected: allow writing with chmod u+w, or choose another name"
        )
    if is_special(path):
        return
    if not os.path.isdir(folder):
        raise InputError(
            f"{path} cannot be written because there is no folder {folder}: create it first"
        )
    if not os.access(folder, os.W_OK):
        raise InputError(
            f"{path} cannot be written because the folder {folder} is write-protected: choose "
            "another"
        )


def check_local(path: str) -> None:
    """Reject an address such as s3://bucket/scores.csv, which would be a folder of this computer.

    Raises:
        InputError: the path is an address.
    """
    if _ADDRESS in os.fspath(path):
        raise InputError(
            f"{path} is an address, and bleuet writes it only on this computer so far: name a path "
            "here, and copy what is written"
        )


def _status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def target_of(path: str | None) -> str | int:
    """Return what a path names: standard output ("-"), another descriptor, or a file.

    >>> target_of(None), target_of("/dev/stdout"), target_of("/dev/fd/7"), target_of("/no/file")
    ('-', '-', 7, '/no/file')
    """
    if path is None or path == STDOUT:
        return STDOUT
    from bleuet.output.descriptor import STANDARD_OUTPUT, descriptor_of

    number = descriptor_of(path)
    if number is None:
        return os.path.realpath(path)
    return STDOUT if number == STANDARD_OUTPUT else number


# --- The process of a command ---------------------------------------------------------------------


def own_process(main: Callable[[], int]) -> int:
    """Run a program so that none of its output is lost without an error.

    Only a program may do this: the standard streams and signals belong to it, not to a library.

    Args:
        main: the program, which returns its exit code.
    """
    Destination.is_program = True
    if _may_lose_output():
        from bleuet.output.descriptor import complete_streams

        complete_streams()
    try:
        return main()
    finally:
        remove_unfinished()
        _forget_unwritten_messages()


def _may_lose_output() -> bool:
    """Whether a standard stream is closed, or standard output has no buffer or does not wait.

    Without a buffer, Python's text layer ignores that only a part was written.
    """
    stdout = sys.stdout
    if stdout is None or sys.stderr is None or not hasattr(stdout.buffer, "raw"):
        return True
    return not os.get_blocking(stdout.fileno())


def _forget_unwritten_messages() -> None:
    """Keep Python from failing because messages cannot be written, which is no failure."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except OSError:
        sys.stderr = None


def flush_standard_output() -> None:
    """Write all that standard output holds.

    Raises:
        ReaderLeftError: its reader has left.
        InputError: it cannot be written.
    """
    if sys.stdout is None:
        return
    with StandardOutput():
        sys.stdout.flush()
        try:
            number = sys.stdout.fileno()
        except OSError:  # a file in memory
            return
        # Network file systems report some errors only when a descriptor is closed.
        os.close(os.dup(number))


def forget_standard_output() -> None:
    """Continue without standard output: its reader has left, as `head` does, or its disk is full.

    Python would try to write the rest at exit, and print an error.
    """
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if raw is not None and not raw.closefd:
        drop(sys.stdout)
    sys.stdout = None


def remove_unfinished() -> None:
    """Remove the files and folders that are not finished."""
    for path in list(unfinished):
        remove(path)


def remove(path: str) -> None:
    """Remove a file, or a folder with all that is in it, if it is there."""
    if os.path.isdir(path) and not os.path.islink(path):
        from shutil import rmtree

        rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)
    unfinished.discard(path)


def clean_up_on_signals() -> None:
    """Remove what is unfinished where a signal ends this process, as Ctrl-C does.

    A signal that this process ignores, as after `nohup`, stays ignored.
    """
    # The module `signal` takes as long to import as the scoring of 1000 lines.
    import _signal as signal  # type: ignore[import-not-found]

    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _clean_up)


def _clean_up(number: int, frame: object) -> None:
    import _signal as signal

    remove_unfinished()
    # The signal itself ends this process, so that its parent sees why it ended.
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
