"""The mean of chrF over segments: against NLTK, and against the definition of chrF++.py."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from string import punctuation
from typing import TYPE_CHECKING

import pytest

from bleuet import CHRF, MeanCHRF
from tests.oracles import fuzz

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.evaluation_data import EvaluationData

# NLTK does not count these four as white space, though Python does.
SEPARATORS = dict.fromkeys(range(0x1C, 0x20), " ")


# --- The definition: F of every order, then its mean over orders, then over segments --------------


def words(text: str) -> list[str]:
    found: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


def f_of_order(ours: Sequence[str], theirs: Sequence[str], n: int, beta: float) -> float:
    a, b = (
        Counter(tuple(side[i : i + n]) for i in range(len(side) - n + 1)) for side in (ours, theirs)
    )
    same = (a & b).total()
    if not same:
        return 0.0
    precision, recall = same / a.total(), same / b.total()
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def f_of_segment(hypothesis: str, reference: str, nc: int, nw: int, beta: float) -> float:
    letters = "".join(hypothesis.split()), "".join(reference.split())
    orders = [f_of_order(*letters, n, beta) for n in range(1, nc + 1)]
    tokens = words(hypothesis), words(reference)
    orders += [f_of_order(*tokens, n, beta) for n in range(1, nw + 1)]
    return 100 * sum(orders) / len(orders)


def assert_is_the_mean(
    hypotheses: list[str], references: list[list[str]], nc: int, nw: int, beta: float
) -> None:
    best = [
        max(f_of_segment(hypothesis, one, nc, nw, beta) for one in group)
        for hypothesis, group in zip(hypotheses, references, strict=True)
    ]
    metric = MeanCHRF(char_order=nc, word_order=nw, beta=beta)
    scores = metric.sentence_scores(hypotheses, references).values
    assert list(scores) == pytest.approx(best, rel=1e-12, abs=1e-12)
    mean = sum(best) / len(best)
    assert metric.corpus_score(hypotheses, references).score == pytest.approx(mean, rel=1e-12)


SETTINGS = [(6, 2, 2.0), (6, 0, 3.0), (3, 1, 0.5)]


@pytest.mark.parametrize(("nc", "nw", "beta"), SETTINGS)
def test_any_text(nc: int, nw: int, beta: float) -> None:
    hypotheses, references = fuzz.segments(31, fuzz.pairs(3000))
    assert_is_the_mean(hypotheses, fuzz.all_references(references), nc, nw, beta)


@pytest.mark.data
def test_real_translations(evaluation_data: EvaluationData) -> None:
    folder = "data/wmt13/de-en"
    references = [[line] for line in evaluation_data.reference(folder)[:500]]
    hypotheses = evaluation_data.system(folder, "online-A")[:500]
    assert_is_the_mean(hypotheses, references, 6, 2, 2.0)
    corpus = CHRF(word_order=2, eps_smoothing=True).corpus_score(hypotheses, references)
    assert abs(corpus.score - MeanCHRF(word_order=2).corpus_score(hypotheses, references).score) > 1


@pytest.mark.data
def test_several_references(evaluation_data: EvaluationData) -> None:
    hypotheses = evaluation_data.system("data/e2e", "tgen")[:60]
    assert_is_the_mean(hypotheses, evaluation_data.e2e_references()[:60], 6, 2, 2.0)


# --- NLTK -----------------------------------------------------------------------------------------


@pytest.mark.peers
@pytest.mark.data
@pytest.mark.parametrize("beta", [1, 2, 3])
def test_nltk(evaluation_data: EvaluationData, beta: int) -> None:
    folder = "data/wmt13/de-en"
    hypotheses = evaluation_data.system(folder, "uedin-wmt13")[:400]
    references = evaluation_data.reference(folder)[:400]
    for hypothesis, reference in zip(*fuzz.segments(32, 1000), strict=True):
        if isinstance(reference, str):
            hypotheses.append(hypothesis.translate(SEPARATORS))
            references.append(reference.translate(SEPARATORS))
    nltk = import_module("nltk.translate.chrf_score")
    theirs = 100 * nltk.corpus_chrf(references, hypotheses, beta=beta)
    ours = MeanCHRF(beta=beta).corpus_score(hypotheses, references).score
    assert ours == pytest.approx(theirs, rel=1e-12)
