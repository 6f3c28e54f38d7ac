"""Tests of metrics without a score of some segments: they use the segments that all have scored.

A paired test compares two systems on the same segments. If each system had scores of other
segments, an exchange would move a score from one system to the other without a partner.
"""

from __future__ import annotations

from bleuet.significance.paired_results import PairedResults
from bleuet.significance.result_parts import MissingScores, SystemScore
from bleuet.significance.settings import TestSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.significance.result_parts import PairedComparison


def for_scored_segments(
    evaluation: Evaluation, test: Callable[[Evaluation], PairedResults]
) -> PairedResults:
    """Test metrics together whose scores are of the same segments, and return one result.

    Only segments with a score of every run of every system are used. Metrics that are not
    comparable are not tested.

    Args:
        evaluation: the systems; external scores may lack scores of segments.
        test: a test of systems by some of the metrics, on some of the segments.

    Returns:
        The results of all metrics; without comparisons for those that are not tested.
    """
    labels = evaluation.labels
    parts = [
        test(part).renamed([labels[metric] for metric in metrics])
        for metrics, part in scored_parts(evaluation)
    ]
    return _joined(evaluation, [*parts, _untested(evaluation)])


def scored_parts(evaluation: Evaluation) -> Iterator[tuple[list[int], Evaluation]]:
    """Yield an evaluation by some metrics, on the segments that these score for all systems.

    Yields:
        The places of the metrics, and the evaluation; metrics that are not comparable are left out.
    """
    groups: dict[tuple[int, ...] | None, list[int]] = {}
    for metric in range(len(evaluation.metrics)):
        if evaluation.is_comparable(metric):
            groups.setdefault(evaluation.common_segments(metric), []).append(metric)
    for rows in sorted(groups, key=bool):
        yield groups[rows], evaluation.select(groups[rows], rows)


def missing_scores(evaluation: Evaluation) -> tuple[MissingScores, ...]:
    """Return, for each metric without a score of some segments, which segments have one.

    >>> from bleuet.evaluation.evaluation import Evaluation
    >>> scores = {"COMET": {name: [0.8, None, 0.7] for name in ("mine", "theirs")}}
    >>> print(*missing_scores(Evaluation.from_scores(scores, ["mine", "theirs"], 3)))
    COMET is the mean over the segments that have a score: 2 of 3.
    """
    found = []
    for metric, label in enumerate(evaluation.labels):
        scored = evaluation.scored_segments[metric]
        if scored and min(map(len, scored)) < evaluation.segments:
            one = MissingScores.of(label, evaluation.systems, scored, evaluation.segments)
            found.append(one.replace(compared=evaluation.is_comparable(metric)))
    return tuple(found)


def _joined(evaluation: Evaluation, results: Sequence[PairedResults]) -> PairedResults:
    names, labels = evaluation.systems, evaluation.labels
    scores = {(one.system, one.metric): one for found in results for one in found.scores}
    by_pair: dict[tuple[str, str], dict[str, PairedComparison]] = {}
    for one in (one for found in results for one in found.comparisons):
        by_pair.setdefault((one.baseline, one.system), {})[one.metric] = one
    return results[0].replace(
        metrics=labels,
        scores=tuple(scores[name, label] for name in names for label in labels),
        comparisons=tuple(of[label] for of in by_pair.values() for label in labels if label in of),
        signatures={
            label: found.signatures[label]
            for label in labels
            for found in results
            if label in found.signatures
        },
        segments=evaluation.segments,
        extra_digits=dict(zip(labels, evaluation.extra_digits, strict=True)),
        effective_units={
            label: size for found in results for label, size in found.effective_units.items()
        },
        missing=missing_scores(evaluation),
    )


def _untested(evaluation: Evaluation) -> PairedResults:
    """Return the scores by the metrics that are not tested."""
    left_out = [
        (place, label, metric)
        for place, (label, metric) in enumerate(
            zip(evaluation.labels, evaluation.metrics, strict=True)
        )
        if not evaluation.is_comparable(place)
    ]
    scores = tuple(
        SystemScore(name, label, score.score, None, metric.higher_is_better)
        for name, tables in evaluation.tables.items()
        for place, label, metric in left_out
        for score in [metric.score(tables[place].totals())]
    )
    signatures = {label: metric.signature() for _, label, metric in left_out}
    settings = TestSettings(seed=None, correction=None)
    return PairedResults(settings, evaluation.systems, tuple(signatures), scores, (), signatures)
