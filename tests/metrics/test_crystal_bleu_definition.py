"""CrystalBLEU: which n-grams are the most common ones, in both backends."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bleuet import CrystalBLEU
from tests.backends import counted_by, counted_by_python, kernel

# In the order of code points, which is not that of UTF-16.
WORDS = ["0", "a", "ab", "b", "\u00e9", "\ud800", "\uffee", "\U0001f600", "x" * 20]


def both(texts: list[Any], **options: Any) -> tuple[list[Any], list[Any]]:
    """What each backend returns as the most common n-grams of texts."""
    found = []
    for counting in (counted_by_python(), counted_by(kernel())):
        with counting:
            metric = CrystalBLEU(**options)
            found.append(metric.with_learned(metric.learn(texts))._counter.common())
    return found[0], found[1]


@pytest.mark.usefixtures("needs_kernel")
@pytest.mark.parametrize("ignored", [0, 1, 2, 5, 17, 60, 200, 5000])
def test_the_most_common_n_grams(ignored: int) -> None:
    rng = random.Random(ignored)
    texts = [" ".join(rng.choices(WORDS, k=rng.randint(0, 9))) for _ in range(60)]
    for order in (1, 3, 6):
        slow, fast = both(texts, ignored=ignored, max_ngram_order=order, tokenize="none")
        assert fast == slow


@pytest.mark.usefixtures("needs_kernel")
def test_token_ids_have_the_order_of_numbers() -> None:
    texts = [[[3, -7, 256, 1], [2**40, -7]], [[256, 3]]]
    slow, fast = both(texts, ignored=5, tokenize="ids")
    assert fast == slow == [(-7,), (3,), (256,), (1,), (2**40,)]


def test_none_is_common_before_it_has_learned() -> None:
    assert CrystalBLEU().common == frozenset()
