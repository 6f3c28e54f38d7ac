"""The expected human agreement against the authors' examples."""

from __future__ import annotations

from typing import Any

import pytest

from bleuet import (
    BLEU,
    CHRF,
    TER,
    Metric,
    OptionError,
)
from bleuet.extras import optional
from bleuet.significance import (
    expected_agreement,
    is_covered,
)

scipy_stats = optional("scipy.stats")


class TestHumanAgreement:
    def test_the_authors_examples(self) -> None:
        """From the documentation of mt-thresholds: 1 BLEU is 63.989%, as 0.710 chrF is."""
        assert expected_agreement(BLEU(), 1.0) == pytest.approx(0.63989, abs=5e-6)
        assert expected_agreement(CHRF(), -0.710) == pytest.approx(0.63989, abs=2e-4)

    @pytest.mark.parametrize(
        ("kind", "options"), [(TER, {}), (BLEU, {"tokenize": "intl"}), (CHRF, {"word_order": 2})]
    )
    def test_what_was_not_studied(self, kind: type[Metric], options: dict[str, Any]) -> None:
        metric = kind(**options)
        assert not is_covered(metric)
        with pytest.raises(OptionError, match="covers BLEU and chrF with default options"):
            expected_agreement(metric, 1.0)
