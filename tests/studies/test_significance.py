"""Intervals, tests and corrections against their definitions, numpy and SciPy."""

from __future__ import annotations

import json
import random
import warnings
from itertools import combinations, pairwise
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import (
    BLEU,
    CHRF,
    TER,
    BleuetError,
    InputError,
    OptionError,
    SavedTable,
    SignatureError,
    Table,
    TableError,
    load_tables,
    save_tables,
)
from bleuet.extras import optional
from bleuet.metrics.catalogue import metric_from_signature
from bleuet.output.data_frame import LIBRARIES
from bleuet.studies.significance import (
    FewSegmentsWarning,
    PairedResults,
    SegmentMean,
    Significance,
    Systems,
    benjamini_hochberg,
    block_scores,
    bonferroni,
    bootstrap_interval,
    compare_blocks,
    compare_runs,
    expected_agreement,
    holm,
    is_covered,
    paired_approximate_randomization,
    paired_bootstrap,
    paired_test,
)
from bleuet.studies.significance.few_segments import ENOUGH
from bleuet.studies.significance.interval import interval_of
from bleuet.studies.significance.testing import usual_trials

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "the a cat dog sat ran on under mat tree today . , never home we it".split()  # noqa: SIM905
NAMES = ("one", "two", "three")
scipy_stats = optional("scipy.stats")


def texts(segments: int, seed: int) -> tuple[dict[str, list[str]], list[list[str]]]:
    """Three systems, each noisier than the one before, and two references per segment."""
    rng = random.Random(seed)

    def noisy(line: str, share: float) -> str:
        return " ".join(w if rng.random() > share else rng.choice(WORDS) for w in line.split())

    lines = [" ".join(rng.choices(WORDS, k=rng.randint(2, 12))) for _ in range(segments)]
    systems = {
        name: [noisy(line, 0.15 + 0.1 * k) for line in lines] for k, name in enumerate(NAMES)
    }
    return systems, [[line, noisy(line, 0.2)] for line in lines]


METRICS = [BLEU(), CHRF(), TER()]


def counted(segments: int = 40, seed: int = 1, metrics: Any = METRICS) -> Systems:
    systems, references = texts(segments, seed)
    return Systems.count(metrics, systems, references)


def score_of(metric: Any, *tables: tuple[Table, Any]) -> float:
    """The score of rows picked one by one."""
    picked = Table.concatenate([table.select(rows) for table, rows in tables])
    return float(metric.score(picked.totals()).score)


class TestIntervals:
    @pytest.mark.parametrize("metric", [*METRICS, CHRF(word_order=2), BLEU(tokenize="char")])
    @pytest.mark.parametrize("seed", [0, 12345])
    def test_they_hold_the_scores_of_numpys_draws(self, metric: Any, seed: int) -> None:
        (table, *_) = counted(30, metrics=[metric]).tables["two"]
        found = bootstrap_interval(metric, table, draws=200, seed=seed)
        drawn = np.random.default_rng(seed).choice(30, size=(200, 30))
        scores = sorted(score_of(metric, (table, rows.tolist())) for rows in drawn)
        assert found.score == metric.score(table.totals()).score
        assert found.mean == pytest.approx(np.mean(scores), abs=1e-9)
        assert (found.low, found.high) == pytest.approx((scores[5], scores[194]), abs=1e-9)
        assert found.half_width == (found.high - found.low) / 2

    @pytest.mark.parametrize(
        ("level", "low", "high"), [(0.95, 25, 974), (0.9, 50, 949), (0.99, 5, 994), (0.5, 250, 749)]
    )
    def test_levels(self, level: float, low: int, high: int) -> None:
        draws = random.Random(1).sample(range(1000), 1000)
        found = interval_of(1.0, [float(draw) for draw in draws], level, BLEU().signature())
        assert (found.low, found.high) == (low, high)

    def test_it_tells_all(self) -> None:
        (table,) = counted(9, metrics=[TER()]).tables["one"]
        found = bootstrap_interval(TER(), table, draws=50, seed=0)
        assert str(found.signature).startswith("nrefs:2|bs:50|seed:0|case:lc|tok:tercom")
        assert found.signature.short().startswith("#:2|bs:50|rs:0|c:lc|t:tercom")
        assert "seed:none" in str(bootstrap_interval(TER(), table, draws=9, seed=None).signature)
        assert str(found).startswith("TER = ")
        assert json.loads(json.dumps(found.to_dict()))["half_width"] == found.half_width

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"draws": 1}, "draws must be a whole number from 2 on, not 1"),
            ({"draws": 5.0}, "draws must be a whole number"),
            ({"level": 95}, "between 0 and 1, such as 0.95, not 95"),
            ({"seed": -4}, "a seed is a whole number"),
            ({"threads": -1}, "threads"),
        ],
    )
    def test_misuse(self, options: dict[str, Any], message: str) -> None:
        (table,) = counted(9, metrics=[TER()]).tables["one"]
        with pytest.raises(OptionError, match=message):
            bootstrap_interval(TER(), table, **options)


