"""Options: each is declared once, in the class of its metric, and everything else reads that."""

from __future__ import annotations

from sys import intern

from bleuet.errors import OptionError
from bleuet.frozen import Frozen
from bleuet.metrics.base.option_types import TYPES, YES_NO, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any, Literal, TypeVar

    from bleuet.metrics.base.option_types import OptionType

    T = TypeVar("T")

MISSING: Any = object()


class Option(Frozen):
    """One option of a metric. `option` makes it, and documents its attributes.

    It stands in the class of its metric as a descriptor: `BLEU.smooth` is the option,
    `BLEU().smooth` is its value. Its name and type are those of the attribute.
    """

    name: str = ""
    annotation: str = ""
    kind: OptionType
    default: Any = None
    help: str = ""
    key: str = ""
    short_key: str = ""
    values: Mapping[str, Any] = {}
    sign_default: bool = True
    in_sacrebleu: bool = True
    choices: tuple[str, ...] = ()
    also: str = ""
    least: float | None = None
    most: float | None = None
    check: Callable[[Any], Any] | None = None
    follows: str = ""
    default_for: Callable[[Any], Any] | None = None
    carried: bool = True
    scoring: bool | Literal["one reference"] = False
    on_command_line: bool = True
    init_only: bool = False
    before: str = ""
    _fields = tuple([name for name in __annotations__ if name != "kind"])

    def __init__(self, **declared: Any) -> None:
        self.__dict__.update(declared)

    def __set_name__(self, owner: type, name: str) -> None:
        annotation = owner.__annotations__[name]
        annotation = annotation if isinstance(annotation, str) else type_name(annotation)
        known = self.__dict__
        if type(self.default) is str:
            known["default"] = intern(self.default)
        if type(self.default) is bool and self.key and not self.values:
            known["values"] = YES_NO
        if self.choices:
            # Type checkers see the choices, as a `Literal`.
            annotation = "str | None" if annotation.endswith("None") else "str"
        kind = TYPES[type_name(annotation)]
        known["kind"] = kind(self.choices, self.also, self.least, self.most)
        known["name"], known["annotation"] = name, annotation

    def __get__(self, metric: Any, owner: type | None = None) -> Any:
        # A metric keeps the values in its `__dict__`, where Python looks before it comes here.
        if metric is None:
            return self
        raise AttributeError(f"{self.name} is not set yet")

    @property
    def depends(self) -> bool:
        """Whether the default depends on another option."""
        return self.default_for is not None

    @property
    def many(self) -> bool:
        """Whether the value is several numbers."""
        return self.annotation.startswith("Sequence")

    # --- Values -----------------------------------------------------------------------------------

    def default_with(self, others: Mapping[str, Any]) -> Any:
        """Return the default, given the values of the other options."""
        if self.default_for is None:
            return self.default
        return self.default_for(others.get(self.follows))

    def checked(self, value: Any, metric: str) -> Any:
        """Return a value in the form in which a metric keeps it.

        Args:
            value: what the caller passed.
            metric: the name of the metric's class, for the error.

        Raises:
            OptionError: the option does not accept the value.
        """
        if value is None and "None" in self.annotation:
            return None
        try:
            value = self.kind.check(value)
            return value if self.check is None else self.check(value)
        except ValueError as error:
            raise OptionError(str(error), metric=metric, option=self.name, value=value) from None

    def read(self, text: str | None, metric: str = "") -> Any:
        """Return the value that a text stands for, as in `bleu:smooth=floor`.

        Args:
            text: the value as it is typed; None for a switch that is named without one.
            metric: the name of the metric, for the error.

        Raises:
            OptionError: the text cannot be a value of this type.

        >>> from bleuet.metrics.bleu.metric import BLEU
        >>> BLEU.option_named("lowercase").read("no")
        False
        """
        try:
            if not text and not isinstance(self.default, bool):
                if self.choices:
                    raise ValueError(f"needs a value: {self.values_text()}")
                raise ValueError(f"needs a value, as in {self.name}=VALUE")
            return self.kind.read(text)
        except ValueError as error:
            raise OptionError(str(error), metric=metric, option=self.name, value=text) from None

    def spell(self, value: Any) -> str:
        """Return a value as one types it, which `read` understands; "none" for None."""
        return "none" if value is None else self.kind.spell(value)

    # --- Signatures -------------------------------------------------------------------------------

    def sign(self, value: Any) -> str:
        """Return the value as a signature spells it."""
        for spelling, meaning in self.values.items():
            if meaning == value:
                return spelling
        return self.spell(value)

    def unsign(self, text: str) -> Any:
        """Return the value that a signature spells so.

        Raises:
            ValueError: no value is spelled so; the message follows the name of the key.
        """
        if not self.values:
            return self.kind.read(text)
        if text not in self.values:
            raise ValueError(f"must be {' or '.join(self.values)}, not {text!r}")
        return self.values[text]

    # --- Documentation ----------------------------------------------------------------------------

    def values_text(self) -> str:
        """Return which values there are, as one types them."""
        return self.kind.describe()

    def default_text(self) -> str:
        """Return the usual default as one types it."""
        return self.spell(self.default)

    def signature_text(self) -> str:
        """Return how the signature shows the option."""
        if not self.key:
            return ""
        spelled = [f"{self.key}:{spelling}" for spelling in self.values] or [self.key]
        if self.sign_default:
            return ", ".join(spelled)
        usual = f"{self.key}:{self.sign(self.default)}"
        changed = [one for one in spelled if self.follows or one != usual]
        return f"{', '.join(changed)}, if not the default"


