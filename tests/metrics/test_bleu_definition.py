"""BLEU's row by hand."""

from __future__ import annotations

import pytest

from bleuet.metrics.bleu.definition import bleu_row, clipped_matches, ngrams


def row(hypothesis: str, *references: str, order: int = 2, length: str = "closest") -> object:
    return bleu_row(
        hypothesis.split(),
        [reference.split() for reference in references],
        max_ngram_order=order,
        reference_length=length,
    )


def test_papinenis_example_of_clipping() -> None:
    hypothesis = "the the the the the the the"
    references = "the cat is on the mat", "there is a cat on the mat"
    # Seven times "the" in the hypothesis, at most twice in a reference; lengths 7 against 7.
    assert row(hypothesis, *references) == (7, 7, 2, 0, 7, 6)


def test_an_n_gram_counts_as_often_as_the_reference_that_has_it_most() -> None:
    assert clipped_matches(["a", "a", "a"], [["a"], ["a", "a"]], 1) == 2
    # Not the sum over references, which would be 2 + 1.
    assert clipped_matches(["a", "b", "a", "b"], [["a", "b"], ["b", "a"]], 2) == 2


def test_orders_beyond_the_hypothesis_have_no_n_grams() -> None:
    assert row("a b", "a b", order=4) == (2, 2, 2, 1, 0, 0, 2, 1, 0, 0)
    assert row("", "a", order=2) == (0, 1, 0, 0, 0, 0)
    assert ngrams(["a"], 2) == {}


@pytest.mark.parametrize(
    ("length", "expected"),
    [("closest", 3), ("shortest", 1), ("average", 8 / 3)],
)
def test_reference_lengths(length: str, expected: float) -> None:
    # Hypothesis of 3; references of 1, 3 and 4.
    found = bleu_row(
        ["a"] * 3, [["b"], ["b"] * 3, ["b"] * 4], max_ngram_order=1, reference_length=length
    )
    if length == "average":
        assert found == (3, 0, 3, expected)
    else:
        assert found == (3, expected, 0, 3)


def test_of_two_lengths_as_close_the_shorter_counts() -> None:
    assert row("a b c", "x x x x", "y y", order=1) == (3, 2, 0, 3)


def test_tokens_may_be_anything_hashable() -> None:
    assert bleu_row([1, 2, 2], [[2, 2, 3]], max_ngram_order=2) == (3, 3, 2, 1, 3, 2)
