"""Tests of scores that some segments lack: what is drawn must never be a test set without any."""

from __future__ import annotations

from dataclasses import replace

from understudy.studies.significance.results import Estimate, PairedResults
from understudy.studies.significance.systems import Systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from understudy.studies.comparison.evaluation import Evaluation

    # The segments that a metric is tested on, or None for all.
    Rows: TypeAlias = tuple[int, ...] | None

# A system with scores of k segments among others has none in a draw with probability e^-k.
FEW = 20


def testable(evaluation: Evaluation) -> Iterator[Systems]:
    """Yield the systems by those metrics whose scores are of the same segments.

    Segments that no system has a score of are left out, for drawn among the others they would make
    test sets with few scores or none. So are the metrics of `untestable`.
    """
    groups: dict[Rows, list[int]] = {}
    apart = untestable(evaluation)
    for metric, name in enumerate(evaluation.names):
        if name not in apart:
            groups.setdefault(_rows(evaluation, metric), []).append(metric)
    for rows in sorted(groups, key=bool):
        yield _systems(evaluation, groups[rows], rows)


def untestable(evaluation: Evaluation) -> list[str]:
    """Return the metrics by which a system has scores of few segments among many that others have.

    A draw might then hold none of it, and an exchange might take all.
    """
    found = []
    for metric, name in enumerate(evaluation.names):
        scored = _scored(evaluation, metric)
        if min(map(len, scored)) < min(FEW, len(set().union(*scored))):
            found.append(name)
    return found


def _scored(evaluation: Evaluation, metric: int) -> list[tuple[int, ...]]:
    """Return the segments that each system has a score of."""
    return [evaluation.scored(system, metric) for system in range(len(evaluation.systems))]


def _rows(evaluation: Evaluation, metric: int) -> Rows:
    rows = set().union(*_scored(evaluation, metric))
    return None if len(rows) == len(evaluation) else tuple(sorted(rows))


def _systems(evaluation: Evaluation, metrics: Sequence[int], rows: Rows) -> Systems:
    tables = {
        name: [own[metric] if rows is None else own[metric].select(rows) for metric in metrics]
        for name, own in evaluation.tables_by_name().items()
    }
    return Systems([evaluation.metrics[metric] for metric in metrics], tables)


def joined(evaluation: Evaluation, found: Sequence[PairedResults]) -> PairedResults:
    """Return the results of tests by some metrics each as one, with those that were not tested.

    Args:
        evaluation: the systems.
        found: the results, as of `testable`.
    """
    results = [*found, _untested(evaluation)]
    # Two metrics of one name are told apart in results by their options, and are of one test.
    whole = results[0]
    others = {metric for other in results[1:] for metric in other.metrics}
    following = iter(whole.metrics)
    metrics = [name if name in others else next(following) for name in evaluation.names]
    systems = evaluation.systems
    estimates = [one for other in results for one in other.estimates]
    comparisons = [one for other in results for one in other.comparisons]
    return replace(
        whole,
        metrics=tuple(metrics),
        estimates=tuple(
            sorted(
                estimates, key=lambda one: (systems.index(one.system), metrics.index(one.metric))
            )
        ),
        comparisons=tuple(
            sorted(
                comparisons,
                key=lambda one: (
                    systems.index(one.baseline),
                    systems.index(one.system),
                    metrics.index(one.metric),
                ),
            )
        ),
        signatures={name: one for other in results for name, one in other.signatures.items()},
    )


def _untested(evaluation: Evaluation) -> PairedResults:
    """Return the scores by metrics that cannot be tested, as results of no test."""
    names = untestable(evaluation)
    numbers = [evaluation.names.index(name) for name in names]
    estimates = [
        Estimate(
            system,
            evaluation.names[number],
            evaluation.scores(place)[number].score,
            None,
            evaluation.metrics[number].higher_is_better,
        )
        for place, system in enumerate(evaluation.systems)
        for number in numbers
    ]
    signatures = {
        evaluation.names[number]: evaluation.metrics[number].signature() for number in numbers
    }
    systems = evaluation.systems
    return PairedResults("no test", systems, tuple(names), tuple(estimates), (), signatures)
