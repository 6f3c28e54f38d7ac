"""Self-BLEU against NLTK with the definition of Texygen's code.

`test_peer_goldens.py` has figures of fast-bleu.
"""

from __future__ import annotations

import math
import random
from importlib import import_module

import pytest

from bleuet import BLEU

pytestmark = pytest.mark.peers


def sentence_scores(texts: list[str], order: int) -> list[float]:
    metric = BLEU(tokenize="none", smooth="nltk-1", max_ngram_order=order)
    table, _ = metric.table_of_others(texts)
    return list(metric.segment_scores(table).values)


def test_the_length_of_a_text_is_not_that_of_a_reference() -> None:
    """fast-bleu 0.0.90 gives 1, 0.6324555 and 1: the third has no brevity penalty."""
    scores = sentence_scores(["a b c d", "a b c d e f", "a b"], 2)
    assert scores == pytest.approx([100, 63.24555320336759, 100 * math.exp(1 - 4 / 2)], rel=1e-12)


def test_nltk() -> None:
    nltk = import_module("nltk.translate.bleu_score")
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
