"""Documents, and segments, of unequal size: their effective number decides, in every command.

The simulation is the table of the guide. It is slow, so skipped unless BLEUET_SIMULATIONS is set,
to 500 or more.
"""

from __future__ import annotations

import os
import random
from functools import cache
from typing import Any

import numpy as np
import pytest

from bleuet import BLEU, TER, Table, make_metric
from bleuet.gate import Limits, gate_systems
from bleuet.meta_evaluation import AgreementSettings, HumanScores, MetricScores, leaderboard
from bleuet.significance import (
    Evaluation,
    FewSegmentsWarning,
    IntervalSettings,
    TestSettings,
    bootstrap_interval,
    paired_test,
)
from bleuet.significance.few_segments import ENOUGH_EFFECTIVE, effective_number, effective_rows
from bleuet.significance.testing import default_test, score_intervals
from tests.meta_evaluation.scores import matrix
from tests.significance.corpora import WORDS, counted, texts

SIMULATIONS = int(os.environ.get("BLEUET_SIMULATIONS", "0"))
ALPHA = 0.05
# By name, the sizes of the documents.
LAYOUTS = {
    "99 of 3 and 1 of 300": [3] * 99 + [300],
    "100 of 3 and 10 of 60": [3] * 100 + [60] * 10,
    "100 of 3 and 30 of 30": [3] * 100 + [30] * 30,
    "100 of 3 and 40 of 15": [3] * 100 + [15] * 40,
    "100 of 6": [6] * 100,
}
TESTS = ("bootstrap", "randomization")
RUNS, RUN_DEVIATION = 3, 0.05


@cache
def bleu() -> BLEU:
    return BLEU()


def made(sizes: list[int], runs: int, rng: Any) -> Evaluation:
    """Two equal systems that vary by document, and in several runs by the run.

    A row has the sums of a document, as tests of documents add them.
    """
    documents = np.repeat(np.arange(len(sizes)), sizes)
    lengths, easiness = rng.integers(5, 40, len(documents)), rng.normal(0, 0.5, len(documents))
    tables = {
        name: [
            [table_of(0.8 + easiness + effects[documents] + run, lengths, sizes, rng)]
            for run in rng.normal(0, RUN_DEVIATION if runs > 1 else 0, runs)
        ]
        for name in "xy"
        for effects in [rng.normal(0, 0.5, len(sizes))]
    }
    return Evaluation.of_runs([bleu()], tables).replace(documents=range(len(sizes)))


def table_of(quality: Any, lengths: Any, sizes: list[int], rng: Any) -> Table:
    """BLEU's statistics of documents whose n-grams match with a chance that their quality sets."""
    hypothesis = np.maximum(4, lengths + rng.integers(-3, 3, len(lengths)))
    chance = 1 / (1 + np.exp(-(quality + rng.normal(0, 0.4, len(lengths)))))
    totals = [hypothesis - n for n in range(4)]
    matches = [rng.binomial(np.minimum(hypothesis, lengths), chance)]
    for n in range(1, 4):
        longer = rng.binomial(matches[-1], 0.95 * np.sqrt(chance))
        matches.append(np.minimum(longer, totals[n]))
    rows = np.stack([hypothesis, lengths, *matches, *totals]).astype(np.int64)
    starts = np.cumsum([0, *sizes[:-1]])
    sums = np.ascontiguousarray(np.add.reduceat(rows, starts, axis=1))
    return Table(bleu().integer_columns, (), len(sizes), sums, b"")


@pytest.fixture
def simulations() -> int:
    if not SIMULATIONS:
        pytest.skip("BLEUET_SIMULATIONS is not set")
    return SIMULATIONS


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
def test_equal_systems(layout: str, simulations: int) -> None:
    rng = np.random.default_rng(6)
    found = dict.fromkeys((*TESTS, "default", "interval"), 0)
    for seed in range(simulations):
        systems = made(LAYOUTS[layout], 1, rng)
        default = default_test(systems)
        for test in TESTS:
            settings = TestSettings(test=test, draws=1000, seed=seed)
            (one,) = paired_test(systems, settings).comparisons
            found[test] += one.is_significant(ALPHA)
            found["default"] += test == default and one.is_significant(ALPHA)
        assert one.interval is not None
        found["interval"] += one.interval[0] <= 0 <= one.interval[1]
    rates = {name: number / simulations for name, number in found.items()}
    print(layout, f"effective number {effective_rows(systems.unit_tables()):.1f}", rates)
    error = 3 * (ALPHA * (1 - ALPHA) / simulations) ** 0.5
    assert rates["randomization"] <= ALPHA + error
    assert rates["default"] <= 0.06 + error
    if effective_number(LAYOUTS[layout]) >= ENOUGH_EFFECTIVE:
        assert rates["interval"] >= 0.93 - error


