"""Rows of a CSV file."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.text.lines import too_long
from bleuet.text.records.tsv import TsvRecords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.text.lines import LineStream

# The library's limit of a cell is a C long.
_MOST_IN_CELL = (1 << 31) - 1


class CsvRecords(TsvRecords):
    """Rows whose cells are separated by commas, with quotes, as RFC 4180 has them."""

    __slots__ = ("_reader", "_record_bytes")

    _marks = "commas"

    def __init__(self, lines: LineStream, named: bool) -> None:
        from csv import reader

        self._record_bytes = 0
        self._reader = reader(self._fed(), strict=True)
        super().__init__(lines, named)

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
        for lines in self._lines:
            for line in lines:
                self._record_bytes += len(line) + 1
                if self._record_bytes > most + 1:
                    raise InputError(too_long(f"{self.name}:{self._count + 1}", most))
                yield f"{line}\n"
