"""torchmetrics' CHRFScore where it is another number; docs/metrics.md names the reasons."""

from __future__ import annotations

from importlib import import_module

import pytest

from bleuet import CHRF

pytestmark = pytest.mark.torch


def theirs(hypothesis: str, reference: str) -> float:
    chrf_score = import_module("torchmetrics.functional.text").chrf_score
    return 100 * float(chrf_score([hypothesis], [[reference]]))


def ours(hypothesis: str, reference: str) -> float:
    metric = CHRF(word_order=2, eps_smoothing=True)
    return float(metric.sentence_score(hypothesis, reference).score)


@pytest.mark.parametrize("space", ["\t", "\x85", "\xa0", "\u1680", "\u2028", "\u3000"])
def test_white_space_is_a_character_there(space: str) -> None:
    text = f"a cat{space}sat"
    assert ours(text, text.replace(space, " ")) == 100
    assert theirs(text, text.replace(space, " ")) < 80
    assert ours("a cat", "a cats") == pytest.approx(theirs("a cat", "a cats"), rel=1e-6)


def test_nothing_matches() -> None:
    assert theirs("xyz", "abc") == 0
    assert 0 < ours("xyz", "abc") < 1e-13
