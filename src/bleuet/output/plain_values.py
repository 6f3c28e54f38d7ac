"""Plain values: what a result is as dicts, lists and single values, derived from its fields."""

from __future__ import annotations

from math import isfinite
from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar

_PLAIN = frozenset((int, str, bool, type(None)))
# What gets the values of fields, by their keys.
_GETTERS: dict[tuple[str, ...], dict[str, Callable[[Any], Any]]] = {}


class Plain:
    """A value whose plain values are its fields, or those that it names.

    A subclass that is no `Value`, or shows more or less than its fields, names in `plain_fields`
    what it shows, in order: a field or a property, after "key=" where the key is another
    one, as in "label=bucket.label".

    >>> from bleuet.frozen import Value
    >>> class Share(Value, Plain):
    ...     part: int
    ...     whole: int
    ...     plain_fields = ("part", "share")
    ...     @property
    ...     def share(self) -> float:
    ...         return self.part / self.whole
    >>> Share(1, 4).to_dict()
    {'part': 1, 'share': 0.25}
    """

    __slots__ = ()
    plain_fields: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as JSON has them; segments count from 1 here."""
        return plain_values(self, plain_fields_of(type(self)))


def plain_fields_of(kind: type[Plain]) -> tuple[str, ...]:
    """Return the `plain_fields` of a class: what it names, or all its fields."""
    fields: tuple[str, ...] = getattr(kind, "_arguments", ())
    return kind.plain_fields or fields


def paths_of(fields: tuple[str, ...]) -> dict[str, str]:
    """Return the key of each field, and the attribute that it shows.

    >>> paths_of(("count", "label=bucket.label"))
    {'count': 'count', 'label': 'bucket.label'}
    """
    return {key: path or key for key, _, path in (name.partition("=") for name in fields)}


def plain_values(value: Any, fields: tuple[str, ...]) -> dict[str, Any]:
    """Return some fields of a value as plain values.

    Args:
        value: the value.
        fields: the fields, as in `Plain.plain_fields`.

    >>> plain_values(1.5 + 2j, ("real", "imaginary=imag"))
    {'real': 1.5, 'imaginary': 2.0}
    """
    if fields not in _GETTERS:
        _GETTERS[fields] = {key: attrgetter(path) for key, path in paths_of(fields).items()}
    return {key: plain_value(get(value)) for key, get in _GETTERS[fields].items()}


def plain_value(value: Any) -> Any:
    """Return a value as dicts, lists and single values.

    What JSON has no form for is a text, as a signature is, or None, as an infinite number is.

    >>> plain_value({"scores": (1.5, float("inf"))})
    {'scores': [1.5, None]}
    """
    if isinstance(value, float):
        # Data frames know the type float, and none of its subclasses.
        return float(value) if isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Plain):
        return value.to_dict()
    if isinstance(value, list | tuple):
        # A list of segments may be long.
        return [one if type(one) in _PLAIN else plain_value(one) for one in value]
    if isinstance(value, dict):
        return {key: plain_value(one) for key, one in value.items()}
    return str(value)
