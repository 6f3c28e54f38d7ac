"""The one way in: how well a metric agrees with people, by a statistic of the catalogue."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import nearest
from bleuet.studies.meta_evaluation.confidence import (
    Draws,
    drawn_judgments,
    drawn_scores,
    percentile_interval,
)
from bleuet.studies.meta_evaluation.correlation import pearson
from bleuet.studies.meta_evaluation.inputs import (
    aligned,
    check_interval,
    check_whole,
    judged_pairs,
    refuse_other_shape,
    refuse_undrawable,
)
from bleuet.studies.meta_evaluation.judgments import PairwiseJudgments, ScoreMatrix
from bleuet.studies.meta_evaluation.metric_tests import (
    perm_both,
    perm_sums,
    williams,
)
from bleuet.studies.meta_evaluation.pairs import measure_counts
from bleuet.studies.meta_evaluation.results import Agreement, MetricComparison
from bleuet.studies.meta_evaluation.rows import row_means
from bleuet.studies.meta_evaluation.statistics import check_grouping, find_statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np

    from bleuet.studies.meta_evaluation.measured import Measured
    from bleuet.studies.meta_evaluation.rows import Floats
    from bleuet.studies.meta_evaluation.statistics import Statistic
else:
    np = optional("numpy")

WILLIAMS = "williams"
TESTS = ("perm-both", WILLIAMS)
# The one statistic that Williams' test is made for.
WILLIAMS_TESTS = "system-pearson"


def agreement(
    statistic: str,
    human: ScoreMatrix | PairwiseJudgments,
    metric: ScoreMatrix,
    *,
    grouping: str | None = None,
    draws: int = 0,
    confidence: float = 0.95,
    resample: str = "segments",
    seed: int = 12345,
) -> Agreement:
    """Say how well a metric agrees with people.

    Args:
        statistic: a name of `STATISTICS`.
        human: people's scores, or their pairwise judgments where the statistic takes those; it
            takes scores too, as judgments of all pairs of systems on each segment.
        metric: the metric's scores, higher is better: negate an error rate such as TER. The same
            systems as people scored, in any order; more systems only beside judgments.
        grouping: "none", "item" or "system"; None takes the statistic's usual one.
        draws: how many bootstrap draws make the confidence interval; 0 makes none.
        confidence: what part of the draws the interval covers.
        resample: what is drawn: "segments", "systems" or "both".
        seed: of the draws, and of the permutations of soft pairwise accuracy.

    Returns:
        The value, NaN where the statistic is not defined, with what it was made of.

    Raises:
        InputError: systems or segments differ, or there are too few.
        OptionError: there is no such statistic, grouping or choice.

    >>> people = ScoreMatrix(("north", "south", "east"), [[5, 4, 5], [3, 4, 2], [1, 2, 4]])
    >>> chrf = ScoreMatrix(("east", "north", "south"), [[20, 31, 43], [50, 42, 61], [42, 40, 44]])
    >>> found = agreement("tau", people, chrf)
    >>> round(found.value, 3), found.pairs_or_items, found.left_out
    (0.75, 8, 1)
    """
    entry = find_statistic(statistic)
    grouping = check_grouping(entry, grouping)
    check_interval(draws, confidence, resample, seed)
    if entry.coefficients is not None:
        judged = judged_pairs(human, metric)
        measured = judged.measured(entry.coefficients, grouping or "none")
        drawn = Draws(draws, judged.systems, judged.segments, resample, seed)
        values = drawn_judgments(entry, judged, grouping, drawn)
    else:
        people, scores = aligned(entry, human, metric)
        if draws and resample != "systems":
            refuse_undrawable(people, scores)
        measured = _measure(entry, people, scores, grouping, seed)
        drawn = Draws(draws, len(people), people.shape[1], resample, seed)
        values = drawn_scores(entry, people, scores, grouping, drawn, seed)
    low, high = percentile_interval(values, confidence) if draws else (None, None)
    return Agreement(
        statistic,
        grouping,
        measured.value,
        measured.used,
        low,
        high,
        measured.left_out,
        measured.missing,
        measured.epsilon,
    )


def compare_metrics(
    statistic: str,
    human: ScoreMatrix | PairwiseJudgments,
    first: ScoreMatrix,
    second: ScoreMatrix,
    *,
    grouping: str | None = None,
    test: str = "perm-both",
    trials: int = 1000,
    seed: int = 12345,
) -> MetricComparison:
    """Say whether the second metric agrees with people better than the first.

    Args:
        statistic: a name of `STATISTICS`.
        human: as `agreement` takes it.
        first: one metric's scores, as `agreement` takes them.
        second: the other metric's, for the same systems and segments.
        grouping: as `agreement` takes it.
        test: "perm-both", which mixes the two metrics' scores at random, or "williams", which is
            made for "system-pearson".
        trials: how many random mixtures PERM-BOTH tries; where there are no more than that, all
            are tried and the p-value is exact.
        seed: of the mixtures, and of the permutations of soft pairwise accuracy.

    Returns:
        Both values and the one-sided p-value; NaN where a value is not defined.

    Raises:
        InputError: systems or segments differ, or there are too few.
        OptionError: there is no such statistic, grouping or test, or they do not go together.

    >>> people = ScoreMatrix(("a", "b", "c", "d"), [[4], [3], [2], [1]])
    >>> good = ScoreMatrix(("a", "b", "c", "d"), [[40], [33], [20], [11]])
    >>> bad = ScoreMatrix(("a", "b", "c", "d"), [[10], [33], [40], [11]])
    >>> found = compare_metrics("system-pearson", people, bad, good)
    >>> found.p_value, found.trials
    (0.125, 16)
    """
    entry = find_statistic(statistic)
    grouping = check_grouping(entry, grouping)
    check_whole("trials", trials, 1)
    check_whole("the seed", seed, 0)
    if test not in TESTS:
        raise OptionError(f"the tests are {', '.join(TESTS)}, not {test!r}{nearest(test, TESTS)}")
    if test == WILLIAMS:
        return _by_williams(entry, human, first, second)
    refuse_other_shape(first, second)
    one: Any
    other: Any
    if entry.coefficients is not None:
        one, other = (judged_pairs(human, metric).counts for metric in (first, second))
        measure, permute = _measure_of_counts(entry, grouping), perm_sums
    else:
        people, one = aligned(entry, human, first)
        _, other = aligned(entry, human, second)
        # A score that one metric lacks has nothing to change places with.
        there = ~np.isnan(one + other)
        one, other = np.where(there, one, np.nan), np.where(there, other, np.nan)
        measure, permute = _measure_of_scores(entry, people, grouping, seed), perm_both
    p_value, tried = permute(measure, one, other, trials, seed)
    return MetricComparison(statistic, grouping, test, measure(one), measure(other), p_value, tried)


def _measure_of_counts(entry: Statistic, grouping: str | None) -> Callable[[Any], float]:
    def measure(counts: Any) -> float:
        assert entry.coefficients is not None
        return measure_counts(counts, entry.coefficients, grouping or "none")

    return measure


def _measure_of_scores(
    entry: Statistic, people: Floats, grouping: str | None, seed: int
) -> Callable[[Any], float]:
    def measure(scores: Any) -> float:
        return _measure(entry, people, scores, grouping, seed).value

    return measure


def _by_williams(
    entry: Statistic,
    human: ScoreMatrix | PairwiseJudgments,
    first: ScoreMatrix,
    second: ScoreMatrix,
) -> MetricComparison:
    if entry.name != WILLIAMS_TESTS:
        raise OptionError(
            f"Williams' test is made for Pearson's r of system scores, {WILLIAMS_TESTS}; "
            f"use perm-both for {entry.name}"
        )
    people, one = (row_means(values) for values in aligned(entry, human, first))
    other = row_means(aligned(entry, human, second)[1])
    there = ~np.isnan(people + one + other)
    vectors = [values[there][None] for values in (people, one, other)]
    pairs = ((0, 1), (0, 2), (1, 2))
    r1, r2, between = (float(pearson(vectors[a], vectors[b])[0]) for a, b in pairs)
    _, p_value = williams(r1, r2, between, int(there.sum()))
    return MetricComparison(entry.name, None, WILLIAMS, r1, r2, p_value)


def _measure(
    entry: Statistic, human: Floats, metric: Floats, grouping: str | None, seed: int
) -> Measured:
    assert entry.measure is not None
    return entry.measure(human, metric, grouping, seed)