def brute_bootstrap(systems: Systems, m: int, pair: tuple[str, str], drawn: Any) -> float:
    metric = systems.metrics[m]
    a, b = (systems.tables[name][m] for name in pair)
    everything = range(a.rows)
    real = abs(score_of(metric, (a, everything)) - score_of(metric, (b, everything)))
    scores = [[score_of(metric, (t, rows.tolist())) for t in (a, b)] for rows in drawn]
    differences = np.array([abs(x - y) for x, y in scores])
    above = int((differences - differences.mean() > real).sum())
    return (above + 1) / (len(drawn) + 1)


def brute_randomization(systems: Systems, m: int, pair: tuple[str, str], chosen: Any) -> float:
    metric = systems.metrics[m]
    a, b = (systems.tables[name][m] for name in pair)
    everything = range(a.rows)
    real = abs(score_of(metric, (a, everything)) - score_of(metric, (b, everything)))
    above = 0
    for mask in chosen:
        mine, others = np.flatnonzero(mask).tolist(), np.flatnonzero(~mask).tolist()
        one = score_of(metric, (a, mine), (b, others))
        other = score_of(metric, (b, mine), (a, others))
        above += abs(one - other) > real
    return (above + 1) / (len(chosen) + 1)


def p_values(found: PairedResults) -> list[float]:
    return [one.p_value for one in found.comparisons]


