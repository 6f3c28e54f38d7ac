"""Warnings about a bootstrap of few segments; test_coverage.py simulates the number."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from bleuet import (
    TER,
)
from bleuet.extras import optional
from bleuet.significance import (
    FewSegmentsWarning,
    IntervalSettings,
    TestSettings,
    bootstrap_interval,
    paired_test,
)
from bleuet.significance.few_segments import ENOUGH
from bleuet.significance.paired import paired_approximate_randomization, paired_bootstrap
from tests.significance.corpora import (
    counted,
)

scipy_stats = optional("scipy.stats")


class TestFewSegments:
    """The number itself is simulated in test_coverage.py."""

    CALLS: tuple[tuple[Any, str], ...] = (
        (
            lambda systems: paired_bootstrap(systems, TestSettings(test="bootstrap", draws=9)),
            "finds differences too often",
        ),
        (
            lambda systems: paired_test(systems, TestSettings(test="bootstrap", draws=9)),
            "finds differences too often",
        ),
        (lambda systems: paired_test(systems, TestSettings(draws=9)), "intervals are too narrow"),
        (
            lambda systems: paired_approximate_randomization(
                systems, TestSettings(test="randomization", draws=9), interval_draws=9
            ),
            "intervals are too narrow",
        ),
    )

    @pytest.mark.parametrize(("call", "effect"), CALLS)
    def test_results_have_a_note(self, call: Any, effect: str) -> None:
        few = counted(ENOUGH - 1, metrics=[TER()])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            text = call(few).to_text()
            assert "99 segments are too few for a bootstrap, wh" in text
            assert effect in text
            enough = counted(ENOUGH, metrics=[TER()])
            assert "too few" not in call(enough).to_text()
            documents = enough.replace(documents=[*range(99), 98])
            assert "99 documents are too few for a bootstrap" in call(documents).to_text()

    def test_an_interval_of_few_segments_warns(self) -> None:
        (table,) = counted(ENOUGH, metrics=[TER()]).tables["one"]
        few = table.select(range(ENOUGH - 1))
        for documents, unit in ((None, "segment"), (range(ENOUGH - 1), "document")):
            expected = f"99 {unit}s are .* intervals are too narrow"
            with pytest.warns(FewSegmentsWarning, match=expected) as warned:
                bootstrap_interval(TER(), few, IntervalSettings(draws=9), documents=documents)
            assert len(warned) == 1
            assert warned[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            bootstrap_interval(TER(), table, IntervalSettings(draws=9))

    def test_the_default_test_of_few_segments_is_a_randomization(self) -> None:
        assert (
            paired_test(counted(ENOUGH - 1, metrics=[TER()]), TestSettings(draws=9)).test
            == "randomization"
        )
        assert (
            paired_test(counted(ENOUGH, metrics=[TER()]), TestSettings(draws=9)).test == "bootstrap"
        )

    @pytest.mark.parametrize(("scored", "test"), [(25, "randomization"), (100, "bootstrap")])
    def test_segments_without_a_score_do_not_count(self, scored: int, test: str) -> None:
        systems = counted(150, metrics=[TER()])
        scores = {
            name: [float((row * place) % 7) if row < scored else None for row in range(150)]
            for place, name in enumerate(systems.systems, 1)
        }
        found = paired_test(systems.with_scores({"COMET": scores}), TestSettings(draws=99))
        assert found.test == test
        assert found.tested_units == {"TER": 150, "COMET": scored}
        note = (
            "COMET: 25 segments are too few for a bootstrap, so the test is a randomization, and "
            "intervals are too narrow."
        )
        assert (note in found.to_text()) == (scored == 25)
        forced = paired_test(
            systems.with_scores({"COMET": scores}), TestSettings(test="bootstrap", draws=99)
        ).to_text()
        warned = "COMET: 25 segments are too few for a bootstrap, which finds differences too often"
        assert (warned in forced) == (scored == 25)
        assert "150 segments are too few" not in forced

    def test_two_segments_show_no_difference(self) -> None:
        found = paired_test(counted(2, metrics=[TER()]))
        assert [one.is_significant() for one in found.comparisons] == [False, False]

    def test_a_randomization_does_not_warn(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            paired_approximate_randomization(
                counted(2), TestSettings(test="randomization", draws=9)
            )
