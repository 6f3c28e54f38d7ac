"""What charts say, and that every kind of picture file holds one."""

from __future__ import annotations

import base64
import json
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from bleuet import InputError, OptionError
from bleuet.report.charts.metric_charts import (
    PANEL_WIDTH,
    Dot,
    ScoreBar,
    agreement_bars,
    metric_against_human,
)
from bleuet.report.charts.segment_charts import PARTS, score_parts
from bleuet.report.charts.system_charts import (
    Bin,
    ScoredSystem,
    sentence_histogram,
    system_scores,
)
from bleuet.report.pictures import KINDS, draw, kind_of, specification
from bleuet.report.theme import THEMES, theme
from bleuet.web.page_files import page_file
from tests.report.specifications import valid, values_in

NASTY = '</script><script>alert("x")</script>'
BARS = [
    ScoreBar("chrF2", "tau", 0.125, 0.1, 0.15),
    ScoreBar("BLEU", "tau", 0.0625, 0.05, 0.08),
    ScoreBar("chrF2", "spa", 0.75),
    ScoreBar("BLEU", "spa", float("nan")),
]
DOTS = [Dot("chrF2", name, 20 + 3 * i, i * i / 2) for i, name in enumerate(["a", "b", "c", "d"])]


@pytest.mark.slow
def test_bars_hold_every_value_and_interval_in_the_order_given() -> None:
    chart = valid(agreement_bars(BARS).to_dict())
    rows = {(row["metric"], row["statistic"], row["value"]) for row in values_in(chart)}
    assert rows == {("chrF2", "tau", 0.125), ("BLEU", "tau", 0.0625), ("chrF2", "spa", 0.75)}
    panels = chart["hconcat"]
    assert [panel["encoding"]["y"]["sort"] for panel in panels] == [["chrF2", "BLEU"]] * 2


@pytest.mark.libraries
@pytest.mark.parametrize(
    "bars",
    [
        [ScoreBar("a", "tau", 0.25)],
        [ScoreBar("a", "tau", 0.25), ScoreBar("b", "tau", 0.25 + 1e-16)],
    ],
)
def test_equal_values_stand_on_an_axis_that_says_where(bars: list[ScoreBar]) -> None:
    drawn = draw(agreement_bars(bars), "a.svg")
    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter()]
    assert {"0.20", "0.25", "0.30"} <= set(texts)


@pytest.mark.libraries
def test_numbers_do_not_reach_beyond_their_panel() -> None:
    """The number above the outermost point is 36 pixels wide and stands on its middle."""
    bars = [ScoreBar("a", "tau", 0.135), ScoreBar("b", "tau", 0.193)]
    svg = ElementTree.fromstring(draw(agreement_bars(bars), "a.svg"))
    places = {
        "".join(element.itertext()): re.findall(r"-?\d+(?:\.\d+)?", element.get("transform", ""))
        for element in svg.iter("{http://www.w3.org/2000/svg}text")
    }
    assert float(places["0.135"][0]) >= 18
    assert float(places["0.193"][0]) <= PANEL_WIDTH - 18


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(InputError, match="no value to draw"):
        agreement_bars([ScoreBar("x", "tau", float("nan"))])
    with pytest.raises(InputError, match="no system to draw"):
        metric_against_human([])


def test_systems_have_their_human_scores_and_the_correlation() -> None:
    chart = valid(metric_against_human(DOTS, human="adequacy").to_dict())
    (panel,) = chart["concat"]
    r = np.corrcoef([dot.score for dot in DOTS], [dot.human for dot in DOTS])[0, 1]
    assert panel["title"]["subtitle"] == f"4 systems, r = {r:.3f}"
    rows = {(row["system"], row["score"], row["human"]) for row in values_in(chart)}
    assert rows == {(dot.system, dot.score, dot.human) for dot in DOTS}
    assert panel["layer"][0]["transform"] == [{"regression": "human", "on": "score"}]


def test_names_in_a_crowd_are_not_written_over_each_other() -> None:
    crowd = [Dot("m", f"system-{i}", 50 + i / 100, 1.0) for i in range(6)]
    corners = [Dot("m", "low", 0, 0), Dot("m", "high", 100, 2)]
    chart = valid(metric_against_human(crowd + corners).to_dict())
    rows = {row["system"]: row["name_at"] for row in values_in(chart)}
    assert rows["low"] == rows["high"] == -10
    assert [rows[f"system-{i}"] for i in range(6)].count(None) >= 4


def test_few_systems_and_equal_scores_have_no_correlation() -> None:
    same = [Dot("m", name, 1.0, human) for name, human in (("a", 1.0), ("b", 2.0), ("c", 3.0))]
    for dots in (same, DOTS[:2]):
        (panel,) = valid(metric_against_human(dots).to_dict())["concat"]
        assert panel["title"]["subtitle"] == f"{len(dots)} systems"


def test_three_systems_have_a_correlation() -> None:
    line = [Dot("m", name, 10 * human, human) for name, human in (("a", 1.0), ("b", 2.0), ("c", 3))]
    (panel,) = valid(metric_against_human(line).to_dict())["concat"]
    assert panel["title"]["subtitle"] == "3 systems, r = 1.000"


@pytest.mark.libraries
def test_equal_scores_are_drawn() -> None:
    same = [Dot("m", name, 1.0, human) for name, human in (("a", 1.0), ("b", 2.0), ("c", 3.0))]
    assert b"3 systems" in draw(metric_against_human(same), "a.svg")


