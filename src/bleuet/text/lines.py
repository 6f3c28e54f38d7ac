r"""Lines: strict UTF-8, ended by "\n" or "\r\n" only."""

from __future__ import annotations

from bleuet.errors import InputError, warn_caller
from bleuet.text.batches import BATCH_BYTES, BATCH_SEGMENTS, BatchStream
from bleuet.text.files import BLOCK_BYTES, MAX_SEGMENT_BYTES, ByteFile
from bleuet.text.segments import Segments
from bleuet.text.shapes import binary_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

# The mark of UTF-32 starts with that of UTF-16, so it comes first.
_OTHER_ENCODINGS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
# Binary files have a zero byte among so many.
_FIRST_BYTES = 8000
# Fewer bytes do not show UTF-16.
_LEAST_BYTES = 16
_COUNT_LIMIT_BYTES = 4 << 30
_MARK = "\ufeff".encode()
# What happens to a byte order mark. The first, the default, keeps it and warns.
BYTE_ORDER_MARK = ("warn", "keep", "strip")


def split_lines(text: str) -> list[str]:
    r"""Split a text into its lines.

    A "\r" directly before "\n" is part of the line end. The other line ends of Unicode are text.
    The last line needs no line end.

    Args:
        text: any text.

    Returns:
        Its lines without line ends; none for an empty text.

    >>> split_lines("a\u2028b\r\n\nc")
    ['a\u2028b', '', 'c']
    """
    # Searching one character first takes a tenth of the time of searching two.
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def read_lines(
    path: str | os.PathLike[str],
    max_segment_bytes: int = MAX_SEGMENT_BYTES,
    bom: str = BYTE_ORDER_MARK[0],
) -> list[str]:
    """Read all lines of a file, plain, .gz, .zst, .bz2 or .xz.

    Args:
        path: a file, or "-" for standard input.
        max_segment_bytes: the most bytes of a line; a longer one is an error.
        bom: what happens to a byte order mark, which is kept as text by default: "warn", "keep"
            or "strip".

    Returns:
        Its lines without line ends.

    Raises:
        InputError: the file cannot be opened or expanded, is not UTF-8, or has a line that is too
            long.
        MissingExtraError: it is a .zst file and the library for it is not installed.

    >>> read_lines("/dev/null")
    []
    """
    # Block by block is faster than at once: what was read is still in the cache of the processor.
    lines: list[str] = []
    with LineStream(path, max_segment_bytes=max_segment_bytes, bom=bom) as file:
        for batch in file:
            lines += batch
    return lines


def stream_lines(
    path: str | os.PathLike[str],
    batch_bytes: int = BATCH_BYTES,
    batch_lines: int = BATCH_SEGMENTS,
    max_segment_bytes: int = MAX_SEGMENT_BYTES,
    bom: str = BYTE_ORDER_MARK[0],
) -> LineStream:
    """Read the lines of a file in batches, in bounded memory.

    Args:
        path: a file, or "-" for standard input.
        batch_bytes: the approximate size of a batch.
        batch_lines: the most lines of a batch.
        max_segment_bytes: the most bytes of a line; a longer one is an error.
        bom: what happens to a byte order mark: "warn", "keep" or "strip".

    Returns:
        An iterator over lists of lines, with `bytes_read` and `bytes_total`.

    Raises:
        InputError: as `read_lines`; damage is found when the reading reaches it.
        MissingExtraError: it is a .zst file and the library for it is not installed.

    >>> with stream_lines("/dev/null") as batches:
    ...     sum(map(len, batches))
    0
    """
    return LineStream(path, batch_bytes, batch_lines, max_segment_bytes, bom)


