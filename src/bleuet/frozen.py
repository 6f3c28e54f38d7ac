"""The base of every value that crosses floors: fixed once made, equal by its fields.

And `checked`, for public functions: an argument is of the type that its annotation declares.
"""

from __future__ import annotations

from abc import ABCMeta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property as cached_property
    from typing import Any, ClassVar, NoReturn, Self, TypeVar, dataclass_transform

    Function = TypeVar("Function", bound=Callable[..., Any])
else:

    def dataclass_transform(**_):
        """Stands for the decorator of `typing`, which is for type checkers only."""
        return lambda cls: cls

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

    A class derives from it directly only where the constructor takes other arguments than the
    fields; all others are a `Value`. A subclass lists in `_fields` what makes two values equal;
    other slots are caches.
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
        return tuple([getattr(self, name) for name in self._fields])

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


# --- Values that follow from their annotations ----------------------------------------------------


# ABCMeta, so that a value can be a Sequence too.
class _Derived(ABCMeta):
    """Gives a class a slot for each field that it annotates.

    `eq` and `kw_only` after the bases mean what they do in a dataclass; type checkers know both.
    """

    def __new__(
        cls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        eq: bool = True,
        kw_only: bool = False,
    ) -> _Derived:
        arguments: tuple[str, ...] = ()
        defaults: dict[str, object] = {}
        kinds: dict[str, str] = {}
        for base in bases:
            arguments += getattr(base, "_arguments", ())
            defaults |= getattr(base, "_defaults", {})
            kinds |= getattr(base, "_kinds", {})
        annotated = namespace.get("__annotations__", {})
        own = [field for field, kind in annotated.items() if "ClassVar" not in str(kind)]
        kinds |= {field: annotated[field] for field in own}
        defaults |= {field: namespace.pop(field) for field in own if field in namespace}
        slots = [field for field in own if field not in arguments]
        arguments += tuple(slots)
        caches = (type(value).__name__ == "cached_property" for value in namespace.values())
        if any(caches) and not any(base.__dictoffset__ for base in bases):
            slots.append("__dict__")
        namespace.setdefault("_fields", arguments)
        if not eq:
            namespace.setdefault("__eq__", object.__eq__)
            namespace.setdefault("__hash__", object.__hash__)
        if kw_only:
            namespace["_positional"] = 0
        namespace.update(__slots__=tuple(slots), _arguments=arguments)
        namespace.update(_defaults=defaults, _kinds=kinds)
        return super().__new__(cls, name, bases, namespace)


class _Signature:
    """The signature of a derived constructor, for `help` and editors."""

    def __get__(self, instance: object, owner: type[Value]) -> object:
        # A value that can be called has the signature of its call.
        if instance is not None or owner.__init__ is not Value.__init__:
            raise AttributeError("__signature__")
        from inspect import Parameter, Signature

        empty = Parameter.empty
        named = owner._positional == 0
        kind = Parameter.KEYWORD_ONLY if named else Parameter.POSITIONAL_OR_KEYWORD
        return Signature(
            [
                Parameter(
                    name,
                    kind,
                    default=owner._defaults.get(name, empty),
                    annotation=owner._kinds[name],
                )
                for name in owner._arguments
            ]
        )


@dataclass_transform(frozen_default=True)
class Value(Frozen, metaclass=_Derived):
    """A frozen value whose class annotates its fields, with their defaults, and nothing more.

    The constructor, slots, equality, hash, `repr`, pickling and `replace` follow from them, as in
    a dataclass, whose module takes longer to import than a test set takes to score. `_fields`
    names what makes two values equal, where not all fields do; with `eq=False` after the bases, a
    value equals only itself, and with `kw_only=True` all arguments are named. A class writes its
    own constructor only where it accepts more types than the fields have, or where many values
    are made and the derived one would be too slow; its arguments are the fields all the same.

    >>> class Span(Value):
    ...     start: int
    ...     end: int = 0
    >>> Span(1).replace(end=3)
    Span(start=1, end=3)
    """

    if TYPE_CHECKING:
        _arguments: ClassVar[tuple[str, ...]]
        _defaults: ClassVar[dict[str, Any]]
        _kinds: ClassVar[dict[str, str]]
        _checked: ClassVar[bool]
        _positional: ClassVar[int | None]
    else:
        __signature__ = _Signature()
        _checked = False
        # How many arguments may come without their names; None for all.
        _positional = None

    def __init__(self, *values: Any, **named: Any) -> None:
        set_field = object.__setattr__
        arguments = self._arguments
        for name, value in zip(arguments, values, strict=False):
            set_field(self, name, value)
        for name in arguments[len(values) :]:
            if name in named:
                set_field(self, name, named.pop(name))
            elif name in self._defaults:
                set_field(self, name, self._defaults[name])
            else:
                raise TypeError(f"{type(self).__name__} needs the argument {name}")
        positional = len(arguments[: self._positional])
        if named or len(values) > positional:
            wrong = next(iter(named), f"a value after {positional}")
            raise TypeError(
                f"{type(self).__name__} takes {', '.join(arguments)} once each, not {wrong}"
            )
        if self._checked:
            _check_values(self.as_dict(), self._kinds)
        self._complete()

    def _complete(self) -> None:
        """Check fields that depend on each other, or bring them into their usual form."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.as_dict())

    def as_dict(self) -> dict[str, Any]:
        """Return the fields by their names."""
        return {name: getattr(self, name) for name in self._arguments}

    def replace(self, **changes: Any) -> Self:
        """Return the same value with other values of some fields."""
        return type(self)(**{**self.as_dict(), **changes})


# --- Types of arguments ---------------------------------------------------------------------------


def checked(function: Function) -> Function:
    """Decorate a function or a class whose arguments must be of the types that it declares.

    The arguments are checked before the call, so a rejected call has done nothing.
    `bleuet.argument_types.check_call` says which argument is wrong.
    """
    if isinstance(function, type):
        if function.__init__ is Value.__init__:  # type: ignore[misc]
            function._checked = True  # type: ignore[attr-defined]
        else:
            function.__init__ = checked(function.__init__)  # type: ignore[misc]
        return function

    def call(*args: Any, **keywords: Any) -> Any:
        _check_call(function, args, keywords)
        return function(*args, **keywords)

    for name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
        setattr(call, name, getattr(function, name))
    call.__wrapped__ = function  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


def _check_values(*values: Any) -> None:
    from bleuet.argument_types import check_values

    check_values(*values)


def _check_call(*call: Any) -> None:
    # Imported with the first call, so that a function that is not called costs nothing.
    from bleuet.argument_types import check_call

    check_call(*call)
