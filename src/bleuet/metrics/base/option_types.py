"""Types of options: how a value of each is checked, read from text, spelled and described."""

from __future__ import annotations

from operator import index
from sys import intern

from bleuet.messages import nearest, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The greatest order of n-grams; a greater one is a mistake, and its table would fill the memory.
MAX_ORDER = 1000
# The greatest weight of one thing against another: a greater one leaves nothing of the other. Far
# above it, squares and quotients are infinite.
MAX_WEIGHT = 1000
# The number next to 0. Nearer ones are mistakes, and quotients of them are infinite or not exact.
LEAST_ABOVE_ZERO = 1e-100
YES_NO = {"yes": True, "no": False}
# How signatures of several metrics spell whether both sides are lower-cased.
CASE = {"lc": True, "mixed": False}
SWITCH = {**YES_NO, "true": True, "false": False}


class OptionType:
    """A type of options and its limits; errors are `ValueError` with a reason.

    Args:
        choices: the values of a `str`.
        also: other values of a `str`, in words.
        least: the least value of a number, or None.
        most: the greatest value of a number, or None.
    """

    __slots__ = ("also", "choices", "least", "most")

    def __init__(
        self, choices: tuple[str, ...], also: str, least: float | None, most: float | None
    ) -> None:
        self.choices = choices
        self.also = also
        self.least = least
        self.most = most

    def check(self, value: Any) -> Any:
        """Return the value as it is kept, or raise `ValueError`."""
        raise NotImplementedError

    def read(self, text: str | None) -> Any:
        """Return what a typed text stands for, or raise `ValueError`."""
        return text

    def spell(self, value: Any) -> str:
        """Return the value as text that `read` understands."""
        return str(value)

    def describe(self) -> str:
        """Return which values there are, as one types them."""
        raise NotImplementedError

    def _within(self, value: float) -> bool:
        return (self.least is None or self.least <= value) and (
            self.most is None or value <= self.most
        )

    def _range(self) -> str:
        if self.least is None and self.most is None:
            return ""
        if self.most is None:
            return f" of at least {self.least}"
        if self.least is None:
            return f" of at most {self.most}"
        return f" from {self.least} to {self.most}"


class Switch(OptionType):
    """`bool`."""

    def check(self, value: Any) -> bool:
        """Reject 0, 1 and 'no', which could be a mistake."""
        if value is True or value is False:
            return value
        raise ValueError(f"must be True or False, not {shown(value)}")

    def read(self, text: str | None) -> bool:
        """Return what yes, no, true and false stand for; a switch without a value is on."""
        found = SWITCH.get((text or "yes").lower())
        if found is None:
            raise ValueError(f"is a switch; expected yes or no, not {shown(text)}")
        return found

    def spell(self, value: Any) -> str:
        """Return yes or no."""
        return "yes" if value else "no"

    def describe(self) -> str:
        """Return which values there are."""
        return "yes, no"


class WholeNumber(OptionType):
    """`int`."""

    def check(self, value: Any) -> int:
        """Reject what is not a whole number, and what is out of range."""
        if not isinstance(value, bool):
            try:
                # Integers of arrays are no `int`, but have an index.
                number = index(value)
            except TypeError:
                pass
            else:
                if self._within(number):
                    return number
        raise ValueError(f"must be a whole number{self._range()}, not {shown(value)}")

    def read(self, text: str | None) -> float:
        """Return a number, for `check` to say whether it is a whole one."""
        return number_of(text)

    def describe(self) -> str:
        """Return which values there are."""
        return f"a whole number{self._range()}"


class Number(OptionType):
    """`float`; a whole number is kept as an `int`, so that 2.0 and 2 are written alike."""

    def check(self, value: Any) -> Any:
        """Reject what is not a finite number, and what is out of range."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or value - value != 0 or not self._within(value):
            raise ValueError(f"must be a finite number{self._range()}, not {shown(value)}")
        if 0 < abs(value) < LEAST_ABOVE_ZERO:
            raise ValueError(f"must be 0 or at least {LEAST_ABOVE_ZERO}, not {value!r}")
        # Numbers of arrays are a kind of float whose text differs.
        return int(value) if value == int(value) else float(value)

    def read(self, text: str | None) -> Any:
        """Return a number."""
        return number_of(text)

    def describe(self) -> str:
        """Return which values there are."""
        return f"a number{self._range()}"


class Name(OptionType):
    """`str`."""

    def check(self, value: Any) -> str:
        """Reject what is none of the choices, and name the nearest."""
        known = isinstance(value, str) and (bool(self.also) or value in self.choices)
        if known or (isinstance(value, str) and not self.choices):
            # Equal texts become one object, so that equal metrics have equal pickles.
            return intern(str(value))
        if not self.choices:
            raise ValueError(f"must be a text, not {shown(value)}")
        hint = nearest(value, self.choices) if isinstance(value, str) else ""
        also = f", or {self.also}" if self.also else ""
        raise ValueError(
            f"must be one of {', '.join(self.choices)}{also}, not {shown(value)}{hint}"
        )

    def describe(self) -> str:
        """Return which values there are."""
        return ", ".join([*self.choices, self.also] if self.also else self.choices) or "a text"


class Numbers(Number):
    """`Sequence[float]`, kept as a tuple."""

    def check(self, value: Any) -> Any:
        """Reject what is not a sequence of numbers in range."""
        try:
            numbers = () if isinstance(value, (str, bytes, set, dict)) else tuple(value)
        except TypeError:
            numbers = ()
        if not numbers:
            raise ValueError(f"must be a list of numbers, not {shown(value)}")
        for number in numbers:
            try:
                super().check(number)
            except ValueError as error:
                raise ValueError(f"must hold numbers, each of which {error}") from None
        # Adding 0 makes 0 of -0, which would be written with its sign.
        return tuple([float(number) + 0.0 for number in numbers])

    def read(self, text: str | None) -> Any:
        """Return the numbers of a text such as 0.5/0.5."""
        try:
            return [number_of(part) for part in (text or "").split("/")]
        except ValueError:
            raise ValueError(
                f"must be a number or several with slashes between them, not {shown(text)}"
            ) from None

    def spell(self, value: Any) -> str:
        """Return the numbers with slashes between them."""
        return "/".join(map(repr, value))

    def describe(self) -> str:
        """Return which values there are."""
        return f"numbers{self._range()}, with slashes between them"


# By the annotation of the attribute.
TYPES: dict[str, type[OptionType]] = {
    "bool": Switch,
    "int": WholeNumber,
    "float": Number,
    "str": Name,
    "Sequence": Numbers,
}


def type_name(annotation: Any) -> str:
    """Return the name in `TYPES` of an annotation.

    >>> type_name("Sequence[float] | None"), type_name(bool)
    ('Sequence', 'bool')
    """
    text = annotation if isinstance(annotation, str) else ""
    text = text or getattr(annotation, "__name__", str(annotation))
    return text.partition("[")[0].partition(" ")[0]


def number_of(text: str | None) -> float:
    """Return the number that a text stands for, or raise `ValueError`."""
    for read in (int, float):
        try:
            return read(text or "")
        except ValueError:
            continue
    raise ValueError(f"must be a number, not {shown(text)}")
