"""Lower case of Turkish and Azeri."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from bleuet import CHRF, WER
from bleuet.metrics.catalogue import metric_from_signature, parse_metric
from bleuet.text.casing import lowered_turkish

HYPOTHESES = ["DIYARBAKIR ISPARTA", "İzmir'de IŞIK"]
REFERENCES = ["dıyarbakır ısparta", "izmir'de ışık"]


@pytest.mark.parametrize("language", ["tr", "az"])
@pytest.mark.parametrize("name", ["wer", "cer", "mer"])
def test_a_language_selects_its_lower_case(name: str, language: str) -> None:
    metric = parse_metric(f"{name}:lowercase", language=language)
    score = metric.corpus_score(HYPOTHESES, REFERENCES)
    assert score.score == 0
    assert "|case:lc|casing:turkish|" in str(score.signature)
    assert metric_from_signature(f"{metric.name}|{score.signature}") == metric
    assert WER(lowercase=True).corpus_score(HYPOTHESES, REFERENCES).score == 100


def test_without_lower_case_the_language_changes_nothing() -> None:
    scores = [
        metric.corpus_score(HYPOTHESES, REFERENCES)
        for metric in (parse_metric("wer", language="tr"), WER())
    ]
    assert scores[0].score == scores[1].score == 100
    assert scores[0].signature == scores[1].signature


def test_metrics_with_the_lower_case_of_sacrebleu_keep_it() -> None:
    """Its numbers are those that others print for Turkish."""
    assert parse_metric("chrf:lowercase", language="tr") == CHRF(lowercase=True)


def test_all_characters_but_i_are_lowered_as_elsewhere() -> None:
    differing = [
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if lowered_turkish(character) != character.lower()
    ]
    assert [unicodedata.name(character) for character in differing] == [
        "LATIN CAPITAL LETTER I",
        "LATIN CAPITAL LETTER I WITH DOT ABOVE",
    ]
    decomposed = unicodedata.normalize("NFD", "İZMİR IŞIK")
    assert unicodedata.normalize("NFC", lowered_turkish(decomposed)) == "izmir ışık"
