"""Texts so long that sacreBLEU would need hours: what holds of any score."""

from __future__ import annotations

import math

import pytest

from benchmarks.long_texts import VARIANTS, texts
from bleuet import TER
from bleuet.errors import TooLongError
from bleuet.metrics.catalogue import CATALOGUE, parse_metric
from tests.contract.settings import counting_word, with_made_edits, with_made_sources
from tests.oracles import fuzz
from tests.patience import little_work


@pytest.mark.usefixtures("needs_kernel")
def test_ter_of_ten_thousand_tokens_ends_and_stays_within_bounds() -> None:
    (hypothesis,), (reference,) = fuzz.long_segments(1, 10_000, 9_000, 1)
    score = TER().sentence_score(hypothesis, reference)
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


@pytest.mark.long
@pytest.mark.libraries
@pytest.mark.usefixtures("needs_kernel")
@pytest.mark.parametrize("kind", ["natural", "repeated", "distinct"])
def test_a_hundred_thousand_words_end_or_are_an_error(kind: str) -> None:
    """What grows with the product of the lengths would take hours."""
    hypothesis, reference = texts(kind, 100_000)
    errors = []
    for name in (*CATALOGUE, *VARIANTS):
        metric = parse_metric(counting_word(name))
        (short, long), (shortest, references) = (
            with_made_edits(metric, ["a cat", hypothesis]),
            with_made_sources(metric, ["the cat", reference]),
        )
        metric.sentence_score(short, shortest)  # what is loaded
        with little_work():
            try:
                assert math.isfinite(metric.sentence_score(long, references).score), name
            except TooLongError:
                errors.append(name)
    assert (
        {"eed", "cer"}
        <= set(errors)
        < {
            *("eed", "cer", "hlepor", "bleu:tokenize=ja-mecab", "codebleu", "gec-gleu"),
            *("charcut", "character", "edit-distance"),
            *("meteor:version=2005", "meteor:version=2007"),
        }
    )
