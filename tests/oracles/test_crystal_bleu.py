"""CrystalBLEU against the authors' package, with the n-grams that it is told to ignore."""

from __future__ import annotations

import random
import warnings
from importlib import import_module
from typing import Any

import pytest

from bleuet import CrystalBLEU
from tests.oracles import fuzz
from tests.oracles.peer_goldens import IGNORED, code_lines, most_common

METHODS = [f"nltk-{n}" for n in range(6)]


@pytest.mark.peers
@pytest.mark.parametrize("smooth", METHODS)
def test_the_package(smooth: Any) -> None:
    """Its version 0.2, with each smoothing that we have.

    > Given the same n-grams, the numbers equal those of the package crystalbleu 0.2 with
      `tokenize="none"` and the smoothings `nltk-0` (the default, as there) to `nltk-5`.
    """
    crystalbleu = import_module("crystalbleu")
    rng = random.Random(smooth)
    references = [[code_lines(rng) for _ in range(rng.randint(1, 3))] for _ in range(40)]
    hypotheses = [fuzz.changed(rng, several[0]) for several in references]
    smoothing = getattr(crystalbleu.SmoothingFunction(), f"method{smooth[-1]}")
    words = [[one.split() for one in several] for several in references]
    for k in IGNORED:
        metric = CrystalBLEU(tokenize="none", smooth=smooth, ignored=k)
        metric = metric.with_learned(metric.learn(references))
        ignoring = most_common([one for several in references for one in several], k)
        assert metric.common == ignoring.keys()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = [
                100
                * crystalbleu.sentence_bleu(r, h.split(), (0.25,) * 4, smoothing, False, ignoring)
                for r, h in zip(words, hypotheses, strict=True)
            ]
            corpus = 100 * crystalbleu.corpus_bleu(
                words, [h.split() for h in hypotheses], (0.25,) * 4, smoothing, False, ignoring
            )
        assert sum(score > 0 for score in theirs) > 30
        found = metric.sentence_scores(hypotheses, references).values.tolist()
        assert found == pytest.approx(theirs, rel=1e-12, abs=1e-70)
        if smooth != "nltk-5":
            score = metric.corpus_score(hypotheses, references).score
            assert score == pytest.approx(corpus, rel=1e-12, abs=1e-70)


def test_the_score_is_0_if_no_word_that_counts_matches() -> None:
    metric = CrystalBLEU(tokenize="none", smooth="nltk-1", ignored=2)
    metric = metric.with_learned(metric.learn(["( ; ( ;"]))
    assert metric.common == {("(",), (";",)}
    # ( ; is a 2-gram that counts and matches.
    score = metric.sentence_score("( ; x", "( ; y")
    assert (score.counts, score.totals, score.score) == ((0, 1, 0, 0), (1, 2, 1, 1), 0.0)


@pytest.mark.peers
def test_the_package_has_0_too() -> None:
    crystalbleu = import_module("crystalbleu")
    ignoring = dict.fromkeys([("(",), (";",)])
    smoothing = crystalbleu.SmoothingFunction().method1
    assert (
        crystalbleu.sentence_bleu(
            [["(", ";", "y"]], ["(", ";", "x"], smoothing_function=smoothing, ignoring=ignoring
        )
        == 0
    )
