"""The catalogue of statistics: each by name, with what it needs. A new statistic adds one entry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bleuet.errors import OptionError
from bleuet.messages import nearest
from bleuet.studies.meta_evaluation import correlation, pairs, ties
from bleuet.studies.meta_evaluation import system_scores as systems
from bleuet.studies.meta_evaluation.grouping import GROUPINGS, draw_items, measure_grouped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.studies.meta_evaluation.grouping import Correlation
    from bleuet.studies.meta_evaluation.measured import Measured
    from bleuet.studies.meta_evaluation.pairs import Coefficients
    from bleuet.studies.meta_evaluation.rows import Floats, Integers


@dataclass(frozen=True, slots=True)
class Statistic:
    """One statistic of agreement.

    Args:
        name: what it is called.
        level: "segment" or "system".
        takes: "judgments" (people's pairwise judgments, or scores that pairs are made of) or
            "scores".
        groupings: those it can be asked with, the usual one first; none at the system level.
        summary: what it is, in one line.
        coefficients: what a judged pair adds; only where it takes judgments.
        measure: people's scores, the metric's scores, grouping, seed -> the statistic; only
            where it takes scores.
        draw_items: people's scores, the metric's, how often each segment was drawn -> one value
            per draw, by item; only where that is sooner than to measure each draw anew.
        needs_segments: it is made of the scores on segments, so that a score of the whole corpus
            will not do.
    """

    name: str
    level: str
    takes: str
    groupings: tuple[str, ...]
    summary: str
    coefficients: Coefficients | None = None
    measure: Callable[[Floats, Floats, str | None, int], Measured] | None = None
    draw_items: Callable[[Floats, Floats, Integers], Floats] | None = None
    needs_segments: bool = True


def _of_judgments(name: str, coefficients: Coefficients, summary: str) -> Statistic:
    return Statistic(name, "segment", "judgments", ("none", "item"), summary, coefficients)


def _of_segments(name: str, function: Correlation, summary: str, usual: str = "none") -> Statistic:
    def measure(human: Floats, metric: Floats, grouping: str | None, _: int) -> Measured:
        return measure_grouped(function, human, metric, grouping or usual)

    groupings = (usual, *(one for one in GROUPINGS if one != usual))
    drawn = partial(draw_items, function)
    return Statistic(name, "segment", "scores", groupings, summary, None, measure, drawn)


def _calibrated(human: Floats, metric: Floats, grouping: str | None, _: int) -> Measured:
    return ties.measure_calibrated(human, metric, grouping or "item")


def _of_systems(name: str, function: Correlation, summary: str) -> Statistic:
    def measure(human: Floats, metric: Floats, _: str | None, __: int) -> Measured:
        return systems.measure_systems(function, human, metric)

    return Statistic(name, "system", "scores", (), summary, measure=measure, needs_segments=False)


def _accuracy(human: Floats, metric: Floats, _: str | None, __: int) -> Measured:
    return systems.measure_accuracy(human, metric)


def _soft_accuracy(human: Floats, metric: Floats, _: str | None, seed: int) -> Measured:
    return systems.measure_soft_accuracy(human, metric, seed)


STATISTICS: dict[str, Statistic] = {
    entry.name: entry
    for entry in (
        _of_judgments(
            "tau",
            pairs.CHEN_CHERRY,
            "Kendall's tau over judged pairs, metric ties half right and half wrong "
            "(Chen and Cherry 2014, equation 12)",
        ),
        _of_judgments(
            "tau-wmt12", pairs.WMT12, "the same, metric ties wrong (WMT 2010 to 2012, and daRR)"
        ),
        _of_judgments("tau-wmt13", pairs.WMT13, "the same, metric ties left out (WMT 2013)"),
        _of_judgments(
            "tau-wmt14",
            pairs.WMT14,
            "the same, metric ties neither right nor wrong but counted (WMT 2014): equals tau",
        ),
        _of_segments(
            "tau-a", correlation.tau_a, "Kendall's tau-a of scores, no correction", "item"
        ),
        _of_segments(
            "tau-b", correlation.tau_b, "Kendall's tau-b of scores, ties corrected", "item"
        ),
        _of_segments("tau-c", correlation.tau_c, "Stuart's tau-c of scores, for scales", "item"),
        Statistic(
            "acc-eq",
            "segment",
            "scores",
            ("item", "none", "system"),
            "pairwise accuracy with tie calibration, acc*eq (Deutsch et al. 2023)",
            measure=_calibrated,
            draw_items=ties.draw_calibrated_items,
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
            "pairwise accuracy: system pairs ordered alike (Kocmi et al. 2021)",
            measure=_accuracy,
            needs_segments=False,
        ),
        Statistic(
            "spa",
            "system",
            "scores",
            (),
            "soft pairwise accuracy: alike in how surely, too (Thompson et al. 2024)",
            measure=_soft_accuracy,
        ),
    )
}


def find_statistic(name: str) -> Statistic:
    """Return a statistic by its name.

    Raises:
        OptionError: there is none of that name; the message names the nearest.

    >>> find_statistic("spa").level
    'system'
    """
    entry = STATISTICS.get(str(name))
    if entry is None:
        raise OptionError(
            f"there is no statistic {name}{nearest(str(name), STATISTICS)}; "
            f"the statistics are {', '.join(STATISTICS)}"
        )
    return entry


def check_grouping(entry: Statistic, grouping: str | None) -> str | None:
    """Return the grouping to use, the statistic's usual one where none is given.

    Raises:
        OptionError: the statistic cannot be grouped so.
    """
    if grouping is None:
        return entry.groupings[0] if entry.groupings else None
    if grouping in entry.groupings:
        return grouping
    if not entry.groupings:
        raise OptionError(f"{entry.name} compares whole systems, so it takes no grouping")
    raise OptionError(
        f"{entry.name} can be grouped by {', '.join(entry.groupings)}, not by {grouping!r}"
        f"{nearest(grouping, entry.groupings)}"
    )
