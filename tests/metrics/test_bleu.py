"""BLEU by hand: every number written as the arithmetic it is (Papineni et al. 2002)."""

from __future__ import annotations

from math import exp, log
from typing import Any

import pytest

from bleuet import BLEU

NEAR = 1e-14


def words(count: int, word: str = "w") -> str:
    return " ".join(f"{word}{i}" for i in range(count))


class TestPrecision:
    def test_papinenis_clipping(self) -> None:
        score = BLEU(max_ngram_order=1).sentence_score(
            "the the the the the the the", ["The cat is on the mat", "There is a cat on the mat"]
        )
        # With case, "the" occurs once in each reference, not twice.
        assert score.counts == (1,)
        assert score.precisions == (100 * 1 / 7,)
        lowered = BLEU(max_ngram_order=1, lowercase=True).sentence_score(
            "the the the the the the the", ["The cat is on the mat", "There is a cat on the mat"]
        )
        assert lowered.counts == (2,)
        assert lowered.score == pytest.approx(100 * 2 / 7, rel=NEAR)

    def test_orders_one_to_four(self) -> None:
        score = BLEU(tokenize="none").sentence_score("a b c d e", "a b c d x")
        assert score.counts == (4, 3, 2, 1)
        assert score.totals == (5, 4, 3, 2)
        expected = 100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)
        assert score.score == pytest.approx(expected, rel=NEAR)

    @pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
    def test_the_highest_order(self, order: int) -> None:
        score = BLEU(tokenize="none", max_ngram_order=order).sentence_score(
            "a b c d e f", "a b c d e x"
        )
        product = 1.0
        for n in range(1, order + 1):
            product *= (6 - n) / (7 - n)
        assert score.score == pytest.approx(100 * product ** (1 / order), rel=NEAR)
        assert len(score.precisions) == len(score.counts) == order

    def test_a_corpus_adds_before_it_divides(self) -> None:
        score = BLEU(max_ngram_order=1).corpus_score(["a b", "c d e f"], ["a x", "c d e f"])
        assert score.score == pytest.approx(100 * (1 + 4) / (2 + 4), rel=NEAR)
        mean = (1 / 2 + 4 / 4) / 2
        assert score.score != pytest.approx(100 * mean)

    def test_cumulative_scores_are_those_of_lower_orders(self) -> None:
        hypothesis, reference = "a b c d e f g", "a b c x e f g h"
        score = BLEU(tokenize="none").sentence_score(hypothesis, reference)
        for order, one in enumerate(score.cumulative, start=1):
            alone = BLEU(tokenize="none", max_ngram_order=order)
            assert one == pytest.approx(alone.sentence_score(hypothesis, reference).score, rel=NEAR)
        assert score.cumulative[-1] == score.score


class TestBrevityPenalty:
    @pytest.mark.parametrize(("ours", "theirs"), [(4, 5), (4, 8), (9, 10), (4, 400)])
    def test_shorter_hypotheses_are_penalised(self, ours: int, theirs: int) -> None:
        score = BLEU(tokenize="none").sentence_score(words(ours), words(theirs))
        assert score.bp == pytest.approx(exp(1 - theirs / ours), rel=NEAR)
        assert score.score == pytest.approx(100 * exp(1 - theirs / ours), rel=NEAR)
        assert score.ratio == ours / theirs

    @pytest.mark.parametrize("theirs", [4, 5])
    def test_longer_ones_are_not(self, theirs: int) -> None:
        score = BLEU(tokenize="none").sentence_score(words(5), words(theirs))
        assert score.bp == 1.0

    def test_an_empty_hypothesis(self) -> None:
        score = BLEU().sentence_score("", "a")
        assert (score.score, score.bp, score.sys_len, score.ref_len) == (0.0, 0.0, 0, 1)
        nothing = BLEU().sentence_score("", "")
        assert (nothing.score, nothing.bp, nothing.ratio) == (0.0, 1.0, 0.0)

    @pytest.mark.parametrize(
        ("rule", "lengths", "expected"),
        [
            ("closest", (2, 9), 2),
            ("closest", (3, 7), 3),  # both two away: the shorter
            ("closest", (7, 3), 3),
            ("closest", (6, 3), 6),
            ("shortest", (6, 3), 3),
            ("shortest", (9, 6), 6),
            ("average", (6, 3), (6 + 3) / 2),
            ("average", (6, 3, 1), (6 + 3 + 1) / 3),
        ],
    )
    def test_the_reference_length_with_several(
        self, rule: Any, lengths: tuple[int, ...], expected: float
    ) -> None:
        references = [words(length) for length in lengths]
        score = BLEU(tokenize="none", reference_length=rule).sentence_score(words(5), references)
        assert score.ref_len == expected
        assert score.bp == (
            1.0 if expected <= 5 else pytest.approx(exp(1 - expected / 5), rel=NEAR)
        )

    def test_the_average_of_a_corpus_is_a_sum_of_averages(self) -> None:
        metric = BLEU(tokenize="none", reference_length="average")
        score = metric.corpus_score(
            [words(4), words(4)], [[words(4), words(5)], [words(4), words(4), words(8)]]
        )
        assert score.ref_len == (4 + 5) / 2 + (4 + 4 + 8) / 3
        assert score.bp == pytest.approx(exp(1 - score.ref_len / 8), rel=NEAR)
        assert "ref_len = 9.8" in str(score)

    def test_an_empty_reference_has_length_0_and_an_absent_one_none(self) -> None:
        assert BLEU().sentence_score("a", ["", "a b c"]).ref_len == 0
        assert BLEU().sentence_score("a", [None, "a b c"]).ref_len == 3


