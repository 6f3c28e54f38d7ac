"""Rows of a TSV file."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.messages import plural
from bleuet.text.records.column_names import column_number, find_column
from bleuet.text.records.line_records import LineRecords
from bleuet.text.shapes import is_column_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class TsvRecords(LineRecords):
    """Rows whose cells are separated by tabs, without quotes."""

    __slots__ = ("_alone", "_first", "_width")

    _marks = "tabs"

    def choose(self, column: str | None) -> None:
        """Read this column too; see `Records.choose`."""
        self._alone = column is None
        if column is None:
            self._reject_name()
            self._width = 1
            self._chosen.append(0)
        elif self.names:
            self._chosen.append(find_column(self.name, column, self.names))
        else:
            index = column_number(column) - 1
            if self._width and not 0 <= index < self._width:
                raise InputError(
                    f"{self.name} has no column {column}: choose one from 1 to {self._width}"
                )
            self._chosen.append(index)

    def check(self, values: list[Any], several: bool, column: str) -> None:
        """Do nothing: every cell is text."""

    def _begin(self, named: bool) -> None:
        self._alone = False
        self._first = self._ahead[0] if self._ahead else []
        self._width = len(self._first)
        if not named:
            return
        if not self._first:
            raise InputError(
                f"{self.name} is empty; expected a first line that names its columns: check the "
                "file"
            )
        self.names = [cell.strip() for cell in self._first]
        del self._ahead[0]
        self.numbers = self.numbers[1:]

    def _reject_name(self) -> None:
        """Reject a column without a name whose first cell looks like one."""
        first = self._first[0].strip() if len(self._first) == 1 else ""
        is_name = is_column_name(first) or ("_" in first and first.isidentifier())
        if is_name and len(self._ahead) > 1:
            name = self.name
            raise InputError(
                f"{name}:1 is {first!r}, which looks like the name of the column: write "
                f"{name}:{first} if it is, or {name}:1 to score it as text"
            )

    def _parsed(self, lines: list[str]) -> list[list[str]]:
        return [line.split("\t") for line in lines]

    def _columns(self, rows: list[list[str]]) -> list[list[str]]:
        if set(map(len, rows)) != {self._width}:
            self._reject_width(rows)
        return [[row[index] for row in rows] for index in self._chosen]

    def _reject_width(self, rows: list[list[str]]) -> NoReturn:
        index = next(index for index, row in enumerate(rows) if len(row) != self._width)
        place, width = self.place(index), len(rows[index])
        found = f"{place} has {plural(width, 'column')} separated by {self._marks}"
        if self._alone:
            name = self.name
            raise InputError(
                f"{found}, and no column was named: name one by its number, {name}:1 to "
                f"{name}:{width}, or, if the first line has names, by its name, such as "
                f"{name}:{self._first[-1].strip() or 'NAME'}"
            )
        raise InputError(
            f"{found}; expected {self._width} as in the first line: add or remove {self._marks} "
            "there"
        )
