"""CIDEr-D against pycocoevalcap, and CIDEr against the definition."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import CIDEr
from tests.oracles import fuzz

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData


def assert_equal_to_pycocoevalcap(hypotheses: list[str], references: list[list[str]]) -> None:
    peer = import_module("pycocoevalcap.cider.cider").Cider()
    theirs, segments = peer.compute_score(
        dict(enumerate(references)), {i: [one] for i, one in enumerate(hypotheses)}
    )
    metric = CIDEr(variant="d", tokenize="none")
    table = metric.count(hypotheses, references)
    assert metric.score(table.totals()).score == pytest.approx(theirs, rel=1e-12, abs=1e-14)
    ours = list(metric.segment_scores(table).values)
    assert ours == pytest.approx(list(segments), rel=1e-11, abs=1e-13)


@pytest.mark.peers
@pytest.mark.data
@pytest.mark.parametrize("system", ["tgen", "sheff2"])
def test_descriptions(evaluation_data: EvaluationData, system: str) -> None:
    hypotheses = evaluation_data.system("data/e2e", system)[:150]
    assert_equal_to_pycocoevalcap(hypotheses, evaluation_data.e2e_references()[:150])


@pytest.mark.peers
@pytest.mark.data
def test_translations(evaluation_data: EvaluationData) -> None:
    folder = "data/wmt13/de-en"
    references = [[one] for one in evaluation_data.reference(folder)]
    hypotheses = evaluation_data.system(folder, "uedin-wmt13")
    assert_equal_to_pycocoevalcap(hypotheses[:500], references[:500])


@pytest.mark.peers
def test_any_text() -> None:
    """Texts with one space between words.

    > `CIDEr(variant="d", tokenize="none")` gives the number of `Cider` of pycocoevalcap 1.2,
      which is CIDEr-D in spite of its name, for texts with one space between tokens.

    > CIDEr-D is computed from plain counts by all programs and here.
    """
    hypotheses, references = any_segments(19, fuzz.pairs(2000))
    assert_equal_to_pycocoevalcap(hypotheses, references)


def any_segments(seed: int, pairs: int) -> tuple[list[str], list[list[str]]]:
    hypotheses, several = fuzz.segments(seed, pairs)
    return hypotheses, fuzz.all_references(several)


# --- The definition (Vedantam et al. 2015, equations 1 to 4) --------------------------------------


def grams(text: str, n: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def defined(
    hypotheses: list[str], references: list[list[str]], *, clipped: bool, sigma: float = 6.0
) -> list[float]:
    scores = [0.0] * len(hypotheses)
    for n in range(1, 5):
        having: Counter[tuple[str, ...]] = Counter()
        for group in references:
            having.update({gram for one in group for gram in grams(one, n)})

        def vector(
            text: str, n: int = n, having: Counter[tuple[str, ...]] = having
        ) -> dict[tuple[str, ...], float]:
            size = len(references)
            return {g: c * log(size / max(having[g], 1)) for g, c in grams(text, n).items()}

        for i, (hypothesis, group) in enumerate(zip(hypotheses, references, strict=True)):
            own = vector(hypothesis)
            for one in group:
                other = vector(one)
                norms = sqrt(sum(w * w for w in own.values()) * sum(w * w for w in other.values()))
                both = own.keys() & other.keys()
                dot = sum((min(own[g], other[g]) if clipped else own[g]) * other[g] for g in both)
                cosine = dot / norms if norms else 0.0
                if clipped:
                    words = len(hypothesis.split()) - len(one.split())
                    cosine *= exp(-(words**2) / (2 * sigma**2))
                scores[i] += 10 * cosine / 4 / len(group)
    return scores


def assert_is_defined(variant: Any, hypotheses: list[str], references: list[list[str]]) -> None:
    metric = CIDEr(variant=variant, tokenize="none")
    expected = defined(hypotheses, references, clipped=variant == "d")
    ours = list(metric.sentence_scores(hypotheses, references).values)
    assert ours == pytest.approx(expected, rel=1e-11, abs=1e-12)
    mean = sum(expected) / len(expected)
    assert metric.corpus_score(hypotheses, references).score == pytest.approx(mean, rel=1e-11)


@pytest.mark.parametrize("variant", ["plain", "d"])
def test_definition_on_any_text(variant: str) -> None:
    assert_is_defined(variant, *any_segments(20, fuzz.pairs(600)))


@pytest.mark.data
@pytest.mark.parametrize("variant", ["plain", "d"])
def test_definition_on_descriptions(evaluation_data: EvaluationData, variant: str) -> None:
    hypotheses = evaluation_data.system("data/e2e", "tgen")[:100]
    assert_is_defined(variant, hypotheses, evaluation_data.e2e_references()[:100])


@pytest.mark.data
def test_another_deviation(evaluation_data: EvaluationData) -> None:
    hypotheses = evaluation_data.system("data/e2e", "tgen")[:50]
    references = evaluation_data.e2e_references()[:50]
    expected = defined(hypotheses, references, clipped=True, sigma=1.5)
    metric = CIDEr(variant="d", sigma=1.5, tokenize="none")
    assert list(metric.sentence_scores(hypotheses, references).values) == pytest.approx(expected)


def test_one_segment_has_no_rare_ngrams() -> None:
    assert CIDEr().sentence_score("a cat", "a cat").score == 0
    prepared = CIDEr().with_learned(CIDEr().learn(["a cat", "a dog"]))
    assert prepared.sentence_score("a cat", "a cat").score == pytest.approx(5)  # two of four orders
