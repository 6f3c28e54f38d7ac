"""Saved tables are read from a Parquet file in portions; everything in it is validated.

A file has a row for every system and segment, with the columns `system`, `segment` (from 1) and,
for each metric, its columns after its name: `BLEU_sys_len`, `BLEU_ref_len` and so on. pandas,
polars and DuckDB read it like any other table.
"""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.statistics.table import Table
from bleuet.tablefile.schema import (
    MetricColumns,
    damaged,
    read_description,
)
from bleuet.text.batches import BATCH_SEGMENTS
from bleuet.text.files import STDIN
from bleuet.text.lines import stream_lines
from bleuet.text.records import ParquetDamage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, NoReturn

    import pyarrow as pa  # type: ignore[import-untyped]

# No segment has so many n-grams or edits, and sums of billions of rows stay within 64 bits.
MAX_COUNT = 1 << 32
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
        # Opened only for the usual errors of a missing file or a folder.
        with stream_lines(path):
            pass
        with ParquetDamage(path):
            file = self._open()
            with file:
                metadata = file.metadata
                self._check_size(metadata)
                self.description = read_description(path, metadata.metadata)
                self._check_columns(file.schema_arrow)
                self._groups = [self._systems_of(file, i) for i in range(metadata.num_row_groups)]

    def _open(self) -> Any:
        return optional("pyarrow.parquet").ParquetFile(
            self.path,
            memory_map=False,
            pre_buffer=False,
            page_checksum_verification=True,
            **_INDEX_LIMITS,
        )

    def _check_size(self, metadata: Any) -> None:
        if metadata.num_columns > 100_000:
            self._fail(f"it has {metadata.num_columns} columns")

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
        found: set[str] = set()
        for batch in file.iter_batches(row_groups=[group], columns=["system"]):
            found.update(batch.column("system").unique().to_pylist())
            found &= {*self.description.systems}
        return found

    def stream(self, system: int, wanted: Sequence[MetricColumns]) -> Iterator[list[Table]]:
        """Read the rows of a system in portions of equal size, except the last.

        Args:
            system: the place of the system.
            wanted: columns of metrics of this file, or fewer of each.

        Yields:
            One table for each of `wanted`.

        Raises:
            InputError: rows are missing or duplicate, or a number cannot be a count.
        """
        names = [m.in_file(c) for m in wanted for c in (*m.integer_columns, *m.real_columns)]
        columns = list(dict.fromkeys(names))
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
        equal = optional("pyarrow.compute").equal
        seen = 0
        with ParquetDamage(self.path), self._open() as file:
            for batch in file.iter_batches(
                BATCH_SEGMENTS, row_groups=groups, columns=["system", "segment", *columns]
            ):
                self._check_nulls(batch)
                rows = batch.filter(equal(batch.column("system"), name))
                if not rows.num_rows:
                    continue
                self._check_segments(rows.column("segment"), seen, name)
                seen += rows.num_rows
                if seen > description.segments:
                    break
                self._check_numbers(rows.select(columns))
                yield rows.select(columns)
        if seen != description.segments:
            more = "more than " if seen > description.segments else ""
            self._fail(
                f"{name} has {more}{min(seen, description.segments)} rows, not "
                f"{description.segments}"
            )

    def _check_nulls(self, batch: pa.RecordBatch) -> None:
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if column.null_count:
                self._fail(f"its column {name} has missing values")

    def _check_segments(self, column: pa.Array, seen: int, name: str) -> None:
        from array import array

        expected = array("q", range(seen + 1, seen + len(column) + 1)).tobytes()
        if _bytes_of([column]) != expected:
            self._fail(f"the segments of {name} are not numbered from 1 to the last")

    def _check_numbers(self, batch: pa.RecordBatch) -> None:
        compute, arrow = optional("pyarrow.compute"), optional("pyarrow")
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if (
                column.type == arrow.float64()
                and not compute.all(compute.is_finite(column)).as_py()
            ):
                self._fail(f"its column {name} has a number that is not finite")
            least, most = compute.min_max(column).as_py().values()
            if least < 0 or most > MAX_COUNT:
                self._fail(f"its column {name} has the count {least if least < 0 else most}")

    def _fail(self, what: str) -> NoReturn:
        raise InputError(damaged(self.path, what))


def _tables(rows: pa.Table, wanted: Sequence[MetricColumns]) -> list[Table]:
    tables = []
    for metric in wanted:
        integers, reals = (
            b"".join(_bytes_of(rows.column(metric.in_file(name)).chunks) for name in names)
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
            )
        )
    return tables


def _bytes_of(arrays: Sequence[pa.Array]) -> bytes:
    """Return the bytes of columns of 64-bit numbers without missing values, one after the other."""
    return b"".join(
        memoryview(array.buffers()[1])[8 * array.offset : 8 * (array.offset + len(array))]
        for array in arrays
        if len(array)
    )
