"""`bleuet score --save-table`: keeps what is counted, batch by batch."""

from __future__ import annotations

import os
from contextlib import contextmanager

from bleuet.cli.destination import STDOUT, check_destination
from bleuet.cli.given import make_metrics
from bleuet.engines.streaming import count_batches
from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.output.destination import Destination, is_special
from bleuet.tablefile.saved_tables import columns_in_file, signatures
from bleuet.tablefile.writer import TableWriter
from bleuet.text.fingerprint import Fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bleuet.cli.given import Given
    from bleuet.engines.streaming import Batch
    from bleuet.metrics.metric import Metric
    from bleuet.statistics.counted import Counted

SUFFIX = ".parquet"


def check_table(given: Given, read: Sequence[str]) -> None:
    """Refuse a file that could not be written, before anything is counted.

    Raises:
        OptionError: the name is none for a Parquet file, or is that of another file of the run.
        InputError: it cannot be written.
        MissingExtraError: the library for Parquet is not installed.
    """
    path = given.save_table or ""
    if path == STDOUT or (path and not path.endswith(SUFFIX) and not is_special(path)):
        stem = "tables" if path == STDOUT else os.path.splitext(path)[0]
        raise OptionError(
            f"--save-table writes a Parquet file, not {path}: give it a name such as {stem}{SUFFIX}"
        )
    others = [*read, *([given.output] if given.output else [])]
    if os.path.realpath(path) in map(os.path.realpath, others[len(read) :]):
        raise OptionError(f"-o and --save-table both name {path}: give each its own file")
    check_destination(path, others, "--save-table")
    optional("pyarrow.parquet")


@contextmanager
def saving(
    given: Given, metrics: Sequence[Metric], names: Sequence[str], batches: Iterable[Batch]
) -> Iterator[Iterable[Counted]]:
    """Count batches and keep their rows; the file appears when the context ends well.

    Args:
        given: the arguments, with the file's name.
        metrics: the metrics to count and score with.
        names: the systems' names.
        batches: pairs of one list of hypotheses per system and the references they share.
    """
    columns = columns_in_file(metrics)
    with (
        Destination(given.save_table, binary=True) as out,
        TableWriter(out, names, columns) as writer,
    ):
        rows = _Rows(given, metrics, batches, writer)
        yield rows
        # What sentences are scored with is no part of what was counted.
        kept = make_metrics(given, sentences=False)
        writer.finish(signatures(kept, rows.n_references), rows.n_references, str(rows.references))


class _Rows:
    """Counts batch after batch, and writes each before it hands it on."""

    def __init__(
        self,
        given: Given,
        metrics: Sequence[Metric],
        batches: Iterable[Batch],
        writer: TableWriter,
    ) -> None:
        self.references = Fingerprint()
        self.n_references: list[int | None] = []
        self._counted = count_batches(metrics, self._read(batches), threads=given.threads)
        self._writer = writer

    def _read(self, batches: Iterable[Batch]) -> Iterator[Any]:
        for hypotheses, references in batches:
            self.references.update(references)
            yield hypotheses, references

    def __iter__(self) -> Iterator[Counted]:
        for counted in self._counted:
            found = [table.n_references for table in counted.tables[0]]
            before = self.n_references or found
            self.n_references = [a if a == b else None for a, b in zip(before, found, strict=True)]
            for system, tables in enumerate(counted.tables):
                self._writer.write(system, tables)
            yield counted
