"""Intervals: a draw gives what the drawn data give, and enough draws cover the truth."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import scipy.stats as stats  # type: ignore[import-untyped]

from bleuet.errors import OptionError
from bleuet.meta_evaluation import (
    RESAMPLED,
    STATISTICS,
    AgreementSettings,
    PairwiseJudgments,
    ScoreMatrix,
    agreement,
)
from bleuet.meta_evaluation.confidence import (
    Draws,
    drawn_judgments,
    drawn_scores,
    percentile_interval,
)
from bleuet.meta_evaluation.pair_counts import JudgedPairs
from bleuet.meta_evaluation.statistic_options import StatisticOptions
from bleuet.meta_evaluation.statistic_value import StatisticValue
from bleuet.meta_evaluation.statistics import Statistic
from tests.meta_evaluation.scores import matrix

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(5)
HUMAN = matrix(RNG.integers(0, 5, size=(4, 12)).astype(float))
METRIC = matrix((HUMAN.values + RNG.normal(size=(4, 12))).round(1))
MANY = matrix(RNG.normal(size=(9, 12)))
OF_SCORES = [name for name, entry in STATISTICS.items() if entry.measure and entry.groupings]
OF_SYSTEMS = [name for name, entry in STATISTICS.items() if entry.level == "system"]
OF_JUDGMENTS = [name for name, entry in STATISTICS.items() if entry.coefficients]


@pytest.mark.parametrize("statistic", OF_SCORES)
@pytest.mark.parametrize("resample", RESAMPLED)
def test_a_draw_is_the_statistic_of_the_drawn_scores(statistic: str, resample: str) -> None:
    entry = STATISTICS[statistic]
    draws = Draws(4, 12, StatisticOptions(AgreementSettings(draws=5, resample=resample, seed=1)))
    for grouping in entry.groupings or (None,):
        options = StatisticOptions(AgreementSettings(seed=9), grouping=grouping)
        values = drawn_scores(entry, HUMAN.values, METRIC.values, draws, options)
        for at, segments in enumerate(draws.segments):
            systems = range(4) if draws.systems is None else draws.systems[at]
            drawn = [matrix(one.values[list(systems)][:, segments]) for one in (HUMAN, METRIC)]
            found = agreement(
                statistic, drawn[0], drawn[1], AgreementSettings(grouping=grouping, seed=9)
            )
            assert values[at] == pytest.approx(found.value, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("statistic", OF_SYSTEMS)
def test_a_draw_of_systems_is_the_statistic_of_the_drawn_systems(statistic: str) -> None:
    """A system that is drawn twice is two systems, but no pair with itself."""
    entry, rng = STATISTICS[statistic], np.random.default_rng(3)
    metric = matrix((MANY.values + rng.normal(size=(9, 12))).round(1))
    options = StatisticOptions(AgreementSettings(seed=9))
    drawn = rng.integers(0, 9, size=(6, 9))
    assert entry.draw_systems
    values = entry.draw_systems(MANY.values, metric.values, drawn, options)
    for draw, value in zip(drawn, values, strict=True):
        if statistic in ("spa", "system-accuracy"):
            pairs = [(a, b) for a, b in combinations(sorted(draw.tolist()), 2) if a != b]
            found = [
                agreement(
                    statistic,
                    matrix(MANY.values[list(pair)]),
                    matrix(metric.values[list(pair)]),
                    AgreementSettings(seed=9),
                ).value
                for pair in pairs
            ]
            expected = float(np.mean(found))
        else:
            one, other = (matrix(side.values[draw]) for side in (MANY, metric))
            expected = agreement(statistic, one, other).value
        assert value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("statistic", OF_SYSTEMS)
def test_fewer_than_eight_systems_have_no_interval(statistic: str) -> None:
    metric = matrix(MANY.values + RNG.normal(size=(9, 12)))
    settings = AgreementSettings(draws=50)
    found = agreement(statistic, MANY, metric, settings)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= found.value <= found.high
    one, other = (matrix(side.values[:7]) for side in (MANY, metric))
    assert agreement(statistic, one, other, settings).low is None


def test_the_accelerated_interval_is_that_of_scipy() -> None:
    rng = np.random.default_rng(12)
    human = rng.normal(size=(10, 1))
    metric = human + rng.normal(size=(10, 1))
    settings = AgreementSettings(draws=4000, confidence=0.9, seed=1)
    found = agreement("system-pearson", matrix(human), matrix(metric), settings)
    expected = stats.bootstrap(
        (human[:, 0], metric[:, 0]),
        lambda x, y: stats.pearsonr(x, y).statistic,
        paired=True,
        vectorized=False,
        n_resamples=4000,
        confidence_level=0.9,
        method="BCa",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert found.low == pytest.approx(expected.low, abs=0.003)
    assert found.high == pytest.approx(expected.high, abs=0.003)


@pytest.mark.parametrize("statistic", OF_JUDGMENTS)
@pytest.mark.parametrize("resample", RESAMPLED)
@pytest.mark.parametrize("grouping", ["none", "item"])
def test_a_draw_is_the_statistic_of_the_drawn_judgments(
    statistic: str, resample: str, grouping: str
) -> None:
    """Each drawn segment is a segment of its own, with the judgments between drawn systems."""
    judged = PairwiseJudgments.from_scores(HUMAN)
    draws = Draws(4, 12, StatisticOptions(AgreementSettings(draws=5, resample=resample, seed=2)))
    values = drawn_judgments(STATISTICS[statistic], JudgedPairs(judged, METRIC), grouping, draws)
    for at, segments in enumerate(draws.segments):
        systems = [0, 1, 2, 3] if draws.systems is None else draws.systems[at].tolist()
        rows = [
            (place, *pair, int(preference))
            for place, drawn in enumerate(segments)
            for s, *pair, preference in zip(
                judged.segment, judged.first, judged.second, judged.preference, strict=True
            )
            if s == drawn
            for _ in range(systems.count(pair[0]) * systems.count(pair[1]))
        ]
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        again = PairwiseJudgments(METRIC.systems, *columns)
        metric = ScoreMatrix(METRIC.systems, METRIC.values[:, segments])
        found = agreement(statistic, again, metric, AgreementSettings(grouping=grouping))
        assert values[at] == pytest.approx(found.value, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("statistic", ["tau", "tau-b", "pearson", "system-pearson"])
def test_an_interval_repeats_and_holds_the_middle_of_the_draws(statistic: str) -> None:
    human, metric = HUMAN, METRIC
    if statistic == "system-pearson":
        human, metric = MANY, matrix(MANY.values + np.random.default_rng(4).normal(size=(9, 12)))
    found = [
        agreement(statistic, human, metric, AgreementSettings(draws=200, seed=3)) for _ in range(2)
    ]
    assert found[0] == found[1]
    other = agreement(statistic, human, metric, AgreementSettings(draws=200, seed=4))
    narrow = agreement(
        statistic, human, metric, AgreementSettings(draws=200, seed=3, confidence=0.5)
    )
    ends = found[0].low, narrow.low, narrow.high, found[0].high
    assert list(ends) == sorted(ends, key=lambda end: end or 0.0)
    assert (other.low, other.high) != (found[0].low, found[0].high)
    assert agreement(statistic, human, metric).low is None


@pytest.mark.long
def test_intervals_cover_the_true_correlation_as_often_as_they_say() -> None:
    """Two normal variables with a correlation of 0.6: 90% of 90% intervals hold it."""
    rng = np.random.default_rng(11)
    covered = 0
    for trial in range(150):
        human = rng.normal(size=(2, 60))
        scores = 0.6 * human + 0.8 * rng.normal(size=(2, 60))
        found = agreement(
            "pearson",
            matrix(human),
            matrix(scores),
            AgreementSettings(draws=150, confidence=0.9, seed=trial),
        )
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.6 <= found.high
    # Binomial with 150 and about 0.88: four standard deviations are 16.
    assert 116 <= covered <= 150


def test_systems_are_drawn_beside_scores_of_the_whole_corpus() -> None:
    metric = matrix(MANY.values + np.random.default_rng(4).normal(size=(9, 12)))
    corpus = matrix(metric.values.mean(axis=1, keepdims=True))
    drawn = [
        agreement("system-pearson", MANY, one, AgreementSettings(draws=50))
        for one in (metric, corpus)
    ]
    assert drawn[0].low
    assert drawn[0].low == pytest.approx(drawn[1].low)
    assert drawn[0].high == pytest.approx(drawn[1].high)


def test_undefined_draws_are_ignored() -> None:
    values = np.array([np.nan, 1.0, 2.0, np.nan, 3.0])
    assert percentile_interval(values, 0.5) == (1.5, 2.5)
    assert np.isnan(percentile_interval(np.array([np.nan]), 0.5)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": -1}, "draws must be a whole number of at least 0, not -1"),
        ({"draws": 9, "seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"draws": 9, "confidence": 95}, "between 0 and 1, such as 0.95, not 95"),
        ({"draws": 9, "resample": "segment"}, r"not 'segment' \(did you mean segments\?\)"),
        ({"grouping": "items"}, r"not 'items' \(did you mean item\?\)"),
    ],
)
def test_an_invalid_option_is_rejected(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        agreement("tau-b", HUMAN, METRIC, AgreementSettings(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("resample", RESAMPLED)
def test_documents_are_drawn_whole(resample: str) -> None:
    documents = np.array([0, 0, 0, 1, 2, 2, 1, 3, 3, 3, 3, 4])
    settings = AgreementSettings(draws=40, resample=resample, seed=1)
    draws = Draws(4, 12, StatisticOptions(settings, documents=documents))
    for segments, times in zip(draws.segments, draws.times_segments(), strict=True):
        assert np.array_equal(np.bincount(segments, minlength=12), times)
        for document in range(5):
            assert len(set(times[documents == document].tolist())) == 1
        drawn = sum(times[documents == document][0] for document in range(5))
        assert drawn == 5


def test_intervals_are_wider_where_the_segments_of_a_document_are_alike() -> None:
    rng = np.random.default_rng(2)
    documents = np.repeat(np.arange(12), 10)
    shared = rng.normal(size=(3, 12))[:, documents]
    human = matrix(rng.normal(size=(3, 120)) + shared)
    metric = matrix(rng.normal(size=(3, 120)) + shared * rng.choice((-1, 1), size=12)[documents])
    widths = []
    for named in (None, [f"document {number}" for number in documents], range(120)):
        found = agreement("pearson", human, metric, AgreementSettings(draws=300, documents=named))
        assert found.low is not None
        assert found.high is not None
        widths.append(found.high - found.low)
    assert widths[1] > 1.5 * widths[0]
    assert widths[2] == pytest.approx(widths[0])  # documents of one segment are segments


def test_a_segment_that_is_drawn_twice_stays_one_document() -> None:
    """Its copies are in the same part, so that no epsilon is calibrated on the segment itself."""
    seen: list[StatisticOptions] = []

    def measure(_: object, __: object, options: StatisticOptions) -> StatisticValue:
        seen.append(options)
        return StatisticValue(0.0, 1)

    entry = Statistic("spy", "segment", "scores", ("item",), "", measure=measure)
    settings = AgreementSettings(draws=5, resample="both")
    options = StatisticOptions(settings, grouping="item")
    draws = Draws(4, 12, options)
    drawn_scores(entry, HUMAN.values, METRIC.values, draws, options)
    for one, segments in zip(seen, draws.segments, strict=True):
        assert np.array_equal(one.units(12), segments)
        folds = one.folds(12)
        assert all(len(set(folds[segments == segment].tolist())) == 1 for segment in segments)
