"""Files, plain and compressed: opening and reading them, and errors that say what is wrong."""

from __future__ import annotations

import os
import sys

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.messages import near_names
from bleuet.text.addresses import is_address

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
# A hostile archive expands more than a thousandfold. The decompressors of Python have a limit for
# their output. That of Zstandard has none, so it gets pieces that are too small to become large.
_PIECE_BYTES = 1 << 14
_ZSTD_PIECE_BYTES = 1 << 9
# An archive can demand any amount of memory. This is enough for xz -9 and zstd -22.
_ARCHIVE_MEMORY = 128 << 20
# No text of any length is compressed more than this. What a file has beyond it, such as the equal
# lines of a system, may have a line for so many bytes of the longest segment, and so many of those.
MOST_EXPANSION = 200
_BYTES_FOR_A_LINE = 4
_SEGMENTS = 64
# Counting a segment takes up to sixty times its size: this one takes less than 300 MB.
MAX_SEGMENT_BYTES = 4 << 20
_NAMES_COMPARED = 2_000


class ByteFile:
    """The bytes of an open file, decompressed, and the progress of reading.

    The suffix of a file says how it is compressed. What has no suffix, such as standard input and
    other pipes, is recognized by its first bytes.

    Args:
        path: a file, or "-" for standard input.
        max_segment_bytes: the most bytes of a segment. An archive may expand to 200 times its
            size, and beyond that by a quarter as many lines and 64 times as many bytes.

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

    def __init__(
        self, path: str | os.PathLike[str], max_segment_bytes: int = MAX_SEGMENT_BYTES
    ) -> None:
        self.name = display_name(path)
        self.bytes_read = 0
        self.bytes_total: int | None = None
        self._expand: _Expander | None = None
        self.closed = False
        self._is_stdin = os.fspath(path) == STDIN
        self._file = _stdin() if self._is_stdin else _open(os.fspath(path))
        try:
            self._measure()
            suffix = _compression(
                self.name,
                self._peek(),
                has_name=not self._is_stdin and self.bytes_total is not None,
            )
            if suffix:
                self._expand = _Expander(suffix, self.name, self._read_stored, max_segment_bytes)
        except BaseException:
            self.close()
            raise

    def read_block(self, size: int = BLOCK_BYTES) -> bytes:
        r"""Read some of the content.

        Args:
            size: the most bytes to read; a pipe may return fewer.

        Returns:
            The next bytes, none only at the end.

        Raises:
            InputError: the device fails, or the archive is damaged, ends too early or expands to
                far more than any text would.

        >>> with ByteFile("/dev/zero") as zeros:
        ...     zeros.read_block(3)
        b'\x00\x00\x00'
        """
        return self._expand.read(size) if self._expand else self._read_stored(size)

    def close(self) -> None:
        """Close the file; standard input stays open.

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
        except OSError:  # standard input was replaced by an object in memory
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
    """The content of a compressed file: one or several archives, one after the other."""

    __slots__ = (
        "_archive",
        "_damage",
        "_excess_lines",
        "_expanded",
        "_kind",
        "_limit",
        "_most_bytes",
        "_most_lines",
        "_name",
        "_new",
        "_passed",
        "_piece",
        "_position",
        "_read",
        "_rest",
        "_stored",
    )

    def __init__(
        self, suffix: str, name: str, read: Callable[[int], bytes], max_segment_bytes: int
    ) -> None:
        self._most_lines = most_lines(max_segment_bytes)
        self._most_bytes = _SEGMENTS * max(max_segment_bytes, MAX_SEGMENT_BYTES)
        # Stored bytes before those that were read last, expanded bytes, and lines of the excess.
        self._passed = self._expanded = self._excess_lines = 0
        self._kind = _COMPRESSIONS[suffix][0]
        self._name = name
        self._read = read
        self._new, self._damage = _decompressor(suffix)
        self._limit = () if suffix == ".zst" else (BLOCK_BYTES,)
        self._piece = _ZSTD_PIECE_BYTES if suffix == ".zst" else _PIECE_BYTES
        self._archive: Any = self._new()
        self._stored = memoryview(b"")
        self._position = 0
        # What was expanded and is not read yet.
        self._rest: memoryview | None = None

    def read(self, size: int) -> bytes:
        pieces: list[bytes | memoryview] = []
        while size > 0:
            piece = self._rest or self._next_piece()
            if piece is None:
                break
            if len(piece) > size:
                piece, self._rest = memoryview(piece)[:size], memoryview(piece)[size:]
            else:
                self._rest = None
            if piece:
                pieces.append(piece)
                size -= len(piece)
        return b"".join(pieces)

    def _next_piece(self) -> bytes | None:
        """Expand the next stored bytes, perhaps to nothing; return None at the end."""
        needs_input = getattr(self._archive, "needs_input", True)
        if needs_input and self._position == len(self._stored):
            self._passed += len(self._stored)
            self._stored = memoryview(self._read(BLOCK_BYTES))
            self._position = 0
            if not self._stored:
                if self._archive is not None:
                    self._fail("ends too early, so part of it is missing")
                return None
        if self._archive is None and not self._start_next_archive():
            return b""
        end = (
            min(self._position + self._piece, len(self._stored)) if needs_input else self._position
        )
        try:
            piece: bytes = self._archive.decompress(
                self._stored[self._position : end], *self._limit
            )
        except self._damage as error:
            if "memory" in str(error).lower():
                raise InputError(
                    f"{self._name}: the {self._kind} archive needs more than "
                    f"{_ARCHIVE_MEMORY >> 20} MiB of memory; expected a smaller window: compress "
                    "the file again, with at most zstd -19 or xz -9"
                ) from error
            self._fail(f"is damaged ({error})")
        if self._archive.eof:
            end -= len(self._archive.unused_data)
            self._archive = None
        else:
            end -= len(getattr(self._archive, "unconsumed_tail", b""))
        self._position = end
        self._check_expansion(piece)
        return piece

    def _check_expansion(self, piece: bytes) -> None:
        """Reject an archive that expands to far more than any text would."""
        self._expanded += len(piece)
        excess = self._expanded - MOST_EXPANSION * (self._passed + self._position)
        if excess <= 0:
            return
        self._excess_lines += piece.count(b"\n")
        if self._excess_lines <= self._most_lines and excess <= self._most_bytes:
            return
        raise InputError(
            f"{self._name}: the {self._kind} archive expands to more than {MOST_EXPANSION} times "
            f"its size, by more than {self._most_lines:,} lines or {self._most_bytes:,} bytes; "
            "expected a text: check the file, or raise the limit with --max-segment-bytes (in "
            "Python: max_segment_bytes), or decompress the file first"
        )

    def _start_next_archive(self) -> bool:
        # Tapes and some tools add zero bytes after an archive.
        while self._position < len(self._stored) and not self._stored[self._position]:
            self._position += 1
        if self._position == len(self._stored):
            return False
        self._archive = self._new()
        return True

    def _fail(self, problem: str) -> NoReturn:
        raise InputError(
            f"{self._name}: the {self._kind} archive {problem}; expected a complete one: create or "
            "download the file again"
        )


