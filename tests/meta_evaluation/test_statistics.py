"""Every statistic equals SciPy's where SciPy has it, and its definition where SciPy has not."""

from __future__ import annotations

import warnings
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import scipy.stats as stats  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from bleuet.meta_evaluation import (
    STATISTICS,
    AgreementSettings,
    PairwiseJudgments,
    ScoreMatrix,
    agreement,
)
from bleuet.meta_evaluation.grouping import grouped
from bleuet.meta_evaluation.rounding import without_rounding
from bleuet.meta_evaluation.settings import GROUPINGS
from bleuet.meta_evaluation.statistic_options import EXCHANGES, FOLDS, StatisticOptions
from bleuet.meta_evaluation.system_agreement import random_signs, superiority
from bleuet.meta_evaluation.ties import accuracy_with_ties
from tests.effort import examples
from tests.meta_evaluation import definitions
from tests.meta_evaluation.scores import WITH_HOLES, judged, matrix, two_sides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bleuet.meta_evaluation.arrays import Floats

Judged = tuple[PairwiseJudgments, ScoreMatrix]
Sides = tuple["Floats", "Floats"]


def scipys(function: Callable[..., Any], **options: str) -> Callable[[Any, Any], float]:
    """SciPy's statistic of the members that both sides have; NaN where SciPy rejects too few."""

    def value(human: Any, metric: Any) -> float:
        pairs = definitions.complete(human, metric)
        if len(pairs) < 2:
            return nan
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(function(*zip(*pairs, strict=True), **options)[0])

    return value


ORACLES = {
    "pearson": scipys(stats.pearsonr),
    "spearman": scipys(stats.spearmanr),
    "tau-a": definitions.tau_a,
    "tau-b": scipys(stats.kendalltau),
    "tau-c": scipys(stats.kendalltau, variant="c"),
}


SYSTEM_ORACLES: dict[str, Callable[[Any, Any], float]] = {
    "system-pearson": scipys(stats.pearsonr),
    "system-spearman": scipys(stats.spearmanr),
    "system-tau": scipys(stats.kendalltau),
    "system-accuracy": lambda human, metric: definitions.accuracy(human, metric, 0.0),
}


def triples(judgments: PairwiseJudgments, metric: ScoreMatrix) -> list[list[tuple[int, Any, Any]]]:
    """(preference, score of the first, score of the second) of each segment's judgments."""
    by_segment: list[list[tuple[int, Any, Any]]] = [[] for _ in range(metric.segments)]
    for s, a, b, preference in zip(
        judgments.segment, judgments.first, judgments.second, judgments.preference, strict=True
    ):
        by_segment[s].append((int(preference), metric.values[a, s], metric.values[b, s]))
    return by_segment


VARIANTS: dict[str, Callable[[Any], float]] = {
    "tau": definitions.chen_cherry_tau,
    "tau-wmt12": lambda rows: definitions.wmt_tau(rows, "discordant"),
    "tau-wmt13": lambda rows: definitions.wmt_tau(rows, "excluded"),
    "tau-wmt14": lambda rows: definitions.wmt_tau(rows, "counted"),
}


@pytest.mark.parametrize("statistic", VARIANTS)
@examples(40)
@given(data=judged())
def test_tau_of_judgments_is_its_definition(statistic: str, data: Judged) -> None:
    by_segment = triples(*data)
    every = [row for rows in by_segment for row in rows]
    found = agreement(statistic, *data)
    assert found.value == pytest.approx(VARIANTS[statistic](every), abs=1e-12, nan_ok=True)
    assert found.used + found.left_out + found.missing == len(every)
    values = [VARIANTS[statistic](rows) for rows in by_segment]
    by_item = agreement(statistic, data[0], data[1], AgreementSettings(grouping="item"))
    expected = definitions.mean_defined(values)
    assert by_item.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert by_item.used == sum(not isnan(value) for value in values)


