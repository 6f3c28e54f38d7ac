"""The table of statistics: each with its name and its requirements. A new one adds one entry."""

from __future__ import annotations

from functools import partial

from bleuet.errors import OptionError
from bleuet.frozen import Value, checked
from bleuet.messages import nearest, shown
from bleuet.meta_evaluation import correlation, pair_counts, ties
from bleuet.meta_evaluation import system_agreement as systems
from bleuet.meta_evaluation.grouping import draw_items, measure_grouped
from bleuet.meta_evaluation.pairwise_differences import (
    draw_differences,
    measure_differences,
)
from bleuet.meta_evaluation.settings import GROUPINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.meta_evaluation.grouping import Correlation
    from bleuet.meta_evaluation.pair_counts import Coefficients
    from bleuet.meta_evaluation.statistic_options import StatisticOptions
    from bleuet.meta_evaluation.statistic_value import StatisticValue


class Statistic(Value):
    """One statistic of agreement.

    Args:
        name: its name.
        level: "segment" or "system".
        takes: "judgments" (pairwise judgments, or scores that become judgments of all pairs) or
            "scores".
        groupings: the possible groupings, the default first; none at the system level.
        summary: a description of one line.
        coefficients: what a judged pair adds; only for a statistic of judgments.
        measure: (human scores, metric scores, options) -> the statistic; only for a statistic of
            scores.
        draw_items: (human scores, metric scores, how often each segment was drawn, options) -> one
            value per draw, by item; only where this is faster than `measure` for each draw.
        draw_systems: (human scores, metric scores, the systems of each draw, options) -> one value
            per draw; only at the system level.
        needs_segments: it needs scores of segments; corpus scores are not enough.
    """

    name: str
    level: str
    takes: str
    groupings: tuple[str, ...]
    summary: str
    coefficients: Coefficients | None = None
    measure: Callable[[Floats, Floats, StatisticOptions], StatisticValue] | None = None
    draw_items: Callable[[Floats, Floats, Integers, StatisticOptions], Floats] | None = None
    draw_systems: Callable[[Floats, Floats, Integers, StatisticOptions], Floats] | None = None
    needs_segments: bool = True

    def measured(self, human: Floats, metric: Floats, options: StatisticOptions) -> StatisticValue:
        """Return the value of a statistic of scores.

        Args:
            human: human scores, one row per system, one column per segment.
            metric: the metric's scores in the same layout.
            options: how it is computed; the grouping is one of `groupings`.
        """
        assert self.measure is not None
        return self.measure(human, metric, options)


def _of_judgments(name: str, coefficients: Coefficients, summary: str) -> Statistic:
    return Statistic(name, "segment", "judgments", ("none", "item"), summary, coefficients)


def _of_segments(
    name: str, function: Correlation, summary: str, default: str = "none"
) -> Statistic:
    def measure(human: Floats, metric: Floats, options: StatisticOptions) -> StatisticValue:
        return measure_grouped(function, human, metric, options.grouping or default, options)

    groupings = (default, *(one for one in GROUPINGS if one != default))
    drawn = partial(draw_items, function)
    return Statistic(name, "segment", "scores", groupings, summary, None, measure, drawn)


def _calibrated(human: Floats, metric: Floats, options: StatisticOptions) -> StatisticValue:
    return ties.measure_calibrated(human, metric, options.grouping or "item", options)


def _differences(human: Floats, metric: Floats, _: StatisticOptions) -> StatisticValue:
    return measure_differences(human, metric)


def _drawn_differences(
    human: Floats, metric: Floats, times: Integers, _: StatisticOptions
) -> Floats:
    return draw_differences(human, metric, times)


def _of_systems(name: str, function: Correlation, summary: str) -> Statistic:
    def measure(human: Floats, metric: Floats, options: StatisticOptions) -> StatisticValue:
        return systems.measure_systems(function, human, metric, options)

    drawn = partial(systems.draw_correlations, function)
    return Statistic(
        name,
        "system",
        "scores",
        (),
        summary,
        measure=measure,
        draw_systems=drawn,
        needs_segments=False,
    )


