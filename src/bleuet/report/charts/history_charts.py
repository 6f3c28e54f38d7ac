"""The chart of a gate's history: scores over time, and where they cannot be compared."""

from __future__ import annotations

import json

from bleuet.errors import InputError
from bleuet.frozen import checked
from bleuet.gate.history import difference_of
from bleuet.gate.runs import BETTER, WORSE
from bleuet.output.cells import p_value_text
from bleuet.output.escaping import printable
from bleuet.report.charts.label_lines import lines_of, text_width
from bleuet.report.charts.vega_lite import Chart, nominal, quantitative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.gate.history import History, HistoryBreak, HistoryPanel, HistoryPoint

# The plot of few runs fits a window of 768 pixels; each run of many has so much space.
WIDTH, LARGEST_WIDTH, STEP = 660, 1600, 10
HEIGHT = 200
# With so much space for each run, each has its number and its label.
NUMBERED, LABELLED = 44, 20
# Pixels of the longest label, which Vega cuts, and of the space above the largest number.
LABEL_WIDTH, PADDING = 110, 24
ROTATED = -40
DIGITS = 2
# Areas of marks in square pixels.
CIRCLE, SMALL_CIRCLE, TRIANGLE, RING = 45, 14, 120, 330
SHAPES = {WORSE: "triangle-down", BETTER: "triangle-up"}
TITLE = "Scores over time"


@checked
def history_chart(history: History) -> Chart:
    """Draw the scores of each run, one panel for each metric.

    A line connects scores that can be compared: those of one system with the same options and the
    same test set.

    Args:
        history: the history.

    Raises:
        InputError: there is no run to draw.
    """
    if not history.runs:
        raise InputError("there is no run to draw: bleuet gate --history adds runs to a file")
    steps = history.steps[-1]
    labels = {point.step: point.label for panel in history.panels for point in panel.points}
    systems = list(dict.fromkeys(run.system for run in history.runs))
    width = min(max(WIDTH, STEP * steps), LARGEST_WIDTH)
    across = _across([printable(labels[step]) for step in range(1, steps + 1)], width)
    panels = [
        {**_panel(panel, across, systems, width / steps), "width": width, "height": HEIGHT}
        for panel in history.panels
    ]
    return Chart(
        {
            "title": {"text": TITLE, "subtitle": _legend(history, width)},
            "description": f"{TITLE}: {len(history.runs)} runs, one panel for each metric",
            "vconcat": panels,
            "spacing": 28,
        }
    )


def _legend(history: History, width: int) -> list[str]:
    """Return what the marks of the chart mean, for those that it has."""
    scores = [score for run in history.runs for score in run.scores]
    found = {score.significant for score in scores}
    sentences = ["A vertical line is the confidence interval of a score."]
    if found & SHAPES.keys():
        sentences.append(
            "▼ is significantly worse than the baseline of the run, ▲ significantly better."
        )
    if any(score.fails for score in scores):
        sentences.append("The gate failed by a score in a circle.")
    if history.breaks:
        sentences.append("Scores on two sides of a dashed line cannot be compared.")
    return [line for sentence in sentences for line in lines_of(sentence, width)]


def _across(labels: Sequence[str], width: int) -> dict[str, Any]:
    """Return the axis of runs.

    Args:
        labels: the label of each step.
        width: the width of the plot in pixels.
    """
    space = width / len(labels)
    every = max(1, round(LABELLED / space + 0.5)) if space < LABELLED else 1
    shown = list(range(len(labels), 0, -every))[::-1]
    fits = max(map(text_width, labels)) < space * every
    return quantitative(
        "step",
        title=None,
        scale={"domain": [0.5, len(labels) + 0.5], "nice": False, "zero": False},
        axis={
            "values": shown,
            "labelExpr": f"{json.dumps(labels)}[datum.value - 1]",
            "labelAngle": 0 if fits else ROTATED,
            "labelLimit": LABEL_WIDTH,
            "labelOverlap": False,
            "grid": False,
        },
    )


