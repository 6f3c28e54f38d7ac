"""How often each test finds a difference between equal systems, on real translations.

Two systems are made equal by exchanging half of their segments at random. Slow, so skipped unless
BLEUET_SIMULATIONS is set, to 500 or more.
"""

from __future__ import annotations

import os
import random
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import BLEU, Table
from bleuet.significance import Evaluation, TestSettings, paired_test
from bleuet.significance.settings import (
    BOOTSTRAP,
    MULTEVAL_RANDOMIZATION,
    RANDOMIZATION,
    SACREBLEU_BOOTSTRAP,
    SACREBLEU_RANDOMIZATION,
    WELCH,
)

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

SIMULATIONS = int(os.environ.get("BLEUET_SIMULATIONS", "0"))
NAMES = ("online-A", "online-B", "KIT_primary", "QUAERO_primary", "cu-3", "JHU")
TESTS = (BOOTSTRAP, RANDOMIZATION, SACREBLEU_BOOTSTRAP, SACREBLEU_RANDOMIZATION)
DRAWS = 1000
ALPHA = 0.05
RUNS = 3
DOCUMENT = 20  # segments
# Runs of different quality: of how many a system's are drawn, and how many words the worst lacks.
POOL, LARGEST_LOSS = 24, 0.1

pytestmark = [pytest.mark.long, pytest.mark.data]


@pytest.fixture(autouse=True)
def _simulations() -> None:
    if not SIMULATIONS:
        pytest.skip("BLEUET_SIMULATIONS is not set")


@pytest.fixture(scope="module")
def tables(evaluation_data: EvaluationData) -> list[list[Table]]:
    """The tables of each system: the output, and runs that lack a twentieth of its words."""
    folder = "data/wmt13/de-en"
    references = evaluation_data.reference(folder)
    metric = BLEU()
    return [
        [metric.count(lines, references) for lines in outputs(evaluation_data.system(folder, name))]
        for name in NAMES
    ]


def outputs(lines: list[str]) -> list[list[str]]:
    rng = random.Random(1)
    return [lines, *(without_words(lines, 0.05, rng) for _ in range(RUNS))]


def without_words(lines: list[str], loss: float, rng: random.Random) -> list[str]:
    return [" ".join(word for word in line.split() if rng.random() > loss) for line in lines]


def mixed(one: Table, other: Table, rows: Any, coin: Any) -> tuple[Table, Table]:
    """Two tables with each row from either, by a coin toss."""
    both = Table.concatenate([one, other])
    return (
        both.select((rows + coin * one.rows).tolist()),
        both.select((rows + ~coin * one.rows).tolist()),
    )