def display_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a file in messages.

    >>> display_name("-"), display_name("a/ref.txt")
    ('<stdin>', 'a/ref.txt')
    """
    name = os.fspath(path)
    return "<stdin>" if name == STDIN else name


def most_lines(max_segment_bytes: int) -> int:
    """Return how many segments a small file may have beyond those that its bytes stand for.

    Args:
        max_segment_bytes: the most bytes of a segment; a limit below the default changes nothing.

    >>> most_lines(10), most_lines(1 << 23)
    (1048576, 2097152)
    """
    return max(max_segment_bytes, MAX_SEGMENT_BYTES) // _BYTES_FOR_A_LINE


def compression_suffix(path: str) -> str:
    """Return the suffix of a compressed file, or nothing for a plain one.

    >>> compression_suffix("ref.txt.GZ"), compression_suffix("ref.txt")
    ('.gz', '')
    """
    suffix = os.path.splitext(path)[1].lower()
    return suffix if suffix in _COMPRESSIONS else ""


def stored_size(path: str) -> int:
    """Return the size of a file that is read at several places, as Parquet is.

    Args:
        path: the file.

    Raises:
        InputError: it cannot be opened, or it is a pipe or a device, which is read only once.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     stored_size(file.name)
    0
    """
    # A pipe is not opened: that would wait for its writer.
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise InputError(
            f"{path} is not a regular file; expected one: write the Parquet file to a disk first, "
            "since it is read at several places"
        )
    if is_address(path):
        from bleuet.text.addresses import size_of

        return size_of(path)
    with ByteFile(path) as file:
        return file.bytes_total or 0


def _open(path: str) -> BinaryIO:
    if is_address(path):
        from bleuet.text.addresses import open_address

        file: BinaryIO = open_address(path)
        return file
    try:
        return open(path, "rb", buffering=0)
    except FileNotFoundError as error:
        raise InputError(_missing(path)) from error
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder; expected a file: name one inside it") from error
    except PermissionError as error:
        raise InputError(
            f"{path} cannot be read by this user: change its permissions, for example with "
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
        return f"there is no file {path} and no folder {folder}: check the path"
    near = near_names(name, names)
    if not near:
        return (
            f"there is no file {path}, and no file in its folder has a similar name: check the path"
        )
    return f"there is no file {path}: the nearest name in that folder is {near[0]}"


def _stdin() -> Any:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("'-' means standard input, but there is none: name a file instead")
    return _Pipe(stream)


class _Pipe:
    """Standard input: a read returns what has arrived and does not wait for a full block."""

    __slots__ = ("_stream", "fileno", "read")

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.read = getattr(stream, "read1", stream.read)
        self.fileno = stream.fileno


def _compression(name: str, head: bytes, *, has_name: bool) -> str:
    """Return the suffix of the compression of a file that begins with some bytes.

    Args:
        name: its name.
        head: its first bytes.
        has_name: whether the name says what the file contains; the name of a pipe does not.
    """
    suffix = compression_suffix(name)
    found = next((key for key, (_, magic) in _COMPRESSIONS.items() if head.startswith(magic)), "")
    if found == suffix or not (suffix or has_name):
        return found
    actual = f"is compressed with {_COMPRESSIONS[found][0]}" if found else "is not"
    if not suffix:
        raise InputError(
            f"{name} {actual}, but its name does not end in {found}: rename it or decompress it"
        )
    expected = (
        f"{name} ends in {suffix}, so it should be compressed with {_COMPRESSIONS[suffix][0]}"
    )
    if not head:
        raise InputError(f"{expected}, but it is empty: create or download the file again")
    raise InputError(f"{expected}, but it {actual}: give it the suffix of its content")


def _decompressor(suffix: str) -> tuple[Callable[[], Any], type[Exception]]:
    """Return the function that starts an archive, and the error that a damaged one raises."""
    if suffix == ".gz":
        import zlib

        # 16 means gzip's header and checksum, 15 for its largest window.
        return lambda: zlib.decompressobj(16 + 15), zlib.error
    if suffix == ".bz2":
        import bz2

        return bz2.BZ2Decompressor, OSError
    if suffix == ".xz":
        import lzma

        return lambda: lzma.LZMADecompressor(memlimit=_ARCHIVE_MEMORY), lzma.LZMAError
    zstandard = optional("zstandard")
    archives = zstandard.ZstdDecompressor(max_window_size=_ARCHIVE_MEMORY)
    return archives.decompressobj, zstandard.ZstdError
