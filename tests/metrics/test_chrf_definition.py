"""chrF's row and score by hand."""

from __future__ import annotations

import pytest

from bleuet.metrics.chrf.definition import characters, chrf_row, words
from bleuet.metrics.chrf.formula import chrf_f_score


def test_characters_without_white_space() -> None:
    assert characters(" a\tb\u3000c\n", whitespace=False) == ["a", "b", "c"]
    assert characters(" a b", whitespace=True) == [" ", "a", " ", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a, b", ["a", ",", "b"]),
        ("(hi)", ["(hi", ")"]),
        ("(hi", ["(", "hi"]),
        ("!?", ["!", "?"]),
        ("?", ["?"]),
        ("a?!", ["a?", "!"]),
        ("«a»", ["«a»"]),
        ("", []),
    ],
)
def test_words_lose_one_mark(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_a_row() -> None:
    # abc against abd: 3 characters each, a and b shared; ab, bc against ab, bd: ab shared.
    assert chrf_row("abc", ["abd"], char_order=2) == (3, 3, 2, 2, 2, 1)
    # One word each, and not the same.
    assert chrf_row("abc", ["abd"], char_order=1, word_order=1) == (3, 3, 2, 1, 1, 0)


def test_orders_that_the_reference_lacks_do_not_count() -> None:
    assert chrf_row("abc", ["a"], char_order=2) == (3, 1, 1, 0, 0, 0)
    assert chrf_row("a", ["abc"], char_order=2) == (1, 3, 1, 0, 2, 0)


def test_the_best_reference_counts_and_the_first_of_equals() -> None:
    assert chrf_row("ab", ["xy", "ab"], char_order=1) == (2, 2, 2)
    # ax and bx score alike; so do lengths here, but the rows tell which was taken.
    assert chrf_row("", ["a", "bb"], char_order=1) == (0, 1, 0)
    assert chrf_row("", ["bb", "a"], char_order=1) == (0, 2, 0)


def test_the_score() -> None:
    precision, recall = 2 / 4, 2 / 3
    expected = 100 * 5 * precision * recall / (4 * precision + recall)
    assert chrf_f_score((4, 3, 2), char_order=1) == pytest.approx(expected, rel=1e-15)
    # Precision and recall are averaged over orders, then F is taken.
    precision, recall = (2 / 4 + 1 / 3) / 2, (2 / 3 + 1 / 2) / 2
    expected = 100 * 5 * precision * recall / (4 * precision + recall)
    assert chrf_f_score((4, 3, 2, 3, 2, 1), char_order=2) == pytest.approx(expected, rel=1e-15)


def test_epsilon_smoothing_averages_f_over_all_orders() -> None:
    first = 5 * (2 / 4) * (2 / 3) / (4 * (2 / 4) + 2 / 3)
    second = 5 * 1e-16 * 1e-16 / (5 * 1e-16)  # no n-grams of order 2 on either side
    found = chrf_f_score((4, 3, 2, 0, 0, 0), char_order=2, eps_smoothing=True)
    assert found == pytest.approx(100 * (first + second) / 2, rel=1e-15)


def test_nothing_scores_nothing() -> None:
    assert chrf_f_score((0, 0, 0), char_order=1) == 0.0
    assert chrf_f_score((3, 0, 0), char_order=1) == 0.0
    assert chrf_f_score((3, 3, 0), char_order=1) == 0.0