class TestPairedTests:
    @pytest.mark.parametrize("seed", [0, 7])
    def test_the_bootstrap_is_its_definition(self, seed: int) -> None:
        systems = counted(25, seed=seed)
        found = paired_bootstrap(systems, draws=60, seed=seed, all_pairs=True)
        drawn = np.random.default_rng(seed).choice(25, size=(60, 25))
        pairs = list(combinations(NAMES, 2))
        expected = [brute_bootstrap(systems, m, pair, drawn) for pair in pairs for m in range(3)]
        assert p_values(found) == expected

    def test_the_two_sided_bootstrap_is_its_definition(self) -> None:
        systems = counted(25)
        found = paired_bootstrap(systems, draws=60, seed=4, two_sided=True)
        drawn = np.random.default_rng(4).choice(25, size=(60, 25))
        for one in found.comparisons:
            m = found.metrics.index(one.metric)
            a, b = systems.tables["one"][m], systems.tables[one.system][m]
            differences = np.array(
                [
                    score_of(METRICS[m], (b, rows)) - score_of(METRICS[m], (a, rows))
                    for rows in drawn.tolist()
                ]
            )
            above = int((abs(differences - differences.mean()) > abs(one.difference)).sum())
            assert one.p_value == (above + 1) / 61
            ends = sorted(differences)[1], sorted(differences)[-2]
            assert (one.low, one.high) == pytest.approx(ends)
        assert "|bs:60|seed:4|p:two-sided|case:" in str(found.signatures["TER"])
        one_sided = paired_bootstrap(systems, draws=60, seed=4)
        assert "two-sided" not in str(one_sided.signatures["TER"])
        assert one_sided.comparisons[0].p_value < found.comparisons[0].p_value

    def test_the_two_sided_bootstrap_finds_nothing_where_there_is_nothing_to_find(self) -> None:
        references = ["The cat sat down.", "It rains today, again."]
        texts = ["A cat sat down.", "It rains today."]
        same = Systems.count([BLEU(), TER()], {"a": texts, "b": list(texts)}, references)
        found = paired_bootstrap(same, two_sided=True)
        assert p_values(found) == [1.0, 1.0]
        nothing = Systems.count([CHRF()], {"a": ["", ""], "b": ["", ""]}, references)
        assert p_values(paired_bootstrap(nothing, two_sided=True)) == [1.0]
        assert p_values(paired_approximate_randomization(nothing, ties="count")) == [1.0]
        # One segment drawn again is the same segment: chance cannot be seen in it.
        one = Systems.count([BLEU()], {"a": texts[:1], "b": references[:1]}, references[:1])
        (found_of_one,) = paired_bootstrap(one, two_sided=True).comparisons
        assert found_of_one.difference > 0
        assert found_of_one.p_value == 1
        assert p_values(paired_approximate_randomization(one, ties="count")) == [1.0]

    @pytest.mark.parametrize("seed", [0, 7])
    def test_randomization_is_its_definition(self, seed: int) -> None:
        systems = counted(25, seed=seed)
        found = paired_approximate_randomization(systems, trials=60, seed=seed, all_pairs=True)
        chosen = np.random.default_rng(seed).integers(2, size=(60, 25), dtype=bool)
        pairs = list(combinations(NAMES, 2))
        expected = [
            brute_randomization(systems, m, pair, chosen) for pair in pairs for m in range(3)
        ]
        assert p_values(found) == expected

    @pytest.mark.parametrize("test", [paired_bootstrap, paired_approximate_randomization])
    def test_a_baseline_is_one_row_of_all_pairs(self, test: Any) -> None:
        systems = counted()
        all_pairs = test(systems, all_pairs=True)
        for baseline in NAMES:
            found = test(systems, baseline=baseline)
            assert len(found.comparisons) == 2 * len(METRICS)
            for one in found.comparisons:
                other = all_pairs.comparison(baseline, one.system, one.metric)
                assert (one.p_value, one.better) == (other.p_value, other.better)
                assert abs(one.difference) == abs(other.difference)
                if one.low is None:
                    assert other.low is None
                elif other.baseline == baseline:
                    assert (one.low, one.high) == (other.low, other.high)
        assert test(systems) == test(systems, baseline="one")
        assert test(systems) == test(systems, threads=3)

    @pytest.mark.parametrize("test", [paired_bootstrap, paired_approximate_randomization])
    def test_the_same_system_does_not_differ_from_itself(self, test: Any) -> None:
        hypotheses, references = texts(20, seed=3)
        systems = Systems.count(
            METRICS, {"a": hypotheses["two"], "b": hypotheses["two"]}, references
        )
        for one in test(systems).comparisons:
            assert (one.difference, one.better) == (0, None)

    def test_lower_is_better_for_ter(self) -> None:
        found = paired_bootstrap(counted(120))
        for metric in "BLEU", "chrF2", "TER":
            assert found.comparison("three", "one", metric).better == "one"
            assert found.estimate("one", metric).higher_is_better == (metric != "TER")
        assert found.comparison("one", "three", "TER").difference > 0

    def test_randomization_can_have_intervals(self) -> None:
        systems = counted()
        found = paired_approximate_randomization(systems, trials=50, interval_draws=70, seed=3)
        bootstrapped = paired_bootstrap(systems, draws=70, seed=3)
        for a, b in zip(found.estimates, bootstrapped.estimates, strict=True):
            assert a.interval is not None
            assert b.interval is not None
            assert (a.interval.low, a.interval.high) == (b.interval.low, b.interval.high)
        assert "|bs:70|ar:50|seed:3|" in str(found.signatures["BLEU"])

    def test_a_test_of_means_is_scipys(self) -> None:
        """SciPy exchanges all 2^n ways; chance is within four standard errors of that."""
        rng = np.random.default_rng(4)
        a = rng.normal(0.5, 0.2, 12)
        b = a + rng.normal(0.06, 0.1, 12)
        exact = scipy_stats.permutation_test(
            (a, b), lambda x, y: abs(x.mean() - y.mean()), permutation_type="samples",
            alternative="greater", n_resamples=np.inf,
        ).pvalue  # fmt: skip
        comet = SegmentMean("COMET")
        systems = Systems([comet], {"a": [comet.table_of(a)], "b": [comet.table_of(b)]})
        (found,) = paired_approximate_randomization(systems, trials=20000).comparisons
        assert 0.01 < exact < 0.3
        # Two of the 2^12 ways are the arrangement itself, which SciPy counts and sacreBLEU not.
        assert found.p_value == pytest.approx(exact - 2 / 2**12, abs=4 * (exact / 20000) ** 0.5)
        assert found.difference == pytest.approx(b.mean() - a.mean())

    @pytest.mark.parametrize("metric", METRICS)
    def test_one_segment_proves_nothing(self, metric: Any) -> None:
        """It differs as much in every trial: sacreBLEU's count calls that the rarest of all."""
        hypotheses, references = texts(40, seed=2)
        other = [*hypotheses["one"][:-1], "it is another sentence"]
        systems = Systems.count([metric], {"a": hypotheses["one"], "b": other}, references)
        strict, count = (
            paired_approximate_randomization(systems, trials=500, ties=ties)
            for ties in ("strict", "count")
        )
        assert count.comparisons[0].difference != 0
        assert p_values(count) == [1.0]
        assert p_values(strict) == [1 / 501]
        assert strict.comparisons[0].is_significant()
        assert "|ar:500|seed:12345|ties:count|case:" in str(count.signatures[metric.name])
        assert "ties" not in str(strict.signatures[metric.name])
        full = count.signatures[metric.name].full()
        assert metric_from_signature(full) == metric

    @pytest.mark.parametrize("scale", [1.0, 0.1, 1e-9, 1e9])
    def test_ties_that_count_make_the_sign_test(self, scale: float) -> None:
        """Segments that differ by the same, one way or the other, are tosses of a coin; sums of
        tenths are rounded, so that ties are ties only nearly."""
        ways = [1] * 9 + [-1] * 3
        exact = scipy_stats.binomtest(9, 12).pvalue
        rows = [(7 * scale, (7 + way) * scale) for way in ways] + [(3 * scale, 3 * scale)] * 300
        random.Random(1).shuffle(rows)
        mean = SegmentMean("COMET")
        a, b = (mean.table_of(list(column)) for column in zip(*rows, strict=True))
        systems = Systems([mean], {"a": [a], "b": [b]})
        (found,) = paired_approximate_randomization(systems, trials=20000, ties="count").comparisons
        assert found.p_value == pytest.approx(exact, abs=4 * (exact / 20000) ** 0.5)

    def test_ties_that_count_keep_the_promise(self) -> None:
        """Systems that differ by a coin in ten segments: 0.05 is promised, and nothing above."""
        rng = np.random.default_rng(11)
        mean = SegmentMean("correct")
        rejected = {"strict": 0, "count": 0}
        for seed in range(600):
            coin = rng.integers(0, 2, 10)
            a, b = (mean.table_of([*side.tolist(), *[1] * 20]) for side in (coin, 1 - coin))
            systems = Systems([mean], {"a": [a], "b": [b]})
            for ties in rejected:
                found = paired_approximate_randomization(systems, trials=199, seed=seed, ties=ties)
                rejected[ties] += found.comparisons[0].is_significant()
        # Exactly: 2 * (1 + 10) of the 1,024 ways are significant, and 2 * 45 more if ties are not.
        assert rejected["count"] / 600 <= 0.05
        assert rejected["strict"] / 600 > 0.07

    def test_ties_of_runs_count(self) -> None:
        runs = TestRuns().runs()
        strict, count = (
            compare_runs(METRICS, runs, trials=20, ties=ties).test for ties in ("strict", "count")
        )
        assert all(a <= b for a, b in zip(p_values(strict), p_values(count), strict=True))
        assert "|ties:count|" in str(count.signatures["TER"])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"baseline": "four"}, "there is no system 'four'; there are one, two, three"),
            ({"baseline": "one", "all_pairs": True}, "all pairs have no baseline"),
            ({"seed": "x"}, "a seed is a whole number"),
        ],
    )
    @pytest.mark.parametrize("test", [paired_bootstrap, paired_approximate_randomization])
    def test_misuse(self, test: Any, options: dict[str, Any], message: str) -> None:
        with pytest.raises(OptionError, match=message):
            test(counted(5), **options)

    def test_numbers_of_draws(self) -> None:
        with pytest.raises(OptionError, match="ties must be strict or count, not 'half'"):
            paired_approximate_randomization(counted(5), ties="half")
        with pytest.raises(OptionError, match="draws must be a whole number from 2"):
            paired_bootstrap(counted(5), draws=1)
        with pytest.raises(OptionError, match="trials must be a whole number from 1"):
            paired_approximate_randomization(counted(5), trials=0)
        with pytest.raises(OptionError, match="interval_draws must be"):
            paired_approximate_randomization(counted(5), interval_draws=-1)

    def test_one_system_is_none_to_compare(self) -> None:
        systems, references = texts(5, seed=1)
        alone = Systems.count([TER()], {"one": systems["one"]}, references)
        with pytest.raises(OptionError, match="compares two systems or more"):
            paired_bootstrap(alone)


