"""CharacTER against the package cer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bleuet import CharacTER
from tests import effort
from tests.backends import counted_by_python
from tests.oracles.character_goldens import FILE, ROUNDED, SEED, long_texts, texts, theirs

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData


def rates(hypotheses: list[str], references: list[str]) -> list[float]:
    return list(CharacTER().count(hypotheses, references).column("rate"))


def test_stored_rates() -> None:
    hypotheses, references = texts()
    stored = json.loads(FILE.read_text(encoding="utf-8"))["rates"]
    assert rates(hypotheses, references) == pytest.approx(stored, rel=1e-12, abs=1e-12)
    assert len(set(stored)) > 400
    mean = 100 * sum(stored) / len(stored)
    score = CharacTER().corpus_score(hypotheses, references).score
    assert score == pytest.approx(mean, rel=1e-12)


def test_the_definition_has_the_stored_rates() -> None:
    """With eight pairs in which the quotient is rounded up.

    > The program subtracts gains from a quotient instead of dividing again. Where this rounds up,
      it makes a shift that gains nothing.
    """
    hypotheses, references = texts()
    stored = json.loads(FILE.read_text(encoding="utf-8"))["rates"]
    short = [i for i, one in enumerate(hypotheses) if len(one.split()) < 12][::3]
    with counted_by_python():
        found = rates([hypotheses[i] for i in short], [references[i] for i in short])
    assert found == pytest.approx([stored[i] for i in short], rel=1e-12, abs=1e-12)
    assert len(short) > 100
    assert len(ROUNDED) == 8


def test_stored_rates_of_long_texts() -> None:
    stored = json.loads(FILE.read_text(encoding="utf-8"))["long_rates"]
    assert rates(*long_texts()) == pytest.approx(stored, rel=1e-12, abs=1e-12)
    assert len(set(stored)) > 60


@pytest.mark.slow
@pytest.mark.parametrize("words", [130, pytest.param(190, marks=pytest.mark.long)])
def test_the_definition_has_the_stored_rates_of_long_texts(words: int) -> None:
    """Of texts with little to shift, which it does quickly, and of more than a machine word."""
    hypotheses, references = long_texts()
    stored = json.loads(FILE.read_text(encoding="utf-8"))["long_rates"]
    quick = [
        i
        for i, rate in enumerate(stored)
        if rate < 0.12 and len(hypotheses[i]) > 200 and hypotheses[i].count(" ") < words
    ]
    with counted_by_python():
        found = rates([hypotheses[i] for i in quick], [references[i] for i in quick])
    assert found == pytest.approx([stored[i] for i in quick], rel=1e-12, abs=1e-12)
    assert len(quick) >= 4


@pytest.mark.peers
def test_other_texts() -> None:
    """Texts that differ from those of the stored rates.

    > **The same number** as `calculate_cer` of the package cer 1.2.0 by Bram Vanroy,

    > What the paper leaves open is as in that program.

    > | `character` | cer 1.2.0, and `character` of evaluate | percent instead of a fraction |
    """
    for seed in range(SEED + 1, SEED + (100 if effort.is_fuzzing() else 3)):
        hypotheses, references = texts(seed)
        assert rates(hypotheses, references) == theirs(hypotheses, references)


@pytest.mark.slow
@pytest.mark.peers
def test_other_long_texts() -> None:
    for seed in range(SEED + 1, SEED + (100 if effort.is_fuzzing() else 2)):
        hypotheses, references = long_texts(seed, 8)
        assert rates(hypotheses, references) == theirs(hypotheses, references)


@pytest.mark.peers
@pytest.mark.data
@pytest.mark.parametrize(
    ("folder", "system", "step"),
    [
        ("data/wmt13/de-en", "uedin-wmt13", 1),
        ("data/wmt13/fr-en", "FDA", 1),
        ("data/wmt17-ende", "online-A", 3),
    ],
)
def test_real_translations(
    evaluation_data: EvaluationData, folder: str, system: str, step: int
) -> None:
    hypotheses = evaluation_data.system(folder, system)[::step]
    references = evaluation_data.reference(folder)[::step]
    assert rates(hypotheses, references) == theirs(hypotheses, references)


def test_the_nearest_reference_counts() -> None:
    metric = CharacTER()
    hypothesis, several = "the cat sat", ["a dog", "sat the cat", "the cat sat down"]
    alone = [metric.sentence_score(hypothesis, one).score for one in several]
    assert metric.sentence_score(hypothesis, several).score == min(alone) < max(alone)


@pytest.mark.parametrize(("hypothesis", "score"), [("", 0), (" ", 0), ("a", 100), ("a b", 100)])
def test_an_empty_reference(hypothesis: str, score: float) -> None:
    assert CharacTER().sentence_score(hypothesis, "").score == score
    assert CharacTER().sentence_score("", hypothesis).score == score
