"""Names of other programs: a metric with that name gives the number of that program."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from bleuet import make_metric, score
from bleuet.text.tokenizers import find_tokenizer
from tests.oracles import fuzz

pytestmark = pytest.mark.peers

SEED, SEGMENTS = 29, 300


@pytest.fixture(scope="module")
def texts() -> tuple[list[str], list[str]]:
    hypotheses, references = fuzz.segments(SEED, SEGMENTS)
    first = [group[0] for group in fuzz.all_references(references)]
    # bleuet and sacreBLEU remove white space at the end of a text before anything else.
    return [text.rstrip() for text in hypotheses], [text.rstrip() for text in first]


@pytest.mark.parametrize("name", ["rouge1", "rouge2", "rougeL", "rougeLsum"])
def test_rouge_score(texts: tuple[list[str], list[str]], name: str) -> None:
    """Without stems.

    > | `rouge1`, `rouge2`, `rougeL`, `rougeLsum` | `rouge_score`, and `rouge` of Hugging Face
      evaluate |
    """
    scorer = import_module("rouge_score.rouge_scorer").RougeScorer([name])
    theirs = [scorer.score(right, text)[name].fmeasure for text, right in zip(*texts, strict=True)]
    segments = score(*texts, name).segment_scores(name).values
    assert list(segments) == [100 * one for one in theirs]


@pytest.mark.parametrize(
    ("name", "kind", "options"),
    [
        ("sacrebleu", "BLEU", {}),
        ("BLEU-2", "BLEU", {"max_ngram_order": 2}),
        ("lcBLEU", "BLEU", {"lowercase": True}),
        ("chrF2", "CHRF", {}),
        ("chrF2++", "CHRF", {"word_order": 2}),
        ("chrF1", "CHRF", {"beta": 1}),
        ("chrF+", "CHRF", {"word_order": 1}),
        ("ter", "TER", {}),
    ],
)
def test_sacrebleu(
    texts: tuple[list[str], list[str]], name: str, kind: str, options: dict[str, Any]
) -> None:
    """Of a corpus.

    > | `sacrebleu`, `chrF2`, `chrF2++`, `ter` | sacreBLEU, and `sacrebleu`, `chrf` and `ter` of
      evaluate |
    """
    hypotheses, references = texts
    metric = getattr(import_module("sacrebleu.metrics"), kind)(**options)
    theirs = metric.corpus_score(hypotheses, [references])
    assert score(hypotheses, references, name)[name].score == theirs.score


def test_jiwer(texts: tuple[list[str], list[str]]) -> None:
    """Of a corpus.

    > | `wer`, `cer` | jiwer, and `wer` and `cer` of evaluate | percent instead of a fraction |
    """
    hypotheses, references = texts
    jiwer = import_module("jiwer")
    for name in ("wer", "cer"):
        expected = 100 * getattr(jiwer, name)(references, hypotheses)
        assert score(hypotheses, references, name)[name].score == expected


def test_google_bleu_and_nist_mt(texts: tuple[list[str], list[str]]) -> None:
    """Both are NLTK's numbers, of the tokens of mteval-v13a.

    > | `google_bleu` | `google_bleu` of evaluate, which is NLTK's GLEU of the tokens `13a` |
      percent instead of a fraction |

    > | `nist_mt` | `nist_mt` of evaluate, which is NLTK's NIST | only with one reference;
    """
    tokenize = find_tokenizer("13a").tokenize
    hypotheses, references = ([tokenize(text).split() for text in side] for side in texts)
    gleu, nist = (import_module(f"nltk.translate.{name}_score") for name in ("gleu", "nist"))
    several = [[one] for one in references]
    found = score(*texts, ["google_bleu", "nist_mt"])
    assert found["google_bleu"].score == 100 * gleu.corpus_gleu(several, hypotheses)
    assert found["nist_mt"].score == pytest.approx(nist.corpus_nist(several, hypotheses), rel=1e-12)


def test_squad_by_its_first_script() -> None:
    """The metric squad of Hugging Face is script 1.1, by which two empty answers share nothing.

    > | `squad_f1`, `squad_em` | `squad` of evaluate, SQuAD's script 1.1 | `f1` and `em` are by
      the rules of script 2.0 |
    """
    assert make_metric("squad_f1").sentence_score("", "the").score == 0
    assert make_metric("f1").sentence_score("", "the").score == 100
    assert make_metric("squad_em") == make_metric("em", rules="squad-1.1")
