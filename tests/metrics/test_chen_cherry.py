"""The seven smoothings of Chen and Cherry (2014) worked by hand, and where the paper is silent."""

from __future__ import annotations

from math import e, exp, log, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, OptionError, TableError
from bleuet.metrics.bleu.smoothing import SMOOTHINGS, ChenCherry, chen_cherry_5
from bleuet.statistics.backend import is_native
from bleuet.statistics.table import Table
from tests.effort import examples

NEAR = 1e-13
PAPERS = [name for name, one in SMOOTHINGS.items() if isinstance(one, ChenCherry)]

# (matches, totals, hypothesis length, value): what each precision is. Smoothings 5 and 7 read one
# order more than they give back.
Case = tuple[list[int], list[int], int, float, list[float]]

ONE: list[Case] = [  # equation 5: m' = epsilon if m = 0
    ([5, 4, 3, 2], [5, 4, 3, 2], 5, 0.1, [5 / 5, 4 / 4, 3 / 3, 2 / 2]),
    ([4, 2, 0, 0], [5, 4, 3, 2], 5, 0.1, [4 / 5, 2 / 4, 0.1 / 3, 0.1 / 2]),
    ([4, 2, 0, 0], [5, 4, 3, 2], 5, 0.01, [4 / 5, 2 / 4, 0.01 / 3, 0.01 / 2]),
    ([3, 0, 0, 0], [5, 4, 3, 2], 5, 0, [3 / 5, 0, 0, 0]),
    # The loop begins at order 1, so that nothing matching at all is smoothed as well.
    ([0, 0, 0, 0], [5, 4, 3, 2], 5, 0.1, [0.1 / 5, 0.1 / 4, 0.1 / 3, 0.1 / 2]),
    # Orders that the hypothesis is too short for have no precision.
    ([1, 0, 0, 0], [2, 1, 0, 0], 2, 0.1, [1 / 2, 0.1 / 1]),
    # An epsilon of more n-grams than there are is cut down to these.
    ([4, 2, 0, 0], [5, 4, 3, 2], 5, 2.5, [4 / 5, 2 / 4, 2.5 / 3, 2 / 2]),
    ([], [], 0, 0.1, []),
]
TWO: list[Case] = [  # equations 6 and 7: m' = m + 1, l' = l + 1 for n > 1
    ([5, 4, 3, 2], [5, 4, 3, 2], 5, 0, [5 / 5, (4 + 1) / (4 + 1), 4 / 4, 3 / 3]),
    ([4, 2, 0, 0], [5, 4, 3, 2], 5, 0, [4 / 5, (2 + 1) / (4 + 1), 1 / 4, 1 / 3]),
    ([3, 0, 0, 0], [5, 4, 3, 2], 5, 0, [3 / 5, 1 / 5, 1 / 4, 1 / 3]),
    # Order 1 is not smoothed: nothing matching at all stays 0.
    ([0, 0, 0, 0], [5, 4, 3, 2], 5, 0, [0 / 5, 1 / 5, 1 / 4, 1 / 3]),
    ([1, 0, 0, 0], [2, 1, 0, 0], 2, 0, [1 / 2, (0 + 1) / (1 + 1)]),
    ([1, 0, 0, 0], [1, 0, 0, 0], 1, 0, [1 / 1]),
    ([7, 5, 3, 1, 0, 0], [9, 8, 7, 6, 5, 4], 9, 0, [7 / 9, 6 / 9, 4 / 8, 2 / 7, 1 / 6, 1 / 5]),
]
THREE: list[Case] = [  # invcnt doubles at each order without a match
    ([5, 4, 3, 2], [5, 4, 3, 2], 5, 0, [5 / 5, 4 / 4, 3 / 3, 2 / 2]),
    ([4, 2, 0, 0], [5, 4, 3, 2], 5, 0, [4 / 5, 2 / 4, (1 / 2) / 3, (1 / 4) / 2]),
    ([3, 0, 0, 0], [5, 4, 3, 2], 5, 0, [3 / 5, (1 / 2) / 4, (1 / 4) / 3, (1 / 8) / 2]),
    ([0, 0, 0, 0], [5, 4, 3, 2], 5, 0, [(1 / 2) / 5, (1 / 4) / 4, (1 / 8) / 3, (1 / 16) / 2]),
    ([1, 0, 0, 0], [2, 1, 0, 0], 2, 0, [1 / 2, (1 / 2) / 1]),
    ([1, 0, 0, 0], [1, 0, 0, 0], 1, 0, [1 / 1]),
    ([2, 1, 0], [8, 7, 6], 8, 0, [2 / 8, 1 / 7, (1 / 2) / 6]),
]
FOUR: list[Case] = [  # equation 8: invcnt grows by K / ln(len)
    ([5, 4, 3, 2], [5, 4, 3, 2], 5, 5, [5 / 5, 4 / 4, 3 / 3, 2 / 2]),
    (
        [4, 2, 0, 0], [5, 4, 3, 2], 5, 5,
        [4 / 5, 2 / 4, 1 / (5 / log(5)) / 3, 1 / ((5 / log(5)) ** 2) / 2],
    ),
    (
        [3, 0, 0, 0], [5, 4, 3, 2], 5, 2,
        [3 / 5, (log(5) / 2) / 4, (log(5) / 2) ** 2 / 3, (log(5) / 2) ** 3 / 2],
    ),
    ([0, 0], [2, 1], 2, 5, [(log(2) / 5) / 2, (log(2) / 5) ** 2 / 1]),
    # ln(1) = 0: K / ln(len) grows beyond all bounds, and the pseudo-count falls to 0.
    ([0, 0, 0, 0], [1, 0, 0, 0], 1, 5, [0 / 1]),
    ([1, 0, 0, 0], [1, 0, 0, 0], 1, 5, [1 / 1]),
    # From a length of e^K on, about 148 tokens for K = 5, the pseudo-count is more than 1.
    ([9, 0, 0], [200, 199, 198], 200, 5, [9 / 200, log(200) / 5 / 199, (log(200) / 5) ** 2 / 198]),
    # It is never more than the n-grams there are.
    ([4, 0, 0], [5, 4, 3], 5, 0.5, [4 / 5, (log(5) / 0.5) / 4, 3 / 3]),
]  # fmt: skip
FIVE: list[Case] = [  # equation 9: m'_0 = m_1 + 1, m'_n = (m'_(n-1) + m_n + m_(n+1)) / 3
    # A perfect match of five tokens: (6 + 5 + 4) / 3 = 5, (5 + 4 + 3) / 3 = 4, ...
    ([5, 4, 3, 2, 1], [5, 4, 3, 2, 1], 5, 0, [5 / 5, 4 / 4, 3 / 3, 2 / 2]),
    # One of three tokens: nothing is above order 3, and order 4 has no precision.
    ([3, 2, 1, 0, 0], [3, 2, 1, 0, 0], 3, 0, [3 / 3, 2 / 2, 1 / 1]),
    (
        [4, 2, 0, 0, 0], [5, 4, 3, 2, 1], 5, 0,
        [
            (5 + 4 + 2) / 3 / 5,
            ((5 + 4 + 2) / 3 + 2 + 0) / 3 / 4,
            (((5 + 4 + 2) / 3 + 2 + 0) / 3 + 0 + 0) / 3 / 3,
            ((((5 + 4 + 2) / 3 + 2 + 0) / 3 + 0 + 0) / 3 + 0 + 0) / 3 / 2,
        ],
    ),
    # Order N + 1 counts: with a fifth match instead of none, order 4 gains a third of it.
    ([6, 5, 4], [9, 8, 7], 9, 0, [(7 + 6 + 5) / 3 / 9, (6 + 5 + 4) / 3 / 8]),
    ([0, 0, 0], [9, 8, 7], 9, 0, [(1 + 0 + 0) / 3 / 9, (1 / 3 + 0 + 0) / 3 / 8]),
    ([1, 0], [1, 0], 1, 0, [(2 + 1 + 0) / 3 / 1]),
    ([0, 0], [1, 0], 1, 0, [(1 + 0 + 0) / 3 / 1]),
]  # fmt: skip
SIX: list[Case] = [  # equations 10, 11: p = (m + alpha * prior) / (l + alpha), prior p_2^2 / p_1
    ([5, 4, 3, 2], [5, 4, 3, 2], 5, 5, [1, 1, (3 + 5 * 1) / (3 + 5), (2 + 5 * 1) / (2 + 5)]),
    (
        [4, 2, 1, 0], [5, 4, 3, 2], 5, 5,
        [
            4 / 5,
            2 / 4,
            (1 + 5 * (0.5**2 / 0.8)) / (3 + 5),
            # p_3 is the smoothed one of the line above.
            (0 + 5 * (((1 + 5 * (0.5**2 / 0.8)) / 8) ** 2 / 0.5)) / (2 + 5),
        ],
    ),
    ([4, 2, 0], [5, 4, 3], 5, 1, [4 / 5, 2 / 4, (0 + 1 * (0.5**2 / 0.8)) / (3 + 1)]),
    # Order 1 and 2 are not smoothed; p_2 = 0 makes the prior of order 3, and p_3 with it, 0; then
    # p_(n-2) = 0 in the prior of order 4, which is taken for 0 as well.
    ([4, 0, 0, 0], [5, 4, 3, 2], 5, 5, [4 / 5, 0, 0, 0]),
    ([0, 0, 0, 0], [5, 4, 3, 2], 5, 5, [0, 0, 0, 0]),
    # "a b a" against "b a b": p_2 = 2/2 is more than p_1 = 2/3, and the prior 3/2 is cut down to 1.
    ([2, 2, 0], [3, 2, 1], 3, 5, [2 / 3, 2 / 2, (0 + 5 * 1) / (1 + 5)]),
    ([4, 2, 1], [5, 4, 3], 5, 0, [4 / 5, 2 / 4, 1 / 3]),
    ([1, 0, 0, 0], [2, 1, 0, 0], 2, 5, [1 / 2, 0 / 1]),
]  # fmt: skip
SIX_RAW: list[Case] = [  # p_(n-1) and p_(n-2) as they were counted
    ([5, 4, 3, 2], [5, 4, 3, 2], 5, 5, [1, 1, 1, 1]),
    (
        [4, 2, 1, 0], [5, 4, 3, 2], 5, 5,
        [4 / 5, 2 / 4, (1 + 5 * (0.5**2 / 0.8)) / 8, (0 + 5 * ((1 / 3) ** 2 / 0.5)) / 7],
    ),
    ([4, 2, 0, 0], [5, 4, 3, 2], 5, 5, [4 / 5, 2 / 4, 5 * (0.5**2 / 0.8) / 8, 0]),
    ([4, 2, 0], [5, 4, 3], 5, 1, [4 / 5, 2 / 4, (0 + 1 * (0.5**2 / 0.8)) / (3 + 1)]),
    ([2, 2, 0], [3, 2, 1], 3, 5, [2 / 3, 2 / 2, (0 + 5 * 1) / (1 + 5)]),
    ([0, 0, 0, 0], [5, 4, 3, 2], 5, 5, [0, 0, 0, 0]),
]  # fmt: skip
SEVEN: list[Case] = [  # smoothing 4's counts, averaged as in equation 9
    ([5, 4, 3, 2, 1], [5, 4, 3, 2, 1], 5, 5, [5 / 5, 4 / 4, 3 / 3, 2 / 2]),
    # Order 5 has no n-gram and no match: it is not smoothed, and the match of four stays perfect.
    ([4, 3, 2, 1, 0], [4, 3, 2, 1, 0], 4, 5, [4 / 4, 3 / 3, 2 / 2, 1 / 1]),
    (
        [3, 0, 0], [4, 3, 2], 4, 5,
        # m_2 becomes ln(4)/5; m_3, which is order N + 1, stays 0.
        [
            (4 + 3 + log(4) / 5) / 3 / 4,
            ((4 + 3 + log(4) / 5) / 3 + log(4) / 5 + 0) / 3 / 3,
        ],
    ),
    (
        [2, 0, 0, 0], [5, 4, 3, 2], 5, 2,
        [
            (3 + 2 + log(5) / 2) / 3 / 5,
            ((3 + 2 + log(5) / 2) / 3 + log(5) / 2 + (log(5) / 2) ** 2) / 3 / 4,
            (((3 + 2 + log(5) / 2) / 3 + log(5) / 2 + (log(5) / 2) ** 2) / 3
             + (log(5) / 2) ** 2 + 0) / 3 / 3,
        ],
    ),
    # Nothing matches: m_1 = ln(2)/5 as well, and m'_0 is one more than that.
    ([0, 0], [2, 1], 2, 5, [((log(2) / 5 + 1) + log(2) / 5 + 0) / 3 / 2]),
    # One token: ln(1) = 0 leaves 0 for smoothing 5 to average.
    ([0, 0], [1, 0], 1, 5, [(1 + 0 + 0) / 3 / 1]),
    ([1, 0], [1, 0], 1, 5, [(2 + 1 + 0) / 3 / 1]),
]  # fmt: skip

