"""Stored scores as a baseline: which score is compared with which, and on which test set."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import bleuet
from bleuet import CHRF, MismatchError, make_metric
from bleuet.gate import GateRun, History
from bleuet.gate.stored_scores import StoredScores, best_run
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B
from tests.gate_runs import gate_run, run_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.metrics.base.score import Score

SOURCES = ["a source", "of each", "of the", "segments"]
TER = make_metric("ter")


def scored(
    systems: dict[str, list[str]], sources: list[str], metrics: Sequence[str]
) -> tuple[list[dict[str, Any]], dict[str, list[Score]], str]:
    """Scores as they are written and as they are, and the fingerprint of their test set."""
    found = bleuet.score(systems, REFERENCE, list(metrics), sources=sources)
    by_system = {name: [found[metric][name] for metric in found] for name in systems}
    return json.loads(found.to_json()), by_system, str(found.test_set)


def test_each_score_is_compared_with_that_of_its_metric_and_system() -> None:
    systems = {"a": SYSTEM_A, "b": SYSTEM_B}
    written, scores, test_set = scored(systems, SOURCES, ["sari", "bleu", "chrf", "chrf++"])
    stored = StoredScores("s.json", written)
    for system, old in scores.items():
        values = [score.score for score in old]
        for places in ([0, 1, 2, 3], [3, 1], [2]):
            new = [scores["a"][place] for place in places]
            found = stored.scores(system, new, test_set, "new")
            assert found == [values[place] for place in places]


def test_sources_matter_to_metrics_that_read_them_only() -> None:
    systems = {"a": SYSTEM_A}
    written, _, _ = scored(systems, SOURCES, ["bleu", "sari", "chrf"])
    stored = StoredScores("s.json", written)
    other = [*SOURCES[:-1], "changed"]
    for metrics, fits in ((["bleu", "chrf"], True), (["bleu", "sari", "chrf"], False)):
        _, scores, test_set = scored(systems, other, metrics)
        for new in (scores["a"], scores["a"][::-1]):
            if fits:
                assert len(stored.scores("a", new, test_set, "new")) == len(metrics)
                continue
            with pytest.raises(MismatchError, match="test set than new: it has another source;"):
                stored.scores("a", new, test_set, "new")
            with pytest.warns(UserWarning, match="another test set than new"):
                stored.scores("a", new, test_set, "new", allow_mismatch=True)


def runs(*numbers: tuple[float, bool], metric: str = "BLEU") -> list[GateRun]:
    return [
        gate_run(day, run_score(score, metric=metric), passed=passed, test_set="")
        for day, (score, passed) in enumerate(numbers, 1)
    ]


@pytest.mark.parametrize(
    ("metric", "numbers", "best"),
    [
        ("BLEU", [(30, True), (31, True), (31, True), (30.5, True)], 2),
        ("BLEU", [(30, True), (32, False), (31, True), (29, True)], 2),
        ("TER", [(60, True), (58, True), (59, True), (57, False)], 1),
        ("TER", [(60, True), (60, True)], 1),
    ],
)
def test_the_best_run_is_the_newest_of_the_best_that_passed(
    metric: str, numbers: list[tuple[float, bool]], best: int
) -> None:
    history = History(tuple(runs(*numbers, metric=metric)))
    new = make_metric(metric.lower()).corpus_score(SYSTEM_A, REFERENCE)
    run, scores, number = best_run("h.jsonl", history, [new], "", "new")
    assert (run, scores) == (history.runs[best], [numbers[best][0]])
    assert number == sum(passed for _, passed in numbers)


def test_the_best_run_is_that_by_the_first_metric() -> None:
    pairs = [(30.0, 40.0), (33.0, 60.0), (31.0, 35.0)]
    history = History(
        tuple(
            gate_run(day, run_score(bleu), run_score(ter, metric="TER"), passed=True, test_set="")
            for day, (bleu, ter) in enumerate(pairs, 1)
        )
    )
    bleu, ter = (make_metric(name).corpus_score(SYSTEM_A, REFERENCE) for name in ("bleu", "ter"))
    assert best_run("h", history, [bleu, ter], "", "new")[1] == [33.0, 60.0]
    assert best_run("h", history, [ter, bleu], "", "new")[1] == [35.0, 31.0]
    # A run without the other metric is left out where differences are known, or is an error.
    chrf = CHRF().corpus_score(SYSTEM_A, REFERENCE)
    with pytest.raises(MismatchError, match="has no chrF2, only BLEU, TER"):
        best_run("h", history, [bleu, chrf], "", "new")
