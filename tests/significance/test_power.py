"""Power against its definition, and what the results of a test show of it."""

from __future__ import annotations

import csv
import io
from statistics import stdev

import numpy as np
import pytest

from bleuet import TER, Table
from bleuet.extras import optional
from bleuet.significance import Evaluation, TestSettings, paired_test
from bleuet.significance.paired import paired_approximate_randomization
from bleuet.significance.power import detectable_difference, units_needed
from tests.significance.corpora import counted, score_of

scipy_stats = optional("scipy.stats")


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_the_difference_is_found_so_often(alpha: float, power: float) -> None:
    """The chance that the estimate of a true difference is beyond the limit of the test."""
    error = 0.37
    difference = detectable_difference(error, alpha, power)
    limit = scipy_stats.norm.isf(alpha / 2) * error
    assert scipy_stats.norm.sf(limit, loc=difference, scale=error) == pytest.approx(power)


def test_so_many_segments_are_needed() -> None:
    needed = units_needed(0.3, 0.5, 1000, 0.05)
    assert needed is not None
    smaller = 0.5 * (1000 / needed) ** 0.5
    assert detectable_difference(smaller, 0.05) == pytest.approx(0.3, rel=1e-3)
    assert units_needed(0.0, 0.5, 1000, 0.05) is None


def test_the_standard_error_is_that_of_the_draws() -> None:
    systems = counted(120, metrics=[TER()])
    for test in ("bootstrap", "randomization"):
        found = paired_test(systems, TestSettings(test=test, draws=1000)).comparison("one", "two")
        random = np.random.default_rng(12345)
        one, two = (systems.tables[name][0] for name in ("one", "two"))
        rows = random.choice(120, size=(1000, 120))
        differences = [
            score_of(TER(), (two, own.tolist())) - score_of(TER(), (one, own.tolist()))
            for own in rows[:200]
        ]
        assert found.standard_error == pytest.approx(stdev(differences), rel=0.2)


def test_results_show_power() -> None:
    found = paired_test(counted(120))
    assert "a test finds a true difference of" in found.to_text()
    for metric in found.metrics:
        one, other = found.comparisons_by(metric)
        errors = sorted([one.standard_error or 0, other.standard_error or 0])
        assert found.detectable(metric) == detectable_difference(errors[1], 0.05)
    plain = found.to_dict()
    assert plain["detectable"]["TER"] == found.detectable("TER")
    rows = csv.DictReader(io.StringIO(found.to_csv()))
    needed = [row["needed"] for row in rows if row["baseline"]]
    expected = [found.needed_units(one) for m in found.metrics for one in found.comparisons_by(m)]
    assert needed == [str(number) for number in expected]


def test_needed_segments_stand_beside_what_is_not_significant() -> None:
    systems = counted(120, seed=3, metrics=[TER()])
    one, two = (systems.tables[name][0] for name in ("one", "two"))
    swapped = [n + 120 * (n % 2) for n in range(120)]
    both = Table.concatenate([one, two])
    alike = {
        "one": [both.select(swapped)],
        "other": [both.select([n + 120 if n < 120 else n - 120 for n in swapped])],
    }
    found = paired_test(Evaluation([TER()], alike))
    (tested,) = found.comparisons
    assert not tested.is_significant()
    text = found.to_text()
    assert "segments needed" in text
    row = next(line for line in text.splitlines() if line.startswith(f"{tested.system} "))
    assert row.split()[-1].replace(",", "") == str(found.needed_units(tested))
    assert "human agreement" not in text


def test_few_segments_show_no_power() -> None:
    """Their standard errors are too small."""
    found = paired_test(counted(99, metrics=[TER()]))
    assert found.detectable("TER") is None
    assert "Power:" not in found.to_text()
    assert "needed" not in found.to_text()


def test_without_draws_there_is_no_power() -> None:

    found = paired_approximate_randomization(
        counted(120, metrics=[TER()]), TestSettings(test="randomization", draws=20)
    )
    assert found.detectable("TER") is None
    assert "a test finds" not in found.to_text()
