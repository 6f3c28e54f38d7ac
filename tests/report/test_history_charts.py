"""The chart of a history: its rows are the numbers of the runs, and its lines the parts."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest

from bleuet import InputError
from bleuet.gate import History, RunComparison
from bleuet.report.charts.history_charts import LARGEST_WIDTH, WIDTH, history_chart
from bleuet.report.pictures import draw
from tests.gate_runs import five_runs, gate_run, run_score, with_breaks
from tests.report.specifications import valid

pytestmark = pytest.mark.slow


def panels_of(*runs: Any) -> list[dict[str, Any]]:
    """The panels of the chart of some runs, whose layers have their rows under "rows"."""
    panels: list[dict[str, Any]] = valid(history_chart(History(runs)).to_dict())["vconcat"]
    for panel in panels:
        for layer in panel["layer"]:
            # A layer without rows of its own has those of its panel.
            layer["rows"] = layer.get("data", panel["data"])["values"]
    return panels


def layers(panel: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    """The layers of a panel with one kind of mark."""
    return [layer for layer in panel["layer"] if layer["mark"]["type"] == mark]


def scores(layer: dict[str, Any]) -> list[float]:
    return [row["score"] for row in layer["rows"]]


def test_each_metric_has_a_panel_with_the_numbers_of_its_runs() -> None:
    runs = five_runs()
    panels = panels_of(*runs)
    assert [panel["title"]["text"] for panel in panels] == ["BLEU", "TER"]
    assert [panel["title"]["subtitle"] for panel in panels] == ["", "lower is better"]
    for place, panel in enumerate(panels):
        (line,) = layers(panel, "line")
        found = [(row["step"], row["score"], row["low"], row["high"]) for row in line["rows"]]
        own = [run.scores[place] for run in runs]
        assert found == [(i, one.score, one.low, one.high) for i, one in enumerate(own, 1)]
        assert [row["run"] for row in line["rows"]] == [run.label[:7] for run in runs]
        (interval,) = layers(panel, "rule")
        encoded = interval["encoding"]
        assert (encoded["y"]["field"], encoded["y2"]["field"]) == ("low", "high")
        assert interval["rows"] == line["rows"]


def test_a_number_stands_above_its_interval_with_the_digits_of_its_metric() -> None:
    baselines = (
        RunComparison("main", 30.5, 0.5, 0.25, 0.75, 0.25, 0.5, None),
        RunComparison("released", 31.0, 1.0, 0.5, 1.5, 0.25, 0.5, None),
    )
    two = run_score(30.0, extra_digits=2, comparisons=baselines)
    (panel,) = panels_of(gate_run(1, two), gate_run(2, run_score(31.0, low=None, high=None)))
    (line,) = layers(panel, "line")
    assert [row["top"] for row in line["rows"]] == [31.5, 31.0]
    (row, _) = line["rows"]
    assert (row["value"], row["text"], row["interval"]) == (
        "30.0000",
        "30.0000",
        "28.7500 to 31.5000",
    )
    assert (row["baseline"], row["difference"]) == ("main", "-0.5000")


def test_significant_changes_and_failures_are_marked_and_no_others() -> None:
    for place, panel in enumerate(panels_of(*five_runs())):
        own = [run.scores[place].score for run in five_runs()]
        marks = {
            (mark.get("shape", "circle"), mark["filled"]): scores(layer)
            for layer in layers(panel, "point")
            for mark in [layer["mark"]]
        }
        assert marks == {
            ("circle", True): own[:3],
            ("triangle-down", True): own[3:4],
            ("triangle-up", True): own[4:],
            ("circle", False): own[3:4],
        }


def test_a_chart_without_changes_explains_none() -> None:
    quiet = json.dumps(history_chart(History((gate_run(1), gate_run(2)))).to_dict())
    assert "significantly" not in quiet
    assert "circle" not in quiet
    assert "dashed" not in quiet
    marked = json.dumps(history_chart(History(tuple(five_runs()))).to_dict())
    assert "significantly worse than the baseline" in marked
    assert "failed by a score in a circle" in marked


def test_a_line_ends_where_scores_cannot_be_compared() -> None:
    (panel,) = panels_of(*with_breaks())
    (line,) = layers(panel, "line")
    assert line["encoding"]["detail"]["field"] == "line"
    connected: dict[str, list[int]] = {}
    for row in line["rows"]:
        connected.setdefault(row["line"], []).append(row["step"])
    for system in ("en-de", "en-cs"):
        own = [steps for name, steps in connected.items() if name.endswith(system)]
        assert own == [[1, 2], [3, 4, 5], [6]]
    *_, dashed = layers(panel, "rule")
    assert dashed["rows"] == [
        {"step": 2.5, "reason": "other options"},
        {"step": 5.5, "reason": "other test set"},
    ]


def test_several_systems_have_colours_and_one_has_none() -> None:
    (panel,) = panels_of(*with_breaks())
    for layer in [*layers(panel, "line"), *layers(panel, "point")]:
        assert layer["encoding"]["color"]["scale"]["domain"] == ["en-de", "en-cs"]
    assert "color" not in json.dumps(panels_of(*five_runs()))


def test_a_score_without_an_interval_or_a_baseline_is_a_point() -> None:
    (panel,) = panels_of(
        gate_run(1, run_score(30, low=None, high=None)), gate_run(2, run_score(31, None))
    )
    (interval,) = layers(panel, "rule")
    assert scores(interval) == [31]
    assert scores(layers(panel, "point")[0]) == [30, 31]
    (alone,) = panels_of(gate_run(1, run_score(30, None, low=None, high=None)))
    assert layers(alone, "rule") == []


@pytest.mark.parametrize(
    ("count", "width", "numbers", "labels"),
    [(1, WIDTH, 1, 1), (15, WIDTH, 15, 15), (16, WIDTH, 0, 16), (400, LARGEST_WIDTH, 0, 80)],
)
def test_many_runs_have_fewer_labels_and_numbers(
    count: int, width: int, numbers: int, labels: int
) -> None:
    (panel,) = panels_of(*(gate_run(1, label=f"r{i}") for i in range(count)))
    assert panel["width"] == width
    (line,) = layers(panel, "line")
    assert len(line["rows"]) == count
    assert len([row for row in line["rows"] if row["text"]]) == numbers
    shown = line["encoding"]["x"]["axis"]["values"]
    assert len(shown) <= labels
    # The newest run is always named.
    assert shown[-1] == count


def test_labels_are_texts_and_no_code() -> None:
    nasty = '"]</script><b>\\'
    (panel,) = panels_of(gate_run(1, label=nasty, system="<i>"), gate_run(2))
    expression = layers(panel, "line")[0]["encoding"]["x"]["axis"]["labelExpr"]
    listed, _, place = expression.rpartition("[")
    assert json.loads(listed)[0] == nasty
    assert place == "datum.value - 1]"


def test_no_run_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="no run to draw"):
        history_chart(History(()))


@pytest.mark.libraries
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_has_the_texts(theme: str) -> None:
    svg = draw(history_chart(History(tuple(five_runs()))), "a.svg", theme)
    texts = {"".join(element.itertext()) for element in ElementTree.fromstring(svg).iter()}
    assert {"BLEU", "TER", "30.00", "25.00", five_runs()[0].label[:7]} <= texts