class LineStream(BatchStream):
    """The lines of a file in batches; see `stream_lines`."""

    __slots__ = (
        "_begun",
        "_block",
        "_bom",
        "_carried",
        "_carry",
        "_file",
        "_lines",
        "_ready",
        "_undecoded",
        "batch_bytes",
        "batch_lines",
        "max_segment_bytes",
    )

    def __init__(
        self,
        path: str | os.PathLike[str],
        batch_bytes: int = BATCH_BYTES,
        batch_lines: int = BATCH_SEGMENTS,
        max_segment_bytes: int = MAX_SEGMENT_BYTES,
        bom: str = BYTE_ORDER_MARK[0],
    ) -> None:
        self.batch_bytes = max(batch_bytes, 1)
        self.batch_lines = max(batch_lines, 1)
        self.max_segment_bytes = max_segment_bytes
        self._bom = bom
        self._begun = False
        self._block = min(BLOCK_BYTES, self.batch_bytes)
        self._lines = 0
        # The beginning of a line whose end has not been read, and its length.
        self._carry: list[bytes] = []
        self._carried = 0
        self._ready: list[str] = []
        self._undecoded = Segments.of_lines([])
        self._file = ByteFile(path, max_segment_bytes)

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return self._file.name

    @property
    def bytes_read(self) -> int:
        """How many bytes of the stored file have been read."""
        return self._file.bytes_read

    @property
    def bytes_total(self) -> int | None:
        """The size of the stored file in bytes; None for a pipe."""
        return self._file.bytes_total

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def count_rest(self) -> tuple[int, bool]:
        """Count the lines that have not been returned, without decoding them."""
        count = len(self._ready) + len(self._undecoded)
        if self._file.closed:
            return count, True
        ended = not self._carry
        counted = 0
        while counted < _COUNT_LIMIT_BYTES:
            block = self._file.read_block()
            if not block:
                self.close()
                return count + (not ended), True
            counted += len(block)
            count += block.count(b"\n")
            ended = block.endswith(b"\n")
        return count, False

    def next_portion(self, count_lines: Callable[[bytes], int] | None) -> Segments:
        """Read the next batch as bytes, or with None as text; empty at the end.

        A file is read either with this method or as an iterator, not with both.
        """
        if count_lines is None:
            return super().next_portion(None)
        try:
            return self._read_portion(count_lines)
        except BaseException:
            self.close()
            raise

    def _read_portion(self, count_lines: Callable[[bytes], int]) -> Segments:
        blocks, lines = [*self._undecoded.files[0]], len(self._undecoded)
        for data in self._read_data(lines):
            try:
                count = count_lines(data)
            except ValueError:
                _decode(data, self.name, self._lines)  # says where
                raise
            blocks.append(_with_plain_ends(data, count))
            self._lines += blocks[-1][1]
        batch, self._undecoded = Segments.of_lines(blocks).cut(self.batch_lines)
        return batch

    def _next_batch(self) -> list[str]:
        for data in self._read_data(len(self._ready)):
            lines = split_lines(_decode(data, self.name, self._lines))
            self._lines += len(lines)
            self._ready += lines
        batch, self._ready = self._ready, []
        if len(batch) > self.batch_lines:
            batch, self._ready = batch[: self.batch_lines], batch[self.batch_lines :]
        if not batch:
            raise StopIteration
        return batch

    def _read_data(self, ready: int) -> Iterator[bytes]:
        """Yield whole lines until a batch is full; `ready` of its lines exist already."""
        returned, size = self._lines - ready, 0
        while self._lines - returned < self.batch_lines and size < self.batch_bytes:
            data = self.next_data()
            if not data:
                break
            size += len(data)
            yield data

    def next_data(self) -> bytes:
        """Read the next whole lines as bytes, without decoding them; nothing at the end."""
        if self._file.closed:
            return b""
        while block := self._file.read_block(self._block):
            cut = block.rfind(b"\n") + 1
            if self._carried + len(block) > self.max_segment_bytes:
                self._check_lengths(block)
            if cut:
                data = b"".join((*self._carry, memoryview(block)[:cut]))
                self._carried = len(block) - cut
                self._carry = [block[cut:]] if self._carried else []
                return data if self._begun else self._begin(data)
            self._carry.append(block)
            self._carried += len(block)
        self.close()
        data, self._carry, self._carried = b"".join(self._carry), [], 0
        return data if self._begun else self._begin(data)

    def _check_lengths(self, block: bytes) -> None:
        """Reject a line that is too long; a block without such a line can exceed the limit too."""
        lengths = [len(line) for line in block.split(b"\n")]
        lengths[0] += self._carried
        for index, length in enumerate(lengths):
            if length > self.max_segment_bytes:
                raise InputError(
                    too_long(f"{self.name}:{self._lines + index + 1}", self.max_segment_bytes)
                )

    def _begin(self, data: bytes) -> bytes:
        """Return the first lines, with or without a byte order mark."""
        self._begun = True
        _reject_binary(data[:_FIRST_BYTES], self.name)
        if not data.startswith(_MARK):
            return data
        if self._bom == "strip":
            return data[len(_MARK) :]
        if self._bom != "keep":
            warn_caller(
                f"{self.name} begins with a byte order mark, which counts as text and changes "
                "scores: remove it with --bom strip, or keep it with --bom keep (in Python: "
                'bom="strip", bom="keep")'
            )
        return data