BY_HAND = {
    "chen-cherry-1": ONE,
    "chen-cherry-2": TWO,
    "chen-cherry-3": THREE,
    "chen-cherry-4": FOUR,
    "chen-cherry-5": FIVE,
    "chen-cherry-6": SIX,
    "chen-cherry-6-raw": SIX_RAW,
    "chen-cherry-7": SEVEN,
}


def test_every_smoothing_of_the_paper_is_worked_by_hand() -> None:
    assert list(BY_HAND) == PAPERS
    assert all(len(cases) >= 6 for cases in BY_HAND.values())


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name, cases in BY_HAND.items() for case in cases]
)
def test_by_hand(name: str, case: Case) -> None:
    matches, totals, length, value, expected = case
    found = SMOOTHINGS[name].precisions(matches, totals, length, value)
    assert found == pytest.approx([100 * p for p in expected], rel=NEAR, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "case"), [(n, case) for n, cases in BY_HAND.items() for case in cases if case[0]]
)
def test_a_sentence_score_is_their_geometric_mean(name: Any, case: Case) -> None:
    matches, totals, length, value, expected = case
    order = len(matches) - (1 if SMOOTHINGS[name].averages else 0)
    takes_value = SMOOTHINGS[name].default is not None
    metric = BLEU(smooth=name, smooth_value=value if takes_value else None, max_ngram_order=order)
    penalty = exp(1 - (length + 2) / length)
    by_hand = 100 * penalty * prod(expected) ** (1 / len(expected))
    row = (length, length + 2, *matches, *totals)
    assert metric.formula(row) == pytest.approx(by_hand, rel=1e-12)
    table = Table.from_rows(metric.integer_columns, (), [row])
    assert list(metric.segment_scores(table).values) == [metric.formula(row)]


