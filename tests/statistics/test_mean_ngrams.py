"""Matches with mean n-gram counts: both backends against the definition, and each other."""

from __future__ import annotations

import random
from array import array
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.statistics.definitions import plain_python
from bleuet.text.numbering import joined
from tests.backends import HAS_KERNEL, kernel
from tests.effort import examples

WORDS = 4
texts = st.lists(st.lists(st.integers(0, WORDS - 1), max_size=9), max_size=4)
weights = st.integers(0, 8)


@st.composite
def drawn(draw: st.DrawFn) -> tuple[Any, ...]:
    references = draw(texts.filter(bool))
    shares = draw(st.lists(weights, min_size=len(references), max_size=len(references)))
    shares[0] += 1
    return draw(texts), references, shares, draw(st.integers(1, 4))


def arguments(hypotheses: Any, references: Any, shares: Any, order: int) -> tuple[Any, ...]:
    own, others = (joined([array("i", one) for one in some]) for some in (hypotheses, references))
    return own, others, array("d", shares), WORDS, order


def numbers(found: Any) -> list[list[float]]:
    return [list(memoryview(part).cast("d")) for part in found]


def ngrams(text: list[int], n: int) -> list[tuple[int, ...]]:
    return [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]


@examples(60)
@given(drawn())
def test_the_definition(case: Any) -> None:
    hypotheses, references, shares, order = case
    matches, lengths = numbers(plain_python.match_mean_ngrams(*arguments(*case)))
    parts = [Fraction(share, sum(shares)) for share in shares]
    for n in range(1, order + 1):
        others = [ngrams(text, n) for text in references]
        assert lengths[n - 1] == pytest.approx(
            float(sum(part * len(one) for part, one in zip(parts, others, strict=True)))
        )
        for row, text in enumerate(hypotheses):
            own = ngrams(text, n)
            expected = sum(
                min(
                    Fraction(own.count(one)),
                    sum(p * found.count(one) for p, found in zip(parts, others, strict=True)),
                )
                for one in set(own)
            )
            assert matches[row * order + n - 1] == pytest.approx(float(expected))


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
@examples(150)
@given(drawn())
def test_the_kernel_has_the_same_bits(case: Any) -> None:
    found, expected = (
        program.match_mean_ngrams(*arguments(*case)) for program in (kernel(), plain_python)
    )
    assert found == expected


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
@pytest.mark.parametrize("seed", range(3))
def test_the_kernel_has_the_same_bits_for_many_texts(seed: int) -> None:
    rng = random.Random(seed)
    some, others = (
        [rng.choices(range(WORDS), k=rng.randrange(60)) for _ in range(count)] for count in (40, 70)
    )
    case = arguments(some, others, [rng.random() for _ in others], 6)
    assert kernel().match_mean_ngrams(*case) == plain_python.match_mean_ngrams(*case)


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
def test_wrong_buffers_are_refused_by_the_kernel() -> None:
    own, others, shares, words, order = arguments([[0, 1]], [[2]], [1], 2)
    match = kernel().match_mean_ngrams
    with pytest.raises(IndexError):
        match((array("i", [0, 4]), own[1]), others, shares, words, order)
    with pytest.raises(IndexError):
        match(own, (array("i", [-1]), others[1]), shares, words, order)
    with pytest.raises(IndexError):
        match((own[0], array("q", [3])), others, shares, words, order)
    with pytest.raises(ValueError, match="size"):
        match(own, others, array("d"), words, order)
