"""Paired tests against their definitions, numpy and SciPy."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from bleuet import (
    BLEU,
    CHRF,
    TER,
    Metric,
    OptionError,
)
from bleuet.extras import optional
from bleuet.metrics.catalogue import metric_from_signature
from bleuet.significance import Evaluation, SegmentMean, TestSettings, paired_test
from bleuet.significance.paired import paired_approximate_randomization, paired_bootstrap
from tests.significance.corpora import (
    NAMES,
    brute_bootstrap,
    brute_randomization,
    counted,
    p_values,
    score_of,
    texts,
    three_metrics,
)

pytestmark = pytest.mark.slow

scipy_stats = optional("scipy.stats")
# The randomization that counts only larger differences, and the one that counts equal ones too.
TIES = ("sacrebleu-randomization", "randomization")


class TestPairedTests:
    @pytest.mark.parametrize("seed", [0, 7])
    def test_the_bootstrap_is_its_definition(self, seed: int) -> None:
        systems = counted(25, seed=seed)
        found = paired_bootstrap(
            systems, TestSettings(test="sacrebleu-bootstrap", draws=60, seed=seed, all_pairs=True)
        )
        drawn = np.random.default_rng(seed).choice(25, size=(60, 25))
        pairs = list(combinations(NAMES, 2))
        expected = [brute_bootstrap(systems, m, pair, drawn) for pair in pairs for m in range(3)]
        assert p_values(found) == expected

    def test_the_two_sided_bootstrap_is_its_definition(self) -> None:
        systems = counted(25)
        found = paired_bootstrap(systems, TestSettings(test="bootstrap", draws=60, seed=4))
        drawn = np.random.default_rng(4).choice(25, size=(60, 25))
        for one in found.comparisons:
            m = found.metrics.index(one.metric)
            metric = three_metrics()[m]
            a, b = systems.tables["one"][m], systems.tables[one.system][m]
            differences = np.array(
                [
                    score_of(metric, (b, rows)) - score_of(metric, (a, rows))
                    for rows in drawn.tolist()
                ]
            )
            above = int((abs(differences - differences.mean()) > abs(one.difference)).sum())
            assert one.p_value == (above + 1) / 61
            ends = sorted(differences)[1], sorted(differences)[-2]
            assert (one.low, one.high) == pytest.approx(ends)
        assert "|bs:60|seed:4|p:two-sided|case:" in str(found.signatures["TER"])
        one_sided = paired_bootstrap(
            systems, TestSettings(test="sacrebleu-bootstrap", draws=60, seed=4)
        )
        assert "two-sided" not in str(one_sided.signatures["TER"])
        assert one_sided.comparisons[0].p_value < found.comparisons[0].p_value

    def test_the_two_sided_bootstrap_of_equal_systems(self) -> None:
        references = ["The cat sat down.", "It rains today, again."]
        texts = ["A cat sat down.", "It rains today."]
        same = Evaluation.count([BLEU(), TER()], {"a": texts, "b": list(texts)}, references)
        found = paired_bootstrap(same, TestSettings(test="bootstrap"))
        assert p_values(found) == [1.0, 1.0]
        nothing = Evaluation.count([CHRF()], {"a": ["", ""], "b": ["", ""]}, references)
        assert p_values(paired_bootstrap(nothing, TestSettings(test="bootstrap"))) == [1.0]
        assert p_values(
            paired_approximate_randomization(nothing, TestSettings(test="randomization"))
        ) == [1.0]
        # A test set of one segment has one resample only.
        one = Evaluation.count([BLEU()], {"a": texts[:1], "b": references[:1]}, references[:1])
        (found_of_one,) = paired_bootstrap(one, TestSettings(test="bootstrap")).comparisons
        assert found_of_one.difference > 0
        assert found_of_one.p_value == 1
        assert p_values(
            paired_approximate_randomization(one, TestSettings(test="randomization"))
        ) == [1.0]

    @pytest.mark.parametrize("seed", [0, 7])
    def test_randomization_is_its_definition(self, seed: int) -> None:
        systems = counted(25, seed=seed)
        found = paired_approximate_randomization(
            systems,
            TestSettings(test="sacrebleu-randomization", draws=60, seed=seed, all_pairs=True),
        )
        chosen = np.random.default_rng(seed).integers(2, size=(60, 25), dtype=bool)
        pairs = list(combinations(NAMES, 2))
        expected = [
            brute_randomization(systems, m, pair, chosen) for pair in pairs for m in range(3)
        ]
        assert p_values(found) == expected

    @pytest.mark.parametrize("test", ["bootstrap", "randomization"])
    def test_a_baseline_is_one_row_of_all_pairs(self, test: str) -> None:
        systems = counted()
        settings = TestSettings(test=test, draws=1000)
        all_pairs = paired_test(systems, settings.replace(all_pairs=True))
        for baseline in NAMES:
            found = paired_test(systems, settings.replace(baseline=baseline))
            assert len(found.comparisons) == 2 * len(three_metrics())
            for one in found.comparisons:
                other = all_pairs.comparison(baseline, one.system, one.metric)
                assert (one.p_value, one.better) == (other.p_value, other.better)
                assert abs(one.difference) == abs(other.difference)
                if one.low is None:
                    assert other.low is None
                elif other.baseline == baseline:
                    assert (one.low, one.high) == (other.low, other.high)
        found = paired_test(systems, settings)
        assert found == paired_test(systems, settings.replace(baseline="one"))
        assert found == paired_test(systems, settings, threads=3)

    @pytest.mark.parametrize("test", ["bootstrap", "randomization"])
    def test_the_same_system_does_not_differ_from_itself(self, test: str) -> None:
        hypotheses, references = texts(20, seed=3)
        systems = Evaluation.count(
            three_metrics(), {"a": hypotheses["two"], "b": hypotheses["two"]}, references
        )
        found = paired_test(systems, TestSettings(test=test)).comparisons
        assert [(one.difference, one.better) for one in found] == [(0, None)] * 3

    def test_lower_is_better_for_ter(self) -> None:
        found = paired_bootstrap(counted(120), TestSettings(test="bootstrap"))
        for metric in "BLEU", "chrF2", "TER":
            assert found.comparison("three", "one", metric).better == "one"
            assert found.score("one", metric).higher_is_better == (metric != "TER")
        assert found.comparison("one", "three", "TER").difference > 0

    def test_randomization_can_have_intervals(self) -> None:
        systems = counted()
        found = paired_approximate_randomization(
            systems, TestSettings(test="randomization", draws=50, seed=3), interval_draws=70
        )
        bootstrapped = paired_bootstrap(systems, TestSettings(test="bootstrap", draws=70, seed=3))
        for a, b in zip(found.scores, bootstrapped.scores, strict=True):
            assert a.interval is not None
            assert b.interval is not None
            assert (a.interval.low, a.interval.high) == (b.interval.low, b.interval.high)
        assert "|bs:70|ar:50|seed:3|" in str(found.signatures["BLEU"])

    def test_a_test_of_means_is_scipys(self) -> None:
        """SciPy tries all 2^n exchanges; the estimate is within four standard errors."""
        rng = np.random.default_rng(4)
        a = rng.normal(0.5, 0.2, 12)
        b = a + rng.normal(0.06, 0.1, 12)
        exact = scipy_stats.permutation_test(
            (a, b), lambda x, y: abs(x.mean() - y.mean()), permutation_type="samples",
            alternative="greater", n_resamples=np.inf,
        ).pvalue  # fmt: skip
        comet = SegmentMean("COMET")
        systems = Evaluation([comet], {"a": [comet.table_of(a)], "b": [comet.table_of(b)]})
        (found,) = paired_approximate_randomization(
            systems, TestSettings(test="sacrebleu-randomization", draws=20000)
        ).comparisons
        assert 0.01 < exact < 0.3
        # Two of the 2^12 exchanges make the observed difference, which SciPy counts.
        assert found.p_value == pytest.approx(exact - 2 / 2**12, abs=4 * (exact / 20000) ** 0.5)
        assert found.difference == pytest.approx(b.mean() - a.mean())

    @pytest.mark.parametrize("kind", [BLEU, CHRF, TER])
    def test_one_different_segment_is_not_significant(self, kind: type[Metric]) -> None:
        """Every trial has the same difference, which sacreBLEU does not count."""
        metric = kind()
        hypotheses, references = texts(40, seed=2)
        other = [*hypotheses["one"][:-1], "it is another sentence"]
        systems = Evaluation.count([metric], {"a": hypotheses["one"], "b": other}, references)
        strict, count = (
            paired_approximate_randomization(systems, TestSettings(test=test, draws=500))
            for test in TIES
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
    def test_counted_ties_make_the_sign_test(self, scale: float) -> None:
        """Segments that differ by the same amount up or down are coin tosses; sums of tenths are
        rounded, so that ties are only approximate."""
        ways = [1] * 9 + [-1] * 3
        exact = scipy_stats.binomtest(9, 12).pvalue
        rows = [(7 * scale, (7 + way) * scale) for way in ways] + [(3 * scale, 3 * scale)] * 300
        random.Random(1).shuffle(rows)
        mean = SegmentMean("COMET")
        a, b = (mean.table_of(list(column)) for column in zip(*rows, strict=True))
        systems = Evaluation([mean], {"a": [a], "b": [b]})
        (found,) = paired_approximate_randomization(
            systems, TestSettings(test="randomization", draws=20000)
        ).comparisons
        assert found.p_value == pytest.approx(exact, abs=4 * (exact / 20000) ** 0.5)

    @pytest.mark.long
    def test_counted_ties_keep_alpha(self) -> None:
        """Systems that differ by a coin toss in ten segments: at most 5% are rejected at 0.05."""
        rng = np.random.default_rng(11)
        mean = SegmentMean("correct")
        rejected = dict.fromkeys(TIES, 0)
        for seed in range(600):
            coin = rng.integers(0, 2, 10)
            a, b = (mean.table_of([*side.tolist(), *[1] * 20]) for side in (coin, 1 - coin))
            systems = Evaluation([mean], {"a": [a], "b": [b]})
            for test in rejected:
                found = paired_approximate_randomization(
                    systems, TestSettings(test=test, draws=199, seed=seed)
                )
                rejected[test] += found.comparisons[0].is_significant()
        # 2 * (1 + 10) of the 1,024 ways are significant, and without ties 2 * 45 more.
        assert rejected["randomization"] / 600 <= 0.05
        assert rejected["sacrebleu-randomization"] / 600 > 0.07

    def test_ties_of_runs_count(self) -> None:
        """Of the 16 exchanges of four segments, 2 are the most extreme and 10 at least a tie."""
        mean = SegmentMean("M")
        a, b = ([mean.table_of(scores)] for scores in ([1, 1, 1, 0], [0, 0, 0, 1]))
        systems = Evaluation.of_runs([mean], {"a": [a, a], "b": [b, b]})
        strict, count = (
            paired_approximate_randomization(systems, TestSettings(test=test, draws=2000, seed=1))
            for test in TIES
        )
        assert p_values(strict) == pytest.approx([2 / 16], abs=0.04)
        assert p_values(count) == pytest.approx([10 / 16], abs=0.04)
        assert "|ties:count|" in str(count.signatures["M"])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"baseline": "four"}, "baseline must be one of one, two, three, not 'four'"),
            ({"baseline": "one", "all_pairs": True}, "baseline and all_pairs exclude each other"),
            ({"seed": "x"}, "seed"),
        ],
    )
    @pytest.mark.parametrize("test", [paired_bootstrap, paired_approximate_randomization])
    def test_misuse(self, test: Any, options: dict[str, Any], message: str) -> None:
        with pytest.raises(OptionError, match=message):
            test(counted(5), TestSettings(**options))

    def test_numbers_of_draws(self) -> None:
        with pytest.raises(OptionError, match="draws must be a whole number of at least 2"):
            TestSettings(test="bootstrap", draws=1)

    def test_one_system_cannot_be_compared(self) -> None:
        systems, references = texts(5, seed=1)
        alone = Evaluation.count([TER()], {"one": systems["one"]}, references)
        with pytest.raises(OptionError, match="compares two systems or more"):
            paired_bootstrap(alone, TestSettings(test="bootstrap"))