def test_tau_by_hand() -> None:
    """Two right, one wrong, one metric tie, one human tie: (2.5 - 1.5) / 4."""
    rows = [(0, "a", "b"), (0, "b", "c"), (1, "a", "c"), (1, "b", "a")]
    human = PairwiseJudgments.from_better_worse(rows)
    metric = ScoreMatrix(("a", "b", "c"), np.array([[3.0, 1], [2, 1], [1, 2]]))
    values = {name: agreement(name, human, metric).value for name in VARIANTS}
    assert values == {
        "tau": (2.5 - 1.5) / 4,
        "tau-wmt12": (2 - 1 - 1) / 4,
        "tau-wmt13": (2 - 1) / 3,
        "tau-wmt14": (2 - 1) / 4,
    }


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ORACLES)
@pytest.mark.parametrize("grouping", GROUPINGS)
@examples(30)
@given(sides=two_sides(WITH_HOLES))
def test_correlations_are_scipys(statistic: str, grouping: str, sides: Sides) -> None:
    rows = [grouped(values, grouping) for values in sides]
    values = [ORACLES[statistic](*row) for row in zip(*rows, strict=True)]
    found = agreement(
        statistic, matrix(sides[0]), matrix(sides[1]), AgreementSettings(grouping=grouping)
    )
    expected = definitions.mean_defined(values)
    assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
    if grouping == "none":
        assert found.used + found.missing == sides[0].size
    else:
        assert found.used == sum(not isnan(value) for value in values)
        assert found.left_out == sum(isnan(value) for value in values)


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ORACLES)
@examples(30)
@given(sides=two_sides(WITH_HOLES))
def test_undefined_values_count_as_zero_where_wanted(statistic: str, sides: Sides) -> None:
    """As `replace_nans_with_zeros` of mt-metrics-eval: a group of one member never counts."""
    for grouping in GROUPINGS:
        rows = zip(*(grouped(values, grouping) for values in sides), strict=True)
        values = [
            0.0 if isnan(value := ORACLES[statistic](*row)) else value
            for row in rows
            if len(definitions.complete(*row)) > 1
        ]
        found = agreement(
            statistic,
            matrix(sides[0]),
            matrix(sides[1]),
            AgreementSettings(grouping=grouping, undefined_as_zero=True),
        )
        expected = definitions.mean_defined(values)
        assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
        if grouping != "none":
            assert found.used == len(values)


@pytest.mark.parametrize("statistic", ["system-pearson", "system-spearman"])
@pytest.mark.parametrize("scored", [0, 1, 2, 3, 4])
def test_a_correlation_of_systems_is_0_only_where_two_have_scores(
    statistic: str, scored: int
) -> None:
    """Where undefined correlations count as 0, and the metric cannot tell systems apart."""
    human = matrix(np.where(np.arange(4) < scored, [3.0, 1.0, 2.0, 5.0], np.nan)[:, None])
    constant = matrix(np.full((4, 1), 7.0))
    as_zero = AgreementSettings(undefined_as_zero=True)
    found = agreement(statistic, human, constant, as_zero)
    assert found.value == pytest.approx(0.0 if scored > 1 else nan, nan_ok=True)
    assert (found.used, found.missing) == (scored, 4 - scored)
    assert isnan(agreement(statistic, human, constant).value)


@pytest.mark.parametrize("power", [-60, 0, 60])
def test_what_rounding_leaves_of_0_ties_with_0(power: int) -> None:
    """Beside scores of an ordinary size, however many others are 0 or missing."""
    rest = (0.1 * 3 - 0.3) * 2.0**power
    assert rest > 0
    others = [2.0**power, nan, 2.0 ** (power + 1), nan]
    values = np.array([0, 0, 0, rest, 0, -rest, 0, *others])
    found = without_rounding(values)
    np.testing.assert_array_equal(found, [rest] * 7 + others)
    # Scores that are all as small are scores.
    alone = np.array([0, rest, -rest, nan, 2 * rest])
    np.testing.assert_array_equal(without_rounding(alone), alone)


@pytest.mark.parametrize("members", [5, 90])
def test_tau_a_of_constant_scores_is_0(members: int) -> None:
    human = matrix(np.tile(np.arange(members, dtype=float), (2, 1)))
    constant = matrix(np.vstack([np.ones(members), np.arange(members)]))
    assert agreement("tau-a", human, constant, AgreementSettings(grouping="system")).value == 0.5


@examples(60)
@given(sides=two_sides(WITH_HOLES))
def test_pairwise_pearson_is_that_of_all_differences_within_segments(sides: Sides) -> None:
    human, metric = sides
    differences = [
        (human[i, s] - human[j, s], metric[i, s] - metric[j, s])
        for s in range(human.shape[1])
        for i in range(len(human))
        for j in range(len(human))
        if i != j and not isnan(human[i, s] + human[j, s] + metric[i, s] + metric[j, s])
    ]
    expected = nan
    if differences:
        expected = scipys(stats.pearsonr)(*zip(*differences, strict=True))
    found = agreement("pairwise-pearson", matrix(human), matrix(metric))
    assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert 2 * found.used == len(differences)


