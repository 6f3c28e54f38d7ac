"""Documents are drawn and exchanged whole: every test and interval against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bleuet import BLEU, TER, TableError
from bleuet.comparison import compare
from bleuet.gate import Limits, gate_systems
from bleuet.significance import (
    Evaluation,
    IntervalSettings,
    TestSettings,
    bootstrap_interval,
    paired_test,
)
from bleuet.significance.interval import ends_of
from bleuet.significance.paired import paired_approximate_randomization, paired_bootstrap
from tests.significance.corpora import (
    brute_bootstrap,
    brute_randomization,
    counted,
    p_values,
    texts,
    three_metrics,
)

SEGMENTS = 40
DOCUMENTS = [f"d{segment * segment % 7}" for segment in range(SEGMENTS)]


def in_documents(segments: int = SEGMENTS) -> Evaluation:
    return counted(segments).replace(documents=DOCUMENTS[:segments])


def segments_of() -> list[list[int]]:
    """The segments of each document, in the order of their first segments."""
    names = list(dict.fromkeys(DOCUMENTS))
    return [[i for i, own in enumerate(DOCUMENTS) if own == name] for name in names]


def test_a_randomization_exchanges_documents() -> None:
    found = paired_approximate_randomization(
        in_documents(),
        TestSettings(test="sacrebleu-randomization", all_pairs=True, draws=40, seed=3),
    )
    of = segments_of()
    chosen = np.random.default_rng(3).integers(2, size=(40, len(of)), dtype=bool)
    masks = np.zeros((40, SEGMENTS), dtype=bool)
    for document, own in enumerate(of):
        masks[:, own] = chosen[:, [document]]
    pairs = [("one", "two"), ("one", "three"), ("two", "three")]
    expected = [
        brute_randomization(counted(), m, pair, masks)
        for pair in pairs
        for m in range(len(three_metrics()))
    ]
    assert p_values(found) == expected


def draws(number: int, seed: int) -> list[Any]:
    of = segments_of()
    drawn = np.random.default_rng(seed).choice(len(of), size=(number, len(of)))
    return [np.array([row for one in documents for row in of[one]]) for documents in drawn]


def test_a_bootstrap_draws_documents() -> None:
    found = paired_bootstrap(
        in_documents(), TestSettings(test="sacrebleu-bootstrap", draws=40, seed=3)
    )
    for m, label in enumerate(found.metrics):
        expected = brute_bootstrap(counted(), m, ("one", "two"), draws(40, 3))
        assert found.comparison("one", "two", label).p_value == expected


def test_an_interval_draws_documents() -> None:
    table = counted().tables["one"][0]
    interval = bootstrap_interval(
        BLEU(), table, IntervalSettings(draws=40, seed=3), documents=DOCUMENTS
    )
    scores = [BLEU().score(table.select(rows).totals()).score for rows in draws(40, 3)]
    assert (interval.low, interval.high) == pytest.approx(ends_of(scores, 0.95))
    assert "bs:40|seed:3|docs:" in str(interval.signature)


def test_a_document_of_each_segment_changes_nothing() -> None:
    alone = counted(120).replace(documents=range(120))
    for test in ("bootstrap", "randomization", "sacrebleu-bootstrap"):
        plain = paired_test(counted(120), TestSettings(test=test, draws=50))
        found = paired_test(alone, TestSettings(test=test, draws=50))
        assert found.comparisons == plain.comparisons
        assert found.documents == 120


def test_results_name_the_documents() -> None:
    found = paired_test(in_documents())
    number = len(set(DOCUMENTS))
    assert found.test == "randomization"  # of so few documents
    assert f"40 segments in {number} documents, drawn and exchanged whole;" in found.to_text()
    assert found.to_dict()["documents"] == number
    assert list(found.signatures) == list(found.metrics)
    assert all(f"|docs:{number}|" in str(one) for one in found.signatures.values())
    assert f"{number} documents are too few for a bootstrap" in found.to_text()


def test_one_document_shows_no_difference() -> None:
    found = paired_test(counted().replace(documents=["the only one"] * SEGMENTS))
    assert p_values(found) == [1.0] * len(found.comparisons)


def test_the_gate_and_the_comparison_use_documents() -> None:
    systems, references = texts(SEGMENTS, seed=1)
    tested = compare(systems, references, three_metrics(), documents=DOCUMENTS).tested(
        TestSettings(correction=None)
    )
    assert tested.significance is not None
    expected = paired_test(in_documents(), TestSettings(all_pairs=True, correction=None))
    assert tested.significance.comparisons == expected.comparisons
    two = Evaluation([TER()], {n: counted().tables[n][2:] for n in ("one", "two")}, 1, DOCUMENTS)
    found = gate_systems(two, Limits())
    assert found.checks[0].p_value == expected.comparison("one", "two", "TER").p_value
    assert "documents are too few for a bootstrap, so the test is a randomization" in found.note
    assert found.to_dict()["documents"] == len(set(DOCUMENTS))
    assert f"whole documents ({len(set(DOCUMENTS))}) are drawn and exchanged" in found.to_text()
    large = Evaluation.count(["ter"], texts(120, seed=1)[0], texts(120, seed=1)[1])
    pair = Evaluation(large.metrics, {n: large.tables[n] for n in ("one", "two")})
    (check,) = gate_systems(pair, Limits()).checks
    assert check.detectable == paired_test(pair).detectable("TER")
    assert "a test finds a true difference of" in gate_systems(pair, Limits()).to_text()


def test_one_document_for_each_segment_is_needed() -> None:
    with pytest.raises(TableError, match="40 segments, but 39 documents"):
        counted().replace(documents=DOCUMENTS[:39])
    with pytest.raises(TableError, match="39 groups for 40 rows"):
        bootstrap_interval(TER(), counted().tables["one"][2], documents=DOCUMENTS[:39])
