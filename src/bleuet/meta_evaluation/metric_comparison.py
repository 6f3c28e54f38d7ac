"""The comparison of two metrics: whether the second agrees with human scores better."""

from __future__ import annotations

from bleuet.errors import OptionError, warn_caller
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.meta_evaluation.correlation import pearson
from bleuet.meta_evaluation.grouping import grouped
from bleuet.meta_evaluation.inputs import (
    aligned,
    check_same_segments,
    judged_pairs,
    statistic_options,
)
from bleuet.meta_evaluation.metric_tests import perm_both, perm_pairs, perm_sums, williams
from bleuet.meta_evaluation.pair_counts import measure_counts
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.settings import (
    AGREEMENT,
    PERM_BOTH,
    PERM_PAIRS,
    PERM_SEGMENTS,
    WILLIAMS,
    AgreementSettings,
)
from bleuet.meta_evaluation.statistic_options import FEW_EXCHANGES
from bleuet.meta_evaluation.statistics import find_statistic
from bleuet.meta_evaluation.system_agreement import system_means
from bleuet.meta_evaluation.ties import (
    calibrated_epsilons,
    decisions,
    measure_calibrated,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
    from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments
    from bleuet.meta_evaluation.statistic_options import StatisticOptions
    from bleuet.meta_evaluation.statistics import Statistic
else:
    np = deferred("numpy")

# Tests that are defined for one statistic only.
STATISTIC_OF_TEST = {WILLIAMS: "system-pearson", PERM_SEGMENTS: "acc-eq", PERM_PAIRS: "acc-eq"}


class MetricComparison(Value):
    """The result of a test of two metrics.

    Args:
        statistic: the name of the statistic.
        grouping: as in `Agreement`.
        test: one of `TESTS`.
        first, second: the statistic of the two metrics.
        p_value: one-sided, for the hypothesis that the second metric agrees better than the
            first; a value near 1 supports the first.
        trials: the number of permutations, None for a test without them.

    The difference is the one that the p-value tests. For soft pairwise accuracy it comes from fewer
    random exchanges than that of `agreement`.
    """

    statistic: str
    grouping: str | None
    test: str
    first: float
    second: float
    p_value: float
    trials: int | None = None

    @property
    def difference(self) -> float:
        """The statistic of the second metric minus that of the first."""
        return self.second - self.first


def pairs_warning(settings: AgreementSettings, systems: int) -> str:
    """Return how often the chosen test finds differences of equal metrics; "" if it is right.

    The rates are those of tests/meta_evaluation/test_rates.py.

    Args:
        settings: the test, and the documents that it exchanges whole.
        systems: the number of systems.
    """
    if settings.test != PERM_PAIRS or settings.documents is not None or systems < 3:
        return ""
    return (
        f"{PERM_PAIRS} takes the pairs of a segment as independent, so it finds a difference of "
        "equal metrics in 6% of cases with 4 systems, and in 14% and more from 8 systems on: use "
        f"{PERM_SEGMENTS}, or {PERM_BOTH}"
    )


@checked
def compare_metrics(
    statistic: str,
    human: ScoreMatrix | PairwiseJudgments,
    first: ScoreMatrix,
    second: ScoreMatrix,
    settings: AgreementSettings = AGREEMENT,
) -> MetricComparison:
    """Test whether the second of two metrics agrees with human scores better than the first.

    Args:
        statistic: a name of `STATISTICS`.
        human: human scores or judgments, as in `agreement`.
        first: the scores of one metric, as in `agreement`.
        second: the scores of the other metric, for the same systems and segments.
        settings: how agreement is computed, and the test; "perm-both" without one.

    Returns:
        Both values and the one-sided p-value; NaN where a value is undefined.

    Warns:
        BleuetWarning: the test is "perm-pairs", which finds differences too often.

    Raises:
        InputError: systems or segments differ, or there are too few.
        OptionError: the statistic, grouping or test does not exist, or they do not fit together.

    >>> human = ScoreMatrix(("a", "b", "c", "d"), [[4], [3], [2], [1]])
    >>> good = ScoreMatrix(("a", "b", "c", "d"), [[40], [33], [20], [11]])
    >>> bad = ScoreMatrix(("a", "b", "c", "d"), [[10], [33], [40], [11]])
    >>> found = compare_metrics("system-pearson", human, bad, good)
    >>> found.p_value, found.trials
    (0.125, 16)
    """
    warning = pairs_warning(settings, len(first.systems))
    if warning:
        warn_caller(warning)
    return compared_metrics(statistic, human, first, second, settings)


def compared_metrics(
    statistic: str,
    human: ScoreMatrix | PairwiseJudgments,
    first: ScoreMatrix,
    second: ScoreMatrix,
    settings: AgreementSettings,
) -> MetricComparison:
    """Return what `compare_metrics` does, without a warning; arguments and errors are the same."""
    entry = find_statistic(statistic)
    test = settings.test or PERM_BOTH
    check_test(entry, test)
    options = statistic_options(entry, first.segments, settings)
    options = options.replace(exchanges=FEW_EXCHANGES)
    grouping = options.grouping
    if test == WILLIAMS:
        return _by_williams(human, first, second, options)
    check_same_segments(first, second)
    units = options.units(first.segments)
    one: Any
    other: Any
    if entry.coefficients is not None:
        one, other = (
            judged_pairs(human, metric, settings.margin).counts for metric in _common(first, second)
        )
        measure, permute = _measure_of_counts(entry, grouping), perm_sums
    else:
        human_values, one = aligned(entry, human, first)
        _, other = aligned(entry, human, second)
        # A score that one metric lacks cannot be exchanged.
        present = ~np.isnan(one + other)
        if human_values.shape == one.shape and not settings.all_segments:
            present &= ~np.isnan(human_values)
        one, other = np.where(present, one, np.nan), np.where(present, other, np.nan)
        if test in (PERM_PAIRS, PERM_SEGMENTS):
            return _by_pairs(human_values, one, other, options)
        measure, permute = _measure_of_scores(entry, human_values, options), perm_both
    p_value, tried = permute(measure, one, other, settings.trials, settings.seed, units)
    return MetricComparison(statistic, grouping, test, measure(one), measure(other), p_value, tried)


def check_test(entry: Statistic, test: str) -> None:
    """Check that a test is defined for a statistic.

    Raises:
        OptionError: it is not.
    """
    wanted = STATISTIC_OF_TEST.get(test, entry.name)
    if entry.name != wanted:
        name = "Williams' test" if test == WILLIAMS else f"the test {test}"
        raise OptionError(
            f"{name} needs the statistic {wanted}, not {entry.name}: use the test {PERM_BOTH}"
        )


def _common(first: ScoreMatrix, second: ScoreMatrix) -> tuple[ScoreMatrix, ScoreMatrix]:
    """Return the scores of two metrics where both have them."""
    if not first.missing and not second.missing:
        return first, second
    other = second.select(first.systems)
    present = ~np.isnan(first.values + other.values)
    one, two = (np.where(present, matrix.values, np.nan) for matrix in (first, other))
    return ScoreMatrix(first.systems, one), ScoreMatrix(first.systems, two)


def _by_pairs(
    human: Floats, first: Floats, second: Floats, options: StatisticOptions
) -> MetricComparison:
    """Return the test of decisions on pairs; the same scores are missing in both metrics."""
    settings, grouping = options.settings, options.grouping or "item"
    test, units = settings.test or PERM_PAIRS, options.units(human.shape[1])
    whole = options.documents is not None or test == PERM_SEGMENTS
    if whole and grouping != "item":
        raise OptionError(
            f"the test {test} exchanges whole segments or documents only with the grouping item, "
            f"not {grouping!r}: leave out the grouping"
        )
    gained, pairs, changed = [], [], []
    groups = grouped(human, grouping)
    sides = [
        decisions(
            groups, grouped(metric, grouping), calibrated_epsilons(human, metric, grouping, options)
        )
        for metric in (first, second)
    ]
    for (one, present), (other, _) in zip(*sides, strict=True):
        pairs.append(present.sum(axis=1))
        gained.append(other.sum(axis=1) - one.sum(axis=1))
        changed.append((one != other).sum(axis=1))
    counts = np.sum(pairs, axis=0)
    each = np.where(counts > 0, 1 / np.maximum(counts, 1), 0.0) / max((counts > 0).sum(), 1)
    gains, times = each, np.sum(changed, axis=0)
    if whole:
        gains = np.abs(np.bincount(units, each * np.sum(gained, axis=0)))
        times = np.ones(len(gains), dtype=np.int64)
    values = [measure_calibrated(human, one, grouping, options).value for one in (first, second)]
    real = values[1] - values[0]
    p_value, tried = perm_pairs(
        real, gains[times > 0], times[times > 0], settings.trials, settings.seed
    )
    return MetricComparison("acc-eq", grouping, test, values[0], values[1], p_value, tried)


def _measure_of_counts(entry: Statistic, grouping: str | None) -> Callable[[Any], float]:
    def measure(counts: Any) -> float:
        assert entry.coefficients is not None
        return measure_counts(counts, entry.coefficients, grouping or "none")

    return measure


def _measure_of_scores(
    entry: Statistic, human: Floats, options: StatisticOptions
) -> Callable[[Any], float]:
    def measure(scores: Any) -> float:
        return entry.measured(human, scores, options).value

    return measure


def _by_williams(
    human: ScoreMatrix | PairwiseJudgments,
    first: ScoreMatrix,
    second: ScoreMatrix,
    options: StatisticOptions,
) -> MetricComparison:
    entry = find_statistic(STATISTIC_OF_TEST[WILLIAMS])
    human_values, first_values = aligned(entry, human, first)
    second_values = aligned(entry, human, second)[1]
    if first_values.shape == second_values.shape and not options.settings.all_segments:
        human_values = np.where(np.isnan(first_values + second_values), np.nan, human_values)
    human_means, one = system_means(human_values, first_values, options)
    other = system_means(human_values, second_values, options)[1]
    present = ~np.isnan(human_means + one + other)
    vectors = [values[present][None] for values in (human_means, one, other)]
    pairs = ((0, 1), (0, 2), (1, 2))
    r1, r2, between = (float(pearson(vectors[a], vectors[b])[0]) for a, b in pairs)
    _, p_value = williams(r1, r2, between, int(present.sum()))
    return MetricComparison(entry.name, None, WILLIAMS, r1, r2, p_value)
