"""Values of columns: only texts, or also lists of texts for several references."""

from __future__ import annotations

from itertools import chain

from bleuet.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, NoReturn, TypeAlias

    Place: TypeAlias = Callable[[int], str]

_TEXT: set[type] = {str}


def check_values(values: Sequence[Any], several: bool, column: str, place: Place) -> None:
    """Reject values that are not text.

    Args:
        values: the values of a column.
        several: allow lists of texts and absent texts, as in references.
        column: what messages call the column.
        place: a function from the index of a value to its place in messages.

    Raises:
        InputError: a value is not text.
    """
    if set(map(type, values)) <= _TEXT:
        return
    for index, value in enumerate(values):
        if isinstance(value, str):
            continue
        if not several:
            _reject_value(place(index), column, value, "a string")
        if value is not None and not isinstance(value, list):
            _reject_value(place(index), column, value, "a string or a list of strings")
        for text in value or ():
            if text is not None and not isinstance(text, str):
                _reject_value(f"{place(index)}, inside the list", column, text, "a string")


def check_unicode(values: list[Any], column: str, place: Place) -> None:
    """Reject half of a surrogate pair, which JSON can write and UTF-8 cannot."""
    try:
        "".join(_texts(values)).encode("utf-8")
    except UnicodeEncodeError:
        for index, value in enumerate(values):
            if any("\ud800" <= mark <= "\udfff" for text in _texts([value]) for mark in text):
                raise InputError(
                    f"{place(index)}: the text of {column} has half of a surrogate pair; expected "
                    "Unicode characters: write the character itself or both halves"
                ) from None
        raise


def _reject_value(place: str, column: str, value: object, expected: str) -> NoReturn:
    if value is None:
        found, fix = "null", 'write "" for an empty text, or remove the segment from all files'
    elif isinstance(value, list):
        found, fix = "a list", "only references may be lists; write one text"
    else:
        found, fix = f"of type {type(value).__name__}", "write it as a string"
    raise InputError(f"{place}: {column} is {found}; expected {expected}: {fix}")


def _texts(values: list[Any]) -> Iterator[str]:
    rows = ((value,) if isinstance(value, str) else value or () for value in values)
    return (text for text in chain.from_iterable(rows) if text is not None)
