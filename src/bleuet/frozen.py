"""The base of every value that crosses floors: fixed once made, equal by its fields.

And `checked`, for public functions: an argument is of the type that its annotation declares.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property as cached_property
    from typing import Any, NoReturn, TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])
else:

    class cached_property:  # noqa: N801 - that of functools, which scoring does not import
        """A property that is computed when it is first read; for classes without slots."""

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self.compute = compute
            self.__doc__ = compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.compute(instance)
            return value


class Frozen:
    """A value whose fields are set once, in `__init__`, through `_set`.

    Written by hand because importing `dataclasses` takes longer than scoring a test set does.
    A subclass lists in `_fields` what makes two values equal; other slots are caches.
    """

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def _set(self, **values: object) -> None:
        set_field = object.__setattr__
        for name, value in values.items():
            set_field(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __reduce__(self) -> tuple[Any, ...]:
        # Not a set, whose order differs between processes: equal values have equal pickles.
        slots = [name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())]
        # What begins with an underscore is a cache, made again when it is wanted.
        kept = {n: getattr(self, n) for n in slots if not n.startswith("_") and hasattr(self, n)}
        return _restore, (type(self), kept)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"


def _restore(kind: type[Frozen], values: dict[str, object]) -> Frozen:
    """Make a pickled or copied value again."""
    value = kind.__new__(kind)
    value._set(**values)
    return value


# --- Types of arguments ---------------------------------------------------------------------------


def checked(function: Function) -> Function:
    """Decorate a function or a class whose arguments must be of the types that it declares.

    The arguments are checked before the call, so a rejected call has done nothing.
    `bleuet.argument_types.check_call` says which argument is wrong.
    """
    if isinstance(function, type):
        function.__init__ = checked(function.__init__)  # type: ignore[misc]
        return function

    def call(*args: Any, **keywords: Any) -> Any:
        _check_call(function, args, keywords)
        return function(*args, **keywords)

    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        setattr(call, name, getattr(function, name))
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


def _check_call(*call: Any) -> None:
    # Imported with the first call, so that a function that is not called costs nothing.
    from bleuet.argument_types import check_call

    check_call(*call)
