"""Records: one column of a TSV, JSON Lines or Parquet file, in batches."""

from __future__ import annotations

from itertools import chain

from bleuet.errors import BleuetError, InputError
from bleuet.extras import optional
from bleuet.messages import nearest
from bleuet.text.batches import BATCH_BYTES, BATCH_SEGMENTS, BatchStream
from bleuet.text.files import compression_suffix
from bleuet.text.lines import stream_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, NoReturn

    from bleuet.text.lines import LineStream

_TEXT: set[type] = {str}
# A row of a Parquet file can be large, and its size is known only once it is read.
_PARQUET_ROWS = 8_192
_NAMES_SHOWN = 20


class _LineRecords(BatchStream):
    """Records that are lines. The first batch is read ahead to find the columns."""

    __slots__ = ("_ahead", "_column", "_count", "_lines", "_several")

    def __init__(
        self, path: str, column: str | None, several: bool, batch_bytes: int, batch_rows: int
    ) -> None:
        self._column = column
        self._several = several
        self._count = 0
        self._lines: LineStream = stream_lines(path, batch_bytes, batch_rows)
        try:
            self._ahead: list[str] = next(self._lines, [])
            self._begin()
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name of the file and the column, as on the command line."""
        return self._lines.name if self._column is None else f"{self._lines.name}:{self._column}"

    @property
    def bytes_read(self) -> int:
        """How many bytes of the stored file have been read."""
        return self._lines.bytes_read

    @property
    def bytes_total(self) -> int | None:
        """The size of the stored file in bytes; None for a pipe."""
        return self._lines.bytes_total

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def count_rest(self) -> tuple[int, bool]:
        """Count the records that have not been returned, without reading their columns."""
        count, complete = self._lines.count_rest()
        return count + len(self._ahead), complete

    def _next_batch(self) -> list[Any]:
        lines, self._ahead = self._ahead or next(self._lines), []
        values = self._values(lines)
        self._count += len(lines)
        return values

    def _begin(self) -> None:
        """Find the columns in the first lines, `_ahead`."""
        raise NotImplementedError

    def _values(self, lines: list[str]) -> list[Any]:
        raise NotImplementedError

    def _place(self, index: int) -> str:
        return f"{self._lines.name}:{self._count + index + 1}"


class TsvStream(_LineRecords):
    r"""One column of a file whose columns are separated by tabs, without quotes.

    With the number of a column, from 1, every line is a segment. With the name of a column, the
    first line has the names of the columns. Without a column, no line may have a tab.

    >>> from bleuet.errors import InputError, BleuetError
    >>> try: TsvStream("/dev/null", "hypothesis")
    ... except InputError as error: print(error)
    /dev/null is empty; expected a first line that names its columns: check the file
    """

    __slots__ = ("_first", "_index", "_width")

    def __init__(
        self,
        path: str,
        column: str | None,
        several: bool = False,
        batch_bytes: int = BATCH_BYTES,
        batch_rows: int = BATCH_SEGMENTS,
    ) -> None:
        super().__init__(path, column, several, batch_bytes, batch_rows)

    def _begin(self) -> None:
        name = self._lines.name
        first = self._ahead[0].split("\t") if self._ahead else []
        self._first = first
        self._width = len(first)
        self._index = 0
        if self._column is None:
            self._width = 1
        elif self._column.isdecimal():
            self._index = int(self._column) - 1
            if first and not 0 <= self._index < len(first):
                raise InputError(
                    f"{name} has no column {self._column}: choose one from 1 to {len(first)}"
                )
        else:
            if not first:
                raise InputError(
                    f"{name} is empty; expected a first line that names its columns: check the file"
                )
            # A byte order mark is not part of the name of a column.
            names = [first[0].removeprefix("\ufeff"), *first[1:]]
            self._index = _find_column(name, self._column, names)
            del self._ahead[0]
            self._count = 1

    def _values(self, lines: list[str]) -> list[Any]:
        if self._column is None:
            if any("\t" in line for line in lines):
                self._reject_width([line.split("\t") for line in lines])
            return lines
        rows = [line.split("\t") for line in lines]
        if set(map(len, rows)) != {self._width}:
            self._reject_width(rows)
        return [row[self._index] for row in rows]

    def _reject_width(self, rows: list[list[str]]) -> NoReturn:
        index = next(index for index, row in enumerate(rows) if len(row) != self._width)
        place, width = self._place(index), len(rows[index])
        name = self._lines.name
        if self._column is None:
            raise InputError(
                f"{place} has {width} columns separated by tabs, and no column was named: name "
                f"one by its number, {name}:1 to {name}:{width}, or, if the first line has names, "
                f"by its name, such as {name}:{self._first[-1].strip() or 'NAME'}"
            )
        raise InputError(
            f"{place} has {_columns(width)}; expected {self._width} as in the first line: add or "
            "remove tabs there"
        )


class JsonlStream(_LineRecords):
    """One key of a file whose lines are JSON objects; its values are strings.

    References may also be lists of strings and null, or null.

    >>> list(JsonlStream("/dev/null", "hypothesis"))
    []
    """

    __slots__ = ("_decode",)

    def __init__(
        self,
        path: str,
        column: str | None,
        several: bool = False,
        batch_bytes: int = BATCH_BYTES,
        batch_rows: int = BATCH_SEGMENTS,
    ) -> None:
        super().__init__(path, column, several, batch_bytes, batch_rows)

    def _begin(self) -> None:
        from json import JSONDecoder

        self._decode = JSONDecoder().decode
        if not self._ahead:
            return
        # A byte order mark is not JSON.
        self._ahead[0] = self._ahead[0].removeprefix("\ufeff")
        keys = list(self._record(self._ahead[0], 0))
        if self._column is None:
            raise InputError(_unnamed(self._lines.name, keys))
        if self._column not in keys:
            raise InputError(_unknown(f"{self._lines.name}:1", self._column, keys))

    def _values(self, lines: list[str]) -> list[Any]:
        values = []
        column = self._column
        for index, line in enumerate(lines):
            record = self._record(line, index)
            if column not in record:
                raise InputError(_unknown(self._place(index), str(column), list(record)))
            values.append(record[column])
        _check_values(values, self._several, str(column), self._place)
        self._check_unicode(values)
        return values

    def _record(self, line: str, index: int) -> dict[str, Any]:
        try:
            record = self._decode(line)
        except (ValueError, RecursionError) as error:
            found = "is blank" if not line.strip() else f"is not JSON ({error})"
            raise InputError(
                f"{self._place(index)} {found}; expected one JSON object on every line: correct "
                "or remove that line"
            ) from error
        if not isinstance(record, dict):
            raise InputError(
                f"{self._place(index)} is JSON but not an object; expected one such as "
                f'{{"{self._column or "hypothesis"}": "text"}}: wrap its value in an object'
            )
        return record

    def _check_unicode(self, values: list[Any]) -> None:
        """Reject half of a surrogate pair, which JSON can write and UTF-8 cannot."""
        try:
            "".join(_texts(values)).encode("utf-8")
        except UnicodeEncodeError:
            for index, value in enumerate(values):
                if any("\ud800" <= mark <= "\udfff" for text in _texts([value]) for mark in text):
                    raise InputError(
                        f"{self._place(index)}: the text of {self._column} has half of a "
                        "surrogate pair; expected Unicode characters: write the character itself "
                        "or both halves"
                    ) from None
            raise


class ParquetStream(BatchStream):
    """One column of a Parquet file, of strings or, for references, of lists of strings.

    Args:
        path: the file.
        column: the column's name.
        several: whether null and lists of strings are allowed, as for references.
        batch_rows: how many rows a batch holds at most.

    Raises:
        InputError: the file cannot be read, or has no such column.
        MissingExtraError: the library for Parquet is not installed.

    >>> ParquetStream("references.parquet", "reference")  # doctest: +SKIP
    """

    __slots__ = ("_batches", "_column", "_count", "_file", "_path", "_several", "bytes_total")

    bytes_total: int

    def __init__(
        self,
        path: str,
        column: str | None,
        several: bool = False,
        batch_rows: int = BATCH_SEGMENTS,
    ) -> None:
        self._path = path
        self._several = several
        self._count = 0
        if compression_suffix(path):
            raise InputError(
                f"{path} is a compressed Parquet file, which cannot be read in parts; "
                "expected a plain one, as Parquet has its own compression: decompress it first"
            )
        # Opened only for its errors: the message about a missing file is the same everywhere.
        with stream_lines(path) as file:
            self.bytes_total = file.bytes_total or 0
        parquet = optional("pyarrow.parquet")
        with ParquetDamage(path):
            self._file: Any = parquet.ParquetFile(path, memory_map=False, pre_buffer=False)
        try:
            names = self._file.schema_arrow.names
            if column is None:
                raise InputError(_unnamed(path, names))
            self._column = names[_find_column(path, column, names)]
        except BaseException:
            self.close()
            raise
        self._batches: Iterator[Any] = self._file.iter_batches(
            batch_size=min(max(batch_rows, 1), _PARQUET_ROWS), columns=[column]
        )

    @property
    def name(self) -> str:
        """The name of the file and the column, as on the command line."""
        return f"{self._path}:{self._column}"

    @property
    def bytes_read(self) -> int:
        """The size of the file times the share of rows that were read; its columns lie apart."""
        rows = self._file.metadata.num_rows
        return self.bytes_total * self._count // rows if rows else self.bytes_total

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def count_rest(self) -> tuple[int, bool]:
        """Count the rows that have not been returned; the file has their number."""
        self.close()
        return self._file.metadata.num_rows - self._count, True

    def _next_batch(self) -> list[Any]:
        with ParquetDamage(self._path):
            batch = next(self._batches, None)
            while batch is not None and not batch.num_rows:
                batch = next(self._batches, None)
            values = [] if batch is None else batch.column(0).to_pylist()
        if not values:
            raise StopIteration
        _check_values(values, self._several, self._column, self._place)
        self._count += len(values)
        return values

    def _place(self, index: int) -> str:
        return f"{self._path}: row {self._count + index + 1}"


class ParquetDamage:
    """A context that turns the errors of the Parquet library into ours; they have no common class.

    Args:
        path: the file, as in messages.
    """

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BleuetError):
            return
        if isinstance(error, (OSError, ValueError, TypeError, LookupError, NotImplementedError)):
            reason = str(error).strip().partition("\n")[0].rstrip(".")
            raise InputError(
                f"{self._path} cannot be read as Parquet ({reason}); expected a complete "
                "Parquet file: create or download the file again"
            ) from error


def _check_values(values: Sequence[Any], several: bool, column: str, place: Any) -> None:
    if set(map(type, values)) <= _TEXT:
        return
    for index, value in enumerate(values):
        if isinstance(value, str):
            continue
        if not several:
            _reject_value(place(index), column, value, "a string")
        if value is not None and not isinstance(value, list):
            _reject_value(place(index), column, value, "a string or a list of strings")
        for text in value or ():
            if text is not None and not isinstance(text, str):
                _reject_value(f"{place(index)}, inside the list", column, text, "a string")


def _reject_value(place: str, column: str, value: object, expected: str) -> NoReturn:
    if value is None:
        found, fix = "null", 'write "" for an empty text, or remove the segment from all files'
    elif isinstance(value, list):
        found, fix = "a list", "only references may be lists; write one text"
    else:
        found, fix = f"of type {type(value).__name__}", "write it as a string"
    raise InputError(f"{place}: {column} is {found}; expected {expected}: {fix}")


def _texts(values: list[Any]) -> Iterator[str]:
    rows = ((value,) if isinstance(value, str) else value or () for value in values)
    return (text for text in chain.from_iterable(rows) if text is not None)


def _find_column(name: str, column: str, names: list[str]) -> int:
    if column not in names:
        raise InputError(_unknown(name, column, names))
    if names.count(column) > 1:
        raise InputError(
            f"{name} has {names.count(column)} columns with the name {column}; expected one: "
            "rename the others"
        )
    return names.index(column)


def _unknown(place: str, column: str, names: list[str]) -> str:
    return f"{place} has no column {column}{nearest(column, names)}; it has {_listing(names)}"


def _unnamed(name: str, names: list[str]) -> str:
    example = f": write {name}:{names[0]}, for example" if names else ""
    return f"{name} needs the name of a column; it has {_listing(names)}{example}"


def _listing(names: list[str]) -> str:
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return (", ".join(names[:_NAMES_SHOWN]) or "none") + more


def _columns(count: int) -> str:
    return "1 column" if count == 1 else f"{count} columns"