def _panel(
    panel: HistoryPanel, across: dict[str, Any], systems: Sequence[str], space: float
) -> dict[str, Any]:
    """Return the chart of one metric.

    Args:
        panel: its scores.
        across: the axis of runs.
        systems: the names of all systems, which have the same colours in every panel.
        space: the pixels of each run.
    """
    rows = [_row(point, panel, space) for point in panel.points]
    lower = "" if panel.points[0].score.higher_is_better else "lower is better"
    up = {
        "title": None,
        "scale": {"zero": False, "nice": False, "padding": PADDING},
        "axis": {"tickCount": 5},
    }
    encoding = {
        "x": across,
        "y": quantitative("score", **up),
        "tooltip": [nominal(name) for name in _TOOLTIP if any(row[name] for row in rows)],
    }
    if len(systems) > 1:
        names = [printable(name) for name in systems]
        legend = {"title": None, "orient": "top", "symbolType": "circle"}
        encoding["color"] = nominal("system", sort=names, scale={"domain": names}, legend=legend)
    known = [row for row in rows if row["low"] is not None]
    intervals = {
        "data": {"values": known},
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.4},
        "encoding": {**encoding, "y": quantitative("low", **up), "y2": {"field": "high"}},
    }
    lines = {
        "mark": {"type": "line", "strokeWidth": 1.5, "opacity": 0.7},
        "encoding": {**encoding, "detail": nominal("line")},
    }
    numbers = {
        "mark": {"type": "text", "dy": -9, "style": "quiet-text"},
        "encoding": {**encoding, "y": quantitative("top", **up), "text": nominal("text")},
    }
    layers = [
        *([intervals] if known else []),
        lines,
        *_points(rows, encoding, CIRCLE if space >= STEP else SMALL_CIRCLE),
        numbers,
        *_breaks(panel.breaks, across),
    ]
    for layer in layers:
        # Most layers have the rows of the panel, which are then written once.
        if layer.get("data") == {"values": rows}:
            del layer["data"]
    return {
        "title": {
            "text": printable(panel.metric),
            "subtitle": lower,
            "fontSize": 13,
            # Reasons of breaks stand between the heading and the plot.
            "offset": 20 if panel.breaks else 10,
        },
        "data": {"values": rows},
        "layer": layers,
    }


def _points(
    rows: Sequence[dict[str, Any]], encoding: dict[str, Any], size: int
) -> list[dict[str, Any]]:
    """Return the points: circles, triangles for significant changes, and rings for failures.

    Args:
        rows: the scores.
        encoding: where scores are drawn.
        size: the area of a circle.
    """
    marks: dict[str | None, dict[str, Any]] = {None: {"size": size}}
    marks |= {change: {"size": TRIANGLE, "shape": shape} for change, shape in SHAPES.items()}
    drawn = [
        ([row for row in rows if row["change"] == change], {"filled": True, **mark})
        for change, mark in marks.items()
    ]
    ring = {"filled": False, "size": RING, "strokeWidth": 2, "style": "second-line"}
    drawn.append(([row for row in rows if row["fails"]], ring))
    return [
        {
            "data": {"values": own},
            "mark": {"type": "point", "opacity": 1, **mark},
            "encoding": encoding,
        }
        for own, mark in drawn
        if own
    ]


def _breaks(breaks: Iterable[HistoryBreak], across: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the dashed lines between scores that cannot be compared, with their reasons."""
    reasons: dict[int, dict[str, None]] = {}
    for one in breaks:
        reasons.setdefault(one.step, {}).update(dict.fromkeys(one.reasons))
    rows = [
        {"step": step - 0.5, "reason": f"other {' and '.join(own)}"}
        for step, own in reasons.items()
    ]
    if not rows:
        return []
    data = {"values": rows}
    encoding = {"x": across, "tooltip": [nominal("reason")]}
    line = {"type": "rule", "strokeDash": [4, 4], "strokeWidth": 1.5, "style": "second-line"}
    # Above the plot, where no number is.
    above = {"y": {"value": -3}, "text": nominal("reason")}
    text = {"type": "text", "baseline": "bottom", "style": "quiet-text"}
    return [
        {"data": data, "mark": line, "encoding": encoding},
        {"data": data, "mark": text, "encoding": {**encoding, **above}},
    ]


_TOOLTIP = ("run", "time", "system", "value", "interval", "baseline", "difference", "p", "change")


def _row(point: HistoryPoint, panel: HistoryPanel, space: float) -> dict[str, Any]:
    """Return what the chart has of a score.

    Args:
        point: the score.
        panel: its panel.
        space: the pixels of each run, which decide whether its number is drawn.
    """
    score = point.score
    digits = DIGITS + panel.extra_digits
    first = score.comparisons[0] if score.comparisons else None
    p = None if first is None else first.final_p_value
    marked = score.significant is not None or score.fails
    shown = space >= (STEP if marked else NUMBERED)
    return {
        "step": point.step,
        "line": f"{point.part} {point.run.system}",
        "run": printable(point.label),
        "time": point.time,
        "system": printable(point.run.system),
        "score": score.score,
        "low": score.low,
        "high": score.high,
        "top": score.score if score.high is None else max(score.high, score.score),
        "change": score.significant,
        "fails": score.fails,
        "text": f"{score.score:.{digits}f}" if shown else "",
        "value": f"{score.score:.{digits}f}",
        "interval": (
            ""
            if score.low is None or score.high is None
            else f"{score.low:.{digits}f} to {score.high:.{digits}f}"
        ),
        "baseline": "" if first is None else printable(first.baseline),
        "difference": "" if first is None else f"{difference_of(score, first):+.{digits}f}",
        "p": "" if p is None else p_value_text(p),
    }
