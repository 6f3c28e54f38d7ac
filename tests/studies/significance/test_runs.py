"""Several runs of each system against MultEval's definition."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import numpy as np
import pytest

from bleuet import OptionError, Table, TableError
from bleuet.studies.significance import (
    PairedResults,
    SegmentMean,
    Systems,
    paired_approximate_randomization,
    paired_bootstrap,
    paired_test,
)
from tests.studies.significance.corpora import METRICS, brute_randomization, runs


def results(number: int = 3, **options: Any) -> PairedResults:
    return paired_approximate_randomization(Systems.of_runs(METRICS, runs(number)), **options)


def test_runs_are_exchanged_run_by_run() -> None:
    """MultEval's data points are a segment of a run; its statistic, the score of them all."""
    found = results(trials=40, seed=5)
    together = Systems(
        METRICS,
        {
            name: [Table.concatenate([run[m] for run in own]) for m in range(3)]
            for name, own in runs().items()
        },
    )
    chosen = np.random.default_rng(5).integers(2, size=(40, 45), dtype=bool)
    for m, label in enumerate(found.metrics):
        for other in "two", "three":
            expected = brute_randomization(together, m, ("one", other), chosen)
            assert found.comparison("one", other, label).p_value == expected


def test_mean_and_standard_deviation() -> None:
    found = results(trials=5)
    for m, metric in enumerate(METRICS):
        scores = [metric.score(run[m].totals()).score for run in runs()["two"]]
        one = found.score("two", metric.name)
        assert one.run_scores == tuple(scores)
        assert one.run_mean == pytest.approx(np.mean(scores))
        assert one.run_deviation == pytest.approx(np.std(scores, ddof=1))
    plain = json.loads(found.to_json())
    assert (plain["runs"], plain["segments"]) == (3, 15)
    assert plain["scores"][0]["run_deviation"] > 0
    assert "the scores of 3 runs; all runs is the score" in found.to_text()
    record, *_ = csv.DictReader(io.StringIO(found.to_csv()))
    assert (record["runs"], float(record["run_mean"])) == ("3", found.score("one").run_mean)


def test_one_run_of_each_is_a_plain_test() -> None:
    systems = Systems.of_runs(METRICS, runs(1))
    tables = {name: one for name, (one,) in runs(1).items()}
    assert systems == Systems(METRICS, tables)
    assert systems.run_scores("one", 0) == ()


def test_a_bootstrap_does_not_take_runs() -> None:
    systems = Systems.of_runs(METRICS, runs(2))
    with pytest.raises(OptionError, match="one run, but the systems have 2"):
        paired_bootstrap(systems)
    with pytest.raises(OptionError, match="one run, but the systems have 2"):
        paired_approximate_randomization(systems, interval_draws=10)
    with pytest.raises(OptionError, match="test must be randomization or sacrebleu-randomization"):
        paired_test(systems, test="bootstrap")
    assert paired_test(systems, draws=20).test == "randomization"


def test_misuse() -> None:
    two = runs(2)
    with pytest.raises(OptionError, match="one has 1, two has 2, three has 2"):
        Systems.of_runs(METRICS, {**two, "one": two["one"][:1]})
    with pytest.raises(OptionError, match="one has 0, two has 0, three has 0"):
        Systems.of_runs(METRICS, {name: [] for name in two})
    with pytest.raises(TableError, match="there is no system"):
        Systems.of_runs(METRICS, {})
    short = [[table.select(range(9)) for table in own[1]] for own in two.values()]
    uneven = {name: [own[0], cut] for (name, own), cut in zip(two.items(), short, strict=True)}
    with pytest.raises(TableError, match="all runs must have the same segments"):
        Systems.of_runs(METRICS, uneven)
    with pytest.raises(OptionError, match="no score of 'four'"):
        results(2, trials=2).score("four")


def test_every_segment_of_a_run_has_a_score() -> None:
    mean = SegmentMean("COMET")
    table, gap = [mean.table_of([0.5, 0.25])], [mean.table_of([0.5, None])]
    with pytest.raises(TableError, match="a run of b has segments without a COMET score"):
        Systems.of_runs([mean], {"a": [table, table], "b": [table, gap]})
