"""Mixed-effects models equal published figures, and exact tests where designs are balanced."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats as stats  # type: ignore[import-untyped]

from bleuet import InputError
from bleuet.meta_evaluation import (
    AgreementSettings,
    HumanScores,
    ScoreMatrix,
    mixed_effects,
    rank_systems,
)
from bleuet.meta_evaluation.mixed_effects import MixedModel, crossed

# Yield of dyestuff from six batches (Davies 1947), and the REML fit of lme4 in Bates et al.,
# "lme4: Mixed-effects modeling with R", chapter 1.
DYESTUFF = [
    [1545, 1440, 1440, 1520, 1580],
    [1540, 1555, 1490, 1560, 1495],
    [1595, 1550, 1605, 1510, 1560],
    [1445, 1440, 1595, 1465, 1545],
    [1595, 1630, 1515, 1635, 1625],
    [1520, 1455, 1450, 1480, 1445],
]


def test_published_fit() -> None:
    yields = np.array(DYESTUFF, dtype=np.float64).ravel()
    batch = np.repeat(np.arange(6), 5)
    model = MixedModel(yields, np.zeros(30, dtype=np.int64), {"batch": batch})
    found = model.fit()
    assert model.deviance(found.ratios**2) == pytest.approx(319.6543, abs=5e-5)
    assert found.deviations["batch"] == pytest.approx(42.001, abs=1e-3)
    assert found.deviations["residual"] == pytest.approx(49.510, abs=1e-3)
    assert found.estimates == pytest.approx([1527.5])
    one = np.ones(1)
    assert found.error_of(one) == pytest.approx(19.383, abs=1e-3)
    # The mean of a balanced design has one degree of freedom less than there are batches.
    assert found.freedom_of(one[None]) == pytest.approx([5], rel=1e-4)


def scores_of(systems: int, segments: int, seed: int) -> ScoreMatrix:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(systems, segments)) + 2 * rng.normal(size=segments)
    values += 0.2 * np.arange(systems)[:, None]
    return ScoreMatrix(tuple(f"s{i}" for i in range(systems)), values)


MIXED = AgreementSettings(rank_systems="mixed-effects")


@pytest.mark.parametrize("seed", range(5))
def test_two_systems_have_the_paired_t_test(seed: int) -> None:
    scores = scores_of(2, 40, seed)
    best, other = rank_systems(HumanScores(scores=scores), MIXED).systems
    rows = [scores.values[scores.systems.index(one.system)] for one in (best, other)]
    test = stats.ttest_rel(*rows)
    low, high = test.confidence_interval(0.95)
    assert other.p_value == pytest.approx(test.pvalue, rel=1e-4)
    assert other.difference == pytest.approx(np.subtract(*rows).mean())
    assert other.low == pytest.approx(low, rel=1e-4, abs=1e-6)
    assert other.high == pytest.approx(high, rel=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_several_systems_have_the_error_of_the_analysis_of_variance(seed: int) -> None:
    systems, segments = 4, 25
    scores = scores_of(systems, segments, seed)
    values = scores.values
    rest = values - values.mean(axis=0) - values.mean(axis=1)[:, None] + values.mean()
    free = (systems - 1) * (segments - 1)
    error = (2 * (rest**2).sum() / free / segments) ** 0.5
    best, *others = rank_systems(HumanScores(scores=scores), MIXED).systems
    for one in others:
        assert one.difference is not None
        assert one.difference == pytest.approx(best.score - one.score)
        p = 2 * stats.t.sf(one.difference / error, free)
        assert one.p_value == pytest.approx(p, rel=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_documents_are_the_error_if_differences_vary_between_them(seed: int) -> None:
    """Of a balanced split-plot design, the means of documents have the exact paired t-test."""
    rng = np.random.default_rng(seed)
    documents, size = 12, 5
    values = rng.normal(size=(2, documents * size))
    values += np.repeat(2 * rng.normal(size=(2, documents)), size, axis=1)
    # With an effect of documents of 0 the test would pool it, which the paired t-test does not.
    values += np.repeat(6 * rng.normal(size=documents), size)
    scores = ScoreMatrix(("a", "b"), values)
    names = [f"d{i // size}" for i in range(documents * size)]
    settings = MIXED.replace(documents=names)
    found = rank_systems(HumanScores(scores=scores), settings)
    assert found.deviations["system and document"] > 0.5
    means = values.reshape(2, documents, size).mean(axis=2)
    expected = stats.ttest_rel(*means)
    assert found.systems[1].p_value == pytest.approx(expected.pvalue, rel=1e-3)
    # Without documents, segments count as independent.
    alone = rank_systems(HumanScores(scores=scores), MIXED)
    assert alone.systems[1].p_value is not None
    assert alone.systems[1].p_value < expected.pvalue


def test_the_order_of_effects_and_scores_means_nothing() -> None:
    rng = np.random.default_rng(7)
    count = 200
    system, rater, segment = (rng.integers(0, n, count) for n in (3, 5, 30))
    scores = rng.normal(size=count) + rng.normal(size=5)[rater] + rng.normal(size=30)[segment]
    effects = {"rater": rater, "segment": segment, "both": crossed(system, rater)}
    one = MixedModel(scores, system, effects).fit()
    order = rng.permutation(count)
    turned = {name: levels[order] for name, levels in reversed(effects.items())}
    other = MixedModel(scores[order], system[order], turned).fit()
    assert other.estimates == pytest.approx(one.estimates, abs=1e-6)
    assert other.covariance == pytest.approx(one.covariance, abs=1e-6)


def test_the_criterion_is_that_of_the_whole_covariance_matrix() -> None:
    """The REML criterion by its definition, with the covariance matrix of all scores."""
    rng = np.random.default_rng(3)
    count = 60
    system, rater, segment = (rng.integers(0, n, count) for n in (3, 4, 10))
    scores = rng.normal(size=count)
    model = MixedModel(scores, system, {"rater": rater, "segment": segment})
    fixed = np.eye(3)[system]
    for variances in ([0.3, 2.0], [0.0, 1.0], [5.0, 0.0]):
        matrix = np.eye(count)
        for variance, levels in zip(variances, (rater, segment), strict=True):
            matrix += variance * (levels[:, None] == levels)
        inverse = np.linalg.inv(matrix)
        known = fixed.T @ inverse @ fixed
        estimates = np.linalg.solve(known, fixed.T @ inverse @ scores)
        rest = scores - fixed @ estimates
        squares = rest @ inverse @ rest
        free = count - 3
        expected = np.linalg.slogdet(matrix)[1] + np.linalg.slogdet(known)[1]
        expected += free * (1 + np.log(2 * np.pi * squares / free))
        assert model.deviance(np.array(variances)) == pytest.approx(expected, abs=1e-9)


def test_too_many_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixed_effects, "MOST_LEVELS", 3)
    with pytest.raises(InputError, match="rater 4, segment 6 levels; expected no more than 3"):
        MixedModel(
            np.arange(6.0),
            np.zeros(6, dtype=np.int64),
            {"rater": np.array([0, 1, 2, 3, 0, 1]), "segment": np.arange(6)},
        )