ROUNDED = [name for name in STATISTICS if name != "spa"]


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ROUNDED)
@given(sides=two_sides(WITH_HOLES), number=st.integers(0, 2**32))
@examples(25)
def test_scores_that_differ_by_rounding_tie(statistic: str, sides: Sides, number: int) -> None:
    """Scores of tenths, each computed in another way, such as 0.1 + 0.2 beside 0.3."""
    rng = np.random.default_rng(number)
    rough = [4 * side / 10 + (shift := rng.normal(size=side.shape)) - shift for side in sides]
    exact = [np.round(40 * side / 10) for side in sides]
    for grouping in STATISTICS[statistic].groupings or (None,):
        found = agreement(
            statistic, matrix(rough[0]), matrix(rough[1]), AgreementSettings(grouping=grouping)
        )
        expected = agreement(
            statistic, matrix(exact[0]), matrix(exact[1]), AgreementSettings(grouping=grouping)
        )
        assert found.value == pytest.approx(expected.value, abs=1e-9, nan_ok=True)


def test_neighbouring_scores_of_single_precision_do_not_tie() -> None:
    human = matrix(np.array([[0.0], [1.0], [2.0]]))
    scores = np.float32(0.5) + np.arange(3) * np.spacing(np.float32(0.5))
    metric = matrix(scores.astype(float)[:, None])
    assert agreement("system-tau", human, metric).value == 1.0
    failed = matrix(np.array([[-1e30], [0.25], [0.5]]))  # a score that marks a failure
    assert agreement("system-tau", human, failed).value == 1.0


@pytest.mark.slow
def test_a_held_out_epsilon_is_calibrated_on_the_other_segments() -> None:
    rng = np.random.default_rng(8)
    human = rng.integers(0, 3, size=(4, 25)).astype(float)
    metric = human + rng.normal(size=human.shape)
    metric[1, 3] = nan
    parts = StatisticOptions(AgreementSettings(seed=5)).folds(25)
    assert sorted(np.bincount(parts).tolist()) == [2] * 5 + [3] * 5
    assert len(set(parts.tolist())) == FOLDS
    values, epsilons = [], []
    for segment in range(25):
        others = parts != parts[segment]
        _, epsilon = definitions.calibrated(
            human[:, others].T.tolist(), metric[:, others].T.tolist()
        )
        values.append(
            definitions.accuracy(human[:, segment].tolist(), metric[:, segment].tolist(), epsilon)
        )
        epsilons.append(epsilon)
    found = agreement(
        "acc-eq", matrix(human), matrix(metric), AgreementSettings(held_out_epsilon=True, seed=5)
    )
    assert found.value == pytest.approx(sum(values) / 25, abs=1e-12)
    assert found.epsilon == pytest.approx(np.median(epsilons))
    drawn = agreement(
        "acc-eq",
        matrix(human),
        matrix(metric),
        AgreementSettings(held_out_epsilon=True, seed=5, draws=20),
    )
    assert drawn.low is not None
    assert drawn.high is not None
    assert drawn.low < drawn.value < drawn.high


@pytest.mark.parametrize("statistic", SYSTEM_ORACLES)
@examples(40)
@given(sides=two_sides(WITH_HOLES))
def test_means_of_systems_are_of_the_rated_segments(statistic: str, sides: Sides) -> None:
    human, metric = sides[0] * 4, sides[1] * 4
    both = np.isnan(human + metric)
    rated = [np.where(both, nan, values) for values in (human, metric)]
    means = [[definitions.mean_defined(row.tolist()) for row in values] for values in rated]
    found = agreement(statistic, matrix(human), matrix(metric))
    expected = SYSTEM_ORACLES[statistic](*means)
    assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("statistic", ORACLES)
def test_long_vectors_are_scipys(statistic: str) -> None:
    rng = np.random.default_rng(7)
    human, metric = rng.integers(0, 9, size=(2, 3, 90)).astype(float)
    metric[0, :5] = nan
    found = agreement(
        statistic, matrix(human), matrix(metric), AgreementSettings(grouping="system")
    )
    values = [ORACLES[statistic](*row) for row in zip(human, metric, strict=True)]
    assert found.value == pytest.approx(sum(values) / 3, abs=1e-12)