@pytest.fixture(scope="module")
def found() -> PairedResults:
    return paired_bootstrap(counted(60), all_pairs=True, draws=300)


class TestResults:
    def test_they_are_plain_values(self, found: PairedResults) -> None:
        plain = json.loads(json.dumps(found.to_dict()))
        assert len(plain["estimates"]) == 9
        assert len(plain["comparisons"]) == 9
        assert set(plain["estimates"][0]) == {
            "system", "metric", "score", "higher_is_better", "mean", "low", "high", "half_width",
            "level",
        }  # fmt: skip
        assert plain["signatures"]["TER"].startswith("nrefs:2|bs:300|seed:12345|case:lc")

    def test_they_print(self, found: PairedResults) -> None:
        text = str(found.corrected("holm"))
        assert text.startswith("paired bootstrap, corrected by holm\n")
        estimate = found.estimate("two", "chrF2")
        assert f"{estimate.score:.2f} (" in text
        assert "BLEU|nrefs:2|bs:300" in text
        assert "no difference shown" in text or "is better" in text

    def test_means_print_as_many_digits_as_they_need(self) -> None:
        scores = {name: [0.8125 + 0.001 * k] * 9 for k, name in enumerate(NAMES)}
        systems = counted(9, metrics=[TER()]).with_scores("COMET", scores)
        text = str(paired_bootstrap(systems, draws=20))
        assert "0.8125 (0.8125 ± 0.0000)" in text
        assert "+0.0010 [+0.0010, +0.0010]" in text
        ter = systems.scores()["one"][0].score
        assert f"{ter:.2f} (" in text
        runs = {"a": [[systems.tables[n][1]] for n in NAMES], "b": [[systems.tables["one"][1]]] * 3}
        found = compare_runs([SegmentMean("COMET")], runs, trials=5)
        assert str(found).startswith("a: COMET = 0.8135 (s = 0.0010 over 3 runs)\n")
        assert repr(found) == "<runs of a, b by COMET>"

    def test_they_are_shown_short_and_in_a_notebook_whole(self, found: PairedResults) -> None:
        assert repr(found) == "<paired bootstrap of one, two, three by BLEU, chrF2, TER>"
        lines = ["The cat sat.", "It rains."]
        odd = Systems.count(["ter"], {"<b>": lines, "b": lines}, lines)
        html = paired_bootstrap(odd, draws=20)._repr_html_()
        assert "&lt;b&gt; : b" in html
        assert "<b>" not in html
        assert repr(odd) == "<systems <b>, b on 2 segments, counted by TER>"

    @pytest.mark.parametrize("library", LIBRARIES)
    def test_they_are_data_frames(self, found: PairedResults, library: str) -> None:
        narwhals = pytest.importorskip("narwhals")
        pytest.importorskip(library)

        def rows(part: str) -> list[dict[str, Any]]:
            frame = found.to_dataframe(part, library=library)
            return list(narwhals.from_native(frame).iter_rows(named=True))

        assert [row["p_value"] for row in rows("comparisons")] == [
            one.p_value for one in found.comparisons
        ]
        assert rows("estimates") == [one.to_dict() for one in found.estimates]
        with pytest.raises(OptionError, match="one of comparisons, estimates, not 'estimate'"):
            found.to_dataframe("estimate", library=library)

    def test_scores_that_were_not_drawn_have_no_interval_in_a_data_frame(self) -> None:
        pytest.importorskip("narwhals")
        pandas = pytest.importorskip("pandas")
        few: dict[str, list[float | None]] = {name: [0.5] * 60 for name in NAMES}
        few["two"] = [0.5] + [None] * 59
        results = paired_test(counted(60, metrics=[TER()]).with_scores("COMET", few), draws=50)
        frame = results.to_dataframe("estimates", library="pandas")
        assert list(pandas.isna(frame["low"])) == [False, True] * 3

    def test_json_is_to_dict(self, found: PairedResults) -> None:
        assert json.loads(found.to_json()) == found.to_dict()
        assert "\n" not in found.to_json(indent=None)

    def test_corrections_are_made_metric_by_metric(self, found: PairedResults) -> None:
        corrected = found.corrected("bonferroni")
        for metric in found.metrics:
            before = [c.p_value for c in found.comparisons if c.metric == metric]
            after = [c.corrected_p_value for c in corrected.comparisons if c.metric == metric]
            assert after == bonferroni(before)
        assert all(one.p == one.p_value for one in found.comparisons)
        assert all(one.p == one.corrected_p_value for one in corrected.comparisons)
        with pytest.raises(OptionError, match="one of bonferroni, holm, benjamini-hochberg"):
            found.corrected("none")

    def test_ranks_count_those_who_are_better(self) -> None:
        found = paired_bootstrap(counted(400), all_pairs=True, draws=300)
        for metric in found.metrics:
            assert found.ranks(metric) == {"one": 1, "two": 2, "three": 3}
            assert found.ranks(metric, alpha=0) == dict.fromkeys(NAMES, 1)
        with pytest.raises(OptionError, match="no estimate of"):
            found.ranks("COMET")

    def test_what_was_not_compared(self) -> None:
        found = paired_bootstrap(counted(9), draws=20)
        compared = "'two' and 'three' were not compared by 'BLEU'; compared were one : two, one : "
        with pytest.raises(OptionError, match=f"{compared}three by BLEU, chrF2, TER"):
            found.comparison("two", "three")
        assert found.comparison("two", "one").system == "two"


