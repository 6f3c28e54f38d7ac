"""Plain values: the fields of a value as JSON has them."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest

from bleuet import BLEU
from bleuet.frozen import Value
from bleuet.output.plain_values import Plain, plain_value, plain_values


class Inner(Value, Plain):
    label: str
    numbers: tuple[float, ...] = (0.5, nan)


class Outer(Value, Plain):
    inner: Inner
    by_name: dict[str, Inner]
    hidden: int = 0
    plain_fields = ("title=inner.label", "inner", "by_name", "twice")

    @property
    def twice(self) -> int:
        return 2 * self.hidden


def test_a_value_has_its_fields_or_what_it_names() -> None:
    inner = Inner("a")
    assert inner.to_dict() == {"label": "a", "numbers": [0.5, None]}
    values = Outer(inner, {"b": inner}, 4).to_dict()
    assert list(values) == ["title", "inner", "by_name", "twice"]
    assert values["title"] == "a"
    assert values["by_name"] == {"b": inner.to_dict()}
    assert values["twice"] == 8
    assert json.loads(json.dumps(values, allow_nan=False)) == values


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (3, 3),
        ("a", "a"),
        (inf, None),
        ((1, (2.5, -inf)), [1, [2.5, None]]),
        ({"a": (1,)}, {"a": [1]}),
    ],
)
def test_what_json_has_of_a_value(value: Any, expected: Any) -> None:
    found = plain_value(value)
    assert found == expected
    assert type(found) is type(expected)


def test_a_signature_is_a_text() -> None:
    signature = BLEU().signature()
    assert plain_value(signature) == str(signature)


def test_some_fields_of_any_value() -> None:
    assert plain_values(Inner("a"), ("name=label",)) == {"name": "a"}
