"""RIBES against NLTK and the definition; docs/metrics/ribes.md lists where NLTK differs."""

from __future__ import annotations

import math
from importlib import import_module
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from bleuet import RIBES
from tests.oracles import fuzz

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

Words = list[str]


# --- The definition -------------------------------------------------------------------------------


def starts(ngram: Words, words: Words) -> list[int]:
    return [i for i in range(len(words)) if words[i : i + len(ngram)] == ngram]


def alignment(hypothesis: Words, reference: Words, left_first: bool) -> list[int]:
    positions = []
    for i in range(len(hypothesis)):
        for n in range(1, len(hypothesis) + 1):
            right, left = (hypothesis[i : i + n], 0), (hypothesis[max(0, i - n + 1) : i + 1], n - 1)
            found = [
                starts(ngram, reference)[0] + at
                for ngram, at in ((left, right) if left_first else (right, left))
                if len(ngram) == n
                and len(starts(ngram, hypothesis)) == len(starts(ngram, reference)) == 1
            ]
            if found:
                positions.append(found[0])
                break
    return positions


def ribes(hypothesis: Words, reference: Words, alpha: float, beta: float, left: bool) -> float:
    if not hypothesis:
        return 0
    positions = alignment(hypothesis, reference, left)
    pairs = list(combinations(positions, 2))
    order = sum(a < b for a, b in pairs) / len(pairs) if pairs else 0.0
    if len(positions) == len(reference) == 1:
        order = 1
    precision = len(positions) / len(hypothesis)
    brevity = min(1.0, math.exp(1 - len(reference) / len(hypothesis)))
    return float(100 * order * precision**alpha * brevity**beta)


@pytest.mark.parametrize(
    ("alpha", "beta", "left"), [(0.25, 0.1, False), (0.25, 0.1, True), (1, 0, False)]
)
def test_the_definition(alpha: float, beta: float, left: bool) -> None:
    metric = RIBES(tokenize="none", alpha=alpha, beta=beta, left_first=left)
    hypotheses, references = fuzz.segments(21, fuzz.pairs() // 2)
    for hypothesis, group in zip(hypotheses, fuzz.all_references(references), strict=True):
        best = max(ribes(hypothesis.split(), one.split(), alpha, beta, left) for one in group)
        assert metric.sentence_score(hypothesis, group).score == pytest.approx(best, rel=1e-12)


@pytest.mark.slow
def test_long_texts_by_the_definition() -> None:
    hypotheses, references = fuzz.long_segments(21, 120, 12, 4)
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        expected = ribes(hypothesis.split(), reference.split(), 0.25, 0.1, True)
        found = RIBES(tokenize="none").sentence_score(hypothesis, reference).score
        assert found == pytest.approx(expected, rel=1e-12)


# --- NLTK -----------------------------------------------------------------------------------------


def differs_in_nltk(hypothesis: Words, reference: Words) -> bool:
    """Whether NLTK gives no order to one word, or misses the left context from the first word."""
    positions = alignment(hypothesis, reference, False)
    nltk = import_module("nltk.translate.ribes_score")
    return len(positions) == len(reference) == 1 or positions != nltk.word_rank_alignment(
        reference, hypothesis
    )


def compared(
    hypotheses: list[str], references: list[list[str]], alpha: float = 0.25, beta: float = 0.1
) -> int:
    """Compare with NLTK, and return how many segments it scores in another way."""
    nltk = import_module("nltk.translate.ribes_score")
    metric = RIBES(tokenize="none", alpha=alpha, beta=beta, left_first=False)
    others = 0
    scores = metric.sentence_scores(hypotheses, references).values
    for score, hypothesis, group in zip(scores, hypotheses, references, strict=True):
        words, several = hypothesis.split(), [one.split() for one in group]
        theirs = 100 * nltk.sentence_ribes(several, words, alpha, beta)
        if score != pytest.approx(theirs, rel=1e-12):
            assert any(differs_in_nltk(words, one) for one in several)
            others += 1
    return others


@pytest.mark.peers
@pytest.mark.data
def test_real_translations(evaluation_data: EvaluationData) -> None:
    folder = "data/wmt13/de-en"
    references = [[line] for line in evaluation_data.reference(folder)]
    assert compared(evaluation_data.system(folder, "uedin-wmt13"), references) == 3
    few = [[line] for line in evaluation_data.reference(folder)[:300]]
    few_hypotheses = evaluation_data.system(folder, "online-A")[:300]
    assert compared(few_hypotheses, few, alpha=1.0, beta=0.5) == 1


@pytest.mark.peers
@pytest.mark.data
def test_several_references(evaluation_data: EvaluationData) -> None:
    hypotheses = evaluation_data.system("data/e2e", "tgen")[:150]
    assert compared(hypotheses, evaluation_data.e2e_references()[:150]) == 0


@pytest.mark.peers
def test_any_text() -> None:
    """With the n-grams on the right first; some segments are those of the list of differences.

    > `RIBES(tokenize="none", left_first=False)` gives `100 * corpus_ribes(...)` of NLTK 3.10,
      with these exceptions:

    > with `left_first=False` the one on the right decides, as in NLTK.
    """
    hypotheses, references = fuzz.segments(22, fuzz.pairs(3000))
    others = compared(hypotheses, fuzz.all_references(references))
    assert 0 < others < len(hypotheses) / 5


@pytest.mark.peers
def test_where_nltk_differs() -> None:
    """One word, and the beginning of a segment.

    > NLTK counts NKT as 0, so that a perfect translation of one word scores 0.

    > **NLTK leaves out the longest n-gram on the left**, that from the first word of the
      hypothesis on. It matters only where a segment repeats a few words throughout: `a a a`
      against itself scores 0 in NLTK, 90.36 here.
    """
    nltk = import_module("nltk.translate.ribes_score")
    metric = RIBES(tokenize="none")
    # One word against the same one word.
    assert metric.sentence_score("yes", "yes").score == 100
    assert nltk.sentence_ribes([["yes"]], ["yes"]) == 0
    # A word that only the whole beginning of the segment tells apart.
    same = ["a", "a", "a"]
    assert nltk.word_rank_alignment(same, same) == [0]
    assert alignment(same, same, False) == [0, 2]
    score = metric.sentence_score("a a a", "a a a")
    assert score.word_order == 100
    assert round(score.score, 2) == 90.36
    assert score.precision == pytest.approx(200 / 3)
    assert nltk.sentence_ribes([same], same) == 0


def test_a_segment_of_one_word_ten_thousand_times() -> None:
    """The n-grams that are tried have a limit, so that this takes no minutes."""
    text = "a b " * 5000
    score = RIBES(tokenize="none").sentence_score(text, text + "c")
    assert score.score == 0
    short = "a b " * 50
    score = RIBES(tokenize="none").sentence_score(short, short + "c")
    assert score.word_order == 100
