"""NIST against NLTK, which is right for one reference, and against the definition for several.

`test_mteval.py` has the numbers of NIST's own script.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from math import exp, log, log2
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import NIST
from tests.oracles import fuzz

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

FOLDER = "data/wmt13/de-en"


@pytest.mark.peers
@pytest.mark.data
@pytest.mark.parametrize("system", ["uedin-wmt13", "online-A"])
def test_real_translations(evaluation_data: EvaluationData, system: str) -> None:
    hypotheses = evaluation_data.system(FOLDER, system)[:1000]
    references = evaluation_data.reference(FOLDER)[:1000]
    words = [text.split() for text in hypotheses]
    nltk = import_module("nltk.translate.nist_score")
    theirs = nltk.corpus_nist([[text.split()] for text in references], words)
    ours = NIST(tokenize="none", information="paper").corpus_score(hypotheses, references)
    assert ours.score == pytest.approx(theirs, rel=1e-13)


@pytest.mark.peers
def test_any_text() -> None:
    """NLTK divides by 0 where there are no n-grams of an order, and so needs long segments too.

    > NLTK's `corpus_nist` gives the same number as `NIST(tokenize="none", information="paper",
      several="nltk")`.
    """
    nltk = import_module("nltk.translate.nist_score")
    pairs = fuzz.pairs(2000)
    hypotheses, several = fuzz.segments(17, pairs)
    references = [one if isinstance(one, str) else next(filter(None, one), "") for one in several]
    for first in range(0, pairs, 50):
        group = slice(first, first + 50)
        theirs = nltk.corpus_nist(
            [[text.split()] for text in references[group]],
            [text.split() for text in hypotheses[group]],
        )
        ours = NIST(tokenize="none", information="paper")
        score = ours.corpus_score(hypotheses[group], references[group]).score
        assert score == pytest.approx(theirs, rel=1e-12)


@pytest.mark.peers
def test_several_references_of_nltk() -> None:
    """NLTK takes, for each order, the reference whose matches have the most information.

    > With several references, NLTK takes for each order the reference whose matches have the most
      information, and its length (of equal ones, the longest), instead of all references and
      their mean length.
    """
    nltk = import_module("nltk.translate.nist_score")
    pairs = fuzz.pairs(2000)
    hypotheses, several = fuzz.segments(19, pairs)
    references = fuzz.all_references(several)
    other = 0
    for first in range(0, pairs, 50):
        group = slice(first, first + 50)
        theirs = nltk.corpus_nist(
            [[one.split() for one in row] for row in references[group]],
            [text.split() for text in hypotheses[group]],
        )
        metric = NIST(tokenize="none", information="paper", several="nltk")
        score = metric.corpus_score(hypotheses[group], references[group]).score
        assert score == pytest.approx(theirs, rel=1e-12)
        together = metric.with_options(several="together")
        other += together.corpus_score(hypotheses[group], references[group]).score != score
    assert other == pairs // 50


@pytest.mark.peers
def test_orders_of_nltk() -> None:
    """Shorter orders are columns of a table with longer ones."""
    nltk = import_module("nltk.translate.nist_score")
    hypotheses, several = fuzz.segments(20, 100)
    references = fuzz.all_references(several)
    metric = NIST(tokenize="none", information="paper", several="nltk")
    table = metric.count(hypotheses, references)
    for order in (1, 2, 3, 5):
        theirs = nltk.corpus_nist(
            [[one.split() for one in row] for row in references],
            [text.split() for text in hypotheses],
            n=order,
        )
        shorter = metric.with_options(max_ngram_order=order)
        assert shorter.score(table.totals()).score == pytest.approx(theirs, rel=1e-12)


# --- The definition (Doddington 2002, equations 2 and 3) ------------------------------------------


def grams(text: str, n: int) -> Counter[tuple[str, ...]]:
    words = text.split()
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def defined(
    hypotheses: list[str], references: list[list[str]], order: int, *, mteval: bool
) -> float:
    everything = [one for group in references for one in group]
    total = sum(len(one.split()) for one in everything)
    score = 0.0
    for n in range(1, order + 1):
        count: Counter[tuple[str, ...]] = Counter()
        before: Counter[tuple[str, ...]] = Counter()
        for one in everything:
            count.update(grams(one, n))
            before.update(grams(one, n - 1))
        bits = 0.0
        for hypothesis, group in zip(hypotheses, references, strict=True):
            most: Counter[tuple[str, ...]] = Counter()
            for one in group:
                most |= grams(one, n)
            for gram, times in (grams(hypothesis, n) & most).items():
                history = gram[:-1]
                whole = not history or (mteval and history == ("0",))
                bits += times * log2((total if whole else before[history]) / count[gram])
        score += bits / max(sum(grams(one, n).total() for one in hypotheses), 1)
    length = sum(len(one.split()) for one in hypotheses)
    lengths = sum(sum(len(o.split()) for o in group) / len(group) for group in references)
    if length >= lengths:
        return score
    return score * exp(log(0.5) / log(1.5) ** 2 * log(length / lengths) ** 2) if length else 0.0


@pytest.mark.data
def test_several_references(evaluation_data: EvaluationData) -> None:
    references = evaluation_data.e2e_references()[:100]
    for system in ("tgen", "sheff2"):
        hypotheses = evaluation_data.system("data/e2e", system)[:100]
        information: Any
        for order, information in ((5, "mteval"), (2, "paper")):
            metric = NIST(tokenize="none", max_ngram_order=order, information=information)
            expected = defined(hypotheses, references, order, mteval=information == "mteval")
            found = metric.corpus_score(hypotheses, references).score
            assert found == pytest.approx(expected, rel=1e-12)


def test_any_text_with_any_references() -> None:
    hypotheses, several = fuzz.segments(18, fuzz.pairs(400))
    references = fuzz.all_references(several)
    for first in range(0, len(hypotheses), 20):
        group = slice(first, first + 20)
        expected = defined(hypotheses[group], references[group], 5, mteval=True)
        found = NIST(tokenize="none").corpus_score(hypotheses[group], references[group]).score
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_a_bigram_that_begins_with_0() -> None:
    texts = ["0 a b", "0 c", "0 d e f"]
    scores = {}
    for information in ("mteval", "paper"):
        metric = NIST(tokenize="none", information=information)
        scores[information] = metric.corpus_score(texts, texts).score
        expected = defined(texts, [[one] for one in texts], 5, mteval=information == "mteval")
        assert scores[information] == pytest.approx(expected, rel=1e-13)
    # 9 words, 3 of them 0: log2(9) for each of three bigrams of six, in place of log2(3).
    assert scores["mteval"] - scores["paper"] == pytest.approx(3 * log2(9 / 3) / 6)


def test_other_references_than_those_it_learned_from() -> None:
    """N-grams that it has not learned count as if one reference had them."""
    metric = NIST(tokenize="none", max_ngram_order=2)
    taught = metric.with_learned(metric.learn(["a b", "a c"]))
    assert taught.sentence_score("a x", "a x").information == (log2(4 / 2) + log2(4 / 1), log2(2))
