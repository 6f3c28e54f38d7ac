"""The layout of a Parquet file, checked before the library for Parquet reads it.

The library believes the sizes that a file states, and takes memory for them: a page of a few bytes
can claim two gigabytes. A file of saved tables has flat columns of numbers, and so limits for each
size. With them, memory stays in proportion to the size of the file.

Source: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
"""

from __future__ import annotations

from typing import NamedTuple

from bleuet.errors import InputError
from bleuet.tablefile.compact import CompactReader
from bleuet.tablefile.schema import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, BinaryIO, NoReturn

MAGIC = b"PAR1"
# The last bytes of a file: the size of its index, and the magic bytes.
_TAIL = 8
# Libraries write groups of up to 2^20 rows by default.
MAX_GROUP_ROWS = 1 << 20
MAX_COLUMNS = 10_000
# A column of the largest group has a fourth of it, unless systems have very long names.
MAX_UNPACKED = 1 << 26
_SMALLEST_PAGE = 64
# The library takes a thousand bytes of memory for each column of a group, which therefore must have
# some in the file. The header of a page and a number have more.
_SMALLEST_COLUMN = 32
# The segments count from 1, so that they cannot be compressed below 1.02 bytes each by any codec
# and level; where a file has less for a row, it repeats what no file of saved tables repeats.
_ROWS_PER_BYTE = 2
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _PLAIN_DICTIONARY, _RLE_DICTIONARY = 0, 2, 8
_BY_DICTIONARY = (_PLAIN_DICTIONARY, _RLE_DICTIONARY)
_RLE = 3
# The values of a column are required or optional, not repeated.
_FLAT = (0, 1)
_HEADER_BYTES = 256
# A header can have the smallest and the largest of its values.
_LONGEST_HEADER = 1 << 16


class Chunk(NamedTuple):
    """The pages of one column in a group of rows.

    Attributes:
        column: the name of the column.
        rows: the number of its values.
        start: where the pages begin.
        size: their size in bytes.
    """

    column: str
    rows: int
    start: int
    size: int


class RowGroup(NamedTuple):
    """A group of rows: their number, and the pages of each column by its name."""

    rows: int
    chunks: dict[str, Chunk]


