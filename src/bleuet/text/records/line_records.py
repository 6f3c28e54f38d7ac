"""Rows that are lines of a text file."""

from __future__ import annotations

from bleuet.text.records.base import Records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.text.lines import LineStream


class LineRecords(Records):
    """Rows that are lines. The first ones are read ahead to find the columns.

    Args:
        lines: the lines; it closes them.
        named: whether the first line of a TSV or CSV file has the names of its columns.
    """

    __slots__ = ("_ahead", "_count", "_lines")

    # The values of lines, in their order.
    _ahead: list[Any]

    def __init__(self, lines: LineStream, named: bool) -> None:
        self._lines = lines
        self._count = 0
        self._chosen = []
        self.names = []
        self.numbers = ()
        try:
            self._ahead = self._next_rows()
            self._begin(named)
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return self._lines.name

    @property
    def bytes_read(self) -> int:
        """How many bytes of the stored file have been read."""
        return self._lines.bytes_read

    @property
    def bytes_total(self) -> int | None:
        """The size of the stored file in bytes; None for a pipe."""
        return self._lines.bytes_total

    def close(self) -> None:
        """Close the file."""
        self._lines.close()

    def count_rest(self) -> tuple[int, bool]:
        """Count the lines that have not been returned, without reading their columns."""
        count, complete = self._lines.count_rest()
        return count + len(self._ahead), complete

    def next_columns(self) -> list[list[Any]]:
        """Read the values of the next rows in each chosen column; no columns at the end."""
        rows = self._ahead or self._next_rows()
        self._ahead = []
        return self._columns(rows) if rows else []

    def _begin(self, named: bool) -> None:
        """Find the columns in the first rows, `_ahead`."""
        raise NotImplementedError

    def _next_rows(self) -> list[Any]:
        """Read the next rows, and set `numbers` to their lines; none at the end."""
        lines = next(self._lines, [])
        self.numbers = range(self._count + 1, self._count + len(lines) + 1)
        self._count += len(lines)
        return self._parsed(lines)

    def _parsed(self, lines: list[str]) -> list[Any]:
        raise NotImplementedError

    def _columns(self, rows: list[Any]) -> list[list[Any]]:
        raise NotImplementedError
