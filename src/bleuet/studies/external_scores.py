"""Scores of segments that are known already, a neural metric's or people's, as further metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.messages import nearest
from bleuet.metrics.catalogue import CATALOGUE, PRESETS
from bleuet.output.escaping import printable
from bleuet.studies.significance.segment_mean import SegmentMean, digits_beyond_percent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.score import Score
    from bleuet.statistics.table import Table, Totals

    # For each metric, by its name or a SegmentMean, the scores of each system's segments.
    Scores: TypeAlias = Mapping[Any, Mapping[str, Iterable[float | None]]]
    # One system's scores, None where a segment has none.
    Column: TypeAlias = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class KnownScores:
    """What one metric, or people, gave the segments of each system.

    Attributes:
        mean: what they are called, and whether more is better.
        columns: each system's scores, `columns[system][row]`.
        tables: the same as rows that add, one table per system.
    """

    mean: SegmentMean
    columns: tuple[Column, ...]
    tables: tuple[Table, ...]


def known_scores(
    scores: Scores | None, systems: Sequence[str], segments: int
) -> dict[str, KnownScores]:
    """Check scores of segments, and return them by their names.

    Args:
        scores: by metric and system, a number for each segment or None.
        systems: the systems' names.
        segments: how many segments there are.

    Raises:
        InputError: a system's scores are missing, too few or too many, or no numbers.
        OptionError: two are of one name, or a name cannot be one.

    >>> found = known_scores({"COMET": {"mine": [0.8, None]}}, ["mine"], 2)
    >>> found["COMET"].columns
    ((0.8, None),)
    """
    found: dict[str, KnownScores] = {}
    for name, by_system in _items(scores or {}, "scores"):
        mean = name if isinstance(name, SegmentMean) else SegmentMean(name)
        check_name(mean.label)
        if mean.label in found:
            raise OptionError(f"two metrics are called {mean.label}; give each a name of its own")
        found[mean.label] = _checked(mean, by_system, systems, segments)
    return found


def check_name(name: str) -> None:
    """Refuse a name of scores that cannot be shown, or by which a metric is asked for.

    Raises:
        OptionError: it is such a name.
    """
    if printable(name) != name:
        raise OptionError(f"scores are called {name!r}; take a name that can be printed")
    if name.lower() in (*CATALOGUE, *PRESETS):
        raise OptionError(f"scores are called {name}, as a metric is; give them another name")


def _items(mapping: Any, what: str) -> Iterable[tuple[Any, Any]]:
    if not isinstance(mapping, Mapping):
        raise InputTypeError(
            f"{what} are given by name, as in {{'COMET': {{'mine': [0.8, None]}}}}, not as "
            f"{type(mapping).__name__}"
        )
    return mapping.items()


def _checked(
    mean: SegmentMean, by_system: Any, systems: Sequence[str], segments: int
) -> KnownScores:
    given = dict(_items(by_system, f"{mean.label} scores"))
    unknown = next((name for name in given if name not in systems), None)
    if unknown is not None:
        raise InputError(
            f"there are {mean.label} scores of {unknown!r}, which is none of the systems"
            f"{nearest(str(unknown), systems)}; they are {', '.join(systems)}"
        )
    columns = tuple(_column(mean, given.get(name, ()), name, segments) for name in systems)
    return KnownScores(mean, columns, tuple(map(mean.table_of, columns)))


def _column(mean: SegmentMean, given: Any, system: str, segments: int) -> Column:
    if isinstance(given, str | Mapping) or not hasattr(given, "__iter__"):
        raise InputTypeError(
            f"the {mean.label} scores of {system} must be a list of numbers, None where a segment "
            f"has none, not {type(given).__name__}"
        )
    listed = list(given)
    if all(score is None for score in listed):
        raise InputError(f"the system {system} has no {mean.label} scores; give some for all")
    if len(listed) != segments:
        raise InputError(
            f"the system {system} has {len(listed)} {mean.label} scores, but there are {segments} "
            "segments; give one for each, None where a segment has none"
        )
    try:
        mean.table_of(listed)
    except InputError as error:
        raise InputError(f"system {system}: {error}") from error
    return tuple(None if score is None else float(score) for score in listed)


def check_together(metrics: Sequence[Metric[Any]], known: Mapping[str, KnownScores]) -> None:
    """Refuse scores whose name a metric has that is computed, and means without scores.

    Args:
        metrics: all metrics, those of known scores among them.
        known: the known scores by name.

    Raises:
        OptionError: a name is taken, or a mean is asked for whose scores were not given.
    """
    taken = {metric.name.lower() for metric in metrics if not isinstance(metric, SegmentMean)}
    for name in known:
        if name.lower() in taken:
            raise OptionError(f"two metrics are called {name}; give the scores another name")
    for metric in metrics:
        if isinstance(metric, SegmentMean) and known.get(metric.label) is None:
            raise OptionError(
                f"{metric.label} is a mean of scores that were not given; add them to scores"
            )
        if isinstance(metric, SegmentMean) and known[metric.label].mean != metric:
            raise OptionError(
                f"{metric.label} is better higher and lower at once; make the mean once, and give "
                "its scores under that"
            )


def score_of(metric: Metric[Any], totals: Totals) -> Score | None:
    """Return the score of a sum of rows; None where no segment of them has one."""
    if isinstance(metric, SegmentMean) and not totals["segments"]:
        return None
    found: Score = metric.score(totals)
    return found


def more_digits(metric: Metric[Any], columns: Iterable[Column]) -> int:
    """Return how many digits scores need beyond those of scores in percent.

    >>> comet = SegmentMean("COMET")
    >>> [more_digits(comet, [(score, None)]) for score in (0.81, -3.5, 85)]
    [2, 1, 0]
    """
    if not isinstance(metric, SegmentMean):
        return 0
    return digits_beyond_percent(score for score in chain(*columns) if score is not None)
