"""Minimum Bayes risk chooses as mbrs 0.1.8 does, by the same utilities."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import mbr
from tests.oracles.mbrs_goldens import FILE, WAYS, cases, computed

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

# Of single precision.
CLOSE = 1e-6


@cache
def goldens() -> Any:
    return json.loads(FILE.read_text(encoding="utf-8"))


def check(lists: list[list[str]], metric: str, way: str, theirs: list[list[float]]) -> None:
    # Of TER mbrs has the expected score, and takes the lowest.
    sign = -1 if metric == "ter" else 1
    choices = mbr(lists, metric, way=way)
    assert len(choices) == len(theirs)
    for choice, scores in zip(choices, theirs, strict=True):
        assert choice.utilities == pytest.approx([sign * s for s in scores], rel=CLOSE, abs=CLOSE)
        best = max(sign * score for score in scores)
        near = [sign * score >= best - CLOSE * (1 + abs(best)) for score in scores]
        assert near[choice.index]
        # The mean counts of different candidates round in different ways.
        assert choice.index == near.index(True) or way == "aggregated"


@pytest.mark.parametrize(("metric", "way"), WAYS)
def test_drawn_texts(metric: str, way: str) -> None:
    check(cases()["drawn"], metric, way, goldens()["drawn"][f"{metric} {way}"])


@pytest.mark.data
@pytest.mark.parametrize(("metric", "way"), WAYS)
def test_candidates_of_models(evaluation_data: EvaluationData, metric: str, way: str) -> None:
    for name, lists in cases(evaluation_data).items():
        check(lists, metric, way, goldens()[name][f"{metric} {way}"])


@pytest.mark.peers
@pytest.mark.parametrize(("metric", "way"), WAYS)
def test_mbrs_itself(metric: str, way: str) -> None:
    pytest.importorskip("mbrs", reason="mbrs is in no extra")
    lists = cases()["drawn"]
    found = computed(lists, metric, way)
    check(lists, metric, way, found)
    assert found == [pytest.approx(one, rel=CLOSE) for one in goldens()["drawn"][f"{metric} {way}"]]
