"""Tables with named columns: TSV, CSV, JSON Lines and Parquet files, with the line of each row."""

from __future__ import annotations

import json
from csv import Error as CsvError
from csv import reader as csv_reader
from dataclasses import dataclass
from math import isinf

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.messages import nearest
from bleuet.text.files import STDIN, ByteFile, compression_suffix, display_name
from bleuet.text.lines import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    Value = TypeVar("Value")

# How much of an invalid value a message shows.
SHOWN = 60
NO_SCORE = frozenset(["", "none", "null", "na", "nan"])


@dataclass(frozen=True, slots=True)
class NamedColumns:
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

    def _read(self, name: str, read: Callable[[Any], Value], expected: str) -> list[Value]:
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


def read_table(path: str) -> NamedColumns:
    """Read a table: .jsonl, .ndjson, .parquet, .csv; any other file has columns separated by tabs.

    Args:
        path: a file, compressed or not, or "-" for standard input; its first line names the
            columns, or every line is a JSON object with the same keys.

    Raises:
        InputError: the file cannot be read, or its rows differ in their columns; with the place.
        MissingExtraError: an optional library is needed and not installed.
    """
    plain = path[: len(path) - len(compression_suffix(path))] if path != STDIN else path
    suffix = plain[plain.rfind(".") :].lower() if "." in plain else ""
    if suffix == ".parquet":
        return _read_parquet(path)
    name, lines = display_name(path), read_lines(path)
    if lines:
        # A byte order mark is not part of the name of a column.
        lines[0] = lines[0].removeprefix("\ufeff")
    return READERS.get(suffix, _read_tsv)(name, lines)


def _read_tsv(name: str, lines: list[str]) -> NamedColumns:
    rows = [line.split("\t") for line in lines]
    return _of_rows(name, rows, range(1, len(rows) + 1), "tabs")


def _read_csv(name: str, lines: list[str]) -> NamedColumns:
    reader = csv_reader((f"{line}\n" for line in lines), strict=True)
    rows, numbers = [], []
    try:
        for row in reader:
            rows.append(row)
            numbers.append(reader.line_num)
    except CsvError as error:
        raise InputError(
            f"{name}:{reader.line_num} cannot be read as CSV ({error}): correct its quotes"
        ) from error
    return _of_rows(name, rows, numbers, "commas")


def _of_rows(name: str, rows: list[list[str]], lines: Sequence[int], marks: str) -> NamedColumns:
    if not rows:
        raise InputError(f"{name} is empty; expected a first line that names its columns")
    header = _checked_header(name, [cell.strip() for cell in rows[0]])
    wrong = next((i for i, row in enumerate(rows) if len(row) != len(header)), None)
    if wrong is not None:
        raise InputError(
            f"{name}:{lines[wrong]} has {_counted(len(rows[wrong]), 'column')} separated by "
            f"{marks}; expected {len(header)} as in the first line: add or remove {marks} there"
        )
    columns = zip(*rows[1:], strict=True) if len(rows) > 1 else ([] for _ in header)
    return NamedColumns(name, dict(zip(header, map(list, columns), strict=True)), lines[1:])


def _read_jsonl(name: str, lines: list[str]) -> NamedColumns:
    if not lines:
        raise InputError(f"{name} is empty; expected a JSON object on every line")
    records = [_record(f"{name}:{i}", line) for i, line in enumerate(lines, 1)]
    header = list(records[0])
    for i, record in enumerate(records, 1):
        missing = next((key for key in header if key not in record), None)
        if missing is not None:
            raise InputError(
                f"{name}:{i} has no {missing}{nearest(missing, record)}, which line 1 has; "
                "expected the same keys on every line"
            )
    columns = {key: [record[key] for record in records] for key in header}
    return NamedColumns(name, columns, range(1, len(records) + 1))


def _record(place: str, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{place} is not JSON ({error}); expected one object on every line"
        ) from error
    if not isinstance(record, dict):
        raise InputError(f"{place} is JSON but not an object; expected one with a key per column")
    return record


def _read_parquet(path: str) -> NamedColumns:
    if compression_suffix(path):
        raise InputError(f"{path}: Parquet has compression of its own; decompress the file first")
    # Opened only for its errors: the message about a missing file is the same everywhere.
    ByteFile(path).close()
    parquet = optional("pyarrow.parquet")
    try:
        table = parquet.read_table(path)
    except (OSError, ValueError, TypeError, LookupError, NotImplementedError) as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        raise InputError(
            f"{path} cannot be read as Parquet ({reason}): create or download it again"
        ) from error
    header = _checked_header(path, list(table.column_names))
    columns = {name: table.column(name).to_pylist() for name in header}
    return NamedColumns(path, columns, range(1, table.num_rows + 1), ": row ")


READERS: dict[str, Callable[[str, list[str]], NamedColumns]] = {
    ".csv": _read_csv,
    ".jsonl": _read_jsonl,
    ".ndjson": _read_jsonl,
}


def _checked_header(name: str, header: list[str]) -> list[str]:
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        raise InputError(
            f"{name} has {header.count(twice)} columns with the name {twice}; rename them"
        )
    return header


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
