"""Self-BLEU against fast-bleu, and against NLTK with the definition of Texygen's code."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from bleuet import BLEU

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData


def sentence_scores(texts: list[str], order: int) -> list[float]:
    metric = BLEU(tokenize="none", smooth="nltk-1", max_ngram_order=order)
    table, _ = metric.table_of_others(texts)
    return list(metric.segment_scores(table).values)


# fast-bleu has weights in single precision, which these orders are exact in.
@pytest.mark.parametrize("order", [2, 4])
def test_fast_bleu(evaluation_data: EvaluationData, order: int) -> None:
    fast_bleu = pytest.importorskip("fast_bleu", reason="fast-bleu is not installed")
    texts = evaluation_data.system("data/wmt13/de-en", "uedin-wmt13")[:300]
    words = [text.split() for text in texts]
    theirs = fast_bleu.SelfBLEU(words, {"": [1 / order] * order}).get_score()[""]
    expected = [100 * one for one in theirs]
    assert sentence_scores(texts, order) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_nltk() -> None:
    nltk = pytest.importorskip("nltk.translate.bleu_score", reason="NLTK is not installed")
    smoothing = nltk.SmoothingFunction().method1
    rng = random.Random(4)
    texts = [" ".join(rng.choices("abcdef", k=rng.randint(1, 12))) for _ in range(60)]
    words = [text.split() for text in texts]
    expected = [
        100
        * nltk.sentence_bleu(words[:place] + words[place + 1 :], one, smoothing_function=smoothing)
        for place, one in enumerate(words)
    ]
    assert sentence_scores(texts, 4) == pytest.approx(expected, rel=1e-12)
