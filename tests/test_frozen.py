"""Values that follow from their annotations: what a dataclass does, without its module."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import ClassVar

import pytest

from bleuet.frozen import Value, cached_property


class Span(Value):
    """Some tokens."""

    unit: ClassVar[str] = "token"
    start: int
    end: int = 0

    @cached_property
    def length(self) -> int:
        return self.end - self.start


class Named(Span):
    name: str = ""
    note: str = ""
    _fields = ("start", "end", "name")


class Ordered(Value):
    low: int
    high: int

    def _complete(self) -> None:
        if self.high < self.low:
            raise ValueError(f"high is {self.high}, below {self.low}")
        self._set(low=int(self.low))


def test_fields_are_positional_or_named_and_have_defaults() -> None:
    assert (Span(1).start, Span(1).end) == (1, 0)
    assert Span(1, 2) == Span(end=2, start=1) == Span(1, end=2)
    assert repr(Span(1, 2)) == "Span(start=1, end=2)"
    assert Span.unit == Span(1).unit == "token"
    assert Span(1, 3).as_dict() == {"start": 1, "end": 3}


def test_a_subclass_has_the_fields_of_its_base_first() -> None:
    one = Named(1, 2, "a")
    assert (one.start, one.name, one.length) == (1, "a", 1)
    assert one != Span(1, 2)
    assert list(vars(Named)["__slots__"]) == ["name", "note"]


def test_only_the_named_fields_make_values_equal() -> None:
    one, other = Named(1, 2, "a", "x"), Named(1, 2, "a", "y")
    assert one == other
    assert hash(one) == hash(other)
    assert one != Named(1, 2, "b")
    assert (one.replace(name="b").note, one.replace(name="b").name) == ("x", "b")


@pytest.mark.parametrize(
    ("values", "named", "said"),
    [
        ((), {}, "Span needs the argument start"),
        ((1, 2, 3), {}, "not a value after 2"),
        ((1,), {"stop": 2}, "Span takes start, end once each, not stop"),
        ((1, 2), {"end": 2}, "not end"),
    ],
)
def test_wrong_arguments_are_named(
    values: tuple[int, ...], named: dict[str, int], said: str
) -> None:
    with pytest.raises(TypeError, match=said):
        Span(*values, **named)


def test_it_never_changes_and_caches_are_not_part_of_it() -> None:
    span = Span(1, 4)
    assert span.length == 3
    with pytest.raises(AttributeError, match="Span is frozen: end cannot be set"):
        span.end = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="Span is frozen: end cannot be deleted"):
        del span.end
    for again in (pickle.loads(pickle.dumps(span)), copy.deepcopy(span)):
        assert again == span
        assert "length" not in vars(again)


class Strict(Value, eq=False, kw_only=True):
    first: int
    second: int = 2


def test_a_value_can_be_equal_only_to_itself_and_have_named_arguments() -> None:
    one = Strict(first=1)
    assert one == one
    assert one != Strict(first=1)
    with pytest.raises(TypeError, match="not a value after 0"):
        Strict(1)  # type: ignore[call-arg]
    assert str(inspect.signature(Strict)) == "(*, first: 'int', second: 'int' = 2)"


def test_a_class_checks_its_fields() -> None:
    assert Ordered(True, 3).low == 1
    with pytest.raises(ValueError, match="high is 1, below 2"):
        Ordered(2, 1)
    with pytest.raises(ValueError, match="high is 1, below 2"):
        Ordered(2, 3).replace(high=1)


def test_help_shows_the_arguments() -> None:
    shown = "(start: 'int', end: 'int' = 0, name: 'str' = '', note: 'str' = '')"
    assert str(inspect.signature(Named)) == shown
    assert str(inspect.signature(Named.replace)).startswith("(self")


class Added(Value):
    number: int

    def __call__(self, other: int) -> int:
        return self.number + other


def test_a_value_that_can_be_called_shows_the_arguments_of_its_call() -> None:
    assert str(inspect.signature(Added)) == "(number: 'int')"
    assert str(inspect.signature(Added(1))) == "(other: 'int') -> 'int'"