class ParquetLayout:
    """The groups and columns of a Parquet file.

    `metadata` has its keys and values. `problem` is the error for a file that is not laid out as
    saved tables are, or None.

    Args:
        path: the file, for errors.
        file: the open file, which must have a position.

    Raises:
        ValueError: the file is not one of Parquet, or its index is damaged.
    """

    def __init__(self, path: str, file: BinaryIO) -> None:
        self._path = path
        self.columns: list[str] = []
        self.groups: list[RowGroup] = []
        self.rows = 0
        self.problem: ValueError | None = None
        index = self._read_index(file)
        metadata: dict[int, Any] = {5: _pairs}
        try:
            found = CompactReader(index).fields(
                {2: self._schema, 3: None, 4: self._row_groups} | metadata
            )
            self.rows = found.get(3, -1)
            self._check()
        except ValueError as error:
            found = CompactReader(index).fields(metadata)
            self.problem = error
        self.metadata: dict[bytes, bytes] = found.get(5, {})

    def _read_index(self, file: BinaryIO) -> bytes:
        size = file.seek(0, 2)
        file.seek(0)
        if size < len(MAGIC) + _TAIL or file.read(len(MAGIC)) != MAGIC:
            raise ValueError("it does not begin with PAR1")
        file.seek(-_TAIL, 2)
        tail = file.read(_TAIL)
        length = int.from_bytes(tail[:4], "little")
        self._end = size - _TAIL - length
        if tail[4:] != MAGIC or self._end < len(MAGIC):
            raise ValueError("it does not end with PAR1 and the size of its index")
        file.seek(self._end)
        return file.read(length)

    def _fail(self, what: str) -> NoReturn:
        raise InputError(damaged(self._path, what))

    # --- The index --------------------------------------------------------------------------------

    def _schema(self, reader: CompactReader, kind: int, depth: int) -> None:
        size = reader.length_of_list(kind)
        if size > MAX_COLUMNS:
            self._fail(f"it has {size - 1} columns")
        root = reader.fields({5}, depth)
        for _ in range(size - 1):
            element = reader.fields({3, 4, 5}, depth)
            name = _name_of(element.get(4))
            if name in self.columns:
                self._fail(f"it has two columns {name}")
            self.columns.append(name)
            if element.get(5) or element.get(3) not in _FLAT:
                self._fail(f"its column {name} has neither numbers nor texts")
        if root.get(5) != len(self.columns):
            self._fail("its columns are nested")

    def _row_groups(self, reader: CompactReader, kind: int, depth: int) -> None:
        for _ in range(reader.length_of_list(kind)):
            group = reader.fields({1: self._chunks, 3: None}, depth)
            chunks, rows = group.get(1, []), group.get(3, -1)
            if [chunk.column for chunk in chunks] != self.columns:
                self._fail("its groups of rows have different columns")
            if any(chunk.rows != rows or chunk.size < _SMALLEST_COLUMN for chunk in chunks):
                self._fail("its columns differ in length")
            self.groups.append(RowGroup(rows, {chunk.column: chunk for chunk in chunks}))

    def _chunks(self, reader: CompactReader, kind: int, depth: int) -> list[Chunk]:
        size = reader.length_of_list(kind)
        if size != len(self.columns):
            self._fail("its groups of rows have different columns")
        chunks = (reader.fields(_COLUMN, depth) for _ in range(size))
        return [self._chunk(chunk) for chunk in chunks]

    def _chunk(self, chunk: dict[int, Any]) -> Chunk:
        if set(chunk) != {3}:
            self._fail("its columns are encrypted, or in another file")
        found = chunk[3]
        rows, size = found.get(5, -1), found.get(7, -1)
        if not 0 < rows <= MAX_GROUP_ROWS:
            self._fail(f"it has a group of {rows} rows")
        start = min(found.get(9, -1), found.get(11) or self._end)
        if size < 0 or not len(MAGIC) <= start <= self._end - size:
            self._fail("its columns lie outside of the file")
        return Chunk(_name_of(b".".join(found.get(3, ()))), rows, start, size)

    def _check(self) -> None:
        if self.rows != sum(group.rows for group in self.groups):
            self._fail("its groups have other rows than the file")
        taken = sum(chunk.size for group in self.groups for chunk in group.chunks.values())
        if taken > self._end:
            self._fail("its columns share bytes")

    def check_rows(self, column: str) -> None:
        """Raise where a file is too small for its rows.

        Args:
            column: a column that has other numbers in all rows of a system.

        Raises:
            InputError: it is.
        """
        size = sum(group.chunks[column].size for group in self.groups)
        if self.rows > size * _ROWS_PER_BYTE:
            self._fail(f"it has {self.rows} rows in {size} bytes")

    # --- The pages --------------------------------------------------------------------------------

    def check_numbers(self, file: BinaryIO, columns: Iterable[str], groups: Iterable[int]) -> None:
        """Check the headers of the pages of columns of 64-bit numbers.

        Args:
            file: the open file.
            columns: the columns.
            groups: the groups of rows, by their places.

        Raises:
            InputError: a page claims another size than its values can have.
        """
        for place in groups:
            for column in columns:
                self._check_pages(file, self.groups[place].chunks[column], 8)

    def check_texts(self, file: BinaryIO, column: str, longest: int) -> None:
        """Check the headers of the pages of a column of texts.

        Args:
            file: the open file.
            column: the column.
            longest: the size of the longest text in bytes.

        Raises:
            InputError: a page claims another size than its texts can have.
        """
        for group in self.groups:
            # Its length precedes each text.
            self._check_pages(file, group.chunks[column], longest + 4)

    def _check_pages(self, file: BinaryIO, chunk: Chunk, width: int) -> None:
        """Check the pages of a column, whose values have up to `width` bytes."""
        column, rows, at, size = chunk
        end, seen, taken = at + size, 0, 0
        while at < end:
            start = at
            header, at = _page_header(file, at, end)
            kind = header.get(1)
            if kind == _DATA_PAGE:
                values, encoding, *levels = header.get(5, (-1, -1))
                seen += values
                known = encoding in (_PLAIN, *_BY_DICTIONARY) and levels == [_RLE, _RLE]
            else:
                values, encoding = header.get(7, (-1, -1))
                known = kind == _DICTIONARY_PAGE and start == chunk.start
                known = known and encoding in (_PLAIN, _PLAIN_DICTIONARY)
            if not known or not 0 <= values <= rows:
                self._fail(f"its column {column} has pages that saved tables do not have")
            unpacked, stored = header.get(2, -1), header.get(3, -1)
            # The place of a value in a dictionary has up to four bytes, and a bit of each value
            # says whether it is missing.
            most = values * max(width, 4) + values // 4 + _SMALLEST_PAGE
            taken += unpacked
            if not 0 <= unpacked <= most or not 0 <= stored <= end - at or taken > MAX_UNPACKED:
                self._fail(f"its column {column} has a page of {unpacked} bytes")
            at += stored
        if seen != rows:
            self._fail(f"its column {column} has {seen} rows in a group of {rows}")


def _page_header(file: BinaryIO, at: int, end: int) -> tuple[dict[int, Any], int]:
    """Return the fields of the header of a page, and where the page begins."""
    for size in (_HEADER_BYTES, _LONGEST_HEADER):
        file.seek(at)
        reader = CompactReader(file.read(min(size, end - at)))
        try:
            return reader.fields(_PAGE), at + reader.at
        except ValueError:
            if size == _LONGEST_HEADER:
                raise
    raise AssertionError


def _numbers(count: int) -> Any:
    """Return a reader of a structure whose first fields are numbers."""

    def read(reader: CompactReader, kind: int, depth: int) -> list[int]:
        found = reader.fields(set(range(1, count + 1)), depth)
        if not all(isinstance(found.get(i), int) for i in range(1, count + 1)):
            raise ValueError("a page has no number of values")
        return [found[i] for i in range(1, count + 1)]

    return read


def _pairs(reader: CompactReader, kind: int, depth: int) -> dict[bytes, bytes]:
    pairs = (reader.fields({1, 2}, depth) for _ in range(reader.length_of_list(kind)))
    return {pair[1]: pair[2] for pair in pairs if 1 in pair and 2 in pair}


def _name_of(name: object) -> str:
    if not isinstance(name, bytes):
        raise ValueError("one of its columns has no name")
    return name.decode("utf-8", "backslashreplace")


# The numbers of fields are those of parquet.thrift.
_CHUNK = {3: CompactReader.binaries, 5: None, 7: None, 9: None, 11: None}
# The file that has the column, its pages, and what encrypts it.
_COLUMN = {1: None, 3: CompactReader.structure(_CHUNK), 8: CompactReader.structure({}), 9: None}
_PAGE = {1: None, 2: None, 3: None, 5: _numbers(4), 7: _numbers(2)}
