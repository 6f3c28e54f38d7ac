"""Confidence intervals: how much a statistic varies between test sets, or between sets of systems.

Statistics of segments have the percentile bootstrap over segments, systems or both (Efron and
Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13; Deutsch, Dror and Roth 2021, "A
Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods", TACL:
Boot-Inputs, Boot-Systems, Boot-Both).

Statistics of whole systems have the bias-corrected and accelerated bootstrap over systems (Efron
1987; the same book, chapter 14). Draws of segments add noise to the scores of systems, which
weakens their correlation, so that an interval of such draws lies below the true value.
"""

from __future__ import annotations

from statistics import NormalDist

from bleuet.extras import deferred

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.meta_evaluation.pair_counts import JudgedPairs
    from bleuet.meta_evaluation.statistic_options import StatisticOptions
    from bleuet.meta_evaluation.statistics import Statistic
else:
    np = deferred("numpy")


# Intervals of fewer systems hold the true value in 7 of 10 cases, or are as wide as the scale.
FEWEST_SYSTEMS = 8


class Draws:
    """Bootstrap draws of segments, systems or both, with repetition.

    Args:
        systems: the number of systems.
        segments: the number of segments.
        options: with the number of draws, what is drawn, the random seed, and the documents, which
            are drawn whole; the same seed draws the same segments for every metric.
    """

    def __init__(self, systems: int, segments: int, options: StatisticOptions) -> None:
        draws, resample = options.settings.draws, options.settings.resample
        rng = np.random.default_rng(options.settings.seed)
        units = options.units(segments)
        count = int(units.max()) + 1 if segments else 0
        drawn = np.arange(count, dtype=np.int64)[None].repeat(draws, axis=0)
        if resample != "systems":
            drawn = rng.integers(0, count, size=(draws, count))
        self._times: Integers = _times(drawn, count)[:, units] if draws else drawn[:, units]
        # The segments of each draw, in the order of the drawn documents.
        members = np.split(np.argsort(units, kind="stable"), np.cumsum(np.bincount(units))[:-1])
        whole = options.documents is None or segments == 1
        self.segments: list[Integers] = (
            list(drawn) if whole else [np.concatenate([members[i] for i in row]) for row in drawn]
        )
        self.systems: Integers | None = None
        if resample != "segments":
            self.systems = rng.integers(0, systems, size=(draws, systems))

    def times_segments(self) -> Integers:
        """Return how often each segment was drawn: one row per draw."""
        return self._times

    def times_systems(self) -> Integers | None:
        """Return how often each system was drawn: one row per draw; None without drawn systems."""
        return None if self.systems is None else _times(self.systems, self.systems.shape[1])


def _times(drawn: Integers, size: int) -> Integers:
    cells = drawn + size * np.arange(len(drawn))[:, None]
    times: Integers = np.bincount(cells.ravel(), minlength=drawn.size).reshape(len(drawn), size)
    return times


def drawn_judgments(
    entry: Statistic, judged: JudgedPairs, grouping: str | None, draws: Draws
) -> Floats:
    """Return one value per draw, from sums of the counts of segments.

    Args:
        entry: a statistic of judgments.
        judged: the judgments.
        grouping: one of the groupings of the statistic.
        draws: the draws.
    """
    assert entry.coefficients is not None
    return judged.drawn(
        entry.coefficients, grouping or "none", draws.times_segments(), draws.times_systems()
    )


def drawn_scores(
    entry: Statistic, human: Floats, metric: Floats, draws: Draws, options: StatisticOptions
) -> Floats:
    """Return one value per draw of rows and columns of scores.

    Args:
        entry: a statistic of scores of segments.
        human: human scores, one row per system, one column per segment.
        metric: the metric's scores in the same layout.
        draws: the draws.
        options: how the statistic is computed.
    """
    if entry.draw_items and options.grouping == "item" and draws.systems is None:
        return entry.draw_items(human, metric, draws.times_segments(), options)
    values = []
    units = options.units(human.shape[1])
    for at, segments in enumerate(draws.segments):
        rows = np.arange(len(human)) if draws.systems is None else draws.systems[at]
        drawn_human, drawn_metric = (one[np.ix_(rows, segments)] for one in (human, metric))
        # A segment that is drawn twice stays one unit.
        own = options.replace(documents=units[segments])
        values.append(entry.measured(drawn_human, drawn_metric, own).value)
    return np.array(values)


def systems_interval(
    entry: Statistic, human: Floats, metric: Floats, value: float, options: StatisticOptions
) -> tuple[float | None, float | None]:
    """Return the interval of a statistic of whole systems, over draws of systems.

    Args:
        entry: a statistic of scores of systems.
        human: human scores, one row per system.
        metric: the metric's scores in the same layout.
        value: the statistic of these scores.
        options: how the statistic is computed, and the draws.

    Returns:
        The ends; None for fewer than 8 systems.
    """
    systems = len(human)
    if systems < FEWEST_SYSTEMS:
        return None, None
    assert entry.draw_systems is not None
    settings = options.settings
    rng = np.random.default_rng(settings.seed)
    drawn = rng.integers(0, systems, size=(settings.draws, systems))
    left_out = np.array([np.delete(np.arange(systems), one) for one in range(systems)])
    values = entry.draw_systems(human, metric, drawn, options)
    without_one = entry.draw_systems(human, metric, left_out, options)
    return accelerated_interval(values, value, without_one, settings.confidence)


def accelerated_interval(
    values: Floats, value: float, without_one: Floats, confidence: float
) -> tuple[float, float]:
    """Return the ends of the bias-corrected and accelerated interval (BCa).

    Efron and Tibshirani (1993), equations 14.9 to 14.15. Draws that equal the value count half.

    Args:
        values: one value per draw; undefined ones are ignored.
        value: the value of the data.
        without_one: the value of the data without each unit.
        confidence: the confidence level, such as 0.95.

    >>> accelerated_interval(np.arange(101.0), 50.0, np.array([49.0, 50.0, 51.0]), 0.5)
    (25.0, 75.0)
    """
    values, without_one = values[~np.isnan(values)], without_one[~np.isnan(without_one)]
    if not len(values) or not len(without_one) or np.isnan(value):
        return float("nan"), float("nan")
    below = ((values < value).sum() + 0.5 * (values == value).sum()) / len(values)
    least = 0.5 / len(values)
    normal = NormalDist()
    bias = normal.inv_cdf(float(np.clip(below, least, 1 - least)))
    distances = without_one.mean() - without_one
    spread = (distances**2).sum()
    acceleration = float((distances**3).sum() / (6 * spread**1.5)) if spread else 0.0
    shares = []
    for share in ((1 - confidence) / 2, (1 + confidence) / 2):
        moved = bias + normal.inv_cdf(share)
        shares.append(normal.cdf(bias + moved / max(1 - acceleration * moved, 1e-9)))
    low, high = np.quantile(values, shares)
    return float(low), float(high)


def percentile_interval(values: Floats, confidence: float) -> tuple[float, float]:
    """Return the ends of the interval that contains the middle part of the draws.

    Draws with an undefined statistic, such as draws of a single system, are ignored; without a
    defined draw both ends are NaN.

    Args:
        values: one value per draw.
        confidence: the share of draws between the ends, such as 0.95.

    >>> percentile_interval(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
