"""External scores: segment scores that another program or human raters gave, as further metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.evaluation.segment_mean import SegmentMean, digits_beyond_percent
from bleuet.messages import nearest
from bleuet.metrics.catalogue import NAMES
from bleuet.output.escaping import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.score import Score
    from bleuet.statistics.table import Table, Totals

    # The scores of each system's segments, by metric (its name or a SegmentMean) and system.
    Scores: TypeAlias = Mapping[Any, Mapping[str, Iterable[float | None]]]
    # One system's scores, None where a segment has none.
    Column: TypeAlias = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class ExternalScores:
    """The segment scores of one external metric for each system.

    Attributes:
        mean: the metric: its name, and whether higher is better.
        columns: each system's scores, `columns[system][segment]`.
        tables: the same scores as tables of rows that add, one per system.
    """

    mean: SegmentMean
    columns: tuple[Column, ...]
    tables: tuple[Table, ...]


def validate_scores(
    scores: Scores | None, systems: Sequence[str], segments: int
) -> dict[str, ExternalScores]:
    """Validate segment scores and return them by the name of their metric.

    Args:
        scores: by metric and system, one number per segment, None where a segment has no score.
        systems: the names of the systems.
        segments: the number of segments.

    Raises:
        InputError: scores of a system are missing, too few or too many, or not numbers.
        OptionError: two metrics have the same name, or a name cannot be used.

    >>> found = validate_scores({"COMET": {"mine": [0.8, None]}}, ["mine"], 2)
    >>> found["COMET"].columns
    ((0.8, None),)
    """
    found: dict[str, ExternalScores] = {}
    for name, by_system in _items({} if scores is None else scores, "scores"):
        mean = name if isinstance(name, SegmentMean) else SegmentMean(name)
        check_name(mean.label)
        if mean.label in found:
            raise OptionError(f"two metrics are called {mean.label}: give each its own name")
        found[mean.label] = _validated(mean, by_system, systems, segments)
    return found


def check_name(name: str) -> None:
    """Check that external scores can have a name.

    Raises:
        OptionError: it is not printable, or a metric of the catalogue has it.
    """
    if printable(name) != name:
        raise OptionError(
            f"the name of external scores must be printable, not {name!r}: choose another name"
        )
    if name.lower() in NAMES:
        raise OptionError(
            f"the name of external scores must not be that of a metric, such as {name}: "
            "choose another name"
        )


def _items(mapping: Any, what: str) -> Iterable[tuple[Any, Any]]:
    if not isinstance(mapping, Mapping):
        raise InputTypeError(
            f"{what} must be a mapping, as in {{'COMET': {{'mine': [0.8, None]}}}}, not "
            f"{type(mapping).__name__}"
        )
    return mapping.items()


def _validated(
    mean: SegmentMean, by_system: Any, systems: Sequence[str], segments: int
) -> ExternalScores:
    own = dict(_items(by_system, f"the {mean.label} scores"))
    unknown = next((name for name in own if name not in systems), None)
    if unknown is not None:
        raise InputError(
            f"there are {mean.label} scores of {unknown!r}, which is not one of the systems"
            f"{nearest(str(unknown), systems)}: the systems are {', '.join(systems)}"
        )
    columns = tuple(_column(mean, own.get(name, ()), name, segments) for name in systems)
    return ExternalScores(mean, columns, tuple(map(mean.table_of, columns)))


def _column(mean: SegmentMean, scores: Any, system: str, segments: int) -> Column:
    if isinstance(scores, str | Mapping) or not hasattr(scores, "__iter__"):
        raise InputTypeError(
            f"the {mean.label} scores of {system} must be a list of numbers, with None where a "
            f"segment has no score, not {type(scores).__name__}"
        )
    listed = list(scores)
    if all(score is None for score in listed):
        raise InputError(
            f"the system {system} has no {mean.label} scores: give each system at least one"
        )
    if len(listed) != segments:
        raise InputError(
            f"the system {system} has {len(listed)} {mean.label} scores, but there are {segments} "
            "segments: give one for each, None where a segment has no score"
        )
    try:
        mean.table_of(listed)
    except InputError as error:
        raise InputError(f"system {system}: {error}") from error
    return tuple(None if score is None else float(score) for score in listed)


def check_metrics(metrics: Sequence[Metric[Any]], external: Mapping[str, ExternalScores]) -> None:
    """Check that metrics and external scores fit together.

    Args:
        metrics: all metrics, those of the external scores among them.
        external: the external scores by the name of their metric.

    Raises:
        OptionError: a computed metric and external scores have the same name, or a `SegmentMean`
            has no scores.
    """
    computed = {metric.name.lower() for metric in metrics if not isinstance(metric, SegmentMean)}
    for name in external:
        if name.lower() in computed:
            raise OptionError(
                f"two metrics are called {name}: choose another name for the external scores"
            )
    for metric in metrics:
        if isinstance(metric, SegmentMean) and external.get(metric.label) is None:
            raise OptionError(
                f"{metric.label} is a mean of external scores, but has none: add them to scores"
            )
        if isinstance(metric, SegmentMean) and external[metric.label].mean != metric:
            raise OptionError(
                f"higher_is_better of {metric.label} differs between metrics and scores: use the "
                "same SegmentMean in both"
            )


def score_of(metric: Metric[Any], totals: Totals) -> Score | None:
    """Return the score of a sum of rows; None if no segment in it has a score."""
    if isinstance(metric, SegmentMean) and not totals["segments"]:
        return None
    found: Score = metric.score(totals)
    return found


def extra_digits(metric: Metric[Any], columns: Iterable[Column]) -> int:
    """Return the number of digits that scores need beyond those of a score in percent.

    Args:
        metric: a metric.
        columns: the scores of each system, where they are external.

    >>> comet = SegmentMean("COMET")
    >>> [extra_digits(comet, [(score, None)]) for score in (0.81, -3.5, 85)]
    [2, 1, 0]
    """
    if not isinstance(metric, SegmentMean):
        return metric.extra_digits
    return digits_beyond_percent(score for score in chain(*columns) if score is not None)
