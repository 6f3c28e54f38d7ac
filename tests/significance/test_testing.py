"""Paired tests by their names."""

from __future__ import annotations

from statistics import stdev
from typing import Any

import pytest

from bleuet import (
    TER,
    OptionError,
    Table,
)
from bleuet.extras import optional
from bleuet.significance import (
    Evaluation,
    TestSettings,
    paired_test,
)
from bleuet.significance.few_segments import ENOUGH
from bleuet.significance.testing import default_draws
from tests.significance.corpora import NAMES, counted, runs, three_metrics

scipy_stats = optional("scipy.stats")


class TestErrorOfP:
    """p is a share of draws, so it varies with the seed."""

    @pytest.mark.parametrize("test", ["bootstrap", "randomization"])
    def test_the_error_is_that_of_other_seeds(self, test: str) -> None:
        systems = alike()
        found = [
            paired_test(systems, TestSettings(test=test, draws=400, seed=seed)).comparisons[0]
            for seed in range(200)
        ]
        assert 0.02 < found[0].p < 0.5
        # The standard deviation of 200 numbers has a standard error of 5%.
        assert stdev(one.p for one in found) == pytest.approx(found[0].p_error, rel=0.25)

    @pytest.mark.parametrize(
        ("test", "least", "most"),
        [("bootstrap", 1000, 64_000), ("randomization", 10_000, 40_000)],
    )
    def test_more_draws_where_draws_decide(self, test: str, least: int, most: int) -> None:
        systems = alike()
        largest = paired_test(systems, TestSettings(test=test, draws=most))
        near = largest.comparisons[0].p
        found = paired_test(systems, TestSettings(test=test, alpha=near))
        assert found.settings.draws == most
        assert found.comparisons == largest.comparisons
        assert found.undecided == found.comparisons
        assert f"p may be on the other side of {near:g} for two and one by TER." in found.to_text()
        between = paired_test(systems, TestSettings(test=test, alpha=near + 0.02))
        assert (between.settings.draws or 0) < most
        assert not between.undecided
        assert "on the other side" not in between.to_text()
        far = paired_test(systems, TestSettings(test=test, alpha=0.9))
        assert far.settings.draws == least
        wanted = paired_test(systems, TestSettings(test=test, alpha=near, draws=least))
        assert wanted.settings.draws == least

    @pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
    def test_up_to_three_undecided_comparisons_are_named(self, number: int) -> None:
        one, two = alike().tables.values()
        systems = {"one": one, **{f"two{place}": two for place in range(number)}}
        evaluation = Evaluation(alike().metrics, systems)
        # It leaves p-values that are all equal as they are.
        settings = TestSettings(draws=1000, correction="benjamini-hochberg")
        p = paired_test(evaluation, settings).comparisons[0].p
        found = paired_test(evaluation, settings.replace(alpha=p))
        assert len(found.undecided) == number
        (note,) = [one for one in found.document().notes if one.startswith("With another seed")]
        named = [f"two{place} and one by TER" for place in range(min(number, 3))]
        if number > 3:
            named.append({4: "1 other comparison", 5: "2 other comparisons"}[number])
        listed = ", ".join(named[:-1]) + " and " * (number > 1) + named[-1]
        assert note == f"With another seed, p may be on the other side of {p:g} for {listed}."

    def test_sacrebleus_tests_make_its_draws(self) -> None:
        for test in ("sacrebleu-bootstrap", "sacrebleu-randomization"):
            p = paired_test(alike(), TestSettings(test=test)).comparisons[0].p
            found = paired_test(alike(), TestSettings(test=test, alpha=p))
            assert found.settings.draws == default_draws(test, 1)
            assert found.undecided

    def test_the_error_is_corrected_as_p_is(self) -> None:
        found = paired_test(counted(ENOUGH), TestSettings(correction="bonferroni"))
        for one in found.comparisons:
            assert one.error == pytest.approx(min(2, 1 / one.p_value) * (one.p_error or 0))
        assert "p_error" in found.to_dict()["comparisons"][0]

    def test_results_report_the_error(self) -> None:
        text = paired_test(alike(), TestSettings(draws=400)).to_text()
        assert "The standard error of p, which is estimated from 400 draws, is at most 0.0" in text
        same = counted(ENOUGH, metrics=[TER()]).tables["one"]
        equal = paired_test(Evaluation([TER()], {"one": same, "two": same}))
        assert "standard error" not in equal.to_text()


