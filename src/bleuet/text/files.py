"""Files: opening them, plain or compressed, and saying in one sentence why one cannot be read."""

from __future__ import annotations

import os
import sys

from bleuet.errors import InputError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO, NoReturn

STDIN = "-"
BLOCK_BYTES = 1 << 18

# suffix: (what the compression is called, how its files begin)
_COMPRESSIONS: dict[str, tuple[str, tuple[bytes, ...]]] = {
    ".gz": ("gzip", (b"\x1f\x8b",)),
    ".zst": ("Zstandard", (b"\x28\xb5\x2f\xfd", *(bytes([n]) + b"*M\x18" for n in range(80, 96)))),
    ".bz2": (
        "bzip2",
        tuple(b"BZh%d%b" % (n, end) for n in range(1, 10) for end in (b"1AY&SY", b"\x17rE8P\x90")),
    ),
    ".xz": ("xz", (b"\xfd7zXZ\x00",)),
}
_HEAD_BYTES = 10
# A hostile archive expands a thousandfold and more. Python's own decompressors stop where they
# are told; Zstandard's cannot, so it is fed in pieces of which none can become too large.
_PIECE_BYTES = 1 << 14
_ZSTD_PIECE_BYTES = 1 << 9
_NAMES_COMPARED = 2_000
# How alike, from 0 to 1, a file's name must be to a missing one's to be told.
_LIKENESS = 0.65


class ByteFile:
    """An opened file's bytes, decompressed as its suffix says, and how far the reading has come.

    Args:
        path: a file, or "-" for standard input.

    Raises:
        InputError: the file cannot be opened, or its content contradicts its suffix.
        MissingExtraError: it is a .zst file and the library for it is not installed.

    >>> with ByteFile("/dev/null") as file:
    ...     file.read_block()
    b''
    """

    __slots__ = (
        "_expand",
        "_file",
        "_head",
        "_is_stdin",
        "bytes_read",
        "bytes_total",
        "closed",
        "name",
    )

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = display_name(path)
        self.bytes_read = 0
        self.bytes_total: int | None = None
        self._expand: _Expander | None = None
        self.closed = False
        self._is_stdin = os.fspath(path) == STDIN
        self._file = _stdin() if self._is_stdin else _open(os.fspath(path))
        try:
            self._measure()
            suffix = compression_suffix(self.name)
            _check_content(self.name, suffix, self._peek())
            if suffix:
                self._expand = _Expander(suffix, self.name, self._read_stored)
        except BaseException:
            self.close()
            raise

    def read_block(self, size: int = BLOCK_BYTES) -> bytes:
        r"""Read some of the content.

        Args:
            size: bytes wanted; a pipe may give fewer, an archive a little more.

        Returns:
            The next bytes, none only at the end.

        Raises:
            InputError: the device fails, or the archive is damaged or ends too early.

        >>> with ByteFile("/dev/zero") as zeros:
        ...     zeros.read_block(3)
        b'\x00\x00\x00'
        """
        return self._expand.read(size) if self._expand else self._read_stored(size)

    def close(self) -> None:
        """Close the file; standard input only counts as closed.

        >>> ByteFile("/dev/null").close()
        """
        self.closed = True
        if not self._is_stdin:
            self._file.close()

    def __enter__(self) -> ByteFile:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _measure(self) -> None:
        import stat

        try:
            status = os.fstat(self._file.fileno())
        except OSError:  # standard input replaced by something in memory
            return
        if stat.S_ISREG(status.st_mode):
            self.bytes_total = status.st_size

    def _peek(self) -> bytes:
        head = b""
        while len(head) < _HEAD_BYTES:
            more = self._read_file(_HEAD_BYTES - len(head))
            if not more:
                break
            head += more
        self._head = head
        return head

    def _read_stored(self, size: int) -> bytes:
        data, self._head = self._head[:size], self._head[size:]
        if not data:
            data = self._read_file(size)
        self.bytes_read += len(data)
        return data

    def _read_file(self, size: int) -> bytes:
        try:
            return self._file.read(size) or b""
        except OSError as error:
            raise InputError(f"{self.name} cannot be read: {error.strerror or error}") from error


class _Expander:
    """A compressed file's content: one or several archives, one behind the other."""

    __slots__ = (
        "_archive",
        "_damage",
        "_kind",
        "_limit",
        "_name",
        "_new",
        "_piece",
        "_position",
        "_read",
        "_stored",
    )

    def __init__(self, suffix: str, name: str, read: Callable[[int], bytes]) -> None:
        self._kind = _COMPRESSIONS[suffix][0]
        self._name = name
        self._read = read
        self._new, self._damage = _decompressor(suffix)
        self._limit = () if suffix == ".zst" else (BLOCK_BYTES,)
        self._piece = _ZSTD_PIECE_BYTES if suffix == ".zst" else _PIECE_BYTES
        self._archive: Any = self._new()
        self._stored = memoryview(b"")
        self._position = 0

    def read(self, size: int) -> bytes:
        pieces: list[bytes] = []
        while size > 0:
            piece = self._next_piece()
            if piece is None:
                break
            if piece:
                pieces.append(piece)
                size -= len(piece)
        return b"".join(pieces)

    def _next_piece(self) -> bytes | None:
        """Expand the next stored bytes, perhaps to nothing yet; None at the end."""
        hungry = getattr(self._archive, "needs_input", True)
        if hungry and self._position == len(self._stored):
            self._stored = memoryview(self._read(BLOCK_BYTES))
            self._position = 0
            if not self._stored:
                if self._archive is not None:
                    self._refuse("ends too early, so part of it is missing")
                return None
        if self._archive is None and not self._start_next_archive():
            return b""
        end = min(self._position + self._piece, len(self._stored)) if hungry else self._position
        try:
            piece: bytes = self._archive.decompress(
                self._stored[self._position : end], *self._limit
            )
        except self._damage as error:
            self._refuse(f"is damaged ({error})")
        if self._archive.eof:
            end -= len(self._archive.unused_data)
            self._archive = None
        else:
            end -= len(getattr(self._archive, "unconsumed_tail", b""))
        self._position = end
        return piece

    def _start_next_archive(self) -> bool:
        # Tapes and some tools fill up with zero bytes behind an archive.
        while self._position < len(self._stored) and not self._stored[self._position]:
            self._position += 1
        if self._position == len(self._stored):
            return False
        self._archive = self._new()
        return True

    def _refuse(self, problem: str) -> NoReturn:
        raise InputError(
            f"{self._name}: the {self._kind} archive {problem}; expected a whole one: make or "
            "fetch the file again"
        )


