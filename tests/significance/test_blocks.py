"""The test of the BLEU paper against SciPy."""

from __future__ import annotations

import json
from itertools import pairwise
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
    block_scores,
    compare_blocks,
)
from tests.significance.corpora import (
    counted,
    score_of,
)

scipy_stats = optional("scipy.stats")


class TestBlocks:
    @pytest.mark.parametrize("kind", [BLEU, CHRF, TER])
    @pytest.mark.parametrize("blocks", [2, 7, 20])
    def test_student_is_scipys(self, kind: type[Metric], blocks: int) -> None:
        metric = kind()
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

    @pytest.mark.parametrize("blocks", [1, 0, 11])
    def test_misuse(self, blocks: Any) -> None:
        (table,) = counted(10, metrics=[TER()]).tables["one"]
        with pytest.raises(OptionError, match="blocks must be from 2 to 10, the number"):
            block_scores(TER(), table, blocks=blocks)
        with pytest.raises(OptionError, match="one has 10 and the other 9"):
            compare_blocks(TER(), table, table.select(range(9)), blocks=3)
