"""The charts that are committed are those of today's tables."""

from __future__ import annotations

import re

import pytest

from website.charts import CHARTS, PICTURES, drawn, false_findings, speed

pytestmark = pytest.mark.site


def without_identifiers(svg: str) -> str:
    return re.sub(r'(?:id|clip-path)="[^"]*"', "", svg)


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_that_of_the_tables(name: str) -> None:
    committed = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert without_identifiers(committed) == without_identifiers(drawn(name))
    assert "prefers-color-scheme" in committed
    assert "http" not in committed.replace("http://www.w3.org/", "")


def test_the_numbers_of_the_charts() -> None:
    ratios = {row["name"]: row["ratio"] for row in speed()["data"]["values"]}
    assert ratios["TER, sacreBLEU"] > 300
    assert ratios["ROUGE-L, rouge-score 0.1.2"] > 100
    shares = {row["test"]: row["share"] for row in false_findings()["data"]["values"]}
    assert shares["sacrebleu-bootstrap"] > 2 * shares["bootstrap"]