def rate(test: str, tables: list[list[Table]], segments: int, kind: str) -> float:
    """Return how often a test finds a difference between equal systems.

    Args:
        test: its name.
        tables: of each system, the table of its output and those of its runs.
        segments: the number of segments of a test set.
        kind: "segments", "runs" or "documents": what the coin is tossed for; with "documents
            ignored" the test does not know them.
    """
    metric = BLEU()
    rng = np.random.default_rng(7)
    found = 0
    for seed in range(SIMULATIONS):
        a, b = rng.choice(len(tables), 2, replace=False)
        everything = tables[0][0].rows
        if kind.startswith("documents"):
            # Neighbours, which are of the same article.
            start = rng.integers(everything - segments + 1)
            rows = np.arange(start, start + segments)
            documents = (np.arange(segments) // DOCUMENT).tolist()
            coin = rng.integers(0, 2, documents[-1] + 1).astype(bool)[documents]
        else:
            rows = rng.choice(everything, segments, replace=False)
            coin = rng.integers(0, 2, segments).astype(bool)
        own = zip(tables[a], tables[b], strict=True)
        pairs = [mixed(one, other, rows, coin) for one, other in own]
        pairs = pairs[1:] if kind == "runs" else pairs[:1]
        known = documents if kind == "documents" else None
        whole = {
            name: [Table.concatenate([pair[side] for pair in pairs])]
            for side, name in enumerate("xy")
        }
        systems = Evaluation([metric], whole, len(pairs), known)
        results = paired_test(
            systems, TestSettings(test=test, draws=DRAWS, seed=seed, correction=None)
        )
        found += results.comparisons[0].is_significant(ALPHA)
    return found / SIMULATIONS


@pytest.mark.parametrize(("test", "segments"), list(product(TESTS, (20, 100, 500, 2500))))
def test_segments(tables: list[list[Table]], test: str, segments: int) -> None:
    found = rate(test, tables, segments, "segments")
    print("segments", test, segments, found)
    error = 2 * (ALPHA * (1 - ALPHA) / SIMULATIONS) ** 0.5
    if test == RANDOMIZATION or (test == BOOTSTRAP and segments >= 500):
        assert found <= ALPHA + error
    if test == SACREBLEU_BOOTSTRAP:
        assert found > ALPHA + error  # as the guide says


@pytest.mark.parametrize("segments", [20, 100, 500, 2500])
@pytest.mark.parametrize("test", [WELCH, RANDOMIZATION, BOOTSTRAP, MULTEVAL_RANDOMIZATION])
def test_runs(tables: list[list[Table]], test: str, segments: int) -> None:
    found = rate(test, tables, segments, "runs")
    print("runs", test, segments, found)
    error = 2 * (ALPHA * (1 - ALPHA) / SIMULATIONS) ** 0.5
    if test == MULTEVAL_RANDOMIZATION:
        assert found > ALPHA + error  # as the guide says
    elif test in (WELCH, RANDOMIZATION):
        assert found <= ALPHA + error


@pytest.fixture(scope="module")
def pools(evaluation_data: EvaluationData) -> list[list[Table]]:
    """Of each system the tables of many runs, each with a loss of words of its own."""
    folder, rng = "data/wmt13/de-en", random.Random(2)
    references = evaluation_data.reference(folder)
    metric = BLEU()
    return [
        [
            metric.count(without_words(lines, rng.uniform(0, LARGEST_LOSS), rng), references)
            for _ in range(POOL)
        ]
        for name in NAMES
        for lines in [evaluation_data.system(folder, name)]
    ]


@pytest.mark.parametrize("segments", [20, 100, 500, 2500])
@pytest.mark.parametrize("number", [2, 3, 5])
def test_varying_runs(pools: list[list[Table]], number: int, segments: int) -> None:
    """Only Welch's test holds its level where the runs of a system differ in quality."""
    metric, rng = BLEU(), np.random.default_rng(9)
    tests = (WELCH, RANDOMIZATION, BOOTSTRAP)
    found = dict.fromkeys(tests, 0)
    for seed in range(SIMULATIONS):
        a, b = rng.choice(len(pools), 2, replace=False)
        rows = rng.choice(pools[0][0].rows, segments, replace=False)
        coin = rng.integers(0, 2, segments).astype(bool)
        of_each = np.split(rng.choice(POOL, 2 * number, replace=False), 2)
        runs = {
            name: [[mixed(pools[a][run], pools[b][run], rows, coin)[side]] for run in own]
            for side, (name, own) in enumerate(zip("xy", of_each, strict=True))
        }
        systems = Evaluation.of_runs([metric], runs)
        for test in tests:
            settings = TestSettings(test=test, draws=DRAWS, seed=seed, correction=None)
            (one,) = paired_test(systems, settings).comparisons
            found[test] += one.is_significant(ALPHA)
    rates = {test: number / SIMULATIONS for test, number in found.items()}
    print(number, "varying runs", segments, rates)
    error = 3 * (ALPHA * (1 - ALPHA) / SIMULATIONS) ** 0.5
    # Two runs say little about others, so that the degrees of freedom are uncertain.
    assert rates[WELCH] <= ALPHA + error + (0.02 if number == 2 else 0)
    if segments >= 500:
        assert rates[RANDOMIZATION] > ALPHA + error  # as the guide says


@pytest.mark.parametrize("kind", ["documents", "documents ignored"])
@pytest.mark.parametrize("segments", [100, 500, 2500])
@pytest.mark.parametrize("test", TESTS)
def test_documents(tables: list[list[Table]], test: str, segments: int, kind: str) -> None:
    found = rate(test, tables, segments, kind)
    print(kind, test, segments, found)
    error = 2 * (ALPHA * (1 - ALPHA) / SIMULATIONS) ** 0.5
    if test == RANDOMIZATION and kind == "documents":
        assert found <= ALPHA + error


@pytest.mark.parametrize("segments", [250, 1000])
def test_power_is_as_stated(tables: list[list[Table]], segments: int) -> None:
    """Test sets drawn from the segments state the power of the difference on all segments."""
    metric = BLEU()
    rng = np.random.default_rng(8)
    scores = [metric.score(own[0].totals()).score for own in tables]
    errors, medians = [], []
    for a, b in combinations(range(len(tables)), 2):
        difference = scores[b] - scores[a]
        better = NAMES[b] if difference > 0 else NAMES[a]
        shown, stated = 0, []
        for seed in range(SIMULATIONS // 5):
            rows = rng.integers(0, tables[a][0].rows, segments).tolist()
            own = {NAMES[at]: [tables[at][0].select(rows)] for at in (a, b)}
            results = paired_test(
                Evaluation([metric], own), TestSettings(test=BOOTSTRAP, draws=DRAWS, seed=seed)
            )
            (found,) = results.comparisons
            shown += found.is_significant(ALPHA) and found.better == better
            stated.append(results.power("BLEU", difference) or 0.0)
        share = shown / (SIMULATIONS // 5)
        low, median, high = np.quantile(stated, (0.05, 0.5, 0.95))
        print(segments, NAMES[a], NAMES[b], f"{difference:.2f} {share:.2f}", low, median, high)
        errors += [abs(one - share) for one in stated]
        medians.append(abs(median - share))
    print(segments, "mean error", np.mean(errors), "90%", np.quantile(errors, 0.9), max(medians))
    assert np.quantile(errors, 0.9) <= 0.15
    # Three standard errors of a share of 100 test sets are 0.15.
    assert max(medians) <= 0.15
