"""Texts so long that sacreBLEU would need hours: what holds of any score."""

from __future__ import annotations

import math
import time

import pytest

from bleuet import TER
from bleuet.metrics.catalogue import parse_metric
from tests.oracles import fuzz


@pytest.mark.usefixtures("needs_kernel")
def test_ter_of_ten_thousand_tokens_ends_and_stays_within_bounds() -> None:
    (hypothesis,), (reference,) = fuzz.long_segments(1, 10_000, 9_000, 1)
    started = time.monotonic()
    score = TER().sentence_score(hypothesis, reference)
    assert time.monotonic() - started < 120
    assert score.ref_length == 10_000
    # No more edits than to replace every word, no fewer than words that one side lacks.
    assert 0 < score.num_edits <= 10_000
    assert TER().sentence_score(hypothesis, hypothesis).score == 0
    halved = " ".join(hypothesis.split()[::2])
    assert TER().sentence_score(halved, hypothesis).num_edits >= 5_000


@pytest.mark.slow
@pytest.mark.usefixtures("needs_kernel")
@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++", "ter"])
def test_a_megabyte_of_one_character(name: str) -> None:
    metric = parse_metric(name)
    for text in ("a", "\0", "\ud800", "é", "😀", ".", " ", "\n", "1."):
        whole = text * (1_000_000 // len(text))
        assert math.isfinite(metric.sentence_score(whole, whole).score), text
        assert math.isfinite(metric.sentence_score(whole, "a b").score), text
        assert math.isfinite(metric.sentence_score("a b", whole).score), text