# --- The corners, through the whole metric --------------------------------------------------------

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=9).map(" ".join)


@pytest.mark.parametrize("name", PAPERS)
@given(
    hypothesis=words, references=st.lists(words, min_size=1, max_size=3), order=st.integers(1, 6)
)
def test_scores_lie_between_0_and_1_and_a_perfect_match_is_1(
    name: Any, hypothesis: str, references: list[str], order: int
) -> None:
    metric = BLEU(tokenize="none", smooth=name, max_ngram_order=order)
    assert 0 <= metric.sentence_score(hypothesis, references).score <= 100 * (1 + 1e-12)
    if hypothesis:
        perfect = metric.sentence_score(hypothesis, [hypothesis, *references]).score
        assert perfect == pytest.approx(100, rel=1e-12)
        several = metric.corpus_score([hypothesis, "a b", "c"], [hypothesis, "a b", "c"])
        assert several.score == pytest.approx(100, rel=1e-12)


@pytest.mark.parametrize("name", ["chen-cherry-1", "chen-cherry-3", "chen-cherry-4"])
def test_what_matches_nothing_is_smoothed_unless_told_not_to(name: Any) -> None:
    smoothed = BLEU(smooth=name).sentence_score("v w x y", "a b c d").score
    assert 0 < smoothed < 10
    metric = BLEU(smooth=name, smooth_unmatched=False)
    assert metric.sentence_score("v w x y", "a b c d").score == 0
    assert "unmatched:zero" in str(metric.signature())
    assert metric.sentence_score("a w x y", "a b c d").score > 0


