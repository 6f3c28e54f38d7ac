"""JSON that users write: why a text is not read, and keys that are there twice."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.messages import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def json_problem(error: Exception) -> str:
    """Return why a text is not read as JSON.

    Args:
        error: what the library for JSON raised.

    >>> from json import loads
    >>> try:
    ...     loads("9" * 5000)
    ... except ValueError as error:
    ...     print(json_problem(error))
    a number has more than 4300 digits
    """
    if isinstance(error, RecursionError):
        return "its lists and objects are nested too deeply"
    # Python's own limit; other errors are of a class of their own.
    if type(error) is ValueError:
        return "a number has more than 4300 digits"
    return str(error)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON as a dictionary; `json.loads` takes this as `object_pairs_hook`.

    Raises:
        InputError: a key occurs twice; the library for JSON would drop the first value.

    >>> unique_keys([("a", 1), ("b", 2)])
    {'a': 1, 'b': 2}
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the key {shown(twice)} occurs twice")
    return found
