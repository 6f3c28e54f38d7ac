"""Several runs of each system, against the definitions of the tests."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from scipy.stats import t as student  # type: ignore[import-untyped]
from scipy.stats import ttest_ind, ttest_rel

from bleuet import OptionError, Table, TableError
from bleuet.output.document import AtMost
from bleuet.significance import Evaluation, PairedResults, SegmentMean, TestSettings, paired_test
from bleuet.significance.interval import ends_of
from bleuet.significance.paired import (
    paired_approximate_randomization,
    paired_bootstrap,
    two_sided_bootstrap_p,
)
from tests.significance.corpora import NAMES, brute_randomization, runs, three_metrics

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


def test_welch_by_its_definition() -> None:
    """The three parts of the variance, drawn and added by numpy."""
    documents = [place // 2 for place in range(15)]
    for known, units in ((None, list(range(15))), (documents, documents)):
        systems = Evaluation.of_runs(three_metrics(), runs(3)).replace(documents=known)
        settings = TestSettings(test="welch", draws=200, seed=5, correction=None)
        found = paired_test(systems, settings)
        n = len(set(units))
        drawn = np.random.default_rng(5).choice(n, size=(200, n))
        rows = [[row for unit in draw for row in range(15) if units[row] == unit] for draw in drawn]
        for m, metric in enumerate(three_metrics()):
            # Documents of unequal size count as fewer.
            size = len(set(units)) if known is None else equal_documents(m, units)
            fixed, of_draws = (
                {
                    name: np.array(
                        [
                            [metric.score(run[m].select(own).totals()).score for own in chosen]
                            for run in runs(3)[name]
                        ]
                    )
                    for name in ("one", "two")
                }
                for chosen in ([range(15)], rows)
            )
            parts = [fixed[name].var(ddof=1) / 3 for name in ("one", "two")]
            difference = of_draws["two"].mean(0) - of_draws["one"].mean(0)
            whole = difference.var(ddof=1) * size / (size - 1)
            both = sum(
                (of_draws[name] - of_draws[name].mean(0)).var(axis=1, ddof=1).sum() / 6
                for name in ("one", "two")
            ) * (size / (size - 1))
            own = max(whole - both, 0)
            variance = max(sum(parts) + own, whole)
            degrees = variance**2 / (sum(part**2 / 2 for part in parts) + own**2 / (size - 1))
            observed = fixed["two"].mean() - fixed["one"].mean()
            p = 2 * student.sf(abs(observed) / variance**0.5, degrees)
            one = found.comparison("one", "two", found.metrics[m])
            assert one.difference == pytest.approx(observed)
            assert one.p_value == pytest.approx(p, rel=1e-6)
            half = student.ppf(0.975, degrees) * variance**0.5
            assert one.interval == pytest.approx((observed - half, observed + half))


def equal_documents(m: int, documents: list[int]) -> float:
    """The effective number of documents by a metric, of the system where it is smallest."""
    of_systems = []
    for tables in runs(3).values():
        sizes = np.zeros((max(documents) + 1, len(tables[0][m].columns)))
        for run in tables:
            rows = np.array([run[m].column(name).tolist() for name in run[m].columns]).T
            np.add.at(sizes, documents, rows)
        squares = (sizes**2).sum(axis=0)
        of_systems.append((sizes.sum(axis=0)[squares > 0] ** 2 / squares[squares > 0]).max())
    return float(min(of_systems))


def of_means(*systems: np.ndarray) -> Evaluation:
    """Systems by a mean of segments, from an array of runs by segments for each."""
    mean = SegmentMean("score")
    tables = {
        name: [[mean.table_of(run.tolist())] for run in own]
        for name, own in zip(NAMES, systems, strict=False)
    }
    return Evaluation.of_runs([mean], tables)


def test_welch_of_equal_segments_is_that_of_scipy() -> None:
    """Segments that do not vary leave the test of the scores of the runs (Welch 1947)."""
    random = np.random.default_rng(3)
    a, b = random.normal(0, 1, 4), random.normal(1, 3, 4)
    evaluation = of_means(*(np.repeat(own[:, None], 30, axis=1) for own in (a, b)))
    (found,) = paired_test(evaluation).comparisons
    expected = ttest_ind(b, a, equal_var=False)
    assert found.p_value == pytest.approx(expected.pvalue)
    low, high = expected.confidence_interval()
    assert found.interval == pytest.approx((low, high))


def test_welch_of_equal_runs_is_the_paired_test_of_segments() -> None:
    random = np.random.default_rng(4)
    a = random.normal(0, 1, 400)
    b = a + random.normal(0.08, 1, 400)
    evaluation = of_means(*(np.tile(own, (3, 1)) for own in (a, b)))
    (found,) = paired_test(evaluation, TestSettings(draws=20_000)).comparisons
    expected = ttest_rel(b, a).pvalue
    assert found.p_value == pytest.approx(expected, abs=3 * (found.p_error or 0))
    assert (found.p_error or 0) < 0.003


def test_welch_is_never_surer_than_the_segments() -> None:
    """Runs that happen to have equal scores do not show that all runs would."""
    random = np.random.default_rng(6)
    a, b = random.normal(0, 1, (2, 300)), random.normal(0.1, 1, (2, 300))
    for own in (a, b):
        own[1] += own[0].mean() - own[1].mean()
    over_runs, fixed = (
        paired_test(of_means(a, b), TestSettings(test=test, draws=5000)).comparisons[0]
        for test in ("welch", "bootstrap")
    )
    assert over_runs.p_value == pytest.approx(fixed.p_value, abs=0.02)


def test_welch_has_the_degrees_of_freedom_of_one_system_or_more() -> None:
    """Runs that differ in every segment, and hardly on the whole."""
    random = np.random.default_rng(9)
    noise = random.normal(0, 1, (2, 20))
    evaluation = of_means(np.ones(20) + noise, np.ones(20) - noise)
    found = paired_test(evaluation, TestSettings(draws=50))
    error, half = found.comparisons[0].standard_error, found.comparisons[0].high
    assert error
    assert half
    assert (half - found.comparisons[0].difference) / error <= student.ppf(0.975, 1) + 1e-9
    for name in evaluation.systems:
        interval = found.score(name, "score").interval
        assert interval
        assert interval.half_width < 20


def test_welch_without_variance_and_with_one_segment() -> None:
    same = np.ones((2, 9))
    (found,) = paired_test(of_means(same, same)).comparisons
    assert (found.difference, found.p_value, found.better) == (0, 1, None)
    (found,) = paired_test(of_means(same, 2 * same)).comparisons
    assert (found.difference, found.p_value) == (1, AtMost(1 / 1001))
    random = np.random.default_rng(7)
    (found,) = paired_test(of_means(*random.normal(0, 1, (2, 3, 1)))).comparisons
    assert found.p_value == 1


@pytest.mark.parametrize(
    ("cases", "most"), [(30, 4), pytest.param(200, 16, marks=pytest.mark.long)]
)
def test_runs_of_one_system_do_not_differ(cases: int, most: int) -> None:
    """The runs of one system, dealt into two, differ in 1 of 20 cases and not in most."""
    random = np.random.default_rng(8)
    found = {"welch": 0, "randomization": 0}
    for _ in range(cases):
        system = random.normal(0, 1, 50)
        luck = random.normal(0, 0.25, (6, 1))
        runs_of_it = system + luck + random.normal(0, 0.5, (6, 50))
        for test in found:
            settings = TestSettings(test=test, draws=100)
            (one,) = paired_test(of_means(runs_of_it[:3], runs_of_it[3:]), settings).comparisons
            found[test] += one.p_value < 0.05
    assert found["welch"] <= most  # 95% of samples of a rate of 5% have so many or fewer
    assert found["randomization"] >= cases / 4


@pytest.mark.parametrize("test", ["welch", "randomization", "bootstrap"])
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
    known = "welch or randomization or multeval-randomization or bootstrap for several runs"
    with pytest.raises(OptionError, match=known):
        paired_test(systems, TestSettings(test="sacrebleu-bootstrap"))
    assert paired_test(systems, TestSettings(draws=20)).test == "welch"
    one_run = Evaluation.of_runs(three_metrics(), runs(1))
    with pytest.raises(OptionError, match="welch needs several runs of each system"):
        paired_test(one_run, TestSettings(test="welch"))
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
