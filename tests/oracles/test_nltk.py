"""The emulations `nltk-N` against NLTK itself."""

from __future__ import annotations

import random
import warnings
from importlib import import_module
from typing import Any

import pytest

from bleuet import BLEU, OptionError

pytestmark = pytest.mark.peers
METHODS = [f"nltk-{n}" for n in range(8)]
Corpus = tuple[list[list[str]], list[list[list[str]]]]


def corpora(seed: int, least: int) -> Corpus:
    """Hypotheses and one to three references each; hypotheses have `least` tokens or more."""
    chosen = random.Random(seed)
    hypotheses, references = [], []
    for _ in range(60):
        several = [
            [chosen.choice("abcde") for _ in range(chosen.randint(1, 14))]
            for _ in range(chosen.randint(1, 3))
        ]
        hypothesis = [token for token in several[0] if chosen.random() < 0.8]
        while len(hypothesis) < least:
            hypothesis.append(chosen.choice("abxyz"))
        hypotheses.append(hypothesis)
        references.append(several)
    return hypotheses, references


def metric_like(method: Any, weights: tuple[float, ...], **value: float) -> BLEU:
    uniform = len(set(weights)) == 1
    return BLEU(
        tokenize="none",
        smooth=method,
        max_ngram_order=len(weights),
        weights=None if uniform else weights,
        smooth_value=next(iter(value.values()), None),
    )


def text(tokens: list[str]) -> str:
    return " ".join(tokens)


WEIGHTS: list[tuple[float, ...]] = [
    (0.25,) * 4,
    (0.4, 0.3, 0.2, 0.1),
    (1 / 3,) * 3,
    (0.2,) * 5,
    (1 / 6,) * 6,
]
VALUES: dict[str, dict[str, float]] = {
    "nltk-1": {"epsilon": 0.02},
    "nltk-4": {"k": 2},
    "nltk-6": {"alpha": 3},
    "nltk-7": {"k": 7},
}
CASES: list[tuple[str, tuple[float, ...], dict[str, float]]]
CASES = [(method, weights, {}) for method in METHODS for weights in WEIGHTS]
CASES += [(method, WEIGHTS[0], value) for method, value in VALUES.items()]


@pytest.mark.parametrize(("method", "weights", "value"), CASES)
@pytest.mark.parametrize("least", [1, 4])
def test_sentences(
    method: str, weights: tuple[float, ...], value: dict[str, float], least: int
) -> None:
    """With hypotheses that are too short for an order, and some that are not.

    > | all | counts one n-gram, without a match, of each order for which the hypothesis is too
      short; leaves a precision of 0 out of the product |
    """
    metric = metric_like(method, weights, **value)
    compared = 0
    hypotheses, references = corpora(len(weights), least)
    scores = metric.sentence_scores(
        [text(h) for h in hypotheses], [[text(r) for r in several] for several in references]
    ).values
    for hypothesis, several, ours in zip(hypotheses, references, scores, strict=True):
        theirs = nltk_score([several], [hypothesis], method, weights, value)
        if theirs is None:  # smoothing 6 stops where order 3 has no match
            continue
        assert ours == pytest.approx(100 * theirs, rel=1e-11, abs=1e-300)
        compared += 1
    assert compared > (10 if method == "nltk-6" else 55)


@pytest.mark.parametrize("method", METHODS[:5])
@pytest.mark.parametrize("least", [1, 4])
def test_a_corpus(method: str, least: int) -> None:
    hypotheses, references = corpora(7, least)
    metric = metric_like(method, WEIGHTS[0])
    ours = metric.corpus_score(
        [text(h) for h in hypotheses], [[text(r) for r in several] for several in references]
    ).score
    theirs = nltk_score(references, hypotheses, method, WEIGHTS[0], {})
    assert theirs is not None
    assert ours == pytest.approx(100 * theirs, rel=1e-11)


@pytest.mark.parametrize("method", METHODS[5:])
def test_no_corpus_where_nltk_reads_the_last_sentence_only(method: Any) -> None:
    """Its score depends on which sentence is last.

    > | `nltk-5`, `nltk-6`, `nltk-7` on a corpus | smooths with n-grams of the last sentence only;
      bleuet raises an error |
    """
    with pytest.raises(OptionError, match=r"last sentence only; .*chen-cherry"):
        BLEU(smooth=method).corpus_score(["a b", "a"], ["a b", "a"])
    hypotheses, references = corpora(7, 6)
    forwards = nltk_score(references, hypotheses, method, WEIGHTS[0], {})
    backwards = nltk_score(references[::-1], hypotheses[::-1], method, WEIGHTS[0], {})
    assert forwards != backwards


def nltk_score(
    references: Any, hypotheses: Any, method: str, weights: Any, value: dict[str, float]
) -> float | None:
    bleu_score = import_module("nltk.translate.bleu_score")
    smoothing = bleu_score.SmoothingFunction(**value)
    chosen = getattr(smoothing, method.replace("nltk-", "method"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return float(bleu_score.corpus_bleu(references, hypotheses, weights, chosen))
        except AssertionError:
            return None
