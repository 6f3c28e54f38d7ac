"""chrF by hand (Popović 2015, 2017)."""

from __future__ import annotations

from typing import Any

import pytest

from bleuet import CHRF

NEAR = 1e-14


def f_score(precision: float, recall: float, beta: float = 2) -> float:
    return 100 * (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


class TestScore:
    def test_characters_of_one_order(self) -> None:
        score = CHRF(char_order=1).sentence_score("abcd", "abx")
        assert (score.hyp_counts, score.ref_counts, score.match_counts) == ((4,), (3,), (2,))
        assert score.precisions == (100 * 2 / 4,)
        assert score.recalls == (100 * 2 / 3,)
        assert score.score == pytest.approx(f_score(2 / 4, 2 / 3), rel=NEAR)

    def test_precision_and_recall_are_averaged_over_orders(self) -> None:
        # ab, bc, cd against ab, bx: one of two matches.
        precision, recall = (2 / 4 + 1 / 3) / 2, (2 / 3 + 1 / 2) / 2
        score = CHRF(char_order=2).sentence_score("abcd", "abx")
        assert score.score == pytest.approx(f_score(precision, recall), rel=NEAR)

    def test_orders_that_one_side_lacks_do_not_count(self) -> None:
        score = CHRF(char_order=6).sentence_score("abcd", "abx")
        assert score.score == pytest.approx(
            f_score((2 / 4 + 1 / 3 + 0) / 3, (2 / 3 + 1 / 2 + 0) / 3), rel=NEAR
        )
        # The hypothesis's 4-grams are not counted, as the reference has none.
        assert score.hyp_counts == (4, 3, 2, 0, 0, 0)

    def test_epsilon_smoothing_averages_f_over_all_orders(self) -> None:
        score = CHRF(char_order=3, eps_smoothing=True).sentence_score("abcd", "abx")
        # Nothing matches at order 3: precision and recall are 0, and F is 1e-16.
        assert score.score == pytest.approx(
            (f_score(2 / 4, 2 / 3) + f_score(1 / 3, 1 / 2) + 1e-14) / 3, rel=1e-14
        )

    @pytest.mark.parametrize("beta", [0, 0.5, 1, 2, 3])
    def test_beta_weighs_recall(self, beta: float) -> None:
        score = CHRF(char_order=1, beta=beta).sentence_score("abcd", "abx")
        assert score.score == pytest.approx(f_score(2 / 4, 2 / 3, beta), rel=NEAR)

    def test_words(self) -> None:
        score = CHRF(char_order=1, word_order=2).sentence_score("a b c", "a b d e")
        assert score.hyp_counts == (3, 3, 2)
        assert score.ref_counts == (4, 4, 3)
        assert score.match_counts == (2, 2, 1)
        precision, recall = (2 / 3 + 2 / 3 + 1 / 2) / 3, (2 / 4 + 2 / 4 + 1 / 3) / 3
        assert score.score == pytest.approx(f_score(precision, recall), rel=NEAR)

    def test_a_corpus_adds_before_it_divides(self) -> None:
        score = CHRF(char_order=1).corpus_score(["ab", "cdef"], ["ax", "cdef"])
        assert score.score == pytest.approx(f_score((1 + 4) / 6, (1 + 4) / 6), rel=NEAR)

    def test_repeated_characters_match_as_often_as_both_have_them(self) -> None:
        assert CHRF(char_order=1).sentence_score("aaab", "aabb").match_counts == (3,)


class TestText:
    def test_white_space_goes_unless_asked_for(self) -> None:
        assert CHRF().sentence_score("a b\tc", "abc").score == 100
        assert CHRF(char_order=1).sentence_score("a b", "ab").hyp_counts == (2,)
        assert CHRF(char_order=1, whitespace=True).sentence_score("a b", "ab").hyp_counts == (3,)

    def test_nothing_is_stripped(self) -> None:
        metric = CHRF(char_order=1, whitespace=True)
        assert metric.sentence_score("a ", "a").hyp_counts == (2,)

    def test_case(self) -> None:
        assert CHRF().sentence_score("ABC", "abc").score == 0
        assert CHRF(lowercase=True).sentence_score("ABC", "abc").score == 100
        # One character may become two.
        assert CHRF(char_order=1, lowercase=True).sentence_score("İ", "x").hyp_counts == (2,)

    def test_one_mark_is_cut_off_each_word(self) -> None:
        metric = CHRF(char_order=1, word_order=1)
        assert metric.sentence_score("well, (yes) ?!", "x").hyp_counts[1] == 2 + 2 + 2

    def test_of_several_references_the_best_for_the_sentence_counts(self) -> None:
        metric = CHRF(char_order=1)
        score = metric.sentence_score("ab", ["axyz", "abc", "c"])
        assert score.ref_counts == (3,)
        assert score.match_counts == (2,)


class TestPrinted:
    @pytest.mark.parametrize(
        ("options", "name"),
        [
            ({}, "chrF2"),
            ({"word_order": 2}, "chrF2++"),
            ({"word_order": 1, "beta": 3}, "chrF3+"),
            ({"beta": 0.5}, "chrF0.5"),
        ],
    )
    def test_names(self, options: dict[str, Any], name: str) -> None:
        metric = CHRF(**options)
        assert metric.name == name
        assert str(metric.sentence_score("a", "a")) == f"{name} = 100.00"

    def test_digits(self) -> None:
        score = CHRF(char_order=1).sentence_score("abcd", "abx")
        assert score.score == pytest.approx(62.5, rel=NEAR)
        assert score.format(1) == "chrF2 = 62.5"
        assert score.format(signature=True) == f"chrF2|{score.signature} = 62.50"
