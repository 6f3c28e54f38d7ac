"""CrystalBLEU against the authors' package, with the n-grams that it is told to ignore."""

from __future__ import annotations

import random
import warnings
from collections import Counter

import pytest

from bleuet import CrystalBLEU
from bleuet.statistics.python_backend.learned_ngrams import ngrams

crystalbleu = pytest.importorskip("crystalbleu", reason="crystalbleu is not installed")

METHODS = [f"nltk-{n}" for n in range(6)]


def code(rng: random.Random) -> str:
    names = rng.choices("abcdefgh", k=6)
    lines = [
        f"for ( int {names[0]} = 0 ; {names[0]} < {names[1]} ; ++ {names[0]} ) {{",
        f"{names[2]} = {names[3]} ( {names[4]} , {names[5]} ) ;",
        f"return {names[1]} ; }}",
        "",
    ]
    return " ".join(rng.choices(lines, k=rng.randint(1, 3)))


def most_common(texts: list[str], k: int) -> dict[tuple[str, ...], int]:
    """The recipe of the package; of equal counts, as CrystalBLEU chooses."""
    counts = Counter(one for text in texts for n in range(1, 5) for one in ngrams(text.split(), n))
    chosen = sorted(counts.items(), key=lambda one: (-one[1], len(one[0]), one[0]))
    return dict(chosen[:k])


@pytest.mark.parametrize("smooth", METHODS)
def test_the_package(smooth: str) -> None:
    rng = random.Random(smooth)
    references = [[code(rng) for _ in range(rng.randint(1, 3))] for _ in range(40)]
    hypotheses = [rng.choice([code(rng), several[0]]) for several in references]
    smoothing = getattr(crystalbleu.SmoothingFunction(), f"method{smooth[-1]}")
    words = [[one.split() for one in several] for several in references]
    for k in (0, 20, 60):
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
    ignoring = dict.fromkeys(metric.common)
    smoothing = crystalbleu.SmoothingFunction().method1
    assert (
        crystalbleu.sentence_bleu(
            [["(", ";", "y"]], ["(", ";", "x"], smoothing_function=smoothing, ignoring=ignoring
        )
        == 0
    )
