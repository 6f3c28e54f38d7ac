"""Simulations: intervals contain the truth, and tests reject a true null hypothesis, as documented.

Slow, so skipped unless BLEUET_SIMULATIONS is set: to 1000 or more, for the bounds are narrow.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from bleuet import BLEU, Table
from bleuet.significance import (
    Evaluation,
    IntervalSettings,
    PairedResults,
    TestSettings,
    bootstrap_interval,
    compare_blocks,
    paired_test,
)
from bleuet.significance.few_segments import ENOUGH
from bleuet.significance.paired import paired_approximate_randomization, paired_bootstrap
from bleuet.significance.testing import default_draws

SIMULATIONS = int(os.environ.get("BLEUET_SIMULATIONS", "0"))
POPULATION = 100_000  # segments of the language, of which a test set is a draw
SEGMENTS = 500

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _simulations(recwarn: pytest.WarningsRecorder) -> None:
    """Of few segments the tests warn."""
    if not SIMULATIONS:
        pytest.skip("BLEUET_SIMULATIONS is not set")


@cache
def bleu() -> BLEU:
    return BLEU()


def population(quality: float, lengths: Any, easiness: Any, rng: Any) -> Any:
    """Return BLEU's statistics of a system for the population, column after column.

    Whether an n-gram matches depends on the system, on the segment and on chance; the two systems
    share the segment, as real systems do.
    """
    hypothesis = np.maximum(4, lengths + rng.integers(-3, 3, len(lengths)))
    chance = 1 / (1 + np.exp(-(quality + easiness + rng.normal(0, 0.4, len(lengths)))))
    totals = [hypothesis - n for n in range(4)]
    matches = [rng.binomial(np.minimum(hypothesis, lengths), chance)]
    for n in range(1, 4):
        longer = rng.binomial(matches[-1], 0.95 * np.sqrt(chance))
        matches.append(np.minimum(longer, totals[n]))
    return np.stack([hypothesis, lengths, *matches, *totals]).astype(np.int64)


def table_of(rows: Any) -> Table:
    return Table(bleu().integer_columns, (), rows.shape[1], np.ascontiguousarray(rows), b"")


def score_of(rows: Any) -> float:
    return bleu().score(table_of(rows).totals()).score


class Stated(NamedTuple):
    """How many test sets of a size showed a difference, and the power that each stated."""

    shown: float
    own: list[float]
    of_twice: list[float]


class Rates(NamedTuple):
    """The share of simulations in which each thing happened."""

    score_covered: float
    difference_covered: float
    randomization_rejected: float
    ties_counted_rejected: float
    two_sided_bootstrap_rejected: float
    bootstrap_rejected: float
    bootstrap_drops: float
    two_sided_bootstrap_drops: float


def simulate(number: int, segments: int = SEGMENTS) -> Rates:
    rng = np.random.default_rng(20)
    lengths, easiness = rng.integers(5, 40, POPULATION), rng.normal(0, 0.5, POPULATION)
    one, other = (population(quality, lengths, easiness, rng) for quality in (0.8, 0.86))
    truth, difference = score_of(one), score_of(other) - score_of(one)
    counts = np.zeros(len(Rates._fields))
    for seed in range(number):
        test_set = rng.integers(0, POPULATION, segments)
        a, b = one[:, test_set], other[:, test_set]
        interval = bootstrap_interval(bleu(), table_of(a), IntervalSettings(seed=seed))
        found = bootstrapped(a, b, seed)
        # Two equal systems: each segment comes from either of two systems, by a coin toss.
        coin = rng.integers(0, 2, segments).astype(bool)
        x, y = np.where(coin, a, b), np.where(coin, b, a)
        same = Evaluation([bleu()], {"x": [table_of(x)], "y": [table_of(y)]})
        sure = {name: is_sure(tested(same, name, seed)) for name in TESTS}
        drop = tested(same, "bootstrap", seed).comparisons[0].difference < 0
        counts += [
            interval.low <= truth <= interval.high,
            found.low <= difference <= found.high,
            sure["sacrebleu-randomization"],
            sure["randomization"],
            sure["bootstrap"],
            sure["sacrebleu-bootstrap"],
            sure["sacrebleu-bootstrap"] and drop,
            sure["bootstrap"] and drop,
        ]
    return Rates(*(counts / number).tolist())


def is_sure(results: PairedResults) -> bool:
    (found,) = results.comparisons
    return found.better is not None and found.is_significant()


# Each test by its name in the documentation.
TESTS = ("randomization", "sacrebleu-randomization", "bootstrap", "sacrebleu-bootstrap")


def tested(systems: Evaluation, test: str, seed: int) -> PairedResults:
    settings = TestSettings(test=test, draws=1000, seed=seed)
    if test.endswith("bootstrap"):
        return paired_bootstrap(systems, settings)
    return paired_approximate_randomization(systems, settings)


def rejections(number: int, differ: int) -> dict[str, tuple[float, float]]:
    """Return how often each test finds a difference, and how often a drop, in equal systems.

    Only some segments differ, each of which comes from either system by a coin toss.
    """
    rng = np.random.default_rng(20)
    lengths, easiness = rng.integers(5, 40, POPULATION), rng.normal(0, 0.5, POPULATION)
    one, other = (population(quality, lengths, easiness, rng) for quality in (0.8, 0.86))
    counts = {name: np.zeros(2) for name in TESTS}
    for seed in range(number):
        test_set = rng.integers(0, POPULATION, SEGMENTS)
        a, b = one[:, test_set], other[:, test_set].copy()
        b[:, differ:] = a[:, differ:]
        coin = rng.integers(0, 2, SEGMENTS).astype(bool)
        sides = np.where(coin, a, b), np.where(coin, b, a)
        tables = {name: [table_of(rows)] for name, rows in zip("xy", sides, strict=True)}
        systems = Evaluation([bleu()], tables)
        for name in TESTS:
            results = tested(systems, name, seed)
            sure = is_sure(results)
            counts[name] += [sure, sure and results.comparisons[0].difference < 0]
    return {name: tuple((both / number).tolist()) for name, both in counts.items()}


def bootstrapped(a: Any, b: Any, seed: int) -> Any:
    systems = Evaluation([bleu()], {"a": [table_of(a)], "b": [table_of(b)]})
    return tested(systems, "bootstrap", seed).comparisons[0]


@pytest.fixture(scope="module")
def rates() -> Rates:
    found = simulate(SIMULATIONS)
    print(found)
    return found


def test_intervals_contain_the_truth(rates: Rates) -> None:
    assert 0.93 <= rates.score_covered <= 0.97
    assert 0.93 <= rates.difference_covered <= 0.97


def test_a_true_null_is_rejected_as_often_as_alpha(rates: Rates) -> None:
    assert 0.04 <= rates.randomization_rejected <= 0.06
    assert 0.04 <= rates.two_sided_bootstrap_rejected <= 0.06


def test_sacrebleus_bootstrap_rejects_it_twice_as_often(rates: Rates) -> None:
    """The reason for the two-sided test, and what the documentation warns of."""
    assert 0.08 <= rates.bootstrap_rejected <= 0.12


@pytest.mark.parametrize("differ", [500, 100, 20, 10, 5, 3, 1])
def test_changes_of_few_segments(differ: int) -> None:
    found = rejections(SIMULATIONS, differ)
    print(differ, found)
    assert all(found[name][0] <= 0.06 for name in ("randomization", "bootstrap"))
    # In a gate only drops count, which are half of the differences.
    assert all(found[name][1] <= 0.04 for name in ("randomization", "bootstrap"))
    assert found["sacrebleu-bootstrap"][1] <= 0.07
    if differ <= 3:
        assert found["sacrebleu-randomization"][0] > 0.2


@pytest.mark.parametrize("segments", [2, 3, 4, 5, 10, 20, 50, ENOUGH])
def test_a_handful_of_segments(segments: int) -> None:
    found = simulate(SIMULATIONS, segments)
    print(segments, found)
    assert found.ties_counted_rejected <= 0.06
    if segments < ENOUGH:
        # Otherwise the warning would begin at too many segments.
        assert found.two_sided_bootstrap_rejected > 0.05
        assert found.bootstrap_drops > 0.05
        assert found.two_sided_bootstrap_drops > 0.025
        assert found.difference_covered < 0.95
    else:
        assert 0.93 <= found.score_covered <= 0.97
        assert 0.93 <= found.difference_covered <= 0.97
        assert found.two_sided_bootstrap_rejected <= 0.07
        assert found.bootstrap_drops <= 0.07
        assert found.two_sided_bootstrap_drops <= 0.04


@pytest.mark.parametrize("segments", [100, SEGMENTS])
def test_blocks_keep_the_level(segments: int) -> None:
    rng = np.random.default_rng(22)
    lengths, easiness = rng.integers(5, 40, POPULATION), rng.normal(0, 0.5, POPULATION)
    one, other = (population(quality, lengths, easiness, rng) for quality in (0.8, 0.86))
    found = 0
    for _ in range(SIMULATIONS):
        test_set = rng.integers(0, POPULATION, segments)
        coin = rng.integers(0, 2, segments).astype(bool)
        a, b = one[:, test_set], other[:, test_set]
        x, y = np.where(coin, a, b), np.where(coin, b, a)
        found += compare_blocks(bleu(), table_of(x), table_of(y)).p_value < 0.05
    print(segments, "blocks", found / SIMULATIONS)
    assert found / SIMULATIONS <= 0.05 + 3 * (0.05 * 0.95 / SIMULATIONS) ** 0.5


@pytest.fixture(scope="module")
def stated() -> dict[int, Stated]:
    """By the number of segments, the power of a true difference and what test sets state of it."""
    if not SIMULATIONS:
        pytest.skip("BLEUET_SIMULATIONS is not set")
    rng = np.random.default_rng(20)
    lengths, easiness = rng.integers(5, 40, POPULATION), rng.normal(0, 0.5, POPULATION)
    one, other = (population(quality, lengths, easiness, rng) for quality in (0.8, 0.86))
    difference = score_of(other) - score_of(one)
    found = {}
    for segments in (125, 250, SEGMENTS, 1000):
        shown, own, scaled = 0, [], []
        for seed in range(SIMULATIONS):
            test_set = rng.integers(0, POPULATION, segments)
            systems = Evaluation(
                [bleu()],
                {"a": [table_of(one[:, test_set])], "b": [table_of(other[:, test_set])]},
            )
            results = paired_bootstrap(systems, TestSettings(test="bootstrap", seed=seed))
            shown += is_sure(results) and results.comparisons[0].better == "b"
            own.append(results.power("BLEU", difference) or 0)
            scaled.append(results.power("BLEU", difference, 2 * segments) or 0)
        found[segments] = Stated(shown / SIMULATIONS, own, scaled)
    for segments, of_size in found.items():
        print(segments, f"{of_size.shown:.3f}", *np.quantile(of_size.own, (0.5, 0.05, 0.95)))
        print("  stated of twice", *np.quantile(of_size.of_twice, (0.5, 0.05, 0.95)))
    print("difference", difference)
    return found


@pytest.mark.parametrize("segments", [125, 250, 500, 1000])
def test_power_is_as_stated(stated: dict[int, Stated], segments: int) -> None:
    """Nine of ten test sets state the power within 12 points of what a simulation finds."""
    found = stated[segments]
    # Three standard errors of the simulated share.
    error = 3 * (found.shown * (1 - found.shown) / SIMULATIONS) ** 0.5
    assert np.median(found.own) == pytest.approx(found.shown, abs=0.03 + error)
    assert np.quantile(np.abs(np.array(found.own) - found.shown), 0.9) <= 0.12
    if 2 * segments in stated:
        twice = stated[2 * segments].shown
        assert np.median(found.of_twice) == pytest.approx(twice, abs=0.03 + error)
        assert np.quantile(np.abs(np.array(found.of_twice) - twice), 0.9) <= 0.12


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_draws_that_are_added_near_the_limit_keep_the_level(test: str) -> None:
    """Which numbers of draws are made depends on p, which must not make findings more frequent."""
    rng = np.random.default_rng(21)
    lengths, easiness = rng.integers(5, 40, POPULATION), rng.normal(0, 0.5, POPULATION)
    one, other = (population(quality, lengths, easiness, rng) for quality in (0.8, 0.86))
    found = added = 0
    for seed in range(SIMULATIONS):
        test_set = rng.integers(0, POPULATION, SEGMENTS)
        coin = rng.integers(0, 2, SEGMENTS).astype(bool)
        a, b = one[:, test_set], other[:, test_set]
        x, y = np.where(coin, a, b), np.where(coin, b, a)
        same = Evaluation([bleu()], {"x": [table_of(x)], "y": [table_of(y)]})
        results = paired_test(same, TestSettings(test=test, seed=seed))
        found += is_sure(results)
        added += (results.settings.draws or 0) > default_draws(test, 1)
    print(test, "found", found / SIMULATIONS, "added", added / SIMULATIONS)
    assert 0.03 <= found / SIMULATIONS <= 0.07