def _reject_binary(head: bytes, name: str) -> None:
    """Reject a binary file by its first bytes, and UTF-16 without a mark, which UTF-8 can read."""
    what = binary_kind(head)
    if what:
        raise InputError(
            f"{name} is {what}; expected text in UTF-8: save it as text with one segment per line"
        )
    if b"\0" not in head:
        return
    half = head[1::2] if any(head[::2]) else head[::2]
    if len(head) >= _LEAST_BYTES and not any(half) and b"\n" in head:
        order = "LE" if any(head[::2]) else "BE"
        raise InputError(
            f"{name} seems to be UTF-16, since every other byte is 0; expected UTF-8: convert it "
            f"first, with iconv -f UTF-16{order} -t UTF-8 {name}"
        )


def too_long(place: str, most: int) -> str:
    """Return the message about a segment that is too long.

    Args:
        place: the file and line of the segment.
        most: the limit in bytes.
    """
    return (
        f"{place} has more than {most:,} bytes, the limit of a segment; expected one segment per "
        "line: check the file, or raise the limit with --max-segment-bytes (in Python: "
        "max_segment_bytes)"
    )


def count_lines(utf8: bytes) -> int:
    r"""Return the number of newlines, and validate UTF-8.

    Raises:
        ValueError: the bytes are not UTF-8.

    >>> count_lines(b"a\nb\n")
    2
    """
    if not utf8.isascii():
        utf8.decode("utf-8")
    return utf8.count(b"\n")


def _with_plain_ends(utf8: bytes, newlines: int) -> tuple[bytes, int]:
    """Return lines that end with a newline only, and their number."""
    if b"\r" in utf8:
        utf8 = utf8.replace(b"\r\n", b"\n")
    if utf8.endswith(b"\n"):
        return utf8, newlines
    return utf8 + b"\n", newlines + 1


def _decode(data: bytes, name: str, lines_before: int) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(_encoding_advice(data, name, lines_before, error.start)) from error


def _encoding_advice(data: bytes, name: str, lines_before: int, start: int) -> str:
    file = "" if name == "<stdin>" else f" {name}"
    if not lines_before:
        for mark, encoding in _OTHER_ENCODINGS:
            if data.startswith(mark):
                return (
                    f"{name} is {encoding}; expected UTF-8: convert it first, with "
                    f"iconv -f {encoding} -t UTF-8{file}"
                )
    line = lines_before + data.count(b"\n", 0, start) + 1
    column = start - data.rfind(b"\n", 0, start)
    place = f"{name}:{line}: byte {column} of the line (0x{data[start]:02x}) is not UTF-8"
    if b"\0" in data[:_FIRST_BYTES]:
        return (
            f"{place}, and the file seems to be a binary file, since it has bytes of value 0; "
            "expected text with one segment per line"
        )
    return (
        f"{place}; expected UTF-8 throughout: convert the file first, for example with "
        f"iconv -f ISO-8859-1 -t UTF-8{file}"
    )
