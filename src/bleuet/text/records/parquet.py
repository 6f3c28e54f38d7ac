"""Rows of a Parquet file."""

from __future__ import annotations

from bleuet.errors import BleuetError, InputError
from bleuet.extras import optional
from bleuet.text.addresses import file_for_arrow
from bleuet.text.files import MOST_EXPANSION, compression_suffix, most_lines, stored_size
from bleuet.text.lines import too_long
from bleuet.text.records.base import Records
from bleuet.text.records.column_names import find_column, unnamed_column

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

# A row of a Parquet file can be large, and its size is known only once it is read.
_MOST_ROWS = 8_192
_BUFFER_BYTES = 1 << 20
_BATCH_TEXT_BYTES = 32 << 20


class ParquetRecords(Records):
    """Rows of a Parquet file.

    A column of text is read as numbers into a dictionary of the different texts, as it is stored:
    a small file can repeat a large text a million times.

    Args:
        path: the file.
        max_segment_bytes: the most bytes of a text; a longer one is an error.
        batch_bytes: the approximate size of a batch.
        batch_rows: the most rows of a batch.
        row_groups: the first row group that is read and the one behind the last; None for all.

    Raises:
        InputError: the file cannot be read.
        MissingExtraError: the library for Parquet is not installed.
    """

    __slots__ = (
        "_batches",
        "_before",
        "_bytes_total",
        "_count",
        "_file",
        "_groups",
        "_library",
        "_most",
        "_path",
        "_rest",
        "_rows",
    )

    unit = ": row "

    def __init__(
        self,
        path: str,
        max_segment_bytes: int,
        batch_bytes: int,
        batch_rows: int,
        row_groups: tuple[int, int] | None = None,
    ) -> None:
        self._path = path
        self._most = max_segment_bytes
        self._rows = batch_bytes, min(max(batch_rows, 1), _MOST_ROWS)
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
            self._file: Any = self._library.ParquetFile(
                file_for_arrow(path), memory_map=False, pre_buffer=False
            )
        self._check_rows(most_lines(max_segment_bytes))
        metadata = self._file.metadata
        self._groups = range(*(row_groups or (0, metadata.num_row_groups)))
        before = range(self._groups.start)
        self._before = sum(metadata.row_group(group).num_rows for group in before)
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

    def _rows_to_read(self) -> int:
        metadata = self._file.metadata
        return sum(metadata.row_group(group).num_rows for group in self._groups)

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
        return self._rows_to_read() - self._count, True

    def choose(self, column: str | None) -> None:
        """Read this column too; see `Records.choose`."""
        if column is None:
            raise InputError(unnamed_column(self.name, self.names))
        self._chosen.append(self.names[find_column(self.name, column, self.names)])

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
            rows = max(_BATCH_TEXT_BYTES // max(longest, 1), 1)
            batch, self._rest = batch.slice(0, rows), batch.slice(rows)
            first = self._before + self._count + 1
            self.numbers = range(first, first + batch.num_rows)
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
            file_for_arrow(self.name),
            metadata=self._file.metadata,
            memory_map=False,
            pre_buffer=False,
            buffer_size=_BUFFER_BYTES,
            read_dictionary=texts,
        )
        batches: Iterator[Any] = self._file.iter_batches(
            batch_size=rows, row_groups=list(self._groups), columns=self._chosen, use_threads=False
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
