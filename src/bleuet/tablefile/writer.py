"""Saved tables are written to a Parquet file, batch by batch; `reader.py` describes its form."""

from __future__ import annotations

import os
from zlib import crc32

from bleuet.errors import OptionError, TableError
from bleuet.extras import optional
from bleuet.metrics.catalogue import CATALOGUE, NEURAL
from bleuet.output.descriptor import is_special
from bleuet.output.destination import STDOUT, Destination
from bleuet.statistics.table import same_learned
from bleuet.tablefile.row_checks import impossible_rows
from bleuet.tablefile.schema import KEY, Description, MetricColumns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import IO, Any, Self

    import pyarrow as pa

    from bleuet.metrics.base.metric import Metric
    from bleuet.statistics.counted import Counted
    from bleuet.statistics.table import Table
    from bleuet.text.fingerprint import Fingerprint

SUFFIX = ".parquet"


class TableWriter:
    """Writes tables to a file, as a context manager; memory does not grow with the corpus.

    Args:
        out: an open binary file.
        systems: the systems' names.
        metrics: the metrics that count.

    Raises:
        MissingExtraError: the library for Parquet is not installed.
        TableError: there is no system or metric, a system is named twice, or a metric is not of
            the catalogue, so that a file could not name it.
    """

    def __init__(
        self, out: IO[bytes], systems: Sequence[str], metrics: Sequence[Metric[Any]]
    ) -> None:
        if not systems or not metrics or len(set(systems)) != len(systems):
            raise TableError(
                "saved tables need metrics, and systems with different names, not "
                f"{', '.join(map(repr, systems)) or 'none'}: rename them"
            )
        known = {entry.load() for entry in (*CATALOGUE.values(), *NEURAL.values())}
        for metric in metrics:
            if type(metric) not in known:
                raise TableError(
                    f"a table of {metric.name} cannot be saved, because its signature describes no "
                    f"metric of the catalogue: save those of {', '.join(CATALOGUE)}"
                )
        self._arrow = optional("pyarrow")
        self._systems = list(systems)
        self._metrics = metrics
        self._prefixes = _prefixes([metric.name for metric in metrics])
        self._n_references: list[int | None] = []
        self._learned = [""] * len(metrics)
        self._rows = [0] * len(systems)
        names = [name for columns in self._columns() for name in columns.all_in_file()]
        self._checksums = [dict.fromkeys(names, 0) for _ in systems]
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
        for columns in self._columns():
            fields += [(columns.in_file(name), arrow.int64()) for name in columns.integer_columns]
            fields += [(columns.in_file(name), arrow.float64()) for name in columns.real_columns]
        return arrow.schema([arrow.field(name, kind, nullable=False) for name, kind in fields])

    def _columns(self) -> list[MetricColumns]:
        n_references = self._n_references or [1] * len(self._metrics)
        return [
            MetricColumns(
                prefix,
                metric.signature(number).full(),
                metric.integer_columns,
                metric.real_columns,
                number,
                learned,
            )
            for prefix, metric, number, learned in zip(
                self._prefixes, self._metrics, n_references, self._learned, strict=True
            )
        ]

    def write(self, system: int, tables: Sequence[Table]) -> None:
        """Write the next rows of a system.

        Args:
            system: the place of the system, from 0.
            tables: one per metric, all with the same number of rows.

        Raises:
            TableError: a table has other columns, another number of rows, or rows that no segment
                has, or its metric had learned something else than for the tables before.
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
        for metric, columns, table in zip(self._metrics, self._columns(), tables, strict=True):
            expected = (metric.integer_columns, metric.real_columns, rows)
            if (table.integer_columns, table.real_columns, table.rows) != expected:
                raise TableError(
                    f"the table of {metric.name} has {table.rows} rows of "
                    f"{', '.join(table.columns)}; expected {rows} rows of "
                    f"{', '.join(metric.columns)}"
                )
            problem = impossible_rows(metric, table)
            if problem:
                raise TableError(
                    f"the table of {metric.name} cannot be saved, because no segment has such "
                    f"counts: {problem}; save rows of single segments, as count returns them"
                )
            arrays += arrow.record_batch(table).columns
            for name, in_file in zip(table.columns, columns.all_in_file(), strict=True):
                before = self._checksums[system][in_file]
                self._checksums[system][in_file] = crc32(table.column(name), before)
        found = [table.n_references for table in tables]
        known = self._n_references or found
        self._n_references = [a if a == b else None for a, b in zip(known, found, strict=True)]
        pairs = zip(self._learned, tables, strict=True)
        self._learned = [same_learned(before, table.learned) for before, table in pairs]
        self._rows[system] += rows
        self._writer.write_table(arrow.Table.from_arrays(arrays, schema=self._schema))

    def _numbers(self, numbers: range) -> pa.Array:
        from array import array

        return self._arrow.Array.from_buffers(
            self._arrow.int64(), len(numbers), [None, self._arrow.py_buffer(array("q", numbers))]
        )

    def finish(self, references: str = "") -> None:
        """Write the description of the file.

        Args:
            references: a fingerprint of the references, if it is known.

        Raises:
            TableError: systems differ in their number of rows, or have no rows.
        """
        if len(set(self._rows)) > 1 or not self._rows[0]:
            found = ", ".join(map(str, self._rows))
            raise TableError(
                "the systems of one file need the same number of segments, and at least one, not "
                f"{found}"
            )
        checksums = ["".join(f"{one:08x}" for one in own.values()) for own in self._checksums]
        description = Description(
            tuple(self._systems),
            self._rows[0],
            tuple(self._columns()),
            references,
            tuple(checksums),
        )
        self._writer.add_key_value_metadata({KEY: description.encode()})
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: object, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if problem is None:
            return
        # Left open, the library would try to write the index at garbage collection, too late.
        try:
            self._writer.close()
        except Exception as error:
            problem.add_note(str(error))


def _prefixes(names: Sequence[str]) -> list[str]:
    """Return prefixes for columns that keep metrics of one name apart.

    >>> _prefixes(["BLEU", "TER", "BLEU"])
    ['BLEU', 'TER', 'BLEU-2']
    """
    found = []
    for place, name in enumerate(names):
        before = names[:place].count(name)
        found.append(f"{name}-{before + 1}" if before else name)
    return found


def check_table_file(path: str, option: str) -> None:
    """Check that tables can be saved to a file, before anything is counted.

    Args:
        path: the file.
        option: the option that names it, for the error.

    Raises:
        OptionError: the name is not that of a Parquet file.
        MissingExtraError: the library for Parquet is not installed.
    """
    if not path.endswith(SUFFIX) and not is_special(path):
        stem = "tables" if path == STDOUT else os.path.splitext(path)[0]
        raise OptionError(
            f"{option} writes a Parquet file, not {path}: use a name such as {stem}{SUFFIX}"
        )
    optional("pyarrow.parquet")


def save_counted(
    batches: Iterable[Counted],
    path: str,
    names: Sequence[str],
    metrics: Sequence[Metric[Any]],
    fingerprint: Fingerprint,
) -> Iterator[Counted]:
    """Yield batches once their rows are written; the file appears after the last one.

    Args:
        batches: what was counted.
        path: the file.
        names: the systems' names.
        metrics: the metrics that count.
        fingerprint: that of the references, updated while the batches are counted.

    Raises:
        InputError: the file cannot be written.
        MissingExtraError: the library for Parquet is not installed.
    """
    with (
        Destination(path, binary=True) as out,
        TableWriter(out, names, metrics) as writer,
    ):
        for counted in batches:
            for system, tables in enumerate(counted.tables):
                writer.write(system, tables)
            yield counted
        writer.finish(str(fingerprint))
