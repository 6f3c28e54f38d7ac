"""Scores of all segments in a file: a row for each segment and system, a column for each metric."""

from __future__ import annotations

import os

from bleuet.errors import OptionError
from bleuet.evaluation.score_tables import TEST_SET
from bleuet.extras import optional
from bleuet.output.descriptor import is_special
from bleuet.output.destination import Destination
from bleuet.output.document import Document
from bleuet.output.rendering import write
from bleuet.text.fingerprint import with_documents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import IO, Any

    from bleuet.engines.spooling import SpooledRows
    from bleuet.metrics.base.metric import Metric
    from bleuet.output.document import Record
    from bleuet.statistics.counted import Counted

PARQUET, CSV = "parquet", "csv"
# The ending of a file, and how it is written.
ENDINGS = {".parquet": PARQUET, ".csv": CSV, ".jsonl": "jsonl"}


def check_scores_file(path: str, option: str) -> None:
    """Check that scores can be saved to a file, before anything is counted.

    Args:
        path: the file.
        option: the option that names it, for the error.

    Raises:
        OptionError: its name does not end in one of `ENDINGS`.
        MissingExtraError: the library for Parquet is not installed.
    """
    format_ = _format_of(path)
    if format_ is None:
        stem = os.path.splitext(path)[0].strip("-") or "scores"
        raise OptionError(
            f"{option} writes a file whose name ends in {', '.join(ENDINGS)}, not {path}: use a "
            f"name such as {stem}.csv"
        )
    if format_ == PARQUET:
        optional("pyarrow.parquet")


def _format_of(path: str) -> str | None:
    """Return how a file is written; a device or a pipe, which has no ending, as CSV."""
    return ENDINGS.get(os.path.splitext(path)[1]) or (CSV if is_special(path) else None)


class SavedScores:
    """The scores of all segments, one row for each segment and system.

    The columns are `system`, `segment` (from 1), `document` where there are documents, and each
    metric by the name that users gave it, as in the data frame of `bleuet.score`; the last one is
    `test_set`, a fingerprint of the test set, which is the same in each row.

    Args:
        systems: the names of the systems.
        metrics: the metrics that score, by the names of their columns.
        rows: the counted rows of all systems and metrics.
        documents: the document of each segment, if there are any.
        test_set: the fingerprint of the test set.
    """

    def __init__(
        self,
        systems: Sequence[str],
        metrics: Mapping[str, Metric[Any]],
        rows: SpooledRows,
        documents: Sequence[str] | None = None,
        test_set: str = "",
    ) -> None:
        self._systems = systems
        self._metrics = list(metrics.values())
        self._rows = rows
        self._documents = documents
        self._test_set = with_documents(test_set, documents)
        self._names = list(metrics)

    def save(self, path: str) -> None:
        """Write a file; its ending selects the format.

        Args:
            path: the file.

        Raises:
            InputError: the file cannot be written.
            MissingExtraError: the library for Parquet is not installed.
        """
        format_ = _format_of(path)
        assert format_ is not None, path
        with Destination(path, binary=format_ == PARQUET) as out:
            if format_ == PARQUET:
                self._write_parquet(out)
            else:
                write(Document(records={"scores": self._records}), out, format_)

    def _batches(self) -> Iterator[list[Sequence[Any]]]:
        """Yield columns, of one system after the other, batch by batch."""
        for system in range(len(self._systems)):
            for counted in self._rows:
                yield self._columns(counted, system)

    def _columns(self, counted: Counted, system: int) -> list[Sequence[Any]]:
        count = len(counted.segments)
        columns: list[Sequence[Any]] = [[self._systems[system]] * count, list(counted.segments)]
        if self._documents is not None:
            columns.append([self._documents[number - 1] for number in counted.segments])
        pairs = zip(self._metrics, counted.tables[system], strict=True)
        columns += [metric.segment_scores(table).values for metric, table in pairs]
        return [*columns, [self._test_set] * count]

    def _headings(self) -> list[str]:
        document = ["document"] if self._documents is not None else []
        return ["system", "segment", *document, *self._names, TEST_SET]

    def _records(self) -> Iterator[Record]:
        names = self._headings()
        for columns in self._batches():
            for row in zip(*columns, strict=True):
                yield dict(zip(names, row, strict=True))

    def _write_parquet(self, out: IO[bytes]) -> None:
        import json

        arrow = optional("pyarrow")
        text = arrow.string()
        kinds = {"system": text, "segment": arrow.int64(), "document": text, TEST_SET: text}
        fields = [(name, kinds.get(name, arrow.float64())) for name in self._headings()]
        numbers = zip(self._names, self._metrics, self._rows.n_references, strict=True)
        signatures = {name: str(metric.signature(number)) for name, metric, number in numbers}
        schema = arrow.schema(fields, metadata={"bleuet_signatures": json.dumps(signatures)})
        with optional("pyarrow.parquet").ParquetWriter(out, schema, compression="zstd") as writer:
            for columns in self._batches():
                pairs = zip(columns, fields, strict=True)
                arrays = [arrow.array(column, kind) for column, (_, kind) in pairs]
                writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
