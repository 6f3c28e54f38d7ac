"""The agreement of one metric with human scores, by one statistic."""

from __future__ import annotations

from bleuet.frozen import checked
from bleuet.meta_evaluation.confidence import (
    Draws,
    drawn_judgments,
    drawn_scores,
    percentile_interval,
)
from bleuet.meta_evaluation.inputs import (
    aligned,
    check_interval,
    check_matrix,
    check_segments_can_be_drawn,
    judged_pairs,
    statistic_options,
)
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.statistic_value import StatisticValue
from bleuet.meta_evaluation.statistics import find_statistic
from bleuet.statistics.seed import SEED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments


class Agreement(StatisticValue, kw_only=True):
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


@checked
def agreement(
    statistic: str,
    human: ScoreMatrix | PairwiseJudgments,
    metric: ScoreMatrix,
    *,
    grouping: str | None = None,
    margin: float = 0.0,
    undefined_as_zero: bool = False,
    held_out_epsilon: bool = False,
    all_segments: bool = False,
    documents: Sequence[Hashable] | None = None,
    draws: int = 0,
    confidence: float = 0.95,
    resample: str = "segments",
    seed: int = SEED,
) -> Agreement:
    """Return the agreement of a metric with human scores.

    Args:
        statistic: a name of `STATISTICS`.
        human: human scores, or pairwise judgments where the statistic takes them. Where it does,
            scores become judgments of all pairs of systems on each segment.
        metric: the metric's scores, higher is better: negate an error rate such as TER. The
            systems are those of the human scores, in any order; with judgments there may be more.
        grouping: "none", "item" or "system"; None takes the statistic's default.
        margin: the smallest difference between two human scores that makes a judgment, as 25 in
            WMT's daRR; pairs that differ by less tie.
        undefined_as_zero: a group with an undefined value, as where all its scores are equal,
            counts as 0; otherwise it is left out (`replace_nans_with_zeros` in mt-metrics-eval).
        held_out_epsilon: calibrate the epsilon of acc*eq on nine tenths of the segments and use it
            on the other tenth, for each tenth in turn; otherwise on the segments it is used on.
        all_segments: average the metric's scores of a system over all segments; otherwise over
            those with human scores.
        documents: the document of each segment; each draw then draws whole documents.
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
    check_interval(draws, confidence, resample)
    check_matrix(metric)
    options = statistic_options(
        entry,
        metric.segments,
        grouping=grouping,
        margin=margin,
        undefined_as_zero=undefined_as_zero,
        held_out_epsilon=held_out_epsilon,
        all_segments=all_segments,
        documents=documents,
        seed=seed,
    )
    grouping = options.grouping
    if entry.coefficients is not None:
        pairs = judged_pairs(human, metric, margin)
        value = pairs.measured(entry.coefficients, options)
        drawn = Draws(draws, pairs.systems, pairs.segments, resample, options)
        values = drawn_judgments(entry, pairs, grouping, drawn)
    else:
        human_values, metric_values = aligned(entry, human, metric)
        if draws and resample != "systems":
            check_segments_can_be_drawn(human_values, metric_values)
        value = entry.measured(human_values, metric_values, options)
        drawn = Draws(draws, len(human_values), human_values.shape[1], resample, options)
        values = drawn_scores(entry, human_values, metric_values, drawn, options)
    low, high = percentile_interval(values, confidence) if draws else (None, None)
    return Agreement(**value.as_dict(), statistic=statistic, grouping=grouping, low=low, high=high)
