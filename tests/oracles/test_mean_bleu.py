"""Means of sacreBLEU's sentence scores, added up sentence by sentence as equation 13 says."""

from __future__ import annotations

from math import fsum
from typing import Any

import pytest

from bleuet.metrics.mean_bleu import MeanBLEU
from tests.oracles import fuzz
from tests.oracles.sacrebleu_peer import Pair, their_rows

pytestmark = pytest.mark.peers
SENTENCES: list[dict[str, Any]] = [
    {"effective_order": True},
    {"effective_order": False, "smooth": "floor", "smooth_value": 0.01},
    {"effective_order": True, "smooth": "add-k", "lowercase": True, "max_ngram_order": 2},
    {"effective_order": True, "smooth": "none", "tokenize": "char"},
]


@pytest.mark.parametrize("options", SENTENCES, ids=str)
def test_means_of_sacrebleus_sentence_scores(options: dict[str, Any]) -> None:
    hypotheses, references = fuzz.segments(13, 1500)
    theirs = Pair("bleu", options).theirs()
    rows = their_rows(theirs, hypotheses, references)
    lengths = [row[1] for row in rows]
    # Their smoothing changes the row it is given.
    scores = [theirs._compute_score_from_stats(list(row)).score for row in rows]
    weighted = fsum(n * score for n, score in zip(lengths, scores, strict=True)) / sum(lengths)
    plain = fsum(scores) / len(scores)
    assert abs(weighted - plain) > 0.01
    weighting: Any
    for weighting, expected in (("reference-length", weighted), ("plain", plain)):
        found = MeanBLEU(weighting=weighting, **options).corpus_score(hypotheses, references)
        assert found.score == pytest.approx(expected, rel=1e-12)
