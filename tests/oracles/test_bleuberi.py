"""The reward of BLEUBERI: the metric `bleu` of Hugging Face evaluate with `smooth=True`.

That metric is a script which the package downloads. This is the definition in it: the tokens of
13a, which `test_tokenizers.py` compares with sacreBLEU's, one more match and n-gram at every order,
the shortest reference. It alone joins
the last line of a text with nothing where it ends with a hyphen; sacreBLEU, and so bleuet, removes
white space at the end first.
"""

from __future__ import annotations

import random
from collections import Counter
from math import exp, isclose, log

import pytest

from bleuet import make_metric
from bleuet.rewards import Reward
from bleuet.statistics.definitions.plain_python import tokenize
from tests.oracles import fuzz
from tests.oracles.fuzz import MARKUP, PUNCTUATED


def ngrams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    starts = range(len(tokens) - order + 1)
    return Counter(tuple(tokens[start : start + order]) for start in starts)


def evaluate_bleu(hypotheses: list[str], references: list[list[str]]) -> float:
    ours = [tokenize("13a", text) for text in hypotheses]
    theirs = [[tokenize("13a", text) for text in several] for several in references]
    logs = 0.0
    for order in range(1, 5):
        matches = totals = 0
        for tokens, several in zip(ours, theirs, strict=True):
            most: Counter[tuple[str, ...]] = Counter()
            for one in several:
                most |= ngrams(one, order)
            counted = ngrams(tokens, order)
            matches += (counted & most).total()
            totals += counted.total()
        logs += log((matches + 1) / (totals + 1)) / 4
    length = sum(map(len, ours))
    shortest = sum(min(map(len, several)) for several in theirs)
    return exp(logs) * (1.0 if length > shortest else exp(1 - shortest / length))


def texts(generator: random.Random, count: int) -> list[str]:
    words = [*PUNCTUATED, *MARKUP, "the", "cat", "sat", "Über", "猫", "é."]
    lengths = [generator.randint(1, 12) for _ in range(count)]
    return [f"x {' '.join(generator.choices(words, k=length))}".rstrip() for length in lengths]


def test_the_documented_example() -> None:
    """`evaluate.load("bleu").compute(..., smooth=True)` as its page shows perfect matches."""
    hypotheses = ["hello there general kenobi", "foo bar foobar"]
    references = [["hello there general kenobi", "hello there!"], ["foo bar foobar"]]
    assert evaluate_bleu(hypotheses, references) == 1.0
    found = make_metric("bleuberi").corpus_score(hypotheses, references).score
    assert found == pytest.approx(100)


def test_sentences_and_corpora_equal_the_definition() -> None:
    generator = random.Random(19)
    metric, reward = make_metric("bleuberi"), Reward("bleuberi", preprocess=())
    count = fuzz.pairs(2000)
    hypotheses = texts(generator, count)
    references = [texts(generator, generator.randint(1, 3)) for _ in hypotheses]
    for row in range(0, count, 4):  # so that something matches
        references[row][0] = " ".join(hypotheses[row].split()[:5]) + " and more"
    expected = [evaluate_bleu([h], [r]) for h, r in zip(hypotheses, references, strict=True)]
    assert len({round(one, 6) for one in expected}) > count / 4
    for found, wanted in zip(reward(hypotheses, references), expected, strict=True):
        assert found is not None
        assert isclose(found, wanted, rel_tol=1e-13)
    for first in range(0, count, 50):
        part = slice(first, first + 50)
        found = metric.corpus_score(hypotheses[part], references[part]).score
        wanted = 100 * evaluate_bleu(hypotheses[part], references[part])
        assert isclose(found, wanted, rel_tol=1e-13)
