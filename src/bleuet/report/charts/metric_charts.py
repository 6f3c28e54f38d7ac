"""Charts of meta-evaluation: the agreement of metrics with human scores."""

from __future__ import annotations

from math import isnan

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.frozen import Value, checked
from bleuet.report.charts.vega_lite import Chart, nominal, quantitative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.leaderboard import Leaderboard
    from bleuet.meta_evaluation.metric_scores import MetricScores
    from bleuet.meta_evaluation.statistics import Statistic
else:
    np = optional("numpy")

ROW_HEIGHT = 24
PANEL_WIDTH = 240
# The space beside the outermost points: half of the number above them.
VALUE_PIXELS = 18
# The range of an axis whose values are equal as printed.
LEAST_SPAN = 0.1
SCATTER_SIZE = 250
SCATTERS_IN_A_ROW = 3
SCATTER_SPACING = {"row": 120, "column": 84}
# The name of a system in pixels: its height, the width of a letter, the space beside the outermost
# points, and the possible distances below its point, the preferred one first.
NAME_HEIGHT = 12
NAME_LETTER = 6
NAME_PIXELS = 44
NAME_PLACES = (-10, 11)


@checked
class ScoreBar(Value):
    """The agreement of one metric by one statistic, with or without an interval."""

    metric: str
    statistic: str
    value: float
    low: float | None = None
    high: float | None = None


@checked
class Dot(Value):
    """The human score and the metric score of one system."""

    metric: str
    system: str
    score: float
    human: float


@checked
def leaderboard_bars(board: Leaderboard) -> Chart:
    """Draw the statistics of a leaderboard; see `agreement_bars`."""
    return agreement_bars(
        [
            ScoreBar(metric.name, _heading(entry), found.value, found.low, found.high)
            for metric, results in zip(board.metrics, board.results, strict=True)
            for entry, result in zip(board.statistics, results, strict=True)
            if (found := result.agreement) is not None
        ]
    )


def _heading(entry: Statistic) -> str:
    # A statistic of systems has the level in its name.
    return entry.name if entry.name.startswith("system") else f"{entry.name} ({entry.level}s)"


@checked
def leaderboard_scatter(board: Leaderboard) -> Chart:
    """Draw the metric scores and human scores of the systems; see `metric_against_human`."""
    whole = board.human.system_scores()
    assert whole is not None
    human = dict(zip(whole.systems, whole.system_means().tolist(), strict=True))
    dots = [
        Dot(metric.name, system, score, human[system])
        for metric in board.metrics
        for system, score in _system_scores(metric)
        if not isnan(score) and not isnan(human[system])
    ]
    title = "share of judgments won" if board.human.kind == "judgments" else "human score"
    return metric_against_human(dots, human=title)


def _system_scores(metric: MetricScores) -> list[tuple[str, float]]:
    """Return the scores as the metric itself has them: an error rate is not negated."""
    matrix = metric.system_scores()
    if matrix is None:
        return []
    sign = -1 if metric.lower_is_better else 1
    return list(zip(matrix.systems, (sign * matrix.system_means()).tolist(), strict=True))


@checked
def agreement_bars(
    bars: Sequence[ScoreBar], *, title: str = "Agreement with human scores"
) -> Chart:
    """Draw one row per metric and one panel per statistic: points, and lines for intervals.

    It draws points instead of bars from 0, because the differences are small compared with the
    values.

    Args:
        bars: the statistics of all metrics; rows have the order of the metrics, best first.
        title: the title of the chart.

    Raises:
        InputError: there is no value to draw.
    """
    drawn = [bar for bar in bars if bar.value == bar.value]  # NaN cannot be drawn
    if not drawn:
        raise InputError("there is no value to draw: no metric has a defined statistic")
    metrics = list(dict.fromkeys(bar.metric for bar in drawn))
    panels = [
        _panel([bar for bar in drawn if bar.statistic == statistic], metrics, leftmost=not i)
        for i, statistic in enumerate(dict.fromkeys(bar.statistic for bar in drawn))
    ]
    return Chart(
        {
            "title": title,
            "description": f"{title}: {len(metrics)} metrics",
            "hconcat": panels,
            "spacing": 28,
        }
    )


def _panel(bars: Sequence[ScoreBar], metrics: list[str], *, leftmost: bool) -> dict[str, Any]:
    title = bars[0].statistic
    names = {"title": None, "labels": leftmost, "ticks": False, "grid": False, "labelLimit": 260}
    numbers = {"tickCount": 5, "labelFlush": False}
    across = quantitative("value", title=title, scale=_scale(bars), axis=numbers)
    intervals = {
        "transform": [{"filter": "isValid(datum.low) && isValid(datum.high)"}],
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.45},
        "encoding": {"x": quantitative("low", title=title), "x2": {"field": "high"}},
    }
    points = {
        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
        "encoding": {"x": across},
    }
    values = {
        "mark": {"type": "text", "dy": -10, "style": "quiet-text"},
        "encoding": {"x": across, "text": quantitative("value", format=".3f")},
    }
    return {
        "data": {"values": [bar.as_dict() for bar in bars]},
        "encoding": {
            "y": nominal("metric", sort=metrics, axis=names, scale={"domain": metrics}),
            "tooltip": [nominal("metric"), *map(quantitative, ("value", "low", "high"))],
        },
        "layer": [intervals, points, values],
        "width": PANEL_WIDTH,
        "height": ROW_HEIGHT * len(metrics) + 16,
    }


