"""Tests of metrics without a score of some segments: they use the segments that all have scored.

A paired test compares two systems on the same segments. If each system had scores of other
segments, an exchange would move a score from one system to the other without a partner.
"""

from __future__ import annotations

from dataclasses import replace

from bleuet.evaluation.segment_mean import SegmentMean
from bleuet.evaluation.systems import Systems
from bleuet.significance.paired_results import FEWEST_SCORES, NO_TEST, PairedResults
from bleuet.significance.result_parts import MissingScores, SystemScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from bleuet.significance.result_parts import PairedComparison

    # The segments that a metric is tested on, or None for all.
    Rows: TypeAlias = tuple[int, ...] | None


def for_scored_segments(
    systems: Systems, test: Callable[[Systems], PairedResults]
) -> PairedResults:
    """Test metrics together whose scores are of the same segments, and return one result.

    Only segments with a score of every run of every system are used. The metrics of
    `metrics_without_test` are not tested.

    Args:
        systems: the systems; a mean of external scores may lack scores of segments.
        test: a test of systems by some of the metrics, on some of the segments.

    Returns:
        The results of all metrics; without comparisons for those that are not tested.
    """
    labels = systems.labels
    parts = [
        test(part).renamed([labels[metric] for metric in metrics])
        for metrics, part in scored_parts(systems)
    ]
    return _joined(systems, [*parts, _untested(systems)])


def scored_parts(systems: Systems) -> Iterator[tuple[list[int], Systems]]:
    """Yield systems by some of their metrics, on the segments that these metrics score for all.

    Yields:
        The places of the metrics, and the systems, without the metrics of `metrics_without_test`.
    """
    groups: dict[Rows, list[int]] = {}
    left_out = metrics_without_test(systems)
    for metric in range(len(systems.metrics)):
        if metric not in left_out:
            groups.setdefault(_rows(systems, metric), []).append(metric)
    for rows in sorted(groups, key=bool):
        yield groups[rows], systems.select(groups[rows], rows)


def compared_segments(systems: Systems, metric: int) -> Rows:
    """Return the segments that systems are compared on by a metric, None for all.

    Each system keeps its own segments where the metric is one of `metrics_without_test`.

    Args:
        systems: the systems.
        metric: the place of the metric.
    """
    return None if metric in metrics_without_test(systems) else _rows(systems, metric)


def metrics_without_test(systems: Systems) -> list[int]:
    """Return the metrics with few segments that all systems have a score for.

    Returns:
        The places of the metrics.
    """
    found = []
    for metric in range(len(systems.metrics)):
        scored = _scored(systems, metric)
        if scored and len(_common(scored)) < min(FEWEST_SCORES, len(set().union(*scored))):
            found.append(metric)
    return found


def missing_scores(systems: Systems) -> tuple[MissingScores, ...]:
    """Return, for each metric without a score of some segments, which segments have one.

    >>> mean = SegmentMean("COMET")
    >>> tables = {name: [mean.table_of([0.8, None, 0.7])] for name in ("mine", "theirs")}
    >>> print(*missing_scores(Systems([mean], tables)))
    COMET is the mean over the segments that have a score: 2 of 3.
    """
    found = []
    left_out = metrics_without_test(systems)
    for metric, label in enumerate(systems.labels):
        scored = _scored(systems, metric)
        if scored and min(map(len, scored)) < systems.segments:
            one = MissingScores.of(label, systems.names, scored, systems.segments)
            found.append(replace(one, compared=metric not in left_out))
    return tuple(found)


def _scored(systems: Systems, metric: int) -> list[list[int]]:
    """Return, for each system, the segments that have a score in every run.

    Nothing is returned for a metric that scores all segments.
    """
    if not isinstance(systems.metrics[metric], SegmentMean):
        return []
    columns = [row[metric].column("segments") for row in systems.tables.values()]
    return [
        [i for i in range(systems.segments) if all(column[i :: systems.segments])]
        for column in columns
    ]


def _common(scored: Sequence[Sequence[int]]) -> list[int]:
    """Return the segments that have a score of every system."""
    return sorted(set(scored[0]).intersection(*scored[1:]))


def _rows(systems: Systems, metric: int) -> Rows:
    scored = _scored(systems, metric)
    rows = tuple(_common(scored)) if scored else ()
    return rows if scored and len(rows) < systems.segments else None


def _joined(systems: Systems, results: Sequence[PairedResults]) -> PairedResults:
    names, labels = systems.names, systems.labels
    scores = {(one.system, one.metric): one for found in results for one in found.scores}
    by_pair: dict[tuple[str, str], dict[str, PairedComparison]] = {}
    for one in (one for found in results for one in found.comparisons):
        by_pair.setdefault((one.baseline, one.system), {})[one.metric] = one
    return replace(
        results[0],
        metrics=labels,
        scores=tuple(scores[name, label] for name in names for label in labels),
        comparisons=tuple(of[label] for of in by_pair.values() for label in labels if label in of),
        signatures={
            label: found.signatures[label]
            for label in labels
            for found in results
            if label in found.signatures
        },
        segments=systems.segments,
        extra_digits=systems.extra_digits,
        missing=missing_scores(systems),
    )


def _untested(systems: Systems) -> PairedResults:
    """Return the scores by the metrics that are not tested."""
    metrics, labels = metrics_without_test(systems), systems.labels
    scores = tuple(
        SystemScore(
            name,
            labels[metric],
            systems.metrics[metric].score(tables[metric].totals()).score,
            None,
            systems.metrics[metric].higher_is_better,
        )
        for name, tables in systems.tables.items()
        for metric in metrics
    )
    signatures = {labels[metric]: systems.metrics[metric].signature() for metric in metrics}
    names = tuple(labels[metric] for metric in metrics)
    return PairedResults(NO_TEST, systems.names, names, scores, (), signatures)
