"""Warnings about a bootstrap of few segments; test_coverage.py simulates the number."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from bleuet import (
    TER,
)
from bleuet.extras import optional
from bleuet.studies.significance import (
    FewSegmentsWarning,
    bootstrap_interval,
    paired_approximate_randomization,
    paired_bootstrap,
    paired_test,
)
from bleuet.studies.significance.few_segments import ENOUGH
from tests.studies.significance.corpora import (
    counted,
)

scipy_stats = optional("scipy.stats")


class TestFewSegments:
    """The number itself is simulated in test_coverage.py."""

    CALLS: tuple[tuple[Any, str], ...] = (
        (lambda systems: paired_bootstrap(systems, draws=9), "finds differences too often"),
        (lambda systems: paired_test(systems, draws=9), "finds differences too often"),
        (
            lambda systems: paired_approximate_randomization(systems, trials=9, interval_draws=9),
            "intervals are too narrow",
        ),
        (
            lambda systems: bootstrap_interval(TER(), systems.tables["one"][0], draws=9),
            "intervals are too narrow",
        ),
    )

    @pytest.mark.parametrize(("call", "effect"), CALLS)
    def test_a_bootstrap_of_few_segments_warns(self, call: Any, effect: str) -> None:
        few = counted(ENOUGH - 1, metrics=[TER()])
        with pytest.warns(FewSegmentsWarning, match=f"99 segments are .*{effect}") as warned:
            call(few)
        assert len(warned) == 1
        assert warned[0].filename == __file__

    @pytest.mark.parametrize(("call", "effect"), CALLS)
    def test_enough_segments_do_not_warn(self, call: Any, effect: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call(counted(ENOUGH, metrics=[TER()]))

    def test_a_randomization_does_not_warn(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            paired_approximate_randomization(counted(2), trials=9)
