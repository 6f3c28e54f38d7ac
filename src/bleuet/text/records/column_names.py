"""The names and numbers of columns, and messages about those that a file does not have."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.messages import nearest

_NAMES_SHOWN = 20
_MOST_DIGITS = 9


def find_column(name: str, column: str, names: list[str]) -> int:
    """Return the place of a column, from 0.

    Args:
        name: the file in messages.
        column: the name of the column.
        names: the names of all columns.

    Raises:
        InputError: there is no such column, or there are several.
    """
    if column not in names:
        raise InputError(unknown_column(name, column, names))
    if names.count(column) > 1:
        raise InputError(
            f"{name} has {names.count(column)} columns with the name {column}; expected one: "
            "rename the others"
        )
    return names.index(column)


def column_number(column: str) -> int:
    """Return the number of a column that is written in digits."""
    # Python reads no number of more than 4300 digits, and no file has so many columns.
    return int(column) if len(column) <= _MOST_DIGITS else 10**_MOST_DIGITS


def unknown_column(place: str, column: str, names: list[str]) -> str:
    """Return the message about a column that a file, or one of its rows, does not have."""
    return f"{place} has no column {column}{nearest(column, names)}; it has {_listing(names)}"


def unnamed_column(name: str, names: list[str]) -> str:
    """Return the message for a file of which no column was named."""
    example = f": write {name}:{names[0]}, for example" if names else ""
    return f"{name} needs the name of a column; it has {_listing(names)}{example}"


def _listing(names: list[str]) -> str:
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    return (", ".join(names[:_NAMES_SHOWN]) or "none") + more