def test_sacrebleus_smoothings_can_be_told_to_smooth_what_matches_nothing() -> None:
    metric = BLEU(smooth="floor", smooth_unmatched=True)
    by_hand = 100 * (0.1**4 / (4 * 3 * 2 * 1)) ** (1 / 4)
    assert metric.sentence_score("v w x y", "a b c d").score == pytest.approx(by_hand, rel=1e-12)
    assert "unmatched:smoothed|version:bleuet" in str(metric.signature())
    assert "sacrebleu" not in str(metric.signature())


@pytest.mark.parametrize("name", PAPERS)
def test_orders_longer_than_the_hypothesis_are_left_out_unless_told_not_to(name: Any) -> None:
    assert BLEU(smooth=name).effective_order
    short = BLEU(smooth=name).sentence_score("a b", "a b c")
    assert short.score == pytest.approx(100 * exp(1 - 3 / 2), rel=1e-12)
    strict = BLEU(smooth=name, effective_order=False)
    assert strict.sentence_score("a b", "a b c").score == 0
    assert "eff:no" in str(strict.signature())


def test_a_token_more_than_e_to_the_k_tokens_tips_the_pseudo_count_over_1() -> None:
    def count(length: int) -> float:
        precisions = SMOOTHINGS["chen-cherry-4"].precisions(
            [length, 0], [length, length - 1], length, 5
        )
        return precisions[1] / 100 * (length - 1)

    assert count(int(e**5)) < 1 < count(int(e**5) + 1)


