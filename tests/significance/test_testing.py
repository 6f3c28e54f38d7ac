"""Paired tests by their names."""

from __future__ import annotations

from typing import Any

import pytest

from bleuet import (
    TER,
    OptionError,
)
from bleuet.extras import optional
from bleuet.significance import (
    Evaluation,
    TestSettings,
    paired_test,
)
from bleuet.significance.few_segments import ENOUGH
from bleuet.significance.testing import default_draws
from tests.significance.corpora import (
    counted,
)

scipy_stats = optional("scipy.stats")


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