@pytest.mark.parametrize("grouping", GROUPINGS)
@examples(40)
@given(sides=two_sides(WITH_HOLES))
def test_tie_calibration_finds_the_best_of_every_epsilon(grouping: str, sides: Sides) -> None:
    rows = [grouped(values, grouping) for values in sides]
    value, epsilon = definitions.calibrated(*[row.tolist() for row in rows])
    found = agreement(
        "acc-eq", matrix(sides[0]), matrix(sides[1]), AgreementSettings(grouping=grouping)
    )
    assert found.value == pytest.approx(value, abs=1e-12, nan_ok=True)
    if not isnan(value):
        assert found.epsilon == epsilon
        at_it = accuracy_with_ties(rows[0], rows[1], epsilon)
        assert definitions.mean_defined(at_it.tolist()) == pytest.approx(value, abs=1e-12)


# What the test suite of mt-metrics-eval (google-research) expects of the same scores.
PUBLISHED_HUMAN = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
PUBLISHED_METRIC = np.array([[2.0, 1.0, 4.0], [3.0, 3.0, 7.0]])


@pytest.mark.parametrize(
    ("statistic", "by_none", "by_system", "by_item"),
    [
        ("pearson", 0.776, 0.760, 1.0),
        ("tau-b", 0.552, 0.575, 1.0),
        ("tau-c", 0.556, 0.611, 1.0),
    ],
)
def test_groupings_are_those_of_mt_metrics_eval(
    statistic: str, by_none: float, by_system: float, by_item: float
) -> None:
    sides = matrix(PUBLISHED_HUMAN), matrix(PUBLISHED_METRIC)
    values = [
        agreement(statistic, sides[0], sides[1], AgreementSettings(grouping=one)).value
        for one in ("none", "system", "item")
    ]
    assert [round(value, 3) for value in values] == [by_none, by_system, by_item]


def test_calibrated_accuracy_is_that_of_mt_metrics_eval() -> None:
    human = np.array([[1.0, 2, 2, 3, 4]]).T
    metric = np.array([[2.0, 1, 1.5, 5, 3]]).T
    two = np.repeat(human, 2, axis=1), np.repeat(metric, 2, axis=1)
    assert agreement("acc-eq", matrix(two[0]), matrix(two[1])).value == pytest.approx(0.7)
    assert accuracy_with_ties(human.T, metric.T, 0.0).tolist() == [0.6]
    assert accuracy_with_ties(human.T, metric.T, 2.0).tolist() == [0.4]


@pytest.mark.parametrize("statistic", SYSTEM_ORACLES)
@examples(40)
@given(sides=two_sides(WITH_HOLES))
def test_system_statistics_are_those_of_the_means(statistic: str, sides: Sides) -> None:
    sides = sides[0] * 4, sides[1] * 4  # whole numbers, so that equal means are equal exactly
    means = [[definitions.mean_defined(row.tolist()) for row in values] for values in sides]
    found = agreement(
        statistic, matrix(sides[0]), matrix(sides[1]), AgreementSettings(all_segments=True)
    )
    expected = SYSTEM_ORACLES[statistic](*means)
    assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
    corpus = matrix(np.array(means[1])[:, None])
    assert agreement(statistic, matrix(sides[0]), corpus).value == pytest.approx(
        found.value, nan_ok=True
    )


def sign_swaps(segments: int) -> Iterator[list[int]]:
    for number in range(2**segments):
        yield [1 if number >> bit & 1 else -1 for bit in range(segments)]


@given(sides=two_sides())
@examples(40)
def test_superiority_is_the_part_of_all_swaps_that_reach_the_difference(sides: Sides) -> None:
    values = (sides[0] * 4).astype(int).tolist()
    swaps = list(sign_swaps(len(values[0])))
    expected = []
    for i, first in enumerate(values):
        for second in values[i + 1 :]:
            apart = [a - b for a, b in zip(first, second, strict=True)]
            sums = [sum(s * d for s, d in zip(swap, apart, strict=True)) for swap in swaps]
            expected.append(sum(one >= sum(apart) for one in sums) / len(swaps))
    found = superiority(sides[0], np.array(swaps, dtype=float).T)
    assert found.tolist() == pytest.approx(expected, abs=1e-12)


