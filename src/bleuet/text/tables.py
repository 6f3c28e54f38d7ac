"""Tables with named columns: TSV, CSV, JSON Lines and Parquet files, with the line of each row."""

from __future__ import annotations

from math import isinf

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.messages import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    from bleuet.text.source import Source

    Read = TypeVar("Read")

# How much of an invalid value a message shows.
SHOWN = 60
NO_SCORE = frozenset(["", "none", "null", "na", "nan"])


class NamedColumns(Value):
    """A table in memory.

    Args:
        name: the file's name in messages.
        columns: the values of each column by name: strings, or values of JSON or Parquet.
        lines: the line or row of each value in the file, from 1.
        unit: what `lines` counts: ":" for lines of a text, ": row " for rows.

    >>> table = NamedColumns("a.tsv", {"segment": ["0", "x"]}, [2, 3])
    >>> table.place(1)
    'a.tsv:3'
    """

    name: str
    columns: dict[str, list[Any]]
    lines: Sequence[int]
    unit: str = ":"

    def __len__(self) -> int:
        return len(self.lines)

    def place(self, row: int) -> str:
        """Return the place of a row for messages."""
        return f"{self.name}{self.unit}{self.lines[row]}"

    def column(self, name: str) -> list[Any]:
        """Return the values of a column.

        Raises:
            InputError: there is no such column; the message names the nearest.
        """
        if name not in self.columns:
            raise InputError(
                f"{self.name} has no column {name}{nearest(name, self.columns)}; "
                f"it has {', '.join(self.columns)}"
            )
        return self.columns[name]

    def strings(self, name: str) -> list[str]:
        """Return a column of names.

        Raises:
            InputError: there is no such column, or a value is not a text, or empty.
        """
        return self._read(name, _as_name, "a name")

    def whole_numbers(self, name: str) -> list[int]:
        """Return a column of whole numbers.

        Raises:
            InputError: there is no such column, or a value is not a whole number.
        """
        return self._read(name, _as_whole_number, "a whole number")

    def numbers(self, name: str) -> list[float]:
        """Return a column of numbers; NaN where a cell is empty, null, None, NA or NaN.

        Raises:
            InputError: there is no such column, or a value is not a finite number.
        """
        return self._read(
            name, _as_number, "a number, or an empty cell or None for a missing score"
        )

    def _read(self, name: str, read: Callable[[Any], Read], expected: str) -> list[Read]:
        values = []
        for row, value in enumerate(self.column(name)):
            try:
                values.append(read(value))
            except (TypeError, ValueError, OverflowError):
                shown = repr(value)
                shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
                raise InputError(
                    f"{self.place(row)}: {name} is {shown}; expected {expected}"
                ) from None
        return values


def _as_name(value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise ValueError(value)


def _as_whole_number(value: Any) -> int:
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal():
        return int(value)
    if isinstance(value, bool | str) or value != int(value):
        raise ValueError(value)
    return int(value)


def _as_number(value: Any) -> float:
    if value is None or (isinstance(value, str) and value.strip().lower() in NO_SCORE):
        return float("nan")
    if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        raise ValueError(value)
    number = float(value)
    if isinf(number):
        raise ValueError(value)
    return number


def read_table(source: Source) -> NamedColumns:
    """Read a table: .csv, .jsonl, .ndjson, .parquet; any other file has columns separated by tabs.

    Args:
        source: a file, compressed or not, or standard input; its first line names the columns, or
            every line is a JSON object with the same keys. A column of the source is not used.

    Raises:
        InputError: the file cannot be read, or its rows differ in their columns; with the place.
        MissingExtraError: an optional library is needed and not installed.
    """
    with source.records() as records:
        if not records.names:
            raise InputError(f"{records.name} is empty; expected a JSON object on every line")
        for name in records.names:
            records.choose(name)
        columns: list[list[Any]] = [[] for _ in records.names]
        numbers: list[int] = []
        while batch := records.next_columns():
            for column, values in zip(columns, batch, strict=True):
                column += values
            numbers += records.numbers
        named = dict(zip(records.names, columns, strict=True))
        return NamedColumns(records.name, named, numbers, records.unit)
