"""Rows of a file of JSON Lines."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.text.json_text import json_problem
from bleuet.text.records.column_names import column_number, unknown_column, unnamed_column
from bleuet.text.records.line_records import LineRecords
from bleuet.text.records.values import check_unicode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from bleuet.text.lines import LineStream


class JsonRecords(LineRecords):
    """Rows that are JSON objects, all with the same keys, or lists, or strings."""

    __slots__ = ("_decode", "_objects")

    def __init__(self, lines: LineStream, named: bool) -> None:
        from json import JSONDecoder

        self._decode = JSONDecoder().decode
        super().__init__(lines, named)

    def choose(self, column: str | None) -> None:
        """Read this column too; see `Records.choose`."""
        if self._objects:
            if column is None:
                raise InputError(unnamed_column(self.name, self.names))
            if column not in self.names:
                raise InputError(unknown_column(f"{self.name}:1", column, self.names))
        elif self._ahead and column is not None and column_number(column) < 1:
            raise InputError(f"{self.name} has no element {column}: choose one from 1")
        self._chosen.append(column)

    def check(self, values: list[Any], several: bool, column: str) -> None:
        """Reject what is not text, and text that UTF-8 cannot write; see `Records.check`."""
        super().check(values, several, column)
        check_unicode(values, column, self.place)

    def _begin(self, named: bool) -> None:
        first = self._ahead[0] if self._ahead else None
        self._objects = isinstance(first, dict)
        if isinstance(first, dict):
            self.names = list(first)
        elif self._ahead and (named or not isinstance(first, list | str)):
            self._reject_row(0)

    def _parsed(self, lines: list[str]) -> list[Any]:
        rows = []
        for index, line in enumerate(lines):
            try:
                rows.append(self._decode(line))
            except (ValueError, RecursionError) as error:
                found = "is blank" if not line.strip() else f"is not JSON ({json_problem(error)})"
                raise InputError(
                    f"{self.place(index)} {found}; expected one JSON object on every line: correct "
                    "or remove that line"
                ) from error
        return rows

    def _columns(self, rows: list[Any]) -> list[list[Any]]:
        if not self._objects:
            return [
                rows if number is None else self._elements(rows, column_number(number))
                for number in self._chosen
            ]
        if not set(map(type, rows)) <= {dict}:
            self._reject_row(next(i for i, row in enumerate(rows) if not isinstance(row, dict)))
        return [self._values(rows, key) for key in self._chosen]

    def _values(self, rows: list[dict[str, Any]], key: str) -> list[Any]:
        try:
            return [row[key] for row in rows]
        except KeyError:
            index = next(index for index, row in enumerate(rows) if key not in row)
            raise InputError(unknown_column(self.place(index), key, list(rows[index]))) from None

    def _elements(self, rows: list[Any], number: int) -> list[Any]:
        for index, row in enumerate(rows):
            if not isinstance(row, list) or len(row) < number:
                found = f"is a list of {len(row)}" if isinstance(row, list) else "is not a list"
                raise InputError(
                    f"{self.place(index)} {found}; expected a list with {number} elements or "
                    "more, as the column is a number: correct that line"
                )
        return [row[number - 1] for row in rows]

    def _reject_row(self, index: int) -> NoReturn:
        raise InputError(
            f"{self.place(index)} is JSON but not an object; expected one such as "
            f'{{"{(self._chosen or ["hypothesis"])[0]}": "text"}}: wrap its value in an object'
        )
