"""Rows of a CSV file."""

from __future__ import annotations

from itertools import chain

from bleuet.errors import InputError
from bleuet.text.lines import too_long
from bleuet.text.records.tsv import TsvRecords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.text.lines import LineStream

# The library's limit of a cell is a C long.
_MOST_IN_CELL = (1 << 31) - 1
_SAMPLE_LINES = 50


class CsvRecords(TsvRecords):
    """Rows whose cells are separated by commas, with quotes, as RFC 4180 has them.

    Excel separates cells by semicolons where numbers have a decimal comma: the first rows show it.

    Args:
        lines: the lines; it closes them.
        named: whether the first line has the names of the columns.
        delimiter: what separates cells; "" for what the first lines show.
    """

    __slots__ = ("_begin_lines", "_delimiter", "_reader", "_record_bytes")

    def __init__(self, lines: LineStream, named: bool, delimiter: str = "") -> None:
        from csv import reader

        self._record_bytes = 0
        self._lines = lines
        self._begin_lines: list[str] = next(lines, [])
        self._delimiter = delimiter or self._find_delimiter(named)
        self._reader = reader(self._fed(), delimiter=self._delimiter, strict=True)
        super().__init__(lines, named)

    @property
    def _marks(self) -> str:  # type: ignore[override]
        return {";": "semicolons", "\t": "tabs"}.get(self._delimiter, "commas")

    def _find_delimiter(self, named: bool) -> str:
        """Return a semicolon or a tab where all of the first rows have as many of them."""
        first = self._begin_lines[0] if self._begin_lines else ""
        sample = self._begin_lines[:_SAMPLE_LINES]
        if first.startswith("sep=") and len(first) == len("sep=;"):
            self._lines.close()
            raise InputError(
                f"{self.name}:1 is {first!r}, which Excel alone reads: remove this line"
            )
        if "," in first or not (named or len(sample) > 1):
            return ","
        from csv import Error, reader

        for mark in ";\t":
            if mark in first:
                try:
                    rows = list(reader([f"{line}\n" for line in sample], delimiter=mark))
                except Error:
                    continue
                # The last row may go on.
                if len(set(map(len, rows if len(sample) < _SAMPLE_LINES else rows[:-1]))) == 1:
                    return mark
        return ","

    def count_rest(self) -> tuple[int, bool]:
        """Count the rows that have not been returned; a row can have several lines."""
        count, self._ahead = len(self._ahead), []
        while rows := self._next_rows():
            count += len(rows)
        self.close()
        return count, True

    def _next_rows(self) -> list[list[str]]:
        import csv

        rows: list[list[str]] = []
        numbers: list[int] = []
        size = 0
        # The limit of the library is one for the whole process, and far below ours.
        limit = csv.field_size_limit(min(self._lines.max_segment_bytes, _MOST_IN_CELL))
        try:
            for row in self._reader:
                # An empty line is one empty cell.
                rows.append(row or [""])
                numbers.append(self._count + 1)
                size += self._record_bytes
                self._count, self._record_bytes = self._reader.line_num, 0
                if len(rows) >= self._lines.batch_lines or size >= self._lines.batch_bytes:
                    break
        except csv.Error as error:
            raise InputError(
                f"{self.name}:{self._count + 1} cannot be read as CSV ({error}): correct its quotes"
            ) from error
        finally:
            csv.field_size_limit(limit)
        self.numbers = numbers
        return rows

    def _fed(self) -> Iterator[str]:
        """Yield lines, as many as a row of limited size can have."""
        most = self._lines.max_segment_bytes
        for lines in chain([self._begin_lines], self._lines):
            for line in lines:
                self._record_bytes += len(line) + 1
                if self._record_bytes > most + 1:
                    raise InputError(too_long(f"{self.name}:{self._count + 1}", most))
                yield f"{line}\n"
