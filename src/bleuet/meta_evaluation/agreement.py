"""The agreement of one metric with human scores, by one statistic."""

from __future__ import annotations

from bleuet.frozen import checked
from bleuet.meta_evaluation.confidence import (
    Draws,
    drawn_judgments,
    drawn_scores,
    percentile_interval,
    systems_interval,
)
from bleuet.meta_evaluation.inputs import (
    aligned,
    judged_pairs,
    statistic_options,
)
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.settings import AGREEMENT, AgreementSettings
from bleuet.meta_evaluation.statistic_value import StatisticValue
from bleuet.meta_evaluation.statistics import find_statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments


class Agreement(StatisticValue, kw_only=True):
    """The agreement of a metric with human scores.

    Args:
        statistic: the name of the statistic, such as "tau" or "spa".
        grouping: which scores were compared with each other: "none", "item" or "system"; None
            for system-level statistics.
        low, high: the ends of the confidence interval; None without draws, and for a statistic of
            fewer than 8 whole systems.
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
    settings: AgreementSettings = AGREEMENT,
) -> Agreement:
    """Return the agreement of a metric with human scores.

    Args:
        statistic: a name of `STATISTICS`.
        human: human scores, or pairwise judgments where the statistic takes them. Where it does,
            scores become judgments of all pairs of systems on each segment.
        metric: the metric's scores, higher is better: negate an error rate such as TER. The
            systems are those of the human scores, in any order; with judgments there may be more.
        settings: how agreement is computed.

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
    options = statistic_options(entry, metric.segments, settings)
    grouping = options.grouping
    low = high = None
    if entry.coefficients is not None:
        pairs = judged_pairs(human, metric, settings.margin)
        value = pairs.measured(entry.coefficients, options)
        if settings.draws:
            drawn = Draws(pairs.systems, pairs.segments, options)
            values = drawn_judgments(entry, pairs, grouping, drawn)
            low, high = percentile_interval(values, settings.confidence)
    else:
        human_values, metric_values = aligned(entry, human, metric)
        value = entry.measured(human_values, metric_values, options)
        if settings.draws and entry.level == "system":
            low, high = systems_interval(entry, human_values, metric_values, value.value, options)
        elif settings.draws:
            systems, segments = human_values.shape
            drawn = Draws(systems, segments, options)
            values = drawn_scores(entry, human_values, metric_values, drawn, options)
            low, high = percentile_interval(values, settings.confidence)
    return Agreement(**value.as_dict(), statistic=statistic, grouping=grouping, low=low, high=high)
