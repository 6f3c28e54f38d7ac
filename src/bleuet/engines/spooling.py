"""Counted rows that can be read several times although their texts are read once."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.statistics.counted import Counted
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import IO, NoReturn

NUMBER_BYTES = 8


class SpooledRows:
    """The rows of all batches: those of one batch in memory, those of several in a temporary file.

    So memory does not grow with the corpus, and nothing is written anywhere else before all rows
    are counted. The file disappears with this object, or with the process.

    Args:
        batches: what was counted; they are read at once.

    Raises:
        InputError: the temporary file cannot be written.
    """

    def __init__(self, batches: Iterable[Counted]) -> None:
        self.n_references: list[int | None] = []
        self._segments: list[Sequence[int]] = []
        self._first: list[list[Table]] = []
        self._file: IO[bytes] | None = None
        for counted in batches:
            self._add(counted)

    def _add(self, counted: Counted) -> None:
        found = [table.n_references for table in counted.tables[0]]
        if not self._segments:
            self.n_references, self._first = found, counted.tables
        else:
            pairs = zip(self.n_references, found, strict=True)
            self.n_references = [a if a == b else None for a, b in pairs]
            self._spool(counted.tables)
        self._segments.append(counted.segments)

    def _spool(self, tables: list[list[Table]]) -> None:
        from tempfile import TemporaryFile

        try:
            if self._file is None:
                self._file = TemporaryFile()  # noqa: SIM115 - it lives as long as this object
                self._write(self._file, self._first)
            self._write(self._file, tables)
        except OSError as error:
            _fail(error)

    def _write(self, file: IO[bytes], tables: list[list[Table]]) -> None:
        for of_system in tables:
            for table in of_system:
                file.writelines(table.blocks())
        file.flush()

    def __iter__(self) -> Iterator[Counted]:
        start = 0
        for segments in self._segments:
            yield Counted(self._tables(start, len(segments)), segments)
            start += NUMBER_BYTES * self._numbers_per_segment * len(segments)

    def _tables(self, start: int, rows: int) -> list[list[Table]]:
        """Return the tables of the batch that starts at a place in the file."""
        if self._file is None:
            return self._first
        # Two iterators share the file.
        self._file.seek(start)
        return [
            [
                self._read(self._file, like, rows, number)
                for like, number in zip(tables, self.n_references, strict=True)
            ]
            for tables in self._first
        ]

    @property
    def _numbers_per_segment(self) -> int:
        return sum(len(table.columns) for tables in self._first for table in tables)

    def _read(self, file: IO[bytes], like: Table, rows: int, n_references: int | None) -> Table:
        """Return the next table of a file, with the columns of another table."""
        names = (like.integer_columns, like.real_columns)
        integers, reals = (file.read(NUMBER_BYTES * rows * len(columns)) for columns in names)
        return Table(*names, rows, integers, reals, n_references, like.learned)


def _fail(error: OSError) -> NoReturn:
    from tempfile import gettempdir

    raise InputError(
        f"the counts cannot be written to {gettempdir()} ({error.strerror}): make room there, or "
        "name another folder in TMPDIR"
    ) from error
