"""Tables written to a Parquet file, batch by batch; `tablefile/reader.py` tells its form."""

from __future__ import annotations

from bleuet.errors import TableError
from bleuet.extras import optional
from bleuet.tablefile.schema import KEY, Description, MetricColumns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import IO, Self

    import pyarrow as pa  # type: ignore[import-untyped]

    from bleuet.statistics.table import Table


class TableWriter:
    """Writes tables to a file, as a context manager; memory does not grow with the corpus.

    Args:
        out: an open binary file.
        systems: the systems' names.
        metrics: the columns of each metric; signature and number of references are told at the
            end, by `finish`.

    Raises:
        MissingExtraError: the library for Parquet is not installed.
        TableError: there is no system or metric, or one comes twice.
    """

    def __init__(
        self, out: IO[bytes], systems: Sequence[str], metrics: Sequence[MetricColumns]
    ) -> None:
        for names in (systems, [metric.prefix for metric in metrics]):
            if not names or len(set(names)) != len(names):
                raise TableError(
                    "saved tables need systems and metrics, each under a name of its own, not "
                    f"{', '.join(map(repr, names)) or 'none'}: name them apart"
                )
        self._arrow = optional("pyarrow")
        self._systems = list(systems)
        self._metrics = metrics
        self._rows = [0] * len(systems)
        self._schema = self._make_schema()
        self._writer = optional("pyarrow.parquet").ParquetWriter(
            out,
            self._schema,
            compression="zstd",
            write_statistics=False,
            write_page_checksum=True,
        )

    def _make_schema(self) -> pa.Schema:
        arrow = self._arrow
        system = arrow.dictionary(arrow.int32(), arrow.string())
        fields = [("system", system), ("segment", arrow.int64())]
        for metric in self._metrics:
            fields += [(metric.in_file(name), arrow.int64()) for name in metric.integer_columns]
            fields += [(metric.in_file(name), arrow.float64()) for name in metric.real_columns]
        return arrow.schema([arrow.field(name, kind, nullable=False) for name, kind in fields])

    def write(self, system: int, tables: Sequence[Table]) -> None:
        """Write the next rows of a system, given by its place among the systems.

        Args:
            system: from 0.
            tables: one per metric, all with as many rows.

        Raises:
            TableError: a table has other columns or another number of rows.
        """
        arrow = self._arrow
        rows = tables[0].rows
        arrays = [
            arrow.DictionaryArray.from_arrays(
                arrow.repeat(arrow.scalar(0, arrow.int32()), rows),
                arrow.array(self._systems[system : system + 1], arrow.string()),
            ),
            self._numbers(range(self._rows[system] + 1, self._rows[system] + rows + 1)),
        ]
        for metric, table in zip(self._metrics, tables, strict=True):
            expected = (metric.integer_columns, metric.real_columns, rows)
            if (table.integer_columns, table.real_columns, table.rows) != expected:
                raise TableError(
                    f"the table of {metric.prefix} has {table.rows} rows of "
                    f"{', '.join(table.columns)}; expected {rows} rows of "
                    f"{', '.join((*metric.integer_columns, *metric.real_columns))}"
                )
            arrays += arrow.record_batch(table).columns
        self._rows[system] += rows
        self._writer.write_table(arrow.Table.from_arrays(arrays, schema=self._schema))

    def _numbers(self, numbers: range) -> pa.Array:
        from array import array

        return self._arrow.Array.from_buffers(
            self._arrow.int64(), len(numbers), [None, self._arrow.py_buffer(array("q", numbers))]
        )

    def finish(
        self, signatures: Sequence[str], n_references: Sequence[int | None], references: str = ""
    ) -> None:
        """Tell what is known only at the end, and write the file's index.

        Args:
            signatures: one per metric, with its name before it.
            n_references: references per segment for each metric, or None where segments differ.
            references: a fingerprint of the references, where it is known.

        Raises:
            TableError: systems differ in their number of rows, or there is none.
        """
        if len(set(self._rows)) > 1 or not self._rows[0]:
            found = ", ".join(map(str, self._rows))
            raise TableError(
                f"the systems of one file need as many segments each, and at least one, not {found}"
            )
        metrics = [
            MetricColumns(m.prefix, signature, m.integer_columns, m.real_columns, n)
            for m, signature, n in zip(self._metrics, signatures, n_references, strict=True)
        ]
        description = Description(self._systems, self._rows[0], metrics, references)
        self._writer.add_key_value_metadata({KEY: description.encode()})
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: object, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if problem is None:
            return
        # Left open, the library would try to write the index when it is collected, too late.
        try:
            self._writer.close()
        except Exception as error:
            # Python 3.10 has no notes; what went wrong first is told in any case.
            if hasattr(problem, "add_note"):
                problem.add_note(str(error))
