"""The order of systems, segments and metrics means nothing, and neither do names."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.laws.generated import METRICS, generated
from tests.laws.studies import (
    DRAWING,
    DRAWING_DOCUMENTS,
    STUDIES,
    answers_of,
    differences,
    renamed,
)

if TYPE_CHECKING:
    from tests.laws.studies import Answers

STUDY = generated()
EVERY = pytest.mark.parametrize("name", STUDIES)
IN_ANY_ORDER = [name for name in STUDIES if name not in (*DRAWING, *DRAWING_DOCUMENTS)]


@cache
def known(name: str) -> Answers:
    """What a study answers about the test set as it is."""
    return answers_of(name, STUDY)


@EVERY
def test_the_order_of_systems_means_nothing(name: str) -> None:
    expected = known(name)
    names = ["close", "twin", "worse", "first"]
    assert not differences(answers_of(name, STUDY.of_systems(names)), expected)


@EVERY
def test_exchanged_names_exchange_the_answers_and_nothing_else(name: str) -> None:
    names = {"first": "worse", "worse": "new", "close": "first", "twin": "twin"}
    expected = renamed(known(name), names)
    assert not differences(answers_of(name, STUDY.renamed(names)), expected)


@EVERY
def test_equal_systems_have_equal_answers(name: str) -> None:
    found = known(name)
    assert not differences(renamed(found, {"first": "twin", "twin": "first"}), found)


@EVERY
def test_the_order_of_metrics_means_nothing(name: str) -> None:
    def answers(metrics: tuple[str, ...]) -> Answers:
        found = answers_of(name, STUDY._replace(metrics=metrics))
        # The first metric is the one whose scores divide segments into buckets.
        return {key: value for key, value in found.items() if key[:2] != ("bucket", "score")}

    expected = answers(METRICS)
    assert not differences(answers((*METRICS[:0:-1], METRICS[0])), expected)


@pytest.mark.parametrize("name", IN_ANY_ORDER)
def test_the_order_of_segments_means_nothing(name: str) -> None:
    rows = list(range(len(STUDY.names)))
    random.Random(5).shuffle(rows)
    expected = known(name)
    assert not differences(answers_of(name, STUDY.select(rows)), expected)


@pytest.mark.parametrize("name", DRAWING_DOCUMENTS)
def test_the_segments_of_a_document_may_stand_anywhere(name: str) -> None:
    """Documents are drawn in the order in which they begin."""
    first = {document: row for row, document in reversed(list(enumerate(STUDY.documents)))}
    begins = sorted(first.values())
    others = [row for row in range(len(STUDY.names)) if row not in begins]
    random.Random(6).shuffle(others)
    expected = known(name)
    assert not differences(answers_of(name, STUDY.select([*begins, *others])), expected)


@pytest.mark.parametrize(
    ("name", "differs"),
    [
        ("bootstrap", True),
        ("randomization", True),
        # Of nine documents.
        ("bootstrap of documents", True),
        ("randomization of documents", False),
    ],
)
def test_equal_systems_do_not_differ(name: str, differs: bool) -> None:
    found = known(name)
    pairs = {key: value for key, value in found.items() if key[0] == "pair"}
    for pair in (("first", "twin"), ("twin", "first")):
        for metric in {key[1] for key in pairs}:
            difference, low, high, p_value, corrected, *_ = pairs["pair", metric, *pair]
            assert (difference, p_value, corrected) == (0.0, 1.0, 1.0)
            assert {low, high} == {0.0} or low != low
            assert ("better", metric, *pair) not in found
    assert (("better", "BLEU", "first", "worse") in found) == differs