class TestSystems:
    def test_metrics_are_given_or_named(self) -> None:
        assert counted(9, metrics=["bleu", CHRF()]) == counted(9, metrics=[BLEU(), CHRF()])
        assert counted(9, metrics="ter") == counted(9, metrics=TER()) == counted(9, metrics=[TER()])
        with pytest.raises(OptionError, match="did you mean bleu"):
            counted(9, metrics=["blue"])
        with pytest.raises(OptionError, match="needs a list of metrics"):
            counted(9, metrics=[3])

    def test_scores_of_segments_join_in(self) -> None:
        systems = counted(30)
        rng = random.Random(2)
        values = {name: [rng.random() + 0.2 * k for _ in range(30)] for k, name in enumerate(NAMES)}
        values["two"][4] = None  # type: ignore[call-overload]
        joined = systems.with_scores(SegmentMean("human"), values)
        found = paired_bootstrap(joined, draws=100)
        assert found.metrics == ("BLEU", "chrF2", "TER", "human")
        assert [one for one in found.comparisons if one.metric != "human"] == list(
            paired_bootstrap(systems, draws=100).comparisons
        )
        mean = np.mean([v for v in values["two"] if v is not None])
        assert found.estimate("two", "human").score == pytest.approx(mean)
        assert str(found.signatures["human"]).startswith("bs:100|seed:12345|mean:segments|version:")

    @pytest.mark.parametrize("score", [nan, float("inf"), "good"])
    def test_scores_are_finite_numbers(self, score: Any) -> None:
        with pytest.raises(InputError, match="the COMET score of segment 1 is"):
            SegmentMean("COMET").table_of([0.5, score])

    def test_a_mean_counts_no_text(self) -> None:
        with pytest.raises(InputError, match="a mean of given scores"):
            SegmentMean("COMET").corpus_score(["a"], ["a"])
        with pytest.raises(InputError, match="a mean of given scores"):
            SegmentMean("COMET").sentence_score("a", "a")
        with pytest.raises(SignatureError):
            SegmentMean.from_signature(None)  # type: ignore[arg-type]
        for label in "", "a|b", None:
            with pytest.raises(OptionError, match="the label of a mean"):
                SegmentMean(label)  # type: ignore[arg-type]
        assert SegmentMean("COMET").table_of([None]).totals().values == (0, 0.0)

    def test_two_metrics_of_one_name_are_told_apart(self) -> None:
        systems = counted(6, metrics=[BLEU(), BLEU(lowercase=True), TER()])
        assert systems.labels[0] != systems.labels[1]
        assert systems.labels[2] == "TER"

    @pytest.mark.parametrize(
        ("metrics", "tables", "error", "message"),
        [
            ([], {"a": []}, OptionError, "needs a list of metrics"),
            ([TER(), TER()], {"a": []}, OptionError, "given twice"),
            (["bleu"], {"a": []}, OptionError, "needs a list of metrics"),
            ([TER()], {}, TableError, "there is no system"),
            ([TER()], {"a": []}, TableError, "has 0 tables for 1 metrics"),
        ],
    )
    def test_misuse(self, metrics: Any, tables: Any, error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            Systems(metrics, tables)

    def test_tables_that_do_not_fit(self) -> None:
        def ter(n: int) -> list[Table]:
            return [TER().count(["a"] * n, ["a"] * n)]

        with pytest.raises(TableError, match="one has 2 segments and other 3"):
            Systems([TER()], {"one": ter(2), "other": ter(3)})
        with pytest.raises(TableError, match="but the table of the system one"):
            Systems([BLEU()], {"one": ter(2)})
        with pytest.raises(TableError, match="the test set is empty"):
            Systems([TER()], {"one": [ter(1)[0].select([])]})
        with pytest.raises(TableError, match="the system one has no human scores"):
            Systems([TER()], {"one": ter(2)}).with_scores(SegmentMean("human"), {})
        with pytest.raises(InputError, match="given by name"):
            Systems.count([TER()], [["a"]], ["a"])  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            ([None, None], "the system one has no human scores"),
            ([1.0], "the system one has 2 segments, but 1 human scores; give one for each"),
            ([1.0, 2.0, None], "the system one has 2 segments, but 3 human scores"),
        ],
    )
    def test_scores_that_do_not_fit(self, scores: list[float | None], message: str) -> None:
        systems = Systems([TER()], {"one": [TER().count(["a"] * 2, ["a"] * 2)]})
        with pytest.raises(TableError, match=message):
            systems.with_scores(SegmentMean("human"), {"one": scores})

    def test_saved_tables_are_tested_without_texts(self, tmp_path: Path) -> None:
        pytest.importorskip("pyarrow")
        systems = counted(20)
        saved = [
            (n, m, t)
            for n, row in systems.tables.items()
            for m, t in zip(METRICS, row, strict=True)
        ]
        save_tables(tmp_path / "first.parquet", saved[:3])
        save_tables(tmp_path / "others.parquet", saved[3:])
        loaded = [
            *load_tables(tmp_path / "first.parquet"),
            *load_tables(tmp_path / "others.parquet"),
        ]
        assert Systems.from_saved(loaded) == systems
        again = Systems.from_saved([one.rescored(max_ngram_order=2) for one in loaded[::3]])
        short = counted(20, metrics=[BLEU(max_ngram_order=2)])
        assert p_values(paired_bootstrap(again)) == p_values(paired_bootstrap(short))
        for wrong, message in (
            ([*loaded, loaded[0]], "two tables are BLEU of one; give each once"),
            (loaded[:-1], "three was not counted by the metrics of one"),
            ([], "needs a list of metrics"),
        ):
            with pytest.raises(BleuetError, match=message):
                Systems.from_saved(wrong)

    def test_saved_tables_of_other_references_are_refused(self, tmp_path: Path) -> None:
        pytest.importorskip("pyarrow")
        hypotheses, references = texts(20, seed=1)
        others = [*references[:-1], ["the cat", "a dog"]]
        files = {}
        for name, counted_against in (("one", references), ("two", others), ("three", None)):
            table = TER().count(hypotheses[name], counted_against or references)
            files[name] = tmp_path / f"{name}.parquet"
            save_tables(files[name], [(name, TER(), table)], references=counted_against)
        one, two, three = (load_tables(files[name]) for name in NAMES)
        with pytest.raises(TableError, match="one and two were counted against different refer"):
            Systems.from_saved([*one, *two])
        # Scored in another way, they were still counted against these; of a third nothing is known.
        with pytest.raises(TableError, match="different references"):
            Systems.from_saved([one[0].rescored(), *three, *two])
        assert Systems.from_saved([*one, *three]).names == ("one", "three")

    def test_numbers_of_references_tell_where_nothing_else_does(self) -> None:
        hypotheses, references = texts(5, seed=1)
        first = [given[0] for given in references]
        saved = [
            SavedTable("one", TER(), TER().count(hypotheses["one"], references)),
            SavedTable("two", TER(), TER().count(hypotheses["two"], first)),
        ]
        with pytest.raises(TableError, match="against different numbers of references"):
            Systems.from_saved(saved)


