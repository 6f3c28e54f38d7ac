"""The agreement of one metric with human scores, by one statistic."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from bleuet.studies.meta_evaluation.confidence import (
    Draws,
    drawn_judgments,
    drawn_scores,
    percentile_interval,
)
from bleuet.studies.meta_evaluation.inputs import (
    aligned,
    check_interval,
    check_segments_can_be_drawn,
    judged_pairs,
)
from bleuet.studies.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.studies.meta_evaluation.statistic_value import StatisticValue
from bleuet.studies.meta_evaluation.statistics import check_grouping, find_statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.studies.meta_evaluation.pairwise_judgments import PairwiseJudgments


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement(StatisticValue):
    """The agreement of a metric with human scores.

    Args:
        statistic: the name of the statistic, such as "tau" or "spa".
        grouping: which scores were compared with each other: "none", "item" or "system"; None
            for system-level statistics.
        low, high: the ends of the confidence interval, None without draws.
    """

    statistic: str
    grouping: str | None
    low: float | None = None
    high: float | None = None


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
    """Return the agreement of a metric with human scores.

    Args:
        statistic: a name of `STATISTICS`.
        human: human scores, or pairwise judgments where the statistic takes them. Where it does,
            scores become judgments of all pairs of systems on each segment.
        metric: the metric's scores, higher is better: negate an error rate such as TER. The
            systems are those of the human scores, in any order; with judgments there may be more.
        grouping: "none", "item" or "system"; None takes the statistic's default.
        draws: the number of bootstrap draws for the confidence interval; 0 computes none.
        confidence: the level of the interval, between 0 and 1.
        resample: what each draw draws: "segments", "systems" or "both".
        seed: the random seed of the draws, and of the permutations of soft pairwise accuracy.

    Returns:
        The value, NaN where the statistic is undefined, with the counts behind it.

    Raises:
        InputError: systems or segments differ, or there are too few.
        OptionError: the statistic, grouping or another option does not exist or cannot be used.

    >>> human = ScoreMatrix(("north", "south", "east"), [[5, 4, 5], [3, 4, 2], [1, 2, 4]])
    >>> chrf = ScoreMatrix(("east", "north", "south"), [[20, 31, 43], [50, 42, 61], [42, 40, 44]])
    >>> found = agreement("tau", human, chrf)
    >>> round(found.value, 3), found.used, found.left_out
    (0.75, 8, 1)
    """
    entry = find_statistic(statistic)
    grouping = check_grouping(entry, grouping)
    check_interval(draws, confidence, resample, seed)
    if entry.coefficients is not None:
        pairs = judged_pairs(human, metric)
        value = pairs.measured(entry.coefficients, grouping or "none")
        drawn = Draws(draws, pairs.systems, pairs.segments, resample, seed)
        values = drawn_judgments(entry, pairs, grouping, drawn)
    else:
        human_values, metric_values = aligned(entry, human, metric)
        if draws and resample != "systems":
            check_segments_can_be_drawn(human_values, metric_values)
        value = entry.measured(human_values, metric_values, grouping, seed)
        drawn = Draws(draws, len(human_values), human_values.shape[1], resample, seed)
        values = drawn_scores(entry, human_values, metric_values, grouping, drawn, seed)
    low, high = percentile_interval(values, confidence) if draws else (None, None)
    return Agreement(**asdict(value), statistic=statistic, grouping=grouping, low=low, high=high)
