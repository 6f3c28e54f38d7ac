"""The test set in blocks: scores of the blocks and Student's paired t, compared with SciPy's."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from statistics import mean, stdev, variance

import pytest

from bleuet.comparison import compare
from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.ter.metric import TER

stats = optional("scipy.stats")
WORDS = ["the", "a", "cat", "dog", "sat", "lay", "on", "mat"]
_DRAWN = random.Random(2002)


def _texts(segments: int) -> list[str]:
    return [" ".join(_DRAWN.choices(WORDS, k=_DRAWN.randint(4, 9))) for _ in range(segments)]


REFERENCES = _texts(23)
SYSTEMS = {name: _texts(23) for name in ("north", "south", "east")}


@pytest.mark.parametrize("all_pairs", [True, False])
@pytest.mark.parametrize("blocks", [2, 5])
def test_blocks_are_scored_and_tested_by_themselves(blocks: int, all_pairs: bool) -> None:
    metrics = [BLEU(), TER()]
    found = compare(SYSTEMS, REFERENCES, metrics, by=[], all_pairs=all_pairs)
    found = found.with_blocks(blocks)
    ends = [len(REFERENCES) * k // blocks for k in range(blocks + 1)]
    assert [one.metric for one in found.blocks] == ["BLEU", "TER"]
    for metric, own in zip(metrics, found.blocks, strict=True):
        expected = {
            name: [
                metric.corpus_score(texts[start:end], REFERENCES[start:end]).score
                for start, end in pairwise(ends)
            ]
            for name, texts in SYSTEMS.items()
        }
        for scores, of_system in zip(own.scores, expected.values(), strict=True):
            assert scores.scores == pytest.approx(of_system)
            measured = (scores.mean, scores.variance, scores.standard_deviation)
            assert measured == pytest.approx(
                (mean(of_system), variance(of_system), stdev(of_system))
            )
        held = [(test.left, test.right) for test in own.tests]
        assert held == [(pair.left, pair.right) for pair in found.pairs]
        for test in own.tests:
            scipys = stats.ttest_rel(expected[test.left], expected[test.right])
            assert test.found.t == pytest.approx(scipys.statistic)
            assert test.found.p_value == pytest.approx(scipys.pvalue)
            apart = mean(expected[test.left]) - mean(expected[test.right])
            assert test.found.difference == pytest.approx(apart)


def test_plain_values() -> None:
    found = compare({"a": ["x y"] * 4, "b": ["x z"] * 4}, ["x y"] * 4, ["ter"], by=[])
    assert found.blocks == ()
    assert found.to_dict()["blocks"] == []
    (values,) = json.loads(json.dumps(found.with_blocks(4).to_dict(), allow_nan=False))["blocks"]
    assert values["metric"] == "TER"
    assert values["systems"]["b"]["scores"] == [50.0] * 4
    # Every block differs by the same: t is infinite, for which JSON has no number.
    assert values["tests"] == [
        {
            **{"left": "a", "right": "b", "difference": -50.0},
            **{"t": None, "degrees_of_freedom": 3, "p_value": 0.0},
        }
    ]


def test_misuse() -> None:
    found = compare({"a": ["x"] * 3}, ["x"] * 3, ["ter"], by=[])
    with pytest.raises(
        OptionError, match="blocks must be from 2 to 3, the number of segments, not 20"
    ):
        found.with_blocks()
    with pytest.raises(OptionError, match="two segments or more, but there are 1"):
        compare({"a": ["x"]}, ["x"], ["ter"], by=[]).with_blocks(1)
