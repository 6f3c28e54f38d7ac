"""The extended edit distance against stored figures of torchmetrics (see eed_goldens.py)."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import EED
from tests.backends import counted_by_python
from tests.oracles.eed_goldens import FILE, cases

if TYPE_CHECKING:
    from tests.evaluation_data import EvaluationData

# torchmetrics adds and divides in single precision.
SINGLE_PRECISION = 1e-5


@cache
def goldens() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def check(hypotheses: list[str], references: list[list[str]], golden: dict[str, Any]) -> None:
    options = dict(golden["options"])
    metric = EED(preparation=options.pop("language", "en"), **options)
    table = metric.count(hypotheses, references)
    assert list(table.column("distance")) == golden["distances"]
    score = metric.score(table.totals()).score
    assert score == pytest.approx(100 * golden["mean"], rel=SINGLE_PRECISION)


@pytest.mark.slow
def test_any_text() -> None:
    """In double precision; the mean is in single precision there.

    > **The same number** as `extended_edit_distance` of torchmetrics 1.9.0, which computes the
      mean in single precision, so its corpus score has a relative difference of up to 10⁻⁵.
    """
    texts = cases()["drawn"]
    assert len(goldens()["drawn"]) == 4
    for golden in goldens()["drawn"]:
        check(*texts, golden)
        with counted_by_python():
            check(*texts, golden)


@pytest.mark.data
@pytest.mark.parametrize("name", ["wmt13", "e2e"])
def test_real_translations(evaluation_data: EvaluationData, name: str) -> None:
    (golden,) = goldens()[name]
    check(*cases(evaluation_data)[name], golden)
