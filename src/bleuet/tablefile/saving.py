"""Saving rows while they are counted, so that memory does not grow with the corpus."""

from __future__ import annotations

import os

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.output.destination import Destination, is_special
from bleuet.tablefile.saved_tables import columns_in_file, signatures
from bleuet.tablefile.writer import TableWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bleuet.metrics.metric import Metric
    from bleuet.statistics.counted import Counted
    from bleuet.text.fingerprint import Fingerprint


SUFFIX = ".parquet"


def check_table_file(path: str, option: str) -> None:
    """Raise where a file of saved tables could not be written, before anything is counted.

    Args:
        path: the file.
        option: the option that names it, for the error.

    Raises:
        OptionError: the name is not that of a Parquet file.
        MissingExtraError: the library for Parquet is not installed.
    """
    if not path.endswith(SUFFIX) and not is_special(path):
        stem = "tables" if path == "-" else os.path.splitext(path)[0]
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
    """Yield batches once their rows are in the file, which appears when all are.

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
    n_references: list[int | None] = []
    with (
        Destination(path, binary=True) as out,
        TableWriter(out, names, columns_in_file(metrics)) as writer,
    ):
        for counted in batches:
            found = [table.n_references for table in counted.tables[0]]
            before = n_references or found
            n_references = [a if a == b else None for a, b in zip(before, found, strict=True)]
            for system, tables in enumerate(counted.tables):
                writer.write(system, tables)
            yield counted
        writer.finish(signatures(metrics, n_references), n_references, str(fingerprint))
