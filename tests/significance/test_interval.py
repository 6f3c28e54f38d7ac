"""Bootstrap intervals against numpy's draws."""

from __future__ import annotations

import json
import random
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
from bleuet.significance import (
    IntervalSettings,
    bootstrap_interval,
)
from bleuet.significance.interval import interval_of
from tests.significance.corpora import (
    counted,
    score_of,
)

pytestmark = pytest.mark.slow

scipy_stats = optional("scipy.stats")


class TestIntervals:
    @pytest.mark.parametrize(
        ("kind", "options"),
        [
            (BLEU, {}),
            (CHRF, {}),
            (TER, {}),
            (CHRF, {"word_order": 2}),
            (BLEU, {"tokenize": "char"}),
        ],
    )
    @pytest.mark.parametrize("seed", [0, 12345])
    def test_they_contain_the_scores_of_numpys_draws(
        self, kind: type[Metric], options: dict[str, Any], seed: int
    ) -> None:
        metric = kind(**options)
        (table, *_) = counted(30, metrics=[metric]).tables["two"]
        found = bootstrap_interval(metric, table, IntervalSettings(draws=200, seed=seed))
        drawn = np.random.default_rng(seed).choice(30, size=(200, 30))
        scores = sorted(score_of(metric, (table, rows.tolist())) for rows in drawn)
        assert found.score == metric.score(table.totals()).score
        assert found.mean == pytest.approx(np.mean(scores), abs=1e-9)
        assert (found.low, found.high) == pytest.approx((scores[5], scores[194]), abs=1e-9)
        assert found.half_width == (found.high - found.low) / 2

    @pytest.mark.parametrize(
        ("confidence", "low", "high"),
        [(0.95, 25, 974), (0.9, 50, 949), (0.99, 5, 994), (0.5, 250, 749)],
    )
    def test_levels(self, confidence: float, low: int, high: int) -> None:
        draws = random.Random(1).sample(range(1000), 1000)
        found = interval_of(1.0, [float(draw) for draw in draws], confidence, BLEU().signature())
        assert (found.low, found.high) == (low, high)

    def test_all_forms(self) -> None:
        (table,) = counted(9, metrics=[TER()]).tables["one"]
        found = bootstrap_interval(TER(), table, IntervalSettings(draws=50, seed=0))
        assert str(found.signature).startswith("nrefs:2|bs:50|seed:0|case:lc|tok:tercom")
        assert found.signature.short().startswith("#:2|bs:50|rs:0|c:lc|t:tercom")
        assert "seed:none" in str(
            bootstrap_interval(TER(), table, IntervalSettings(draws=9, seed=None)).signature
        )
        assert str(found).startswith("TER = ")
        assert json.loads(json.dumps(found.to_dict()))["half_width"] == found.half_width

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"draws": 1}, "draws must be a whole number of at least 2, not 1"),
            ({"draws": 5.0}, "draws must be a whole number"),
            ({"confidence": 95}, "between 0 and 1, such as 0.95, not 95"),
            ({"seed": -4}, "seed"),
        ],
    )
    def test_misuse(self, options: dict[str, Any], message: str) -> None:
        (table,) = counted(9, metrics=[TER()]).tables["one"]
        with pytest.raises(OptionError, match=message):
            bootstrap_interval(TER(), table, IntervalSettings(**options))
        with pytest.raises(OptionError, match="threads"):
            bootstrap_interval(TER(), table, threads=-1)
