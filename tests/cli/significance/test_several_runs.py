"""Several runs of each system."""

from __future__ import annotations

import csv
import io
import json
import statistics

import numpy as np
import pytest

from bleuet import BLEU, CHRF, TER, Table
from bleuet.significance import Evaluation, TestSettings, paired_test
from tests.cli.significance.corpora import (
    METRICS,
    RUN_WORDS,
    RUNS,
    SEGMENTS,
    Run,
    found,
    references,
    texts,
)

pytestmark = pytest.mark.slow


def tables_of(name: str) -> list[Table]:
    return [metric.count(texts()[name], references()) for metric in (BLEU(), CHRF(), TER())]


@pytest.mark.parametrize("test", ["welch", "randomization", "multeval-randomization", "bootstrap"])
def test_runs_have_the_results_of_the_study(significance: Run, test: str) -> None:
    more = (*METRICS, "--test", test, "--draws", "300", "--seed", "5")
    values = found(significance("ref.txt", *RUN_WORDS, *more, "-f", "json"))
    runs = {system: [tables_of(name) for name in names] for system, names in RUNS.items()}
    counted = Evaluation.of_runs([BLEU(), CHRF(), TER()], runs)
    expected = paired_test(counted, TestSettings(test=test, draws=300, seed=5))
    assert values == json.loads(expected.to_json())
    assert values["scores"][0]["run_scores"]
    for one in values["comparisons"]:
        assert one["corrected_p_value"] == one["p_value"]


def test_runs_by_their_definitions(significance: Run) -> None:
    """Mean, deviation and p by their definitions, from scores of texts alone."""
    more = ("-m", "ter", "--test", "randomization", "--draws", "60", "--seed", "5", "-f", "json")
    values = found(significance("ref.txt", *RUN_WORDS, *more))
    for run, names in zip(values["scores"], RUNS.values(), strict=True):
        scores = [TER().corpus_score(texts()[name], references()).score for name in names]
        assert run["run_scores"] == scores
        assert run["run_mean"] == pytest.approx(statistics.mean(scores))
        assert run["run_deviation"] == pytest.approx(statistics.stdev(scores))
    old, new = ([line for name in names for line in texts()[name]] for names in RUNS.values())

    def difference(mine: list[str], others: list[str]) -> float:
        twice = references() * 2
        one, other = (TER().corpus_score(lines, twice).score for lines in (mine, others))
        return abs(one - other)

    real, above = difference(old, new), 0
    for segments in np.random.default_rng(5).integers(2, size=(60, SEGMENTS), dtype=bool):
        mask = np.tile(segments, 2)
        pairs = [(a, b) if keep else (b, a) for a, b, keep in zip(old, new, mask, strict=True)]
        mine, others = (list(lines) for lines in zip(*pairs, strict=True))
        above += difference(mine, others) > real - 1e-9
    assert values["comparisons"][0]["p_value"] == (above + 1) / 61


def test_runs_print(significance: Run) -> None:
    out = significance("ref.txt", *RUN_WORDS, "-m", "ter").out
    scores = [TER().corpus_score(texts()[name], references()).score for name in RUNS["old"]]
    mean, deviation = statistics.mean(scores), statistics.stdev(scores)
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["old"])
    assert (row[1], row[4]) == (f"{mean:.2f}", f"{deviation:.2f}")
    assert "40 segments, 2 runs of each system;" in " ".join(out.split())
    fixed = significance("ref.txt", *RUN_WORDS, "-m", "ter", "--test", "randomization").out
    row = next(line.split() for line in fixed.splitlines() if line.split()[:1] == ["old"])
    assert row[1:3] == [f"{mean:.2f}", f"{deviation:.2f}"]
    assert "40 segments, the 2 runs of each together;" in " ".join(fixed.split())
    rows = list(csv.DictReader(io.StringIO(significance("ref.txt", *RUN_WORDS, "-f", "csv").out)))
    assert {row["runs"] for row in rows} == {"2"}
