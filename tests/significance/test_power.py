"""Power against its definition, and what the results of a test show of it."""

from __future__ import annotations

import json
from itertools import pairwise
from statistics import stdev

import numpy as np
import pytest

from bleuet import TER
from bleuet.extras import optional
from bleuet.significance import Evaluation, TestSettings, paired_test
from bleuet.significance.paired import paired_approximate_randomization
from bleuet.significance.power import detectable_difference, planned_differences, power_of
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


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("difference", [0.0, 0.2, -0.7, 1.3])
def test_power_is_the_chance_to_be_beyond_the_limit(alpha: float, difference: float) -> None:
    error = 0.37
    limit = scipy_stats.norm.isf(alpha / 2) * error
    found = scipy_stats.norm.sf(limit, loc=abs(difference), scale=error)
    assert power_of(difference, error, alpha) == pytest.approx(found)


@pytest.mark.parametrize("detectable", [0.00123, 0.05, 0.0999, 1.0, 4.99, 20.1, 123.4])
def test_planned_differences_are_round_and_around_what_is_found(detectable: float) -> None:
    planned = planned_differences(detectable)
    assert planned[1] <= detectable < planned[2]
    assert all(f"{one:e}"[0] in "125" and float(f"{one:.0e}") == one for one in planned)
    assert all(b / a in (pytest.approx(2), pytest.approx(2.5)) for a, b in pairwise(planned))


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
    assert plain["power"] == [
        one.to_dict() for m in found.metrics for one in found.planned_power(m)
    ]
    assert json.loads(found.to_json())["power"] == plain["power"]


def test_power_of_larger_test_sets() -> None:
    """The standard error falls with the square root of the number of segments."""
    found = paired_test(counted(120))
    errors = sorted(one.standard_error or 0 for one in found.comparisons_by("TER"))
    for size, units in ((1, None), (1, 120), (4, 480)):
        expected = power_of(1.5, errors[1] / size**0.5, 0.05)
        assert found.power("TER", 1.5, units) == pytest.approx(expected)
    by_size = {one.units for one in found.planned_power("TER")}
    assert by_size == {120, 240, 480}
    lines = found.to_text().splitlines()
    heading = next(line for line in lines if line.startswith("true difference"))
    assert heading.split()[2:] == ["120", "segments", "240", "segments", "480", "segments"]
    row = next(line for line in lines if line.startswith("5 TER "))
    shown = [f"{found.power('TER', 5, units) or 0:.0%}" for units in (120, 240, 480)]
    assert row.split()[2:] == shown


def test_metrics_of_other_segments_have_a_table_of_their_own() -> None:
    systems = counted(240, metrics=[TER()])
    scores = {
        name: [float((row * place) % 7) if row < 120 else None for row in range(240)]
        for place, name in enumerate(systems.systems, 1)
    }
    tables = list(paired_test(systems.with_scores({"COMET": scores})).power_tables())
    assert [[column.key for column in table.columns][1:] for table in tables] == [
        ["240", "480", "960"],
        ["120", "240", "480"],
    ]


def changed(differ: int) -> Evaluation:
    """Two systems that differ in some of 200 segments."""
    lines = ["the cat sat down on a mat today"] * 200
    new = ["the cat sat on a mat"] * differ + lines[differ:]
    return Evaluation.count([TER()], {"old": lines, "new": new}, lines)


def test_few_segments_that_differ_show_no_power() -> None:
    for differ, known in ((0, False), (1, False), (9, False), (10, True), (200, True)):
        for test in ("bootstrap", "randomization"):
            found = paired_test(changed(differ), TestSettings(test=test))
            # All segments differ by the same amount: so do all draws.
            known_error = known and differ < 200
            assert found.comparisons[0].few_differ == (not known)
            assert (found.detectable("TER") is not None) == known_error
            assert ("Power:" in found.to_text()) == known_error
            assert bool(found.planned_power("TER")) == known_error


def test_few_segments_show_no_power() -> None:
    """Their standard errors are too small."""
    found = paired_test(counted(99, metrics=[TER()]))
    assert found.detectable("TER") is None
    assert "Power:" not in found.to_text()
    assert found.power("TER", 1.0) is None


def test_without_draws_there_is_no_power() -> None:

    found = paired_approximate_randomization(
        counted(120, metrics=[TER()]), TestSettings(test="randomization", draws=20)
    )
    assert found.detectable("TER") is None
    assert "a test finds" not in found.to_text()