STATISTICS: dict[str, Statistic] = {
    entry.name: entry
    for entry in (
        _of_judgments(
            "tau",
            pair_counts.CHEN_CHERRY,
            "Kendall's tau of judged pairs; a metric tie is half right and half wrong "
            "(Chen and Cherry 2014, equation 12)",
        ),
        _of_judgments(
            "tau-wmt12",
            pair_counts.WMT12,
            "as tau, but metric ties are wrong (WMT 2010 to 2012, and daRR)",
        ),
        _of_judgments(
            "tau-wmt13", pair_counts.WMT13, "as tau, but metric ties are left out (WMT 2013)"
        ),
        _of_judgments(
            "tau-wmt14",
            pair_counts.WMT14,
            "as tau, but metric ties are neither right nor wrong (WMT 2014); always equal to tau",
        ),
        _of_segments(
            "tau-a", correlation.tau_a, "Kendall's tau-a of scores, not corrected for ties", "item"
        ),
        _of_segments(
            "tau-b", correlation.tau_b, "Kendall's tau-b of scores, corrected for ties", "item"
        ),
        _of_segments(
            "tau-c", correlation.tau_c, "Stuart's tau-c of scores, for scales of few grades", "item"
        ),
        Statistic(
            "acc-eq",
            "segment",
            "scores",
            ("item", "none", "system"),
            "pairwise accuracy with tie calibration, acc*eq (Deutsch et al. 2023)",
            measure=_calibrated,
            draw_items=ties.draw_calibrated_items,
        ),
        Statistic(
            "pairwise-pearson",
            "segment",
            "scores",
            ("item",),
            "Pearson's r of differences between systems on a segment (WMT 2025)",
            measure=_differences,
            draw_items=_drawn_differences,
        ),
        _of_segments("pearson", correlation.pearson, "Pearson's r of segment scores"),
        _of_segments("spearman", correlation.spearman, "Spearman's rho of segment scores"),
        _of_systems("system-pearson", correlation.pearson, "Pearson's r of system scores"),
        _of_systems("system-spearman", correlation.spearman, "Spearman's rho of system scores"),
        _of_systems("system-tau", correlation.tau_b, "Kendall's tau-b of system scores"),
        Statistic(
            "system-accuracy",
            "system",
            "scores",
            (),
            "pairwise accuracy: system pairs in the same order (Kocmi et al. 2021)",
            measure=systems.measure_accuracy,
            draw_systems=systems.draw_accuracies,
            needs_segments=False,
        ),
        Statistic(
            "spa",
            "system",
            "scores",
            (),
            "soft pairwise accuracy: also compares p-values (Thompson et al. 2024)",
            measure=systems.measure_soft_accuracy,
            draw_systems=systems.draw_soft_accuracies,
        ),
    )
}


@checked
def find_statistic(name: str) -> Statistic:
    """Return a statistic by its name.

    Raises:
        OptionError: there is no statistic of that name; the message names the nearest one.

    >>> find_statistic("spa").level
    'system'
    """
    wanted = name if isinstance(name, str) else shown(name)
    entry = STATISTICS.get(wanted)
    if entry is None:
        raise OptionError(
            f"there is no statistic {wanted}{nearest(wanted, STATISTICS)}: "
            f"the statistics are {', '.join(STATISTICS)}"
        )
    return entry


def check_grouping(entry: Statistic, grouping: str | None) -> str | None:
    """Return the grouping to use: the default of the statistic where `grouping` is None.

    Raises:
        OptionError: the statistic does not have the grouping.
    """
    if grouping is None:
        return entry.groupings[0] if entry.groupings else None
    if grouping in entry.groupings:
        return grouping
    if not entry.groupings:
        raise OptionError(
            f"{entry.name} compares whole systems and has no grouping: leave out {grouping!r}"
        )
    raise OptionError(
        f"the grouping of {entry.name} must be one of {', '.join(entry.groupings)}, not "
        f"{grouping!r}"
        f"{nearest(grouping, entry.groupings)}"
    )
