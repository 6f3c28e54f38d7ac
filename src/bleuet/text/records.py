"""Records: the rows of a TSV, CSV, JSON Lines or Parquet file, and one of its columns as text."""

from __future__ import annotations

from itertools import chain

from bleuet.errors import BleuetError, InputError
from bleuet.extras import optional
from bleuet.messages import nearest, plural
from bleuet.text.batches import BatchStream
from bleuet.text.files import MOST_EXPANSION, compression_suffix, most_lines, stored_size
from bleuet.text.json_text import json_problem
from bleuet.text.lines import too_long

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, NoReturn, Self

    from bleuet.text.lines import LineStream

_TEXT: set[type] = {str}
# A row of a Parquet file can be large, and its size is known only once it is read.
_PARQUET_ROWS = 8_192
_PARQUET_BUFFER = 1 << 20
_PARQUET_TEXT = 32 << 20
# The library's limit of a cell is a C long.
_CSV_CELL = (1 << 31) - 1
_NAMES_SHOWN = 20
_MOST_DIGITS = 9


class Records:
    """The rows of a file, read in batches; one class per format."""

    __slots__ = ("_chosen", "names", "numbers")

    # What `numbers` counts: lines of a text, or rows.
    unit = ":"

    names: list[str]  # of the columns
    numbers: Sequence[int]  # the line, or the row, of each row of the last batch, from 1
    _chosen: list[Any]

    def choose(self, column: str | None) -> None:
        """Read this column too.

        Args:
            column: its name, or in files without names its number from 1; None for the only one.

        Raises:
            InputError: there is no such column, or several.
        """
        raise NotImplementedError

    def next_columns(self) -> list[list[Any]]:
        """Read the values of the next rows in each chosen column; no columns at the end."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        raise NotImplementedError

    @property
    def bytes_read(self) -> int:
        """How many bytes of the stored file have been read."""
        raise NotImplementedError

    @property
    def bytes_total(self) -> int | None:
        """The size of the stored file in bytes; None for a pipe."""
        raise NotImplementedError

    def count_rest(self) -> tuple[int, bool]:
        """Count the rows that have not been returned, as `BatchStream.count_rest`."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the file."""
        raise NotImplementedError

    def place(self, index: int) -> str:
        """Return the place of a row of the last batch for messages."""
        return f"{self.name}{self.unit}{self.numbers[index]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class ColumnStream(BatchStream):
    """One column of a file of rows, as texts, in batches.

    In TSV and CSV, a column has a number, from 1, or a name that the first line has; without a
    column there must be only one. In JSON Lines it is a key of objects, or the number of an
    element of lists; without one, lines are strings, or lists of references.

    Args:
        records: the rows.
        column: the column.
        several: allow lists of texts and absent texts, as in references.

    Raises:
        InputError: there is no such column; and while reading, whatever is not text.
    """

    __slots__ = ("_column", "_records", "_several")

    def __init__(self, records: Records, column: str | None, several: bool = False) -> None:
        self._records = records
        self._column = column
        self._several = several
        try:
            records.choose(column)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name of the file and the column, as on the command line."""
        name = self._records.name
        return name if self._column is None else f"{name}:{self._column}"

    @property
    def bytes_read(self) -> int:
        """How many bytes of the stored file have been read."""
        return self._records.bytes_read

    @property
    def bytes_total(self) -> int | None:
        """The size of the stored file in bytes; None for a pipe."""
        return self._records.bytes_total

    def close(self) -> None:
        """Close the file."""
        self._records.close()

    def count_rest(self) -> tuple[int, bool]:
        """Count the rows that have not been returned, without reading their columns."""
        return self._records.count_rest()

    def _next_batch(self) -> list[Any]:
        columns = self._records.next_columns()
        if not columns:
            raise StopIteration
        self._check(columns[0])
        return columns[0]

    def _check(self, values: list[Any]) -> None:
        """Reject what is not text."""
        if isinstance(self._records, TsvRecords):
            return
        column = "the line" if self._column is None else self._column
        _check_values(values, self._several, column, self._records.place)
        if isinstance(self._records, JsonRecords):
            _check_unicode(values, column, self._records.place)


# --- Files of lines -------------------------------------------------------------------------------


class _LineRecords(Records):
    """Rows that are lines. The first ones are read ahead to find the columns.

    Args:
        lines: the lines; it closes them.
        named: whether the first line of a TSV or CSV file has the names of its columns.
    """

    __slots__ = ("_ahead", "_count", "_lines")

    # The values of lines, in their order.
    _ahead: list[Any]

    def __init__(self, lines: LineStream, named: bool) -> None:
        self._lines = lines
        self._count = 0
        self._chosen = []
        self.names = []
        self.numbers = ()
        try:
            self._ahead = self._next_rows()
            self._begin(named)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return self._lines.name

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
        """Count the lines that have not been returned, without reading their columns."""
        count, complete = self._lines.count_rest()
        return count + len(self._ahead), complete

    def next_columns(self) -> list[list[Any]]:
        """Read the values of the next rows in each chosen column; no columns at the end."""
        rows = self._ahead or self._next_rows()
        self._ahead = []
        return self._columns(rows) if rows else []

    def _begin(self, named: bool) -> None:
        """Find the columns in the first rows, `_ahead`."""
        raise NotImplementedError

    def _next_rows(self) -> list[Any]:
        """Read the next rows, and set `numbers` to their lines; none at the end."""
        lines = next(self._lines, [])
        self.numbers = range(self._count + 1, self._count + len(lines) + 1)
        self._count += len(lines)
        return self._parsed(lines)

    def _parsed(self, lines: list[str]) -> list[Any]:
        raise NotImplementedError

    def _columns(self, rows: list[Any]) -> list[list[Any]]:
        raise NotImplementedError


class TsvRecords(_LineRecords):
    """Rows whose cells are separated by tabs, without quotes."""

    __slots__ = ("_alone", "_first", "_width")

    _marks = "tabs"

    def choose(self, column: str | None) -> None:
        """Read this column too; see `Records.choose`."""
        self._alone = column is None
        if column is None:
            self._width = 1
            self._chosen.append(0)
        elif self.names:
            self._chosen.append(_find_column(self.name, column, self.names))
        else:
            index = _column_number(column) - 1
            if self._width and not 0 <= index < self._width:
                raise InputError(
                    f"{self.name} has no column {column}: choose one from 1 to {self._width}"
                )
            self._chosen.append(index)

    def _begin(self, named: bool) -> None:
        self._alone = False
        self._first = self._ahead[0] if self._ahead else []
        self._width = len(self._first)
        if not named:
            return
        if not self._first:
            raise InputError(
                f"{self.name} is empty; expected a first line that names its columns: check the "
                "file"
            )
        self.names = [cell.strip() for cell in self._first]
        del self._ahead[0]
        self.numbers = self.numbers[1:]

    def _parsed(self, lines: list[str]) -> list[list[str]]:
        return [line.split("\t") for line in lines]

    def _columns(self, rows: list[list[str]]) -> list[list[str]]:
        if set(map(len, rows)) != {self._width}:
            self._reject_width(rows)
        return [[row[index] for row in rows] for index in self._chosen]

    def _reject_width(self, rows: list[list[str]]) -> NoReturn:
        index = next(index for index, row in enumerate(rows) if len(row) != self._width)
        place, width = self.place(index), len(rows[index])
        found = f"{place} has {plural(width, 'column')} separated by {self._marks}"
        if self._alone:
            name = self.name
            raise InputError(
                f"{found}, and no column was named: name one by its number, {name}:1 to "
                f"{name}:{width}, or, if the first line has names, by its name, such as "
                f"{name}:{self._first[-1].strip() or 'NAME'}"
            )
        raise InputError(
            f"{found}; expected {self._width} as in the first line: add or remove {self._marks} "
            "there"
        )


class CsvRecords(TsvRecords):
    """Rows whose cells are separated by commas, with quotes, as RFC 4180 has them."""

    __slots__ = ("_reader", "_record_bytes")

    _marks = "commas"

    def __init__(self, lines: LineStream, named: bool) -> None:
        from csv import reader

        self._record_bytes = 0
        self._reader = reader(self._fed(), strict=True)
        super().__init__(lines, named)

    def count_rest(self) -> tuple[int, bool]:
        """Count the rows that have not been returned; a row can have several lines."""
        count, self._ahead = len(self._ahead), []
        while rows := self._next_rows():
            count += len(rows)
        self.close()
        return count, True

    def _next_rows(self) -> list[list[str]]:
        import csv

        rows: list[list[str]] = []
        numbers: list[int] = []
        size = 0
        # The limit of the library is one for the whole process, and far below ours.
        limit = csv.field_size_limit(min(self._lines.max_segment_bytes, _CSV_CELL))
        try:
            for row in self._reader:
                # An empty line is one empty cell.
                rows.append(row or [""])
                numbers.append(self._count + 1)
                size += self._record_bytes
                self._count, self._record_bytes = self._reader.line_num, 0
                if len(rows) >= self._lines.batch_lines or size >= self._lines.batch_bytes:
                    break
        except csv.Error as error:
            raise InputError(
                f"{self.name}:{self._count + 1} cannot be read as CSV ({error}): correct its quotes"
            ) from error
        finally:
            csv.field_size_limit(limit)
        self.numbers = numbers
        return rows

    def _fed(self) -> Iterator[str]:
        """Yield lines, as many as a row of limited size can have."""
        most = self._lines.max_segment_bytes
        for lines in self._lines:
            for line in lines:
                self._record_bytes += len(line) + 1
                if self._record_bytes > most + 1:
                    raise InputError(too_long(f"{self.name}:{self._count + 1}", most))
                yield f"{line}\n"


class JsonRecords(_LineRecords):
    """Rows that are JSON objects, all with the same keys, or lists, or strings."""

    __slots__ = ("_decode", "_objects")

    def __init__(self, lines: LineStream, named: bool) -> None:
        from json import JSONDecoder

        self._decode = JSONDecoder().decode
        super().__init__(lines, named)

    def choose(self, column: str | None) -> None:
        """Read this column too; see `Records.choose`."""
        if self._objects:
            if column is None:
                raise InputError(_unnamed(self.name, self.names))
            if column not in self.names:
                raise InputError(_unknown(f"{self.name}:1", column, self.names))
        elif self._ahead and column is not None and _column_number(column) < 1:
            raise InputError(f"{self.name} has no element {column}: choose one from 1")
        self._chosen.append(column)

    def _begin(self, named: bool) -> None:
        first = self._ahead[0] if self._ahead else None
        self._objects = isinstance(first, dict)
        if isinstance(first, dict):
            self.names = list(first)
        elif self._ahead and (named or not isinstance(first, list | str)):
            self._reject_row(0)

    def _parsed(self, lines: list[str]) -> list[Any]:
        rows = []
        for index, line in enumerate(lines):
            try:
                rows.append(self._decode(line))
            except (ValueError, RecursionError) as error:
                found = "is blank" if not line.strip() else f"is not JSON ({json_problem(error)})"
                raise InputError(
                    f"{self.place(index)} {found}; expected one JSON object on every line: correct "
                    "or remove that line"
                ) from error
        return rows

    def _columns(self, rows: list[Any]) -> list[list[Any]]:
        if not self._objects:
            return [
                rows if number is None else self._elements(rows, _column_number(number))
                for number in self._chosen
            ]
        if not set(map(type, rows)) <= {dict}:
            self._reject_row(next(i for i, row in enumerate(rows) if not isinstance(row, dict)))
        return [self._values(rows, key) for key in self._chosen]

    def _values(self, rows: list[dict[str, Any]], key: str) -> list[Any]:
        try:
            return [row[key] for row in rows]
        except KeyError:
            index = next(index for index, row in enumerate(rows) if key not in row)
            raise InputError(_unknown(self.place(index), key, list(rows[index]))) from None

    def _elements(self, rows: list[Any], number: int) -> list[Any]:
        for index, row in enumerate(rows):
            if not isinstance(row, list) or len(row) < number:
                found = f"is a list of {len(row)}" if isinstance(row, list) else "is not a list"
                raise InputError(
                    f"{self.place(index)} {found}; expected a list with {number} elements or "
                    "more, as the column is a number: correct that line"
                )
        return [row[number - 1] for row in rows]

    def _reject_row(self, index: int) -> NoReturn:
        raise InputError(
            f"{self.place(index)} is JSON but not an object; expected one such as "
            f'{{"{(self._chosen or ["hypothesis"])[0]}": "text"}}: wrap its value in an object'
        )


# --- Parquet --------------------------------------------------------------------------------------


class ParquetRecords(Records):
    """Rows of a Parquet file.

    A column of text is read as numbers into a dictionary of the different texts, as it is stored:
    a small file can repeat a large text a million times.

    Args:
        path: the file.
        max_segment_bytes: the most bytes of a text; a longer one is an error.
        batch_bytes: the approximate size of a batch.
        batch_rows: the most rows of a batch.

    Raises:
        InputError: the file cannot be read.
        MissingExtraError: the library for Parquet is not installed.
    """

    __slots__ = (
        "_batches",
        "_bytes_total",
        "_count",
        "_file",
        "_library",
        "_most",
        "_path",
        "_rest",
        "_rows",
    )

    unit = ": row "

    def __init__(
        self, path: str, max_segment_bytes: int, batch_bytes: int, batch_rows: int
    ) -> None:
        self._path = path
        self._most = max_segment_bytes
        self._rows = batch_bytes, min(max(batch_rows, 1), _PARQUET_ROWS)
        self._count = 0
        self._chosen = []
        self._batches: Iterator[Any] | None = None
        self._rest: Any = None
        if compression_suffix(path):
            raise InputError(
                f"{path} is a compressed Parquet file, which cannot be read in parts; "
                "expected a plain one, as Parquet has its own compression: decompress it first"
            )
        self._bytes_total = stored_size(path)
        self._library = optional("pyarrow.parquet")
        with ParquetDamage(path):
            self._file: Any = self._library.ParquetFile(path, memory_map=False, pre_buffer=False)
        self._check_rows(most_lines(max_segment_bytes))
        self.names = self._file.schema_arrow.names
        self.numbers = range(0)

    def _check_rows(self, most: int) -> None:
        """Reject a file of far more rows than any texts would need."""
        rows = self._file.metadata.num_rows
        if rows > MOST_EXPANSION * self._bytes_total + most:
            self.close()
            raise InputError(
                f"{self._path} has {rows:,} rows in {self._bytes_total:,} bytes; expected at most "
                f"{MOST_EXPANSION} for each byte and {most:,} more: check the file, or raise the "
                "limit with --max-segment-bytes (in Python: max_segment_bytes)"
            )

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return self._path

    @property
    def bytes_read(self) -> int:
        """The size of the file times the share of rows that were read; its columns lie apart."""
        rows = self._file.metadata.num_rows
        return self._bytes_total * self._count // rows if rows else self._bytes_total

    @property
    def bytes_total(self) -> int | None:
        """The size of the file in bytes."""
        return self._bytes_total

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def count_rest(self) -> tuple[int, bool]:
        """Count the rows that have not been returned; the file has their number."""
        self.close()
        return self._file.metadata.num_rows - self._count, True

    def choose(self, column: str | None) -> None:
        """Read this column too; see `Records.choose`."""
        if column is None:
            raise InputError(_unnamed(self.name, self.names))
        self._chosen.append(self.names[_find_column(self.name, column, self.names)])

    def next_columns(self) -> list[list[Any]]:
        """Read the values of the next rows in each chosen column; no columns at the end."""
        with ParquetDamage(self.name):
            if self._batches is None:
                self._batches = self._open()
            batch = self._rest or next(self._batches, None)
            while batch is not None and not batch.num_rows:
                batch = next(self._batches, None)
            if batch is None:
                return []
            # Equal texts are one string here, but not in what reads a batch.
            longest = max(_longest(batch.column(column)) for column in self._chosen)
            rows = max(_PARQUET_TEXT // max(longest, 1), 1)
            batch, self._rest = batch.slice(0, rows), batch.slice(rows)
            self.numbers = range(self._count + 1, self._count + batch.num_rows + 1)
            columns = [batch.column(column) for column in self._chosen]
            values = [_listed(column) for column in columns]
            for column, texts in zip(columns, values, strict=True):
                if _longest(column) > self._most:
                    self._check_lengths(texts)
            self._count += batch.num_rows
            return values

    def _open(self) -> Iterator[Any]:
        """Open the file again, now that the columns are known."""
        leaves = self._leaves()
        rows = self._batch_rows(leaves)
        schema = self._file.schema
        # Arrow cannot read lists of texts this way.
        texts = [
            schema.column(i).path
            for i in leaves
            if schema.column(i).path in self._chosen and _is_text(schema.column(i))
        ]
        self._file.close()
        self._file = self._library.ParquetFile(
            self.name,
            metadata=self._file.metadata,
            memory_map=False,
            pre_buffer=False,
            buffer_size=_PARQUET_BUFFER,
            read_dictionary=texts,
        )
        batches: Iterator[Any] = self._file.iter_batches(
            batch_size=rows, columns=self._chosen, use_threads=False
        )
        return batches

    def _leaves(self) -> list[int]:
        """Return the numbers of the stored columns that make up the chosen ones."""
        schema = self._file.schema
        return [
            index
            for index in range(len(schema))
            if any(f"{schema.column(index).path}.".startswith(f"{name}.") for name in self._chosen)
        ]

    def _batch_rows(self, leaves: Sequence[int]) -> int:
        """Return how many rows of their average size fit into a batch."""
        size, rows = self._rows
        metadata = self._file.metadata
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            for leaf in leaves:
                average = group.column(leaf).total_uncompressed_size // max(group.num_rows, 1)
                if average > self._most:
                    raise InputError(too_long(f"{self.name}: row group {number + 1}", self._most))
                rows = max(min(rows, size // max(average, 1)), 1)
        return rows

    def _check_lengths(self, values: list[Any]) -> None:
        for index, value in enumerate(values):
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and len(text.encode()) > self._most:
                    raise InputError(too_long(self.place(index), self._most))


def _is_text(column: Any) -> bool:
    return bool(column.physical_type == "BYTE_ARRAY" and column.logical_type.type == "STRING")


def _texts_in(array: Any) -> Any:
    """Return the different texts of an Arrow array of texts, or of lists of texts."""
    while hasattr(array, "offsets"):
        array = array.values
    return getattr(array, "dictionary", array)


def _longest(array: Any) -> int:
    """Return the bytes of the longest text in an Arrow array; 0 if it has no texts."""
    texts = _texts_in(array)
    compute = optional("pyarrow.compute")
    if str(texts.type) not in ("string", "large_string"):
        return 0
    return compute.max(compute.binary_length(texts)).as_py() or 0


def _listed(array: Any) -> list[Any]:
    """Return the values of an Arrow array; equal texts are one string."""
    if not hasattr(array, "dictionary"):
        values: list[Any] = array.to_pylist()
        return values
    texts = array.dictionary.to_pylist()
    return [None if index is None else texts[index] for index in array.indices.to_pylist()]


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


# --- Values ---------------------------------------------------------------------------------------


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


def _check_unicode(values: list[Any], column: str, place: Callable[[int], str]) -> None:
    """Reject half of a surrogate pair, which JSON can write and UTF-8 cannot."""
    try:
        "".join(_texts(values)).encode("utf-8")
    except UnicodeEncodeError:
        for index, value in enumerate(values):
            if any("\ud800" <= mark <= "\udfff" for text in _texts([value]) for mark in text):
                raise InputError(
                    f"{place(index)}: the text of {column} has half of a surrogate pair; expected "
                    "Unicode characters: write the character itself or both halves"
                ) from None
        raise


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


def _column_number(column: str) -> int:
    # Python reads no number of more than 4300 digits, and no file has so many columns.
    return int(column) if len(column) <= _MOST_DIGITS else 10**_MOST_DIGITS


def _unknown(place: str, column: str, names: list[str]) -> str:
    return f"{place} has no column {column}{nearest(column, names)}; it has {_listing(names)}"


def _unnamed(name: str, names: list[str]) -> str:
    example = f": write {name}:{names[0]}, for example" if names else ""
    return f"{name} needs the name of a column; it has {_listing(names)}{example}"


def _listing(names: list[str]) -> str:
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return (", ".join(names[:_NAMES_SHOWN]) or "none") + more
