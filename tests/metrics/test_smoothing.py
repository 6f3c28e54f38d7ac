"""Smoothing by hand (Chen and Cherry 2014): what a precision without matches becomes."""

from __future__ import annotations

from typing import Any

import pytest

from bleuet import BLEU, OptionError

NEAR = 1e-14
# Of five words four match, of four bigrams two, of three trigrams none, of two 4-grams none.
HYPOTHESIS, REFERENCE = "a b c d e", "a b x d e"


def precisions(smooth: Any, value: float | None = None) -> tuple[float, ...]:
    metric = BLEU(tokenize="none", smooth=smooth, smooth_value=value)
    score = metric.sentence_score(HYPOTHESIS, REFERENCE)
    assert score.counts == (4, 2, 0, 0)
    assert score.totals == (5, 4, 3, 2)
    product = 1.0
    for precision in score.precisions:
        product *= precision / 100
    assert score.score == pytest.approx(100 * product ** (1 / 4), rel=NEAR)
    return score.precisions


@pytest.mark.parametrize(
    ("smooth", "value", "expected"),
    [
        ("none", None, (4 / 5, 2 / 4, 0, 0)),
        ("floor", None, (4 / 5, 2 / 4, 0.1 / 3, 0.1 / 2)),
        ("floor", 0.01, (4 / 5, 2 / 4, 0.01 / 3, 0.01 / 2)),
        ("floor", 0, (4 / 5, 2 / 4, 0, 0)),
        ("add-k", None, (4 / 5, (2 + 1) / (4 + 1), 1 / (3 + 1), 1 / (2 + 1))),
        ("add-k", 0.5, (4 / 5, (2 + 0.5) / (4 + 0.5), 0.5 / (3 + 0.5), 0.5 / (2 + 0.5))),
        ("exp", None, (4 / 5, 2 / 4, 1 / (2 * 3), 1 / (4 * 2))),
    ],
)
def test_precisions(smooth: str, value: float | None, expected: tuple[float, ...]) -> None:
    assert precisions(smooth, value) == pytest.approx([100 * p for p in expected], rel=NEAR)


@pytest.mark.parametrize("smooth", ["none", "floor", "add-k", "exp"])
@pytest.mark.parametrize("effective_order", [False, True])
def test_no_match_at_all_is_0_before_any_smoothing(smooth: Any, effective_order: bool) -> None:
    metric = BLEU(smooth=smooth, effective_order=effective_order)
    score = metric.sentence_score("a b c d e", "v w x y z")
    assert score.score == 0.0
    assert score.precisions == (0.0, 0.0, 0.0, 0.0)


def test_add_k_makes_an_order_without_n_grams_full() -> None:
    score = BLEU(smooth="add-k").sentence_score("a b", "a b")
    assert score.precisions == (100.0, 100.0, 100.0, 100.0)
    assert score.score == pytest.approx(100, rel=NEAR)
    assert score.totals == (2, 1, 0, 0)


@pytest.mark.parametrize("smooth", ["none", "floor", "exp"])
def test_the_others_end_at_an_order_without_n_grams(smooth: Any) -> None:
    score = BLEU(smooth=smooth).sentence_score("a b", "a b")
    assert score.precisions == (100.0, 100.0, 0.0, 0.0)
    assert score.score == 0.0


@pytest.mark.parametrize(("smooth", "default"), [("floor", 0.1), ("add-k", 1)])
def test_default_values(smooth: Any, default: float) -> None:
    assert BLEU(smooth=smooth).smooth_value == default
    assert BLEU(smooth=smooth) == BLEU(smooth=smooth, smooth_value=default)


@pytest.mark.parametrize("smooth", ["none", "exp"])
def test_the_others_take_no_value(smooth: Any) -> None:
    with pytest.raises(OptionError, match=f"the smoothing '{smooth}' takes none"):
        BLEU(smooth=smooth, smooth_value=0.1)
