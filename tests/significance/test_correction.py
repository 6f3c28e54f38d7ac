"""Corrections against their definitions."""

from __future__ import annotations

from itertools import combinations
from math import nan
from typing import Any

import numpy as np
import pytest

from bleuet import InputError, OptionError
from bleuet.extras import optional
from bleuet.output.document import AtMost
from bleuet.significance import (
    TestSettings,
    benjamini_hochberg,
    bonferroni,
    holm,
    paired_test,
)
from bleuet.significance.correction import ONE_SIDED, correct, some_difference
from tests.significance.corpora import counted

scipy_stats = optional("scipy.stats")


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
        with pytest.raises(InputError, match="a p-value must be between 0 and 1"):
            correct([0.5, value])


def test_a_bound_that_a_correction_makes_1_is_no_bound() -> None:
    """A p-value that is "at most 1" says nothing, and so is 1; a smaller bound stays a bound."""
    for name in ("holm", "bonferroni"):
        low, high = correct([AtMost(0.01), AtMost(0.75)], name)
        assert (low, type(low)) == (0.02, AtMost)
        # Holm leaves the largest of the p-values as it is.
        assert (high, type(high)) == ((0.75, AtMost) if name == "holm" else (1.0, float))
    assert [type(p) for p in correct([AtMost(0.5), AtMost(0.5)], "bonferroni")] == [float, float]


@pytest.mark.parametrize("name", ["holm", "bonferroni", "benjamini-hochberg"])
def test_a_correction_over_all_metrics(name: str) -> None:
    """All p-values of pairs and metrics are one family."""
    plain = paired_test(
        counted(120), TestSettings(test="randomization", draws=200, correction=None)
    )
    found = paired_test(
        counted(120),
        TestSettings(test="randomization", draws=200, correction=name, correct_over="all"),
    )
    expected = correct([one.p_value for one in plain.comparisons], name)
    assert [one.p for one in found.comparisons] == expected
    assert "over all metrics" in found.to_text()
    assert found.to_dict()["correct_over"] == "all"


def test_more_tests_need_more_draws() -> None:
    systems = counted(120)
    found = paired_test(systems, TestSettings(test="randomization", draws=99, correct_over="all"))
    assert found.needs_more_draws  # 6 tests: 6 / 100 is above 0.05
    assert not paired_test(systems, TestSettings(test="randomization", draws=99)).needs_more_draws
    with pytest.raises(OptionError, match="correct_over must be one of pairs, all, not 'metrics'"):
        paired_test(systems, TestSettings(correct_over="metrics"))


@pytest.mark.parametrize("systems", [2, 3, 8, 12])
def test_uncorrected_tests_of_all_pairs(systems: int) -> None:
    """By draws of normal scores, whose largest difference is that of the ends."""
    drawn = np.random.default_rng(systems).normal(size=(100_000, systems))
    largest = np.ptp(drawn, axis=1) / 2**0.5
    for sides, limit in ((2, 1.959964), (ONE_SIDED, 1.644854)):
        expected = (largest > limit).mean()
        assert some_difference(systems, 0.05, sides) == pytest.approx(expected, abs=0.006)