class TestEffectiveOrder:
    def test_orders_without_n_grams_do_not_count(self) -> None:
        metric = BLEU(tokenize="none", effective_order=True)
        assert metric.sentence_score("a b", "a b").score == pytest.approx(100, rel=NEAR)
        assert metric.sentence_score("a b c", "a b x").score == pytest.approx(
            100 * (2 / 3 * 1 / 2 * 1 / 2 / 1) ** (1 / 3), rel=NEAR
        )
        assert BLEU(tokenize="none").sentence_score("a b", "a b").score == 0.0

    def test_weights_of_the_others_are_brought_to_a_sum_of_one(self) -> None:
        metric = BLEU(tokenize="none", effective_order=True, weights=(0.4, 0.2, 0.3, 0.1))
        found = metric.sentence_score("a b", "a c").score
        # Of the bigrams none match, which the default smoothing makes half a match of one.
        assert found == pytest.approx(
            100 * exp((0.4 * log(1 / 2) + 0.2 * log(1 / 2 / 1)) / (0.4 + 0.2)), rel=1e-13
        )


class TestWeights:
    def test_a_weighted_geometric_mean(self) -> None:
        weights = (0.4, 0.3, 0.2, 0.1)
        score = BLEU(tokenize="none", weights=weights).sentence_score("a b c d e", "a b c d x")
        precisions = (4 / 5, 3 / 4, 2 / 3, 1 / 2)
        logs = sum(w * log(p) for w, p in zip(weights, precisions, strict=True))
        assert score.score == pytest.approx(100 * exp(logs), rel=1e-13)

    def test_equal_weights_are_the_default(self) -> None:
        equal = BLEU(weights=[0.25] * 4).sentence_score("a b c d e", "a b c d x").score
        assert equal == pytest.approx(
            BLEU().sentence_score("a b c d e", "a b c d x").score, rel=NEAR
        )

    def test_an_order_of_weight_0_may_be_without_matches(self) -> None:
        metric = BLEU(tokenize="none", smooth="none", weights=(0.5, 0.5, 0, 0))
        found = metric.sentence_score("a b c d", "a b x y").score
        assert found == pytest.approx(100 * (2 / 4 * 1 / 3) ** 0.5, rel=NEAR)


class TestPreparation:
    def test_lower_case_then_strip_then_tokenize(self) -> None:
        metric = BLEU(lowercase=True, max_ngram_order=2)
        assert metric.sentence_score("HELLO, World. \n", "hello , world .").score == pytest.approx(
            100, rel=NEAR
        )
        # A last full stop is told from a number's only while nothing follows it.
        assert BLEU().sentence_score("3.5.  ", "x").sys_len == 2

    @pytest.mark.parametrize(
        ("tokenizer", "tokens"),
        [
            ("none", "ab, 你好 c.d"),
            ("13a", "ab , 你好 c . d"),
            ("intl", "ab , 你好 c . d"),
            ("zh", "ab , 你 好 c . d"),
            ("zh-fixed", "ab , 你 好 c . d"),
            ("char", "a b , 你 好 c . d"),
        ],
    )
    def test_tokenizers(self, tokenizer: str, tokens: str) -> None:
        score = BLEU(tokenize=tokenizer).sentence_score("ab, 你好 c.d", "x")
        assert score.sys_len == len(tokens.split())

    @pytest.mark.parametrize(
        ("language", "tokenizer"), [("zh", "zh"), ("de", "13a"), ("", "13a"), ("fr", "13a")]
    )
    def test_the_target_language_chooses_where_no_tokenizer_is_named(
        self, language: str, tokenizer: str
    ) -> None:
        assert BLEU(trg_lang=language).tokenize == tokenizer
        assert BLEU(tokenize="char", trg_lang=language).tokenize == "char"


class TestPrinted:
    def test_as_sacrebleu_prints_it(self) -> None:
        score = BLEU().corpus_score(["a b c d e"], ["a b c d x y"])
        assert str(score) == (
            "BLEU = 54.75 80.0/75.0/66.7/50.0 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)"
        )
        product = (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)
        assert score.score == pytest.approx(100 * exp(1 - 6 / 5) * product, rel=NEAR)

    def test_digits_and_signature(self) -> None:
        score = BLEU().corpus_score(["a b c d e"], ["a b c d x y"])
        assert score.format(4).startswith("BLEU = 54.7518 80.0/")
        assert score.format(signature=True).startswith(f"BLEU|{score.signature} = 54.75 80.0/")
        assert repr(score) == f"<{score}>"
        assert float(score) == score.score

    def test_a_perfect_match_is_a_little_above_100_as_with_sacrebleu(self) -> None:
        assert BLEU().sentence_score("a b c d", "a b c d").score == 100.00000000000004
