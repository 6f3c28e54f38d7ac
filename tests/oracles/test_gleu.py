"""GLEU against NLTK, on real translations and on texts that no one would write."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from bleuet import GLEU
from tests.oracles import fuzz

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

pytestmark = pytest.mark.peers


def assert_equal_to_nltk(hypotheses: list[str], references: list[list[str]]) -> None:
    nltk = import_module("nltk.translate.gleu_score")
    words = [text.split() for text in hypotheses]
    several = [[text.split() for text in group] for group in references]
    for least, most in ((1, 4), (2, 3), (1, 1)):
        metric = GLEU(tokenize="none", min_ngram_order=least, max_ngram_order=most)
        table = metric.count(hypotheses, references)
        theirs = nltk.corpus_gleu(several, words, least, most)
        assert metric.score(table.totals()).score == 100 * theirs
        sentences = [
            100 * nltk.sentence_gleu(group, hypothesis, least, most)
            for hypothesis, group in zip(words, several, strict=True)
        ]
        assert list(metric.segment_scores(table).values) == sentences


@pytest.mark.data
@pytest.mark.parametrize("system", ["uedin-wmt13", "online-A"])
def test_real_translations(evaluation_data: EvaluationData, system: str) -> None:
    folder = "data/wmt13/de-en"
    references = [[line] for line in evaluation_data.reference(folder)[::3]]
    assert_equal_to_nltk(evaluation_data.system(folder, system)[::3], references)


@pytest.mark.data
def test_several_references(evaluation_data: EvaluationData) -> None:
    hypotheses = evaluation_data.system("data/e2e", "tgen")
    assert_equal_to_nltk(hypotheses, evaluation_data.e2e_references())


def test_any_text() -> None:
    """Sentences and corpora.

    > **The same number** as NLTK 3.10: `GLEU(tokenize="none")` gives `100 * corpus_gleu(...)` and
      `100 * sentence_gleu(...)` of texts that are split at white space.
    """
    hypotheses, references = fuzz.segments(16, fuzz.pairs(5000))
    assert_equal_to_nltk(hypotheses, fuzz.all_references(references))


def test_long_texts() -> None:
    hypotheses, references = fuzz.long_segments(16, 1000, 40, 5)
    assert_equal_to_nltk(hypotheses, [[one] for one in references])