def option(
    *,
    default: T,
    help: str = MISSING,  # noqa: A002 - what every parser calls it
    key: str = MISSING,
    short_key: str = MISSING,
    values: Mapping[str, T] = MISSING,
    sign_default: bool = MISSING,
    in_sacrebleu: bool = MISSING,
    choices: Collection[str] = MISSING,
    also: str = MISSING,
    least: float | None = MISSING,
    most: float | None = MISSING,
    check: Callable[[T], T] | None = MISSING,
    follows: str = MISSING,
    default_for: Callable[[Any], T] | None = MISSING,
    carried: bool = MISSING,
    scoring: bool | Literal["one reference"] = MISSING,
    on_command_line: bool = MISSING,
    init_only: bool = MISSING,
    before: str = MISSING,
    like: object = None,
) -> T:
    """Declare an option in the class of a metric.

        lowercase: bool = option(default=False, help="lower-case both sides", key="case")

    The annotation is the type: `bool`, `int`, `float`, `str` or `Sequence[float]`, each perhaps
    `| None`. Constructor, equality, pickling, `repr`, signature, command line and documentation
    follow from the declaration.

    Args:
        default: the default, or the usual one if there is `default_for`.
        help: what the option does, in one line.
        key: the signature's key for it; "" if the signature shows the option in another way.
        short_key: the key in short signatures; the same as `key` if it is left out.
        values: values by the spelling that the signature has for them; by default `yes` and `no`
            for a `bool`, and the value itself for other types.
        sign_default: whether the signature has the key where the value is the default.
        in_sacrebleu: whether sacreBLEU has the option, so that another value than the default
            still gives sacreBLEU's number.
        choices: the values of a text, which the annotation lists as a `Literal`.
        also: other values of a `str` than `choices`, in words; the metric checks them.
        least: the least value of a number.
        most: the greatest value of a number.
        check: a function that returns the value as it is kept, or raises `ValueError` with a
            reason that follows the option's name, such as "must be ..., not ...".
        follows: the option that decides the default.
        default_for: a function from the value of `follows` to the default; the constructor takes
            None for this default too.
        carried: whether `with_options` keeps a value that is not the default when the option that
            it follows changes; if not, it becomes the new default.
        scoring: whether the option changes the score and no number in the table; "one reference"
            if that is so only where each segment has one reference.
        on_command_line: whether help and completion of the command line list it.
        init_only: whether the constructor takes it for the sake of another option that follows
            it; it is not kept.
        before: the option of a base class that signatures and lists show after this one.
        like: another class's option, from which everything that is left out is taken.

    Returns:
        An `Option`; type checkers see the type of the attribute.
    """
    declared = {name: value for name, value in locals().items() if value is not MISSING}
    if choices is not MISSING:
        declared["choices"] = tuple(choices)
    base = declared.pop("like")
    if base is not None:
        declared = {**vars(base), **declared}
    return Option(**declared)  # type: ignore[return-value]


def documented(text: str, options: Collection[Option]) -> str:
    """Return a docstring of a class with its options as the arguments."""
    lines = "".join([f"        {one.name}: {one.help}\n" for one in options])
    return f"{text.rstrip()}\n\n    Args:\n{lines}    "


class ConstructorSignature:
    """The constructor's parameters as `inspect` and `help` show them."""

    def __get__(self, metric: Any, owner: type[Any]) -> Any:
        from inspect import Parameter, Signature

        kind = Parameter.KEYWORD_ONLY
        return Signature(
            [
                Parameter(one.name, kind, default=one.default, annotation=one.annotation)
                for one in owner.declared.values()
            ]
        )
