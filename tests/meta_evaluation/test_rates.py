"""How often tests find a difference of equal metrics, and how often intervals hold the truth.

The tables of the guide. BLEUET_SIMULATIONS is the number of simulations.
"""

from __future__ import annotations

import os
from typing import TypeAlias

import numpy as np
import pytest

from bleuet.meta_evaluation import AgreementSettings, ScoreMatrix, agreement, compare_metrics
from tests.meta_evaluation.scores import matrix

SIMULATIONS = int(os.environ.get("BLEUET_SIMULATIONS", "150"))
pytestmark = pytest.mark.long
DOCUMENTS = np.repeat(np.arange(20), 8)


@pytest.mark.parametrize(("statistic", "test"), [("tau", "perm-both"), ("acc-eq", "perm-pairs")])
def test_documents_keep_the_rate_of_rejections(statistic: str, test: str) -> None:
    """The segments of a document have a part in common, in human scores and in metrics."""
    rng = np.random.default_rng(1)
    rejected = {False: 0, True: 0}
    for number in range(SIMULATIONS):
        common = rng.normal(size=(3, 4, 20))[:, :, DOCUMENTS]
        human = np.round(rng.normal(size=(4, 160)) + common[0])
        metrics = [matrix(human + rng.normal(size=human.shape) + 2 * one) for one in common[1:]]
        for named in rejected:
            settings = AgreementSettings(
                test=test,
                trials=99,
                seed=number,
                documents=DOCUMENTS.tolist() if named else None,
            )
            found = compare_metrics(statistic, matrix(human), metrics[0], metrics[1], settings)
            rejected[named] += found.p_value <= 0.05
    deviation = (0.05 * 0.95 / SIMULATIONS) ** 0.5
    assert rejected[True] / SIMULATIONS < 0.05 + 3 * deviation
    assert rejected[False] / SIMULATIONS > 0.05 + 3 * deviation


SEGMENTS = 100


Three: TypeAlias = tuple[ScoreMatrix, ScoreMatrix, ScoreMatrix]


def exchangeable(systems: int, segments: int, rng: np.random.Generator) -> Three:
    """Human scores of few grades, and two metrics that are equally good."""
    qualities = 0.3 * rng.normal(size=(systems, 1)) + rng.normal(size=segments)
    human = np.round(qualities + rng.normal(size=(systems, segments)))
    one, other = human + 1.5 * rng.normal(size=(2, systems, segments))
    return matrix(human), matrix(one), matrix(other)


@pytest.mark.parametrize("systems", [4, 8, 12])
def test_exchangeable_metrics_by_acc_eq(systems: int) -> None:
    """Pairs of a segment have systems in common, so decisions are exchanged by segment."""
    rng = np.random.default_rng(3)
    rejected = dict.fromkeys(("perm-pairs", "perm-segments"), 0)
    for number in range(SIMULATIONS):
        scores = exchangeable(systems, SEGMENTS, rng)
        for test in rejected:
            settings = AgreementSettings(test=test, trials=199, seed=number)
            rejected[test] += compare_metrics("acc-eq", *scores, settings).p_value <= 0.05
    rates = {test: number / SIMULATIONS for test, number in rejected.items()}
    print(systems, "systems, acc-eq of equal metrics:", rates)
    error = 3 * (0.05 * 0.95 / SIMULATIONS) ** 0.5
    assert rates["perm-segments"] <= 0.05 + error
    if systems >= 8:
        assert rates["perm-pairs"] > 0.05 + error  # as the guide says


@pytest.mark.parametrize("systems", [4, 8, 20])
def test_exchangeable_metrics_by_williams(systems: int) -> None:
    rng = np.random.default_rng(6)
    rejected = 0
    for _ in range(10 * SIMULATIONS):
        human = rng.normal(size=(systems, 1))
        one, other = human + 0.5 * rng.normal(size=(2, systems, 1))
        settings = AgreementSettings(test="williams")
        scores = matrix(human), matrix(one), matrix(other)
        rejected += compare_metrics("system-pearson", *scores, settings).p_value <= 0.05
    rate = rejected / (10 * SIMULATIONS)
    print(systems, "systems, williams:", rate)
    assert rate <= 0.05 + 3 * (0.05 * 0.95 / SIMULATIONS / 10) ** 0.5