def _scale(bars: Sequence[ScoreBar]) -> dict[str, Any]:
    ends = [end for bar in bars for end in (bar.value, bar.low, bar.high) if end is not None]
    known = [end for end in ends if end == end]  # an end of an interval can be NaN
    least, most = min(known), max(known)
    if most - least < 0.001:
        # An axis of width 0 would have one tick with a wrong label.
        return {"domain": [least - LEAST_SPAN / 2, most + LEAST_SPAN / 2]}
    return {"zero": False, "nice": False, "padding": VALUE_PIXELS}


@checked
def metric_against_human(
    dots: Sequence[Dot], *, title: str = "Metric and human scores", human: str = "human score"
) -> Chart:
    """Draw each system as a point, and a regression line per metric.

    As figures 5 to 7 of Papineni et al. (2002), which regress human scores on BLEU.

    Args:
        dots: the scores of the systems by each metric; one panel per metric, in this order.
        title: the title of the chart.
        human: the title of the axis of human scores.

    Raises:
        InputError: there is no value to draw.
    """
    metrics = list(dict.fromkeys(dot.metric for dot in dots))
    if not metrics:
        raise InputError("there is no system to draw: no metric has scores of systems")
    panels = [
        _scatter([dot for dot in dots if dot.metric == metric], metric, human) for metric in metrics
    ]
    return Chart(
        {
            "title": title,
            "description": f"{title}: one point per system, a regression line per metric",
            "concat": panels,
            "columns": SCATTERS_IN_A_ROW,
            # A name that is wider than its panel would move the next panels.
            "bounds": "flush",
            "spacing": SCATTER_SPACING,
        }
    )


def _scatter(dots: Sequence[Dot], metric: str, human: str) -> dict[str, Any]:
    rows = [
        {**dot.as_dict(), "name_at": place}
        for dot, place in zip(dots, _place_names(dots), strict=True)
    ]
    line = {
        "transform": [{"regression": "human", "on": "score"}],
        "mark": {
            "type": "line",
            "style": "second-line",
            "strokeWidth": 1.5,
            "strokeDash": [5, 3],
        },
    }
    points = {
        "mark": {"type": "point", "filled": True, "size": 60, "opacity": 0.9},
        "encoding": {"tooltip": [nominal("system"), quantitative("score"), quantitative("human")]},
    }
    names = [
        {
            "transform": [{"filter": f"datum.name_at == {dy}"}],
            "mark": {"type": "text", "dy": dy, "style": "quiet-text"},
            "encoding": {"text": nominal("system")},
        }
        for dy in NAME_PLACES
    ]
    return {
        "title": {"text": metric, "subtitle": _fit(dots), "fontSize": 13, "offset": 8},
        "data": {"values": rows},
        "encoding": {
            "x": _across_or_up("score", "score", NAME_PIXELS, flush=False),
            "y": _across_or_up("human", human, NAME_PIXELS / 2, flush=True),
        },
        "layer": [line, points, *names],
        "width": SCATTER_SIZE,
        "height": SCATTER_SIZE,
    }


def _across_or_up(field: str, title: str, padding: float, *, flush: bool) -> dict[str, Any]:
    scale = {"zero": False, "nice": False, "padding": padding}
    # A label above the panel would move the heading.
    axis = {"tickCount": 5, "labelFlush": flush}
    return quantitative(field, title=title, scale=scale, axis=axis)


def _place_names(dots: Sequence[Dot]) -> list[int | None]:
    """Return the place of each name: above its point, below it, or None if there is no space.

    The tooltip of a point has its name in any case.
    """
    across = _pixels([dot.score for dot in dots], SCATTER_SIZE - 2 * NAME_PIXELS)
    up = _pixels([dot.human for dot in dots], SCATTER_SIZE - NAME_PIXELS)
    points = list(zip(across, up, strict=True))
    taken: list[tuple[float, float, float]] = []  # centre and half the width of each name
    places: list[int | None] = [None] * len(dots)
    for i in sorted(range(len(dots)), key=lambda i: -up[i]):
        half = len(dots[i].system) * NAME_LETTER / 2
        for dy in NAME_PLACES:
            x, y = across[i], up[i] - dy
            free = not any(
                abs(x - its_x) < half + its_half and abs(y - its_y) < NAME_HEIGHT
                for its_x, its_y, its_half in taken
            ) and not any(
                abs(x - its_x) < half + 3 and abs(y - its_y) < NAME_HEIGHT / 2 + 3
                for j, (its_x, its_y) in enumerate(points)
                if j != i
            )
            if free:
                taken.append((x, y, half))
                places[i] = dy
                break
    return places


def _pixels(values: Sequence[float], size: float) -> list[float]:
    """Return the positions of values on an axis from the smallest to the largest value."""
    least, most = min(values), max(values)
    return [size * (value - least) / (most - least or 1.0) for value in values]


def _fit(dots: Sequence[Dot]) -> str:
    """Return the number of systems and Pearson's r in words."""
    scores = np.array([dot.score for dot in dots])
    human = np.array([dot.human for dot in dots])
    if len(dots) < 3 or not (np.ptp(scores) and np.ptp(human)):
        return f"{len(dots)} systems"
    return f"{len(dots)} systems, r = {np.corrcoef(scores, human)[0, 1]:.3f}"