def alike() -> Evaluation:
    """Two systems whose difference may be chance."""
    tables = counted(ENOUGH, metrics=[TER()]).tables
    one, two = (tables[name][0] for name in ("one", "two"))
    both = Table.concatenate([one, two])
    mixed = [row if row % 9 < 5 else row + ENOUGH for row in range(ENOUGH)]
    rest = [(row + ENOUGH) % (2 * ENOUGH) for row in mixed]
    return Evaluation([TER()], {"one": [both.select(mixed)], "two": [both.select(rest)]})


class TestByName:
    @pytest.mark.slow
    def test_sacrebleus_tests_take_its_numbers(self) -> None:
        """For any number of pairs; the other tests draw more for more pairs."""
        tables = {str(i): counted(ENOUGH, metrics=[TER()]).tables["one"] for i in range(13)}
        systems = Evaluation([TER()], tables)
        for test, (baseline, pairs) in {
            "bootstrap": ("bs:1200", "bs:7800"),
            "sacrebleu-bootstrap": ("bs:1000", "bs:1000"),
            "sacrebleu-randomization": ("bs:1000|ar:10000", "bs:1000|ar:10000"),
        }.items():
            assert baseline in str(paired_test(systems, TestSettings(test=test)).signatures["TER"])
            found = paired_test(systems, TestSettings(test=test, all_pairs=True))
            assert pairs in str(found.signatures["TER"])
        assert default_draws("randomization", 13 * 12) == 15600

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"test": "boostrap"}, "not 'boostrap' (did you mean bootstrap?)"),
            ({"correction": "holms"}, "correction must be one of bonferroni, holm, "),
            ({"baseline": "tow"}, "not 'tow' (did you mean two?)"),
            ({"confidence": 95}, "between 0 and 1"),
        ],
    )
    def test_misuse(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(OptionError) as error:
            paired_test(counted(ENOUGH, metrics=[TER()]), TestSettings(**options))
        assert message in str(error.value)

    @pytest.mark.parametrize("alpha", [0, 1, 5])
    def test_a_level_is_a_share(self, alpha: Any) -> None:
        with pytest.raises(OptionError, match="alpha must be between 0 and 1"):
            paired_test(counted(ENOUGH, metrics=[TER()]), TestSettings(draws=9, alpha=alpha))


@pytest.mark.parametrize("over_documents", [True, False])
@pytest.mark.parametrize("test", ["bootstrap", "randomization", "welch"])
def test_a_metric_has_the_results_that_it_has_alone(test: str, over_documents: bool) -> None:
    """What another metric says of the same systems changes nothing, with runs and documents."""
    # Documents of unequal size, so that metrics differ in the effective number of them.
    documents = [0] * 9 + list(range(1, 7)) if over_documents else None
    ratings = {
        name: [place + (7 * row + place) % 11 / 8 for row in range(30)]
        for place, name in enumerate(NAMES)
    }
    whole = Evaluation.of_runs(three_metrics(), runs(2)).with_scores({"rating": ratings})
    whole = whole.replace(documents=documents)
    settings = TestSettings(test=test, draws=60, all_pairs=True, alpha=0.3)
    together = paired_test(whole, settings)
    for place, metric in enumerate(together.metrics):
        alone = paired_test(whole.select([place]), settings)
        assert tuple(together.comparisons_by(metric)) == alone.comparisons
        assert together.effective_units[metric] == alone.effective_units[metric]
        assert together.ranks(metric) == alone.ranks(metric)
        for name in together.systems:
            assert together.score(name, metric) == alone.score(name, metric)
            assert together.marks(name, metric) == alone.marks(name, metric)
    # They do differ.
    assert len({tuple(together.ranks(metric).items()) for metric in together.metrics}) > 1
    assert len(set(together.effective_units.values())) > 2


def test_a_correction_over_all_metrics_makes_draws_for_each_pair_and_metric() -> None:
    """Equal systems differ in no draw, so that more draws are never added."""
    line = ["The cat sat on the mat."] * 120
    equal = Evaluation.count(three_metrics(), dict.fromkeys("abcde", line), line)
    for over, all_pairs, tests in (
        ("pairs", False, 4), ("all", False, 12), ("pairs", True, 10), ("all", True, 30),
    ):  # fmt: skip
        settings = TestSettings(test="bootstrap", correct_over=over, all_pairs=all_pairs)
        assert paired_test(equal, settings).settings.draws == max(1000, 100 * tests)