@pytest.mark.parametrize("systems", [4, 8])
def test_exchangeable_metrics_by_perm_both(systems: int) -> None:
    """It selects epsilon again in each trial, which is slow."""
    rng = np.random.default_rng(4)
    rejected = 0
    for number in range(SIMULATIONS):
        scores = exchangeable(systems, 40, rng)
        settings = AgreementSettings(trials=99, seed=number)
        rejected += compare_metrics("acc-eq", *scores, settings).p_value <= 0.05
    print(systems, "systems, acc-eq by perm-both:", rejected / SIMULATIONS)
    assert rejected / SIMULATIONS <= 0.05 + 3 * (0.05 * 0.95 / SIMULATIONS) ** 0.5


def made(systems: int, r: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Scores of systems of true qualities with a correlation, on segments of a difficulty each."""
    qualities = rng.multivariate_normal([0, 0], [[1, r], [r, 1]], size=systems).T
    difficulty = rng.normal(size=(2, 1, SEGMENTS))
    noise = 3 * rng.normal(size=(2, systems, SEGMENTS))
    return list(qualities[:, :, None] + difficulty + noise)


def expected(statistic: str, systems: int, r: float) -> float | None:
    """The value of a statistic on average over such systems and segments, None if unknown."""
    r /= 1 + 9 / SEGMENTS  # as noise weakens it
    return {
        "system-pearson": r,
        "system-spearman": 6
        / ((systems + 1) * np.pi)
        * (np.arcsin(r) + (systems - 2) * np.arcsin(r / 2)),
        "system-tau": 2 / np.pi * np.arcsin(r),
        "system-accuracy": 0.5 + np.arcsin(r) / np.pi,
    }.get(statistic)


CASES = [(systems, r) for systems in (8, 12, 20) for r in (0.5, 0.8, 0.95)]


# All cases for the guide; else the ends of both together, and the middle.
@pytest.mark.parametrize(
    ("systems", "r"), CASES if "BLEUET_SIMULATIONS" in os.environ else CASES[::2]
)
def test_intervals_of_systems_hold_the_truth(systems: int, r: float) -> None:
    rng = np.random.default_rng(2)
    settings = AgreementSettings(draws=400)
    names = ["system-pearson", "system-spearman", "system-tau", "system-accuracy", "spa"]
    found: dict[str, list[tuple[float | None, ...]]] = {name: [] for name in names}
    below = 0
    for number in range(SIMULATIONS):
        human, metric = made(systems, r, rng)
        for name in names:
            one = agreement(name, matrix(human), matrix(metric), settings.replace(seed=number))
            found[name].append((one.low, one.high, one.value))
        # The interval of draws of segments, for the correlation on any number of segments.
        drawn = rng.integers(0, SEGMENTS, size=(200, SEGMENTS))
        means = [one[:, drawn].mean(axis=2).T for one in (human, metric)]
        values = [np.corrcoef(a, b)[0, 1] for a, b in zip(*means, strict=True)]
        below += np.quantile(values, 0.975) < r
    rates = {}
    for name, own in found.items():
        low, high, value = np.array(own, dtype=float).T
        truth = expected(name, systems, r)
        truth = value.mean() if truth is None else truth
        rates[name] = float(((low <= truth) & (truth <= high)).mean())
    print(systems, r, rates, "below, if segments are drawn:", below / SIMULATIONS)
    error = 3 * (0.05 * 0.95 / SIMULATIONS) ** 0.5
    least = 0.92 if systems > 8 else 0.85
    assert min(rates.values()) >= least - error