@pytest.mark.slow
@pytest.mark.parametrize(("chart", "colours"), [*zip(["bars", "dots"], THEMES, strict=True)])
def test_pictures_that_a_browser_draws(chart: str, colours: str) -> None:
    drawn = agreement_bars(BARS) if chart == "bars" else metric_against_human(DOTS)
    pictures = {kind: draw(drawn, f"a{kind}", colours) for kind in (".json", ".html")}
    assert json.loads(pictures[".json"]) == specification(drawn, colours)
    assert f"background: {theme(colours)['background']}" in pictures[".html"].decode()


@pytest.mark.libraries
@pytest.mark.parametrize("colours", THEMES)
@pytest.mark.parametrize("chart", ["bars", "dots"])
def test_pictures_that_are_drawn_here(chart: str, colours: str) -> None:
    drawn = agreement_bars(BARS) if chart == "bars" else metric_against_human(DOTS)
    pictures = {kind: draw(drawn, f"a{kind}", colours) for kind in (".png", ".svg")}
    assert pictures[".png"].startswith(b"\x89PNG")
    svg = ElementTree.fromstring(pictures[".svg"])
    assert svg.tag.endswith("svg")
    assert "chrF2" in "".join(svg.itertext())
    assert theme(colours)["background"] in pictures[".svg"].decode()


@pytest.mark.slow
def test_a_page_asks_for_nothing_and_cannot_be_broken_out_of() -> None:
    dots = [Dot(NASTY, NASTY, 1.0, 2.0), Dot(NASTY, "b", 2.0, 1.0)]
    page = draw(metric_against_human(dots, title=NASTY), "a.html").decode()
    assert page.count("</script>") == 2
    assert "<script>alert" not in page
    outside = re.sub(r"(<script[^>]*>).*?</script>", r"\1", page, flags=re.DOTALL)
    assert re.findall(r"(?:src|href)=|url\(|@import", outside) == []
    held = re.search(r'id="specification">(.*?)</script>', page, re.DOTALL)
    assert held is not None
    assert json.loads(held[1])["concat"][0]["title"]["text"] == NASTY


def test_a_specification_is_a_copy() -> None:
    chart = agreement_bars(BARS)
    one, other = chart.to_dict()["hconcat"]
    one["encoding"]["y"]["sort"].reverse()
    assert one["encoding"] != other["encoding"]
    assert chart.to_dict()["hconcat"] == agreement_bars(BARS).to_dict()["hconcat"]
    assert chart == agreement_bars(BARS)


@pytest.mark.libraries
def test_a_notebook_draws_a_chart_in_the_light_theme() -> None:
    chart = metric_against_human(DOTS)
    found = chart._repr_mimebundle_()
    assert found["application/vnd.vegalite.v6+json"] == specification(chart, "light")
    assert len(found) == 3
    assert base64.b64decode(found["image/png"]).startswith(b"\x89PNG")


def test_charts_of_altair_are_drawn_too() -> None:
    import altair

    chart = metric_against_human(DOTS)
    same = altair.Chart.from_dict(chart.to_dict())
    drawn = json.loads(draw(same, "a.json", "dark"))
    assert values_in(drawn) == values_in(chart.to_dict())
    assert drawn["config"] == theme("dark")


def test_an_axis_has_one_title_for_scores_and_their_intervals() -> None:
    """Vega-Lite writes all titles of the layers that differ."""
    chart = system_scores([ScoredSystem("a", 1.0, 0.5, 2.0)], metric="BLEU").to_dict()
    assert [layer["encoding"]["x"]["title"] for layer in chart["layer"]] == 3 * ["BLEU"]


def test_steps_of_a_histogram_reach_the_end_of_the_last_bin() -> None:
    bins = [Bin(name, 50.0 * i, 50.0 * i + 50, 3 + i) for name in "ab" for i in range(2)]
    rows = values_in(sentence_histogram(bins, metric="BLEU").to_dict())
    ends = [(row["system"], row["low"], row["sentences"]) for row in rows[len(bins) :]]
    assert ends == [("a", 100.0, 4), ("b", 100.0, 4)]


def test_the_parts_of_a_score_are_data_that_comes_later() -> None:
    for width in ("container", 300):
        chart = valid(score_parts(width=width).to_dict())
        assert chart["data"] == {"name": PARTS}
        assert chart["width"] == width


def test_themes_have_the_same_parts() -> None:
    def keys(part: Any) -> Any:
        return {k: keys(v) for k, v in part.items()} if isinstance(part, dict) else None

    light, dark = (theme(name) for name in THEMES)
    assert keys(light) == keys(dark)
    assert light["background"] != dark["background"]


def test_a_name_says_the_kind() -> None:
    assert [*KINDS] == [".svg", ".png", ".html", ".json"]
    assert kind_of("a.b.PNG") == ".png"
    for name in ("a.gif", "png", "-", ""):
        with pytest.raises(OptionError, match=r"must end in \.svg, \.png"):
            kind_of(name)
    with pytest.raises(OptionError, match=r"no theme 'drak' \(did you mean dark\?\)"):
        specification(agreement_bars(BARS), "drak")


def test_charts_have_the_colours_of_the_pages() -> None:
    """Both are written down: a style sheet cannot read the theme, nor the theme a style sheet."""
    found = re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", page_file("colours.css"))
    for number, name in enumerate(THEMES, 1):
        page = {colour[0]: colour[number] for colour in found}
        chart = theme(name)
        assert chart["background"] == page["paper"]
        assert chart["title"]["color"] == page["text"]
        assert chart["title"]["subtitleColor"] == page["quiet"]
        assert chart["mark"]["color"] == page["mark"]
        assert chart["style"]["second-bar"]["color"] == page["second"]
