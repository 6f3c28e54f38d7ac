"""SARI against flexeval, the example of Hugging Face evaluate, and cases that can be counted."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from bleuet import BLEU, CHRF, SARI, TER, InputError, compare, score, with_sources
from tests.oracles.sari_goldens import FILE, ORDERS, PARTS, texts

HYPOTHESES = ["The cat sat on it.", "It was raining."]
REFERENCES = [["The cat sat on the mat."], ["It rained a lot.", "It rained."]]
SOURCES = ["The cat perched on the mat.", "It was raining heavily."]


@cache
def goldens() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))["scores"]


@pytest.mark.parametrize("order", ORDERS)
def test_flexeval(order: int) -> None:
    """SARI and its three parts.

    > and as flexeval's `SARI` where each text has a word.
    """
    hypotheses, references, sources = texts()
    metric = SARI(max_ngram_order=order)
    carrying = with_sources(references, sources)
    table = metric.count(hypotheses, carrying)
    theirs = goldens()[str(order)]
    assert len(theirs) == len(hypotheses) > 250
    for number, part in enumerate(PARTS):
        expected = [row[number] for row in theirs]
        assert list(table.column(part)) == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert len(set(expected)) > 20
    mean = 100 * sum(row[0] for row in theirs) / len(theirs)
    assert metric.corpus_score(hypotheses, carrying).score == pytest.approx(mean, rel=1e-12)


@pytest.mark.parametrize("end", ["", " "])
def test_the_example_of_evaluate(end: str) -> None:
    """In the documentation of Hugging Face evaluate's sari, metrics/sari/README.md.

    > **The same number** as Hugging Face evaluate's `sari`, which lower-cases and tokenizes texts
      by 13a as the defaults do,
    """
    sources = [f"About 95 species are currently accepted{end}."]
    references = [
        f"About 95 species are currently known{end}.",
        f"About 95 species are now accepted{end}.",
        f"95 species are now accepted{end}.",
    ]
    found = score([f"About 95 you now get in{end}."], [references], "sari", sources=sources)
    assert found["sari"].score == pytest.approx(26.953601953601954, rel=1e-14)


def test_cases_that_can_be_counted() -> None:
    def parts(source: str, hypothesis: str, *references: str) -> tuple[float, float, float]:
        metric = SARI(max_ngram_order=1)
        found = metric.corpus_score([hypothesis], with_sources([references], [source]))
        return found.add, found.keep, found.delete

    assert parts("a b", "a c", "a c") == (100, 100, 100)
    # Nothing is added, kept or deleted, by the hypothesis or the reference.
    assert parts("a", "a", "a") == (100, 100, 100)
    # The hypothesis repeats the source, and a word should go and another come.
    add, keep, delete = parts("a b", "a b", "a c")
    assert (add, round(keep, 9), delete) == (0, 66.666666667, 100)
    # One of two references keeps b: keeping it is right by a half, and so is deleting it.
    add, keep, delete = parts("a b", "a", "a b", "a")
    assert (add, round(keep, 9), delete) == (100, 80, 50)
    assert parts("a", "", "a") == (0, 0, 0)


def test_letter_case_and_tokens_are_options() -> None:
    carrying = with_sources(["The cat sat."], ["the CAT perched."])
    assert SARI().corpus_score(["the cat SAT."], carrying).score == pytest.approx(100)
    assert SARI(lowercase=False).corpus_score(["the cat SAT."], carrying).score < 70
    assert SARI(tokenize="none").corpus_score(["the cat SAT ."], carrying).score < 70


@pytest.mark.peers
def test_a_tokenizer_of_another_library_reads_sources_too() -> None:
    texts = [["猫が座った。"], ["猫がマットに座った。"], ["猫がその敷物に座った。"]]
    metric = SARI(tokenize="ja-mecab")
    hypotheses, references, sources = ([" ".join(map(str, metric.tokens(*one)))] for one in texts)
    expected = SARI(tokenize="none").corpus_score(hypotheses, with_sources(references, sources))
    hypothesis, reference, source = texts
    carrying = with_sources(reference, source)
    assert metric.corpus_score(hypothesis, carrying).score == expected.score
    assert metric.sentence_score(hypothesis[0], carrying[0]).score == expected.score
    assert 0 < expected.score < 100


def test_sources_do_not_change_other_metrics() -> None:
    carrying = with_sources(REFERENCES, SOURCES)
    for metric in (BLEU(), CHRF(), TER()):
        assert metric.count(HYPOTHESES, carrying) == metric.count(HYPOTHESES, REFERENCES)


def test_scores_and_comparisons_take_sources() -> None:
    systems = {"a": HYPOTHESES, "b": ["The cat sat on the mat.", "It rained."]}
    expected = [
        SARI().corpus_score(texts, with_sources(REFERENCES, SOURCES)).score
        for texts in systems.values()
    ]
    found = score(systems, REFERENCES, ["bleu", "sari"], sources=SOURCES)
    assert [found["sari"][name].score for name in systems] == expected
    compared = compare(systems, REFERENCES, ["sari", "bleu"], sources=SOURCES)
    assert [row[0].score for row in compared.evaluation.scores.values()] == expected


def test_missing_and_wrong_sources_are_errors() -> None:
    with pytest.raises(InputError, match=r"without sources: add --source FILE"):
        SARI().corpus_score(HYPOTHESES, REFERENCES)
    with pytest.raises(InputError, match="without sources"):
        SARI().sentence_score(HYPOTHESES[0], REFERENCES[0])
    with pytest.raises(InputError, match="1 source but references of 2 segments"):
        score(HYPOTHESES, REFERENCES, "sari", sources=SOURCES[:1])
    with pytest.raises(InputError, match="sources is a bare string"):
        with_sources(REFERENCES, "a")
    with pytest.raises(InputError, match=r"sources\[1\] is None"):
        with_sources(REFERENCES, ["a", None])  # type: ignore[list-item]