def display_name(path: str | os.PathLike[str]) -> str:
    """Say how messages call a file.

    >>> display_name("-"), display_name("a/ref.txt")
    ('<stdin>', 'a/ref.txt')
    """
    name = os.fspath(path)
    return "<stdin>" if name == STDIN else name


def compression_suffix(path: str) -> str:
    """Find the suffix that says how a file is compressed; nothing if it is plain.

    >>> compression_suffix("ref.txt.GZ"), compression_suffix("ref.txt")
    ('.gz', '')
    """
    suffix = os.path.splitext(path)[1].lower()
    return suffix if suffix in _COMPRESSIONS else ""


def nearest(name: str, names: list[str]) -> str | None:
    """Find the most similar of some names, if any is similar enough to be meant.

    >>> nearest("refrence", ["source", "reference"])
    'reference'
    """
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, names, n=1)), None)


def _open(path: str) -> BinaryIO:
    try:
        return open(path, "rb", buffering=0)
    except FileNotFoundError as error:
        raise InputError(_missing(path)) from error
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder; expected a file: name one inside it") from error
    except PermissionError as error:
        raise InputError(
            f"{path} may not be read by this user: change its permissions, for example with "
            f"chmod u+r {path}"
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path!r} cannot be opened: {reason}; check the path") from error


def _missing(path: str) -> str:
    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder or os.curdir)[:_NAMES_COMPARED]
    except OSError:
        return f"there is no file {path}, nor a folder {folder}: check the path"
    near = _nearest_file(name, names)
    if near is None:
        return f"there is no file {path}, and no name in its folder is like it: check the path"
    return f"there is no file {path}: the nearest name in that folder is {near}"


def _nearest_file(name: str, names: list[str]) -> str | None:
    """Find the file whose name is most like a missing one's, by what sets the names apart.

    An ending that two names share makes none like the other: `c.txt` is not meant for `ref.txt`.

    >>> _nearest_file("reff.txt", ["a.txt", "ref.txt"]), _nearest_file("c.txt", ["a.txt"])
    ('ref.txt', None)
    """
    from difflib import SequenceMatcher

    best, found = _LIKENESS, None
    for other in names:
        head, another = _before_shared_ending(name.lower(), other.lower())
        likeness = SequenceMatcher(None, head, another).ratio()
        if likeness >= best:
            best, found = likeness, other
    return found


def _before_shared_ending(one: str, other: str) -> tuple[str, str]:
    """Return what stands before the endings, from a dot on, that two names share.

    >>> _before_shared_ending("north.de.txt", "nord.de.txt")
    ('north', 'nord')
    """
    while True:
        (head, dot, ending), (another, _, tail) = one.rpartition("."), other.rpartition(".")
        if not (dot and head and another and ending == tail):
            return one, other
        one, other = head, another


def _stdin() -> Any:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("there is no standard input to read '-' from: name a file instead")
    return _Pipe(stream)


class _Pipe:
    """Standard input, giving what has arrived instead of waiting for a full block."""

    __slots__ = ("_stream", "fileno", "read")

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.read = getattr(stream, "read1", stream.read)
        self.fileno = stream.fileno


def _check_content(name: str, suffix: str, head: bytes) -> None:
    found = next((key for key, (_, magic) in _COMPRESSIONS.items() if head.startswith(magic)), "")
    if found == suffix:
        return
    actual = f"is compressed with {_COMPRESSIONS[found][0]}" if found else "is not"
    if name == "<stdin>":
        raise InputError(f"{name} {actual}; expected plain text: decompress it before the pipe")
    if not suffix:
        raise InputError(
            f"{name} {actual}, but its name does not end in {found}: rename it or decompress it"
        )
    expected = (
        f"{name} ends in {suffix}, so it should be compressed with {_COMPRESSIONS[suffix][0]}"
    )
    if not head:
        raise InputError(f"{expected}, but it is empty: make or fetch the file again")
    raise InputError(f"{expected}, but it {actual}: give it the suffix of what it holds")


def _decompressor(suffix: str) -> tuple[Callable[[], Any], type[Exception]]:
    """How to begin an archive, and the error of a damaged one."""
    if suffix == ".gz":
        import zlib

        # 16 asks zlib for gzip's header and checksum, 15 for its largest window.
        return lambda: zlib.decompressobj(16 + 15), zlib.error
    if suffix == ".bz2":
        import bz2

        return bz2.BZ2Decompressor, OSError
    if suffix == ".xz":
        import lzma

        return lzma.LZMADecompressor, lzma.LZMAError
    zstandard = optional("zstandard")
    return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError
