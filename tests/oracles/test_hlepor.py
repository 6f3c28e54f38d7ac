"""hLEPOR against hLepor 0.0.4, the port of the authors' program."""

from __future__ import annotations

import json

import pytest

from bleuet import HLEPOR
from bleuet.errors import InputError
from tests.oracles.hlepor_goldens import FILE, OPTIONS, texts


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_hlepor(number: int) -> None:
    """Scores that hLepor 0.0.4 has given.

    > **The same number** as hLepor 0.0.4, the port of the authors' program, with
      `separate_punctuation=False`, from `HLEPOR(tokenize="none")`, for texts that have words.

    > The program uses the rank of this word among them as the rank among all that are free, and
      so does this metric.
    """
    theirs = json.loads(FILE.read_text(encoding="utf-8"))["scores"][number]
    hypotheses, references = texts()
    metric = HLEPOR(tokenize="none", **OPTIONS[number][1])
    found = list(metric.sentence_scores(hypotheses, references).values)
    assert found == pytest.approx([100 * one for one in theirs], rel=1e-12, abs=1e-12)
    assert len(set(theirs)) > 100
    mean = 100 * sum(theirs) / len(theirs)
    assert metric.corpus_score(hypotheses, references).score == pytest.approx(mean, rel=1e-12)


def test_the_examples_of_hlepor() -> None:
    """In its documentation."""
    hypotheses = [
        "It is a guide to action which ensures that the military always obeys the commands of the "
        "party",
        "It is to insure the troops forever hearing the activity guidebook that party direct",
    ]
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the practical guide for the army always to heed the directions of the party",
    ]
    found = HLEPOR().sentence_scores(hypotheses, references)
    assert round(found[0], 2) == 78.42
    assert round(HLEPOR().corpus_score(hypotheses, references).score, 2) == 62.14


def test_the_best_reference_counts() -> None:
    metric = HLEPOR()
    hypothesis, several = "the cat sat", ["a dog", "the cat sat down", "cat the sat"]
    alone = [metric.sentence_score(hypothesis, one).score for one in several]
    assert metric.sentence_score(hypothesis, several).score == max(alone)
    assert metric.sentence_score("", "").score == metric.sentence_score("a", "").score == 0


def test_very_long_segments_are_an_error_at_once() -> None:
    metric = HLEPOR()
    with pytest.raises(InputError, match="have 49000000 pairs of equal words for hLEPOR, which"):
        metric.sentence_score("a " * 7000, "a b " * 7000)
    assert metric.sentence_score("a " * 2000 + "b", "a " * 2000).score > 99
