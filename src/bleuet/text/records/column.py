"""One column of a file of rows, as texts in batches."""

from __future__ import annotations

from bleuet.text.batches import BatchStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.text.records.base import Records


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
        column = "the line" if self._column is None else self._column
        self._records.check(columns[0], self._several, column)
        return columns[0]
