"""The comparison of two metrics: whether the second agrees with human scores better."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import nearest
from bleuet.studies.meta_evaluation.arrays import row_means
from bleuet.studies.meta_evaluation.correlation import pearson
from bleuet.studies.meta_evaluation.inputs import (
    aligned,
    check_same_segments,
    check_whole,
    judged_pairs,
)
from bleuet.studies.meta_evaluation.metric_tests import perm_both, perm_sums, williams
from bleuet.studies.meta_evaluation.pair_counts import measure_counts
from bleuet.studies.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.studies.meta_evaluation.statistics import check_grouping, find_statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np

    from bleuet.studies.meta_evaluation.arrays import Floats
    from bleuet.studies.meta_evaluation.pairwise_judgments import PairwiseJudgments
    from bleuet.studies.meta_evaluation.statistics import Statistic
else:
    np = optional("numpy")

WILLIAMS = "williams"
TESTS = ("perm-both", WILLIAMS)
# Williams' test is defined for this statistic only.
WILLIAMS_STATISTIC = "system-pearson"


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """The result of a test of two metrics.

    Args:
        statistic: the name of the statistic.
        grouping: as in `Agreement`.
        test: "perm-both" or "williams".
        first, second: the statistic of the two metrics.
        p_value: one-sided, for the hypothesis that the second metric agrees better than the
            first; a value near 1 supports the first.
        trials: the number of permutations, None for a test without them.
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
    """Test whether the second of two metrics agrees with human scores better than the first.

    Args:
        statistic: a name of `STATISTICS`.
        human: human scores or judgments, as in `agreement`.
        first: the scores of one metric, as in `agreement`.
        second: the scores of the other metric, for the same systems and segments.
        grouping: as in `agreement`.
        test: "perm-both", which permutes the scores of the two metrics, or "williams", for
            "system-pearson" only.
        trials: the number of random permutations of PERM-BOTH. Where all permutations are no more
            than that, all are used and the p-value is exact.
        seed: the random seed of the permutations, and of those of soft pairwise accuracy.

    Returns:
        Both values and the one-sided p-value; NaN where a value is undefined.

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
    entry = find_statistic(statistic)
    grouping = check_grouping(entry, grouping)
    check_whole("trials", trials, 1)
    check_whole("the seed", seed, 0)
    if test not in TESTS:
        raise OptionError(
            f"test must be one of {', '.join(TESTS)}, not {test!r}{nearest(test, TESTS)}"
        )
    if test == WILLIAMS:
        return _by_williams(entry, human, first, second)
    check_same_segments(first, second)
    one: Any
    other: Any
    if entry.coefficients is not None:
        one, other = (judged_pairs(human, metric).counts for metric in (first, second))
        measure, permute = _measure_of_counts(entry, grouping), perm_sums
    else:
        human_values, one = aligned(entry, human, first)
        _, other = aligned(entry, human, second)
        # A score that one metric lacks cannot be exchanged.
        present = ~np.isnan(one + other)
        one, other = np.where(present, one, np.nan), np.where(present, other, np.nan)
        measure, permute = _measure_of_scores(entry, human_values, grouping, seed), perm_both
    p_value, tried = permute(measure, one, other, trials, seed)
    return MetricComparison(statistic, grouping, test, measure(one), measure(other), p_value, tried)


def _measure_of_counts(entry: Statistic, grouping: str | None) -> Callable[[Any], float]:
    def measure(counts: Any) -> float:
        assert entry.coefficients is not None
        return measure_counts(counts, entry.coefficients, grouping or "none")

    return measure


def _measure_of_scores(
    entry: Statistic, human: Floats, grouping: str | None, seed: int
) -> Callable[[Any], float]:
    def measure(scores: Any) -> float:
        return entry.measured(human, scores, grouping, seed).value

    return measure


def _by_williams(
    entry: Statistic,
    human: ScoreMatrix | PairwiseJudgments,
    first: ScoreMatrix,
    second: ScoreMatrix,
) -> MetricComparison:
    if entry.name != WILLIAMS_STATISTIC:
        raise OptionError(
            f"Williams' test needs the statistic {WILLIAMS_STATISTIC}, not {entry.name}: "
            "use the test perm-both"
        )
    human_means, one = (row_means(values) for values in aligned(entry, human, first))
    other = row_means(aligned(entry, human, second)[1])
    present = ~np.isnan(human_means + one + other)
    vectors = [values[present][None] for values in (human_means, one, other)]
    pairs = ((0, 1), (0, 2), (1, 2))
    r1, r2, between = (float(pearson(vectors[a], vectors[b])[0]) for a, b in pairs)
    _, p_value = williams(r1, r2, between, int(present.sum()))
    return MetricComparison(entry.name, None, WILLIAMS, r1, r2, p_value)