class TestFewSegments:
    """The number itself is simulated in test_coverage.py."""

    CALLS: tuple[tuple[Any, str], ...] = (
        (lambda systems: paired_bootstrap(systems, draws=9), "finds differences too often"),
        (lambda systems: paired_test(systems, draws=9), "finds differences too often"),
        (
            lambda systems: paired_approximate_randomization(systems, trials=9, interval_draws=9),
            "intervals come out too narrow",
        ),
        (
            lambda systems: bootstrap_interval(TER(), systems.tables["one"][0], draws=9),
            "intervals come out too narrow",
        ),
    )

    @pytest.mark.parametrize(("call", "says"), CALLS)
    def test_whoever_draws_from_them_is_warned(self, call: Any, says: str) -> None:
        few = counted(ENOUGH - 1, metrics=[TER()])
        with pytest.warns(FewSegmentsWarning, match=f"99 segments are .*{says}") as warned:
            call(few)
        assert len(warned) == 1
        assert warned[0].filename == __file__

    @pytest.mark.parametrize(("call", "says"), CALLS)
    def test_enough_are_enough(self, call: Any, says: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(counted(ENOUGH, metrics=[TER()]))

    def test_randomization_draws_no_test_set(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            paired_approximate_randomization(counted(2), trials=9)


class TestByName:
    def test_sacrebleus_tests_take_its_numbers(self) -> None:
        """Whatever the number of pairs, of which the others take account."""
        tables = {str(i): counted(ENOUGH, metrics=[TER()]).tables["one"] for i in range(13)}
        systems = Systems([TER()], tables)
        for test, (baseline, pairs) in {
            "bootstrap": ("bs:1200", "bs:7800"),
            "sacrebleu-bootstrap": ("bs:1000", "bs:1000"),
            "sacrebleu-randomization": ("bs:1000|ar:10000", "bs:1000|ar:10000"),
        }.items():
            assert baseline in str(paired_test(systems, test=test).signatures["TER"])
            found = paired_test(systems, test=test, all_pairs=True)
            assert pairs in str(found.signatures["TER"])
        assert usual_trials(13 * 12, "count") == 15600

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"test": "boostrap"}, "not 'boostrap' (did you mean bootstrap?)"),
            ({"correction": "holms"}, "a correction is one of bonferroni, holm, "),
            ({"baseline": "four"}, "there is no system 'four'"),
            ({"level": 95}, "between 0 and 1"),
        ],
    )
    def test_misuse(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(OptionError) as refused:
            paired_test(counted(ENOUGH, metrics=[TER()]), **options)
        assert message in str(refused.value)

    @pytest.mark.parametrize("alpha", [0, 1, 5, True, "0.05"])
    def test_a_level_is_a_share(self, alpha: Any) -> None:
        results = paired_test(counted(ENOUGH, metrics=[TER()]), draws=9)
        with pytest.raises(OptionError, match="alpha must be between 0 and 1"):
            Significance.of(results, [TER()], alpha)


class TestCorrections:
    P: tuple[list[float], ...] = (
        [],
        [0.2],
        [0.01, 0.04, 0.03, 0.5],
        [0.05, 0.05, 0.05],
        [1.0, 0.0, 0.9],
        np.random.default_rng(1).random(7).tolist(),
        (np.random.default_rng(2).random(8) / 20).tolist(),
    )

    @pytest.mark.parametrize("values", P)
    def test_bonferroni_bounds_the_union(self, values: list[float]) -> None:
        assert bonferroni(values) == [min(1.0, len(values) * p) for p in values]

    @pytest.mark.parametrize("values", P)
    def test_holm_is_the_closed_test_of_bonferronis(self, values: list[float]) -> None:
        """A question is answered if every set of questions it is in is (Marcus et al. 1976)."""
        n = len(values)
        sets = [s for size in range(1, n + 1) for s in combinations(range(n), size)]
        expected = [
            max(min(1.0, len(s) * min(values[j] for j in s)) for s in sets if i in s)
            for i in range(n)
        ]
        assert holm(values) == pytest.approx(expected)

    @pytest.mark.parametrize("values", P)
    def test_benjamini_hochberg_is_its_definition(self, values: list[float]) -> None:
        """The adjusted value is the smallest level at which the step-up procedure rejects."""
        ordered = sorted(values)
        n = len(values)
        expected = [
            min(1.0, min(n * q / (k + 1) for k, q in enumerate(ordered) if q >= p)) for p in values
        ]
        assert benjamini_hochberg(values) == pytest.approx(expected)

    @pytest.mark.parametrize("correct", [bonferroni, holm, benjamini_hochberg])
    @pytest.mark.parametrize("value", [-0.1, 1.5, nan])
    def test_no_p_value(self, correct: Any, value: float) -> None:
        with pytest.raises(InputError, match="a p-value lies between 0 and 1"):
            correct([0.5, value])


class TestRuns:
    def runs(self, number: int = 3) -> dict[str, list[tuple[Table, ...]]]:
        of: dict[str, list[tuple[Table, ...]]] = {name: [] for name in NAMES}
        _, references = texts(15, seed=0)
        for run in range(number):
            rng = random.Random(run)
            hypotheses, _ = texts(15, seed=0)
            for name, lines in hypotheses.items():
                changed = [
                    " ".join(w for w in line.split() if rng.random() > 0.1) for line in lines
                ]
                of[name].append(tuple(m.count(changed, references) for m in METRICS))
        return of

    def test_runs_change_places_run_by_run(self) -> None:
        """MultEval's data points are a segment of a run; its statistic, the score of them all."""
        runs = self.runs()
        found = compare_runs(METRICS, runs, trials=40, seed=5)
        together = Systems(
            METRICS,
            {
                name: [Table.concatenate([run[m] for run in given]) for m in range(3)]
                for name, given in runs.items()
            },
        )
        chosen = np.random.default_rng(5).integers(2, size=(40, 45), dtype=bool)
        for m, label in enumerate(found.test.metrics):
            for other in "two", "three":
                expected = brute_randomization(together, m, ("one", other), chosen)
                assert found.test.comparison("one", other, label).p_value == expected

    def test_mean_and_standard_deviation(self) -> None:
        runs = self.runs()
        found = compare_runs(METRICS, runs, trials=5)
        for m, metric in enumerate(METRICS):
            scores = [metric.score(run[m].totals()).score for run in runs["two"]]
            one = found.of("two", metric.name)
            assert one.scores == tuple(scores)
            assert one.mean == pytest.approx(np.mean(scores))
            assert one.standard_deviation == pytest.approx(np.std(scores, ddof=1))
        plain = json.loads(json.dumps(found.to_dict()))
        assert plain["runs"][0]["standard_deviation"] > 0
        assert "over 3 runs" in str(found)

    def test_misuse(self) -> None:
        runs = self.runs(2)
        with pytest.raises(OptionError, match="one has 1, two has 2, three has 2"):
            compare_runs(METRICS, {**runs, "one": runs["one"][:1]})
        with pytest.raises(OptionError, match="two or more"):
            compare_runs(METRICS, {name: given[:1] for name, given in runs.items()})
        with pytest.raises(OptionError, match="no estimate of 'four'"):
            compare_runs(METRICS, runs, trials=2).of("four")


class TestBlocks:
    @pytest.mark.parametrize("metric", METRICS)
    @pytest.mark.parametrize("blocks", [2, 7, 20])
    def test_student_is_scipys(self, metric: Any, blocks: int) -> None:
        systems = counted(103, metrics=[metric])
        one, other = systems.tables["one"][0], systems.tables["two"][0]
        found = compare_blocks(metric, one, other, blocks=blocks)
        bounds = [103 * k // blocks for k in range(blocks + 1)]
        expected = [
            [score_of(metric, (t, range(a, b))) for a, b in pairwise(bounds)] for t in (one, other)
        ]
        test = scipy_stats.ttest_rel(expected[1], expected[0])
        assert found.one.scores == pytest.approx(expected[0])
        assert (found.t, found.p_value) == pytest.approx((test.statistic, test.pvalue))
        assert found.degrees_of_freedom == blocks - 1
        assert found.one.variance == pytest.approx(np.var(expected[0], ddof=1))
        assert sum(found.one.segments) == 103
        assert max(found.one.segments) - min(found.one.segments) <= 1
        assert json.loads(json.dumps(found.to_dict()))["t"] == found.t

    def test_the_papers_threshold(self) -> None:
        """A t of 1.7 or above is 95% significant (section 3): one-sided, 19 degrees of freedom."""
        assert scipy_stats.t.sf(1.73, 19) == pytest.approx(0.05, abs=5e-4)

    def test_the_same_system(self) -> None:
        (table,) = counted(40, metrics=[TER()]).tables["one"]
        found = compare_blocks(TER(), table, table)
        assert (found.t, found.p_value) == (0, 1)
        assert str(found) == "t = 0.00 (df = 19, p = 1.0000)"

    @pytest.mark.parametrize("blocks", [1, 0, 11, 2.0, True])
    def test_misuse(self, blocks: Any) -> None:
        (table,) = counted(10, metrics=[TER()]).tables["one"]
        with pytest.raises(OptionError, match="10 segments can be cut into 2 to 10 blocks"):
            block_scores(TER(), table, blocks=blocks)
        with pytest.raises(OptionError, match="one has 10 segments and the other 9"):
            compare_blocks(TER(), table, table.select(range(9)), blocks=3)


class TestHumanAgreement:
    def test_the_authors_examples(self) -> None:
        """From the documentation of mt-thresholds: 1 BLEU is 63.989%, as 0.710 chrF is."""
        assert expected_agreement(BLEU(), 1.0) == pytest.approx(0.63989, abs=5e-6)
        assert expected_agreement(CHRF(), -0.710) == pytest.approx(0.63989, abs=2e-4)

    @pytest.mark.parametrize("metric", [TER(), BLEU(tokenize="intl"), CHRF(word_order=2)])
    def test_what_was_not_studied(self, metric: Any) -> None:
        assert not is_covered(metric)
        with pytest.raises(OptionError, match="covers BLEU and chrF with default options"):
            expected_agreement(metric, 1.0)