@pytest.mark.long
@pytest.mark.parametrize("layout", ["99 of 3 and 1 of 300", "100 of 3 and 10 of 60", "100 of 6"])
def test_equal_systems_of_several_runs(layout: str, simulations: int) -> None:
    rng = np.random.default_rng(7)
    rejected = covered = 0
    for seed in range(simulations):
        settings = TestSettings(test="welch", draws=500, seed=seed)
        (one,) = paired_test(made(LAYOUTS[layout], RUNS, rng), settings).comparisons
        assert one.interval is not None
        rejected += one.is_significant(ALPHA)
        covered += one.interval[0] <= 0 <= one.interval[1]
    print(layout, "welch", rejected / simulations, "interval", covered / simulations)
    assert rejected / simulations <= 0.06 + 3 * (ALPHA * (1 - ALPHA) / simulations) ** 0.5


# --- Where the effective number is used -----------------------------------------------------------

FEW = "100 documents of unequal size count as 4, too few for a bootstrap"
SIZES = [3] * 99 + [300]
DOCUMENTS = [name for name, size in enumerate(SIZES) for _ in range(size)]


@cache
def unequal() -> Evaluation:
    """Two systems on the layout with a large document, with a metric of words and one of means."""
    systems, references = texts(sum(SIZES), seed=3)
    two = {name: systems[name] for name in ("one", "two")}
    return Evaluation.count([TER(), make_metric("rouge")], two, references).replace(
        documents=DOCUMENTS
    )


def test_the_effective_number_is_kish_s() -> None:
    for sizes in ([1, 1, 1], [4, 1], SIZES):
        expected = sum(sizes) ** 2 / sum(size**2 for size in sizes)
        assert effective_number(sizes) == expected
    assert effective_number([0, 0]) == 0
    # A mean of segments counts segments; other metrics count words.
    mean = make_metric("rouge").count(["a"] * 3, ["a", "a b", "a b c d e f g h"])
    assert effective_rows([mean]) == 3
    words = TER().count(["a"] * 3, ["a", "a b", "a b c d e f g h"])
    assert effective_rows([words]) == pytest.approx(11**2 / (1 + 4 + 64))
    # That of the least even table.
    assert effective_rows([mean, words]) == effective_rows([words])


def test_the_default_test_of_unequal_documents_is_a_randomization() -> None:
    results = paired_test(unequal(), TestSettings(draws=99))
    assert results.test == "randomization"
    note = f"{FEW}, so the test is a randomization, and intervals are too narrow."
    assert results.to_text().count(note) == 1
    assert results.detectable("TER") is None
    equal = unequal().replace(documents=[place % 100 for place in range(len(DOCUMENTS))])
    other = paired_test(equal, TestSettings(draws=99))
    assert other.test == "bootstrap"
    assert "too few" not in other.to_text()
    assert other.detectable("TER")


def test_a_bootstrap_of_unequal_documents_has_a_note() -> None:
    results = paired_test(unequal(), TestSettings(test="bootstrap", draws=99))
    assert f"{FEW}, which finds differences too often" in results.to_text()


def test_intervals_of_unequal_documents_have_a_note() -> None:
    text = score_intervals(unequal(), IntervalSettings(draws=99)).to_text()
    assert f"{FEW}, whose intervals are too narrow: use 100 or more of similar size." in text


def test_an_interval_of_unequal_documents_warns() -> None:
    table = unequal().tables["one"][0]
    with pytest.warns(FewSegmentsWarning, match=FEW):
        bootstrap_interval(TER(), table, IntervalSettings(draws=9), documents=DOCUMENTS)


def test_a_long_segment_among_short_ones_counts_like_a_document() -> None:
    rng = random.Random(4)
    references = [" ".join(rng.choices(WORDS, k=3000 if n == 0 else 10)) for n in range(150)]
    systems = {
        name: [" ".join(w if rng.random() > 0.2 else "x" for w in r.split()) for r in references]
        for name in ("old", "new")
    }
    found = Evaluation.count([TER(), make_metric("rouge")], systems, references)
    assert default_test(found) == "randomization"
    note = "TER: 150 segments of unequal size count as 2, too few for a bootstrap"
    assert note in paired_test(found, TestSettings(draws=99)).to_text()
    # Sentences of usual lengths stay enough.
    assert default_test(counted(100)) == "bootstrap"


def test_the_gate_uses_the_effective_number() -> None:
    found = gate_systems(unequal(), Limits(), TestSettings(draws=999))
    assert found.test == "randomization"
    assert found.note == f"{FEW}, so the test is a randomization."
    possible = gate_systems(
        unequal(), Limits(1, fail_on="possible"), TestSettings(test="bootstrap", draws=999)
    )
    assert possible.note.startswith(f"{FEW}, whose intervals are too narrow")


def test_a_leaderboard_uses_the_effective_number() -> None:
    rng = np.random.default_rng(1)
    human = rng.normal(size=(3, len(DOCUMENTS)))
    metrics = [MetricScores("m", matrix(human + rng.normal(size=human.shape)))]
    settings = AgreementSettings(draws=9, documents=DOCUMENTS)
    board = leaderboard(HumanScores(scores=matrix(human)), metrics, ["tau"], settings)
    assert f"{FEW}, whose intervals are too narrow" in board.to_text()
