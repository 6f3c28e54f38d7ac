"""chrF of tensors of code points: the integers that the CPU counts for the texts."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from bleuet import CHRF, InputTypeError, OptionError, Table, Totals
from bleuet.metrics.catalogue import parse_metric

pytestmark = pytest.mark.torch
torch: Any = import_module("torch")
bleu: Any = import_module("bleuet.torch")
# With white space beyond ASCII, and characters beyond 16 bits.
ALPHABET = "aab é\n\u3000😀\x1c"
END = -1


def padded(texts: list[str]) -> Any:
    width = max(map(len, texts), default=0)
    return torch.tensor([[*map(ord, text), *[END] * (width - len(text))] for text in texts]).long()


@pytest.mark.parametrize(
    "name",
    ["chrf", "chrf:char_order=2,beta=1", "chrf:whitespace,char_order=4", "chrf:eps_smoothing"],
)
def test_rows_are_those_of_the_cpu(name: str) -> None:
    metric = parse_metric(name)
    chance = random.Random(5)

    def texts(number: int) -> list[str]:
        return ["".join(chance.choices(ALPHABET, k=chance.randrange(9))) for _ in range(number)]

    for _ in range(40):
        rows, several = chance.randint(1, 5), chance.randint(1, 4)
        hypotheses, references = texts(rows), [texts(several) for _ in range(rows)]
        width = max(len(text) for texts in references for text in texts)
        ids = torch.stack([padded([*texts, "a" * width])[:-1] for texts in references])
        found = bleu.chrf_statistics(padded(hypotheses), ids, metric, padding=END)
        assert np.array_equal(found.numpy(), np.asarray(metric.count(hypotheses, references)))


def test_rows_have_scores() -> None:
    hypotheses, references = ["a cat", "it rains"], ["the cat", "it is raining"]
    rows = bleu.chrf_statistics(padded(hypotheses), padded(references), padding=END)
    metric = CHRF()
    totals = Totals(metric.columns, rows.sum(0).tolist(), rows=2)
    assert metric.score(totals) == metric.corpus_score(hypotheses, references)
    table = Table.from_rows(metric.columns, (), rows.tolist())
    expected = metric.sentence_scores(hypotheses, references).values.tolist()
    assert metric.segment_scores(table).values.tolist() == expected


def test_a_reference_that_is_not_there() -> None:
    references = padded(["dog", "cat"]).unsqueeze(0)
    rows = bleu.chrf_statistics(
        padded(["cat"]), references, CHRF(char_order=1), reference_lengths=torch.tensor([[3, -1]])
    )
    assert rows.tolist() == [[3, 3, 0]]


@pytest.mark.parametrize("name", ["chrf++", "chrf:lowercase"])
def test_words_and_letter_case_are_rejected(name: str) -> None:
    metric = parse_metric(name)
    with pytest.raises(OptionError, match="code points have no words and no letter case"):
        bleu.chrf_statistics(padded(["a"]), padded(["a"]), metric)


def test_another_metric_is_rejected() -> None:
    with pytest.raises(InputTypeError, match="metric must be a CHRF"):
        bleu.chrf_statistics(padded(["a"]), padded(["a"]), "chrf")
