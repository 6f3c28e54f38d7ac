"""Tests of scores that some segments lack: what is drawn must never be a test set without any."""

from __future__ import annotations

from dataclasses import replace

from bleuet.studies.significance.results import Estimate, PairedResults
from bleuet.studies.significance.segment_mean import SegmentMean
from bleuet.studies.significance.systems import Systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from bleuet.studies.significance.results import Comparison

    # The segments that a metric is tested on, or None for all.
    Rows: TypeAlias = tuple[int, ...] | None

# A system with scores of k segments among others has none in a draw with probability e^-k.
FEW = 20


def over_gaps(systems: Systems, test: Callable[[Systems], PairedResults]) -> PairedResults:
    """Test systems by those metrics together whose scores are of the same segments.

    Segments that no system has a score of are left out, for drawn among the others they would make
    test sets with few scores or none. By the metrics of `untestable` nothing is tested.

    Args:
        systems: the systems; scores of segments may have gaps.
        test: what to do with systems by some of the metrics, on some of the segments.

    Returns:
        The results as one, and the bare scores by metrics that were not tested.
    """
    labels, apart = systems.labels, untestable(systems)
    parts = [
        test(part).renamed([labels[metric] for metric in metrics])
        for metrics, part in testable(systems)
    ]
    return _joined(systems, [*parts, _untested(systems, apart)])


def testable(systems: Systems) -> Iterator[tuple[list[int], Systems]]:
    """Yield systems by some of their metrics, on the segments that these have scores of.

    Yields:
        The metrics by their places, and the systems. The metrics of `untestable` are left out.
    """
    groups: dict[Rows, list[int]] = {}
    apart = untestable(systems)
    for metric in range(len(systems.metrics)):
        if metric not in apart:
            groups.setdefault(_rows(systems, metric), []).append(metric)
    for rows in sorted(groups, key=bool):
        yield groups[rows], _part(systems, groups[rows], rows)


def untestable(systems: Systems) -> list[int]:
    """Return the metrics by which a system has scores of few segments among many that others have.

    A draw might then hold none of it, and an exchange might take all.

    Returns:
        The metrics by their places.
    """
    found = []
    for metric in range(len(systems.metrics)):
        scored = _scored(systems, metric)
        if scored and min(map(len, scored)) < min(FEW, len(set().union(*scored))):
            found.append(metric)
    return found


def scored_segments(systems: Systems) -> dict[str, dict[str, int]]:
    """Return of how many segments each system has a score, by the metrics that some have none by.

    Returns:
        By the metrics' labels and the systems' names.
    """
    found = {}
    for metric, label in enumerate(systems.labels):
        counts = [len(own) for own in _scored(systems, metric)]
        if counts and min(counts) < systems.segments:
            found[label] = dict(zip(systems.names, counts, strict=True))
    return found


def gaps_in_words(systems: Systems) -> list[str]:
    """Return a sentence for each metric that has no score of some segments.

    >>> mean = SegmentMean("COMET")
    >>> tables = {name: [mean.table_of([0.8, None, 0.7])] for name in ("mine", "theirs")}
    >>> gaps_in_words(Systems([mean], tables))
    ['COMET is the mean over the segments that have a score: 2 of 3.']
    """
    told = []
    for metric, label in enumerate(systems.labels):
        scored = _scored(systems, metric)
        if scored and min(map(len, scored)) < systems.segments:
            told.append(gap_in_words(label, systems.names, scored, systems.segments))
    return told


def gap_in_words(
    label: str, names: Sequence[str], scored: Sequence[Sequence[int]], total: int
) -> str:
    """Return in a sentence which segments the mean of a metric's scores is of.

    Args:
        label: the metric's.
        names: the systems'.
        scored: for each of them the segments that have a score.
        total: how many segments there are.
    """
    which, some = "that have a score", f"{len(scored[0]):,}"
    if any(rows != scored[0] for rows in scored):
        named = zip(names, scored, strict=True)
        some = ", ".join(f"{len(rows):,} ({name})" for name, rows in named)
        which += ", which are not the same for all systems"
    return f"{label} is the mean over the segments {which}: {some} of {total:,}."


def _scored(systems: Systems, metric: int) -> list[list[int]]:
    """The segments that each system has a score of; nothing where a metric scores them all."""
    if not isinstance(systems.metrics[metric], SegmentMean):
        return []
    columns = [row[metric].column("segments") for row in systems.tables.values()]
    return [[i for i, count in enumerate(column) if count] for column in columns]


def _rows(systems: Systems, metric: int) -> Rows:
    scored = _scored(systems, metric)
    rows = set().union(*scored)
    return tuple(sorted(rows)) if scored and len(rows) < systems.segments else None


def _part(systems: Systems, metrics: Sequence[int], rows: Rows) -> Systems:
    tables = {
        name: [own[metric] if rows is None else own[metric].select(rows) for metric in metrics]
        for name, own in systems.tables.items()
    }
    return Systems([systems.metrics[metric] for metric in metrics], tables)


def _joined(systems: Systems, results: Sequence[PairedResults]) -> PairedResults:
    names, labels = systems.names, systems.labels
    estimates = {(one.system, one.metric): one for found in results for one in found.estimates}
    by_pair: dict[tuple[str, str], dict[str, Comparison]] = {}
    for one in (one for found in results for one in found.comparisons):
        by_pair.setdefault((one.baseline, one.system), {})[one.metric] = one
    return replace(
        results[0],
        metrics=labels,
        estimates=tuple(estimates[name, label] for name in names for label in labels),
        comparisons=tuple(of[label] for of in by_pair.values() for label in labels if label in of),
        signatures={
            label: found.signatures[label]
            for label in labels
            for found in results
            if label in found.signatures
        },
    )


def _untested(systems: Systems, apart: Sequence[int]) -> PairedResults:
    """The scores by metrics that cannot be tested, as results of no test."""
    labels = systems.labels
    estimates = tuple(
        Estimate(
            name,
            labels[metric],
            systems.metrics[metric].score(tables[metric].totals()).score,
            None,
            systems.metrics[metric].higher_is_better,
        )
        for name, tables in systems.tables.items()
        for metric in apart
    )
    signatures = {labels[metric]: systems.metrics[metric].signature() for metric in apart}
    names = tuple(labels[metric] for metric in apart)
    return PairedResults("no test", systems.names, names, estimates, (), signatures)
