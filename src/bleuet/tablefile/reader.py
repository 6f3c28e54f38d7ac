"""Saved tables are read from a Parquet file in portions; everything in it is validated.

The sizes that the file states are validated before the library for Parquet reads it, the columns
by their checksums once they are read. Whether the numbers are possible is checked in
`saved_files.py`, which knows the metrics.

A file has a row for every system and segment, with the columns `system`, `segment` (from 1) and,
for each metric, its columns after its name: `BLEU_sys_len`, `BLEU_ref_len` and so on. pandas,
polars and DuckDB read it like any other table.
"""

from __future__ import annotations

from zlib import crc32

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.statistics.table import Table
from bleuet.tablefile.parquet_layout import ParquetLayout
from bleuet.tablefile.schema import (
    MetricColumns,
    damaged,
    read_description,
)
from bleuet.text.batches import BATCH_SEGMENTS
from bleuet.text.files import STDIN, stored_size
from bleuet.text.records.parquet import ParquetDamage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, BinaryIO, NoReturn

    import pyarrow as pa

# Limits for the library that reads the file's index, far above those of any valid file.
_INDEX_LIMITS = {"thrift_string_size_limit": 1 << 24, "thrift_container_size_limit": 1 << 20}


class TableReader:
    """A file of saved tables, whose rows are read in portions.

    Args:
        path: the file.

    Raises:
        InputError: there is no such file, or it has no saved tables, is of a later version or
            damaged.
        MissingExtraError: the library for Parquet is not installed.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        if path == STDIN:
            raise InputError("saved tables cannot be read from standard input: name a file, not -")
        stored_size(path)
        with ParquetDamage(path), open(path, "rb") as stored:
            self._layout = ParquetLayout(path, stored)
            self.description = read_description(path, self._layout.metadata)
            self._check_layout(stored)
            with self._open() as file:
                self._check_columns(file.schema_arrow)
                self._groups = [self._systems_of(file, i) for i in range(len(self._layout.groups))]

    def _open(self) -> Any:
        return optional("pyarrow.parquet").ParquetFile(
            self.path,
            memory_map=False,
            pre_buffer=False,
            page_checksum_verification=True,
            # A text that is repeated in each row takes memory only once.
            read_dictionary=["system"],
            **_INDEX_LIMITS,
        )

    def _check_layout(self, stored: BinaryIO) -> None:
        """Validate what the file states of its size, before memory is taken for it."""
        layout, description = self._layout, self.description
        if layout.problem is not None:
            raise layout.problem
        for name in ("system", "segment", *description.columns):
            if name not in layout.columns:
                self._fail(f"its column {name} is missing")
        expected = len(description.systems) * description.segments
        if layout.rows != expected:
            self._fail(
                f"it has {layout.rows} rows, not {description.segments} for each of "
                f"{len(description.systems)} systems"
            )
        layout.check_rows("segment")
        layout.check_texts(
            stored, "system", max(len(name.encode()) for name in description.systems)
        )

    def _check_columns(self, schema: pa.Schema) -> None:
        arrow = optional("pyarrow")
        kinds: dict[str, Any] = {"segment": arrow.int64()}
        for metric in self.description.metrics:
            kinds |= {metric.in_file(name): arrow.int64() for name in metric.integer_columns}
            kinds |= {metric.in_file(name): arrow.float64() for name in metric.real_columns}
        for name, kind in kinds.items():
            self._check_column(schema, name, [kind])
        text = arrow.string()
        self._check_column(schema, "system", [text, arrow.dictionary(arrow.int32(), text)])

    def _check_column(self, schema: pa.Schema, name: str, kinds: list[Any]) -> None:
        found = [schema.field(i).type for i in schema.get_all_field_indices(name)]
        if len(found) != 1 or found[0] not in kinds:
            was = " and ".join(map(str, found)) or "missing"
            self._fail(f"its column {name} is {was}, not {kinds[-1]}")

    def _systems_of(self, file: Any, group: int) -> set[str]:
        """Return the systems of a group of rows.

        Its statistics have them too, but reading damaged statistics ends the process.
        """
        names = file.read_row_group(group, columns=["system"], use_threads=False).column(0)
        return {*names.unique().to_pylist()} & {*self.description.systems}

    def stream(self, system: int, wanted: Sequence[MetricColumns]) -> Iterator[list[Table]]:
        """Read the rows of a system in portions of equal size, except the last.

        Args:
            system: the place of the system.
            wanted: columns of metrics of this file, or fewer of each.

        Yields:
            One table for each of `wanted`.

        Raises:
            InputError: rows are missing or duplicate, or, after the last one, the numbers are not
                those that were written.
        """
        columns = list(dict.fromkeys(name for metric in wanted for name in metric.all_in_file()))
        arrow = optional("pyarrow")
        waiting: list[Any] = []
        rows = 0
        for batch in self._batches(system, columns):
            waiting.append(batch)
            rows += batch.num_rows
            while rows >= BATCH_SEGMENTS:
                joined = arrow.Table.from_batches(waiting)
                yield _tables(joined.slice(0, BATCH_SEGMENTS), wanted)
                waiting = joined.slice(BATCH_SEGMENTS).to_batches()
                rows -= BATCH_SEGMENTS
        if rows:
            yield _tables(arrow.Table.from_batches(waiting), wanted)

    def _batches(self, system: int, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a system, validated, without the columns that identify them."""
        description = self.description
        name = description.systems[system]
        groups = [i for i, names in enumerate(self._groups) if name in names]
        seen = 0
        checksums = dict.fromkeys(columns, 0)
        with ParquetDamage(self.path), open(self.path, "rb") as stored, self._open() as file:
            self._layout.check_numbers(stored, ["segment", *columns], groups)
            for batch in file.iter_batches(
                BATCH_SEGMENTS, row_groups=groups, columns=["system", "segment", *columns]
            ):
                self._check_nulls(batch)
                rows = self._of_system(batch, name)
                if not rows.num_rows:
                    continue
                self._check_segments(rows.column("segment"), seen, name)
                seen += rows.num_rows
                if seen > description.segments:
                    break
                for column in columns:
                    checksums[column] = crc32(_bytes_of(rows.column(column)), checksums[column])
                yield rows.select(columns)
        if seen != description.segments:
            more = "more than " if seen > description.segments else ""
            self._fail(
                f"{name} has {more}{min(seen, description.segments)} rows, not "
                f"{description.segments}"
            )
        for column, found in checksums.items():
            if f"{found:08x}" != description.checksum(system, column):
                self._fail(f"its column {column} has other numbers of {name} than were written")

    def _of_system(self, batch: pa.RecordBatch, name: str) -> pa.RecordBatch:
        names = batch.column("system")
        # Most batches are of one system, and a filter would copy them.
        if names.unique().to_pylist() == [name]:
            return batch
        return batch.filter(optional("pyarrow.compute").equal(names, name))

    def _check_nulls(self, batch: pa.RecordBatch) -> None:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if column.null_count:
                self._fail(f"its column {name} has missing values")

    def _check_segments(self, column: pa.Array, seen: int, name: str) -> None:
        compute = optional("pyarrow.compute")
        steps = compute.subtract(column[1:], column[:-1])
        if (
            column[0].as_py() != seen + 1
            or not compute.all(compute.equal(steps, 1), min_count=0).as_py()
        ):
            self._fail(f"the segments of {name} are not numbered from 1 to the last")

    def _fail(self, what: str) -> NoReturn:
        raise InputError(damaged(self.path, what))


def _tables(rows: pa.Table, wanted: Sequence[MetricColumns]) -> list[Table]:
    tables = []
    for metric in wanted:
        integers, reals = (
            b"".join(
                _bytes_of(chunk)
                for name in names
                for chunk in rows.column(metric.in_file(name)).chunks
            )
            for names in (metric.integer_columns, metric.real_columns)
        )
        tables.append(
            Table(
                metric.integer_columns,
                metric.real_columns,
                rows.num_rows,
                integers,
                reals,
                metric.n_references,
                metric.learned,
            )
        )
    return tables


def _bytes_of(column: pa.Array) -> memoryview:
    """Return the bytes of a column of 64-bit numbers without missing values."""
    values = memoryview(column.buffers()[1] or b"")
    return values[8 * column.offset : 8 * (column.offset + len(column))]