def test_5_and_7_count_one_order_more() -> None:
    metric = BLEU(smooth="chen-cherry-5")
    assert metric.integer_columns[-1] == "totals_5"
    score = metric.sentence_score("a b c d e f", "a b c d e x")
    assert score.counts == (5, 4, 3, 2)
    assert score.totals == (6, 5, 4, 3)
    by_hand = chen_cherry_5([5, 4, 3, 2, 1], [6, 5, 4, 3, 2], 6, 0)
    assert list(score.precisions) == by_hand


def test_one_table_serves_every_smoothing() -> None:
    hypotheses, references = ["a b c d e f", "a", "x y"], ["a b c d x f", "a b", ["a", "b y"]]
    table = BLEU(smooth="chen-cherry-7").count(hypotheses, references)
    name: Any
    for name in (*PAPERS, "none", "floor", "add-k", "exp"):
        metric = BLEU(smooth=name)
        expected: Any = metric.sentence_scores(hypotheses, references)
        assert list(metric.segment_scores(table).values) == list(expected.values)
        assert metric.score(table.totals()) == metric.corpus_score(hypotheses, references)
    with pytest.raises(TableError, match=r"the table has .*matches_5"):
        BLEU(max_ngram_order=6).segment_scores(table)
    with pytest.raises(TableError, match="the totals have"):
        BLEU(max_ngram_order=6).score(table.totals())


@pytest.mark.parametrize("name", ["chen-cherry-4", "chen-cherry-7", "nltk-4", "nltk-6", "nltk-7"])
def test_a_divisor_of_0_is_refused(name: Any) -> None:
    with pytest.raises(OptionError, match="must be more than 0"):
        BLEU(smooth=name, smooth_value=0)


counts = st.integers(0, 60)


@pytest.mark.skipif(not is_native(), reason="the native kernel was not built")
@pytest.mark.parametrize("name", SMOOTHINGS)
@examples(40)
@given(data=st.data(), order=st.integers(1, 7))
def test_both_backends_agree_to_the_bit(name: Any, data: st.DataObject, order: int) -> None:
    smoothing = SMOOTHINGS[name]
    value = data.draw(st.floats(1e-3, 20)) if smoothing.default is not None else None
    metric = BLEU(smooth=name, smooth_value=value, max_ngram_order=order)
    orders = smoothing.orders(order)
    rows = []
    for _ in range(3):
        length = data.draw(counts)
        totals = [max(length - n, int(smoothing.phantom_ngrams)) for n in range(orders)]
        matches = [data.draw(st.integers(0, total)) for total in totals]
        rows.append((length, data.draw(counts), *matches, *totals))
    table = Table.from_rows(metric.integer_columns, (), rows)
    assert list(metric.segment_scores(table).values) == [metric.formula(row) for row in rows]