def test_soft_accuracy_is_one_minus_the_mean_difference_of_p_values() -> None:
    rng = np.random.default_rng(3)
    human = rng.integers(0, 5, size=(4, 30)).astype(float)
    metric = human + rng.normal(size=human.shape)
    metric[2, 7] = nan
    whole = [segment for segment in range(30) if segment != 7]
    signs = np.concatenate([random_signs(29, 11, block) for block in range(20)], axis=1)
    assert np.array_equal(np.unique(signs), [-1.0, 1.0])
    assert abs(float(signs.mean())) < 0.01
    signs = np.concatenate([signs, -signs], axis=1)
    assert signs.shape == (29, EXCHANGES)
    apart = []
    for i in range(4):
        for j in range(i + 1, 4):
            p_values = []
            for values in (human, metric):
                difference = values[i, whole] - values[j, whole]
                permuted = (signs * difference[:, None]).sum(axis=0)
                p_values.append(float((permuted >= difference.sum() - 1e-9).mean()))
            apart.append(abs(p_values[0] - p_values[1]))
    found = agreement("spa", matrix(human), matrix(metric), AgreementSettings(seed=11))
    assert found.value == pytest.approx(1 - sum(apart) / 6, abs=1e-12)
    assert (found.used, found.missing) == (6, 1)
    assert agreement("spa", matrix(human), matrix(human)).value == 1.0


def test_soft_accuracy_of_few_segments_uses_every_exchange() -> None:
    rng = np.random.default_rng(4)
    human, metric = rng.normal(size=(2, 3, 7))
    swaps = np.array(list(sign_swaps(7)), dtype=float).T
    apart = np.abs(superiority(human, swaps) - superiority(metric, swaps))
    found = agreement("spa", matrix(human), matrix(metric))
    assert found.value == pytest.approx(1 - apart.mean(), abs=1e-12)
    assert found.noise is None


@pytest.mark.slow
def test_the_noise_of_soft_accuracy_is_its_deviation_over_seeds() -> None:
    rng = np.random.default_rng(5)
    human = rng.normal(size=(4, 60)) + np.arange(4)[:, None] / 8
    metric = human + 2 * rng.normal(size=human.shape)
    found = [
        agreement("spa", matrix(human), matrix(metric), AgreementSettings(seed=seed))
        for seed in range(30)
    ]
    deviation = float(np.std([one.value for one in found], ddof=1))
    noises = [one.noise for one in found if one.noise is not None]
    assert len(noises) == 30
    assert max(deviation, *noises) < 0.001  # three digits hold
    assert 0.5 * deviation < np.mean(noises) < 2 * deviation


@pytest.mark.parametrize("statistic", [name for name in STATISTICS if name != "acc-eq"])
def test_constant_scores_agree_with_nothing(statistic: str) -> None:
    human = matrix(np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 4.0], [5.0, 5.0, 0.0]]))
    constant = matrix(np.full((3, 3), 0.1))
    found = agreement(statistic, human, constant).value
    bounds = {"spa": 1.0, "system-accuracy": 0.0, "tau": 0.0, "tau-a": 0.0}
    bounds |= {"tau-wmt14": 0.0, "tau-wmt12": -1.0}
    if statistic in bounds:
        assert found <= bounds[statistic]
    else:
        assert isnan(found)


@given(st.sampled_from(sorted(ORACLES)), two_sides())
@examples(30)
def test_scale_and_order_of_systems_mean_nothing(statistic: str, sides: Sides) -> None:
    human, metric = matrix(sides[0]), matrix(sides[1])
    turned = ScoreMatrix(metric.systems[::-1], 8 * metric.values[::-1] + 2)
    values = [agreement(statistic, human, one).value for one in (metric, turned)]
    assert values[0] == pytest.approx(values[1], abs=1e-12, nan_ok=True)


def test_a_metric_that_never_varies_has_no_correlation() -> None:
    human = matrix(np.array([[0.1, 0.5], [0.4, 0.2], [0.9, 0.7]]))
    same = matrix(np.ones((3, 2)))
    for name in ("pearson", "spearman"):
        for one, other in ((human, same), (same, human)):
            assert isnan(agreement(name, one, other).value)
