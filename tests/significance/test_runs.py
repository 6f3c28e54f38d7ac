"""Several runs of each system, against the definitions of the tests."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from bleuet import OptionError, Table, TableError
from bleuet.significance import Evaluation, PairedResults, SegmentMean, TestSettings, paired_test
from bleuet.significance.interval import ends_of
from bleuet.significance.paired import (
    paired_approximate_randomization,
    paired_bootstrap,
    two_sided_bootstrap_p,
)
from tests.significance.corpora import brute_randomization, runs, three_metrics

pytestmark = pytest.mark.slow


def results(number: int = 3, *, test: str = "randomization", draws: int = 5) -> PairedResults:
    return paired_approximate_randomization(
        Evaluation.of_runs(three_metrics(), runs(number)),
        TestSettings(test=test, draws=draws, seed=5),
    )


def as_one_corpus() -> Evaluation:
    """The runs of each system, one after the other, as a system of one run."""
    return Evaluation(
        three_metrics(),
        {
            name: [Table.concatenate([run[m] for run in own]) for m in range(3)]
            for name, own in runs().items()
        },
    )


@pytest.mark.parametrize("test", ["sacrebleu-randomization", "multeval-randomization"])
def test_exchanges_by_their_definition(test: str) -> None:
    """All runs of a segment are exchanged together; in MultEval each by itself."""
    found = results(test=test, draws=40)
    each_run = test == "multeval-randomization"
    random = np.random.default_rng(5)
    chosen = random.integers(2, size=(40, 45 if each_run else 15), dtype=bool)
    if not each_run:
        chosen = np.tile(chosen, 3)
    for m, label in enumerate(found.metrics):
        for other in "two", "three":
            expected = brute_randomization(
                as_one_corpus(), m, ("one", other), chosen, ties=each_run
            )
            assert found.comparison("one", other, label).p_value == expected


def test_draws_by_their_definition() -> None:
    """A bootstrap draws segments with all their runs."""
    found = paired_bootstrap(
        Evaluation.of_runs(three_metrics(), runs(3)),
        TestSettings(test="bootstrap", draws=40, seed=5),
    )
    drawn = np.random.default_rng(5).choice(15, size=(40, 15))
    (metric, *_), tables = three_metrics(), as_one_corpus().tables
    one, two = (
        [
            metric.score(tables[name][0].select([*rows, *rows + 15, *rows + 30]).totals()).score
            for rows in drawn
        ]
        for name in ("one", "two")
    )
    comparison = found.comparison("one", "two")
    low, high = ends_of([b - a for a, b in zip(one, two, strict=True)], 0.95)
    assert (comparison.low, comparison.high) == pytest.approx((low, high))
    p = two_sided_bootstrap_p(two, one, comparison.difference)
    assert comparison.p_value == p


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
def test_the_order_of_runs_means_nothing(test: str) -> None:
    found = paired_test(
        Evaluation.of_runs(three_metrics(), runs(3)), TestSettings(test=test, draws=50)
    )
    other = {name: own[::-1] if name == "two" else own for name, own in runs(3).items()}
    turned = paired_test(
        Evaluation.of_runs(three_metrics(), other), TestSettings(test=test, draws=50)
    )
    assert turned.comparisons == found.comparisons


def test_mean_and_standard_deviation() -> None:
    found = results()
    for m, metric in enumerate(three_metrics()):
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
    systems = Evaluation.of_runs(three_metrics(), runs(1))
    tables = {name: one for name, (one,) in runs(1).items()}
    assert systems == Evaluation(three_metrics(), tables)
    assert systems.run_scores("one", 0) == ()


def test_tests_of_runs() -> None:
    systems = Evaluation.of_runs(three_metrics(), runs(2))
    known = "randomization or multeval-randomization or bootstrap for several runs"
    with pytest.raises(OptionError, match=known):
        paired_test(systems, TestSettings(test="sacrebleu-bootstrap"))
    assert paired_test(systems, TestSettings(draws=20)).test == "randomization"
    by_run = paired_test(systems, TestSettings(test="multeval-randomization", draws=20))
    assert "each run by itself, as in MultEval" in by_run.to_text()
    documents = systems.replace(documents=["a"] * systems.segments)
    with pytest.raises(OptionError, match="documents are exchanged whole"):
        paired_test(documents, TestSettings(test="multeval-randomization"))


def test_misuse() -> None:
    two = runs(2)
    with pytest.raises(OptionError, match="one has 1, two has 2, three has 2"):
        Evaluation.of_runs(three_metrics(), {**two, "one": two["one"][:1]})
    with pytest.raises(OptionError, match="one has 0, two has 0, three has 0"):
        Evaluation.of_runs(three_metrics(), {name: [] for name in two})
    with pytest.raises(TableError, match="there is no system"):
        Evaluation.of_runs(three_metrics(), {})
    short = [[table.select(range(9)) for table in own[1]] for own in two.values()]
    uneven = {name: [own[0], cut] for (name, own), cut in zip(two.items(), short, strict=True)}
    with pytest.raises(TableError, match="all runs must have the same segments"):
        Evaluation.of_runs(three_metrics(), uneven)
    with pytest.raises(OptionError, match="no score of 'four'"):
        results(2).score("four")


def test_runs_are_tested_on_the_segments_with_all_scores() -> None:
    mean = SegmentMean("COMET")
    scores = [0.5 + 0.01 * i for i in range(30)]
    better = [score + 0.1 for score in scores]
    gap = [None, *better[1:]]
    tables = {
        "a": [[mean.table_of(scores)], [mean.table_of(scores)]],
        "b": [[mean.table_of(better)], [mean.table_of(gap)]],
    }
    found = paired_test(Evaluation.of_runs([mean], tables))
    assert found.comparison("a", "b").difference == pytest.approx(0.1)
    assert found.missing[0].common == 29
    whole = {
        name: [[table.select(range(1, 30))] for (table,) in own] for name, own in tables.items()
    }
    rest = paired_test(Evaluation.of_runs([mean], whole))
    assert rest.comparisons == found.comparisons
