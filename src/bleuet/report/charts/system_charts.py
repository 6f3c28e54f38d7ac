"""Charts of systems on one test set: scores, scores by bucket, and scores of sentences."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.output.cells import EMPTY
from bleuet.report.charts.label_lines import (
    LINE_HEIGHT,
    label_expression,
    lines_of,
    most_lines,
    row_labels,
    text_width,
    title_lines,
    widest_word,
)
from bleuet.report.charts.vega_lite import Chart, nominal, quantitative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    # Pixels, or "container" for the width of the element around the chart.
    Width: TypeAlias = int | str

WIDTH = 460
# The digits of scores in percent; other scores may need more.
DIGITS = 2
HEIGHT = 260
ROW_HEIGHT = 30
# Space beside the outermost point for the number above it.
NUMBER_WIDTH = 20
SCATTER_SIZE = 360
SCATTER_LABEL = 240
# More systems than the theme has colours are shown as rows.
COLOURS = 7
# The width of a chart on the narrowest screen, and of its plot.
SCREEN = 330
NARROW = 250
# The width of the mark of a name in a legend.
LEGEND_MARK = 36
LABEL_WIDTH = 150
# The width of a plot beside names, for its title.
BESIDE_NAMES = 120
# Labels of buckets that would touch each other are rotated, and still need some space.
ROTATED = -40
ROTATED_LINE = 24
# The end of the names of fields with numbers as text.
AS_TEXT = "_text"
# The entry of a specification with the width below which labels of its axis would touch.
LEAST_WIDTH = "least_width"
# The name of the data set of a scatter chart.
SENTENCES = "sentences"


class ScoredSystem(Value):
    """The score of one system, with or without an interval."""

    system: str
    score: float
    low: float | None = None
    high: float | None = None


class BucketScore(Value):
    """The score of one system in one bucket, and the number of segments."""

    bucket: str
    system: str
    score: float | None
    segments: int


class Bin(Value):
    """The number of sentences of one system with scores from `low` to `high`."""

    system: str
    low: float
    high: float
    sentences: int


class SentencePair(Value):
    """The sentence scores of two systems in one segment; segments count from 1."""

    segment: int
    left: float
    right: float


def system_scores(
    scores: Sequence[ScoredSystem], *, metric: str, digits: int = DIGITS, width: Width = WIDTH
) -> Chart:
    """Draw the score of each system as a point, and its interval as a line.

    Points instead of bars from 0, since differences are small compared with the scores.

    Args:
        scores: the systems in their order.
        metric: the printed name of the metric.
        digits: the digits after the decimal point.
        width: the width of the plot in pixels, or "container".

    Raises:
        InputError: there is nothing to draw.
    """
    _check(scores, "score")
    names = [one.system for one in scores]
    ends = [] if any(one.low is None or one.high is None for one in scores) else ["low", "high"]
    title = title_lines(metric, BESIDE_NAMES)
    across = quantitative(
        "score",
        title=title,
        scale={"zero": False, "nice": False, "padding": NUMBER_WIDTH},
        axis={"tickCount": 6},
    )
    intervals = {
        "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
        "encoding": {"x": quantitative("low", title=title), "x2": {"field": "high"}},
    }
    points = {
        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
        "encoding": {"x": across},
    }
    values = {
        "mark": {"type": "text", "dy": -11, "style": "quiet-text"},
        "encoding": {"x": across, "text": nominal(f"score{AS_TEXT}")},
    }
    return Chart(
        {
            "description": f"{metric} of {len(names)} systems, with intervals if there are any",
            "data": _data(scores, digits),
            "encoding": {
                "y": nominal(
                    "system",
                    sort=names,
                    title=None,
                    axis=_names_axis(names),
                    scale={"domain": names},
                ),
                "tooltip": [nominal("system"), *map(_number, ["score", *ends])],
            },
            # Vega-Lite warns about missing ends.
            "layer": [*([intervals] if ends else []), points, values],
            "width": width,
            "height": _row_height(names) * len(names) + 10,
        }
    )


def bucket_scores(
    scores: Sequence[BucketScore],
    *,
    metric: str,
    by: str,
    digits: int = DIGITS,
    from_zero: bool = True,
    width: Width = WIDTH,
) -> Chart:
    """Draw the score of each system in each bucket.

    Bars with one colour per system, or rows of shaded cells where there are more systems than
    colours. Points instead of bars where 0 is not the lowest score, since bars begin at 0.

    Args:
        scores: the buckets in their order, each for all systems.
        metric: the printed name of the metric.
        by: what the segments are divided by.
        digits: the digits after the decimal point.
        from_zero: whether 0 is the lowest possible score.
        width: the width of the plot in pixels, or "container".

    Raises:
        InputError: there is nothing to draw.
    """
    _check(scores, "score in a bucket")
    systems = list(dict.fromkeys(one.system for one in scores))
    buckets = list(dict.fromkeys(one.bucket for one in scores))
    plot = _narrow_plot(systems)
    axis, least_width = _labels_axis(buckets, plot)
    encoding = {
        "x": nominal("bucket", sort=buckets, title=title_lines(by, plot), axis=axis),
        "tooltip": [
            nominal("system"),
            nominal("bucket"),
            _number("score"),
            quantitative("segments"),
        ],
    }
    if len(systems) > COLOURS:
        drawn = _cells(encoding, systems, "score", metric)
    else:
        up = quantitative(
            "score", title=title_lines(metric, HEIGHT), scale=_scale(scores, from_zero)
        )
        offset = nominal("system", sort=systems, scale={"domain": systems})
        mark = {"type": "bar"} if from_zero else {"type": "point", "filled": True, "size": 70}
        drawn = _coloured(mark, {**encoding, "xOffset": offset, "y": up}, systems)
    if isinstance(width, int):
        width = max(width, least_width - (SCREEN - plot))
    return Chart(
        {
            "description": f"{metric} of each system by {by}",
            "data": _data(scores, digits),
            **drawn,
            "width": width,
            "height": _height(systems),
            "usermeta": {LEAST_WIDTH: least_width},
        }
    )


def sentence_histogram(bins: Sequence[Bin], *, metric: str, width: Width = WIDTH) -> Chart:
    """Draw the distribution of the sentence scores of each system.

    Steps with one colour per system, or rows of shaded cells where there are more systems than
    colours.

    Args:
        bins: the bins of each system, the same for all.
        metric: the printed name of the metric.
        width: the width of the plot in pixels, or "container".

    Raises:
        InputError: there is nothing to draw.
    """
    _check(bins, "sentence")
    systems = list(dict.fromkeys(one.system for one in bins))
    title = title_lines(f"sentence {metric}", _narrow_plot(systems))
    first, last = min(one.low for one in bins), max(one.high for one in bins)
    encoding = {
        "x": quantitative("low", title=title, scale={"domain": [first, last]}),
        "tooltip": [nominal("system"), *map(quantitative, ("low", "high", "sentences"))],
    }
    rows = list(bins)
    if len(systems) > COLOURS:
        drawn = _cells({**encoding, "x2": {"field": "high"}}, systems, "sentences", "sentences")
    else:
        # The line of steps reaches the end of the last bin only if a point follows there.
        rows += [Bin(one.system, last, last, one.sentences) for one in bins if one.high == last]
        mark = {"type": "line", "interpolate": "step-after", "strokeWidth": 2}
        up = quantitative("sentences", title="sentences")
        drawn = _coloured(mark, {**encoding, "y": up}, systems)
    return Chart(
        {
            "description": f"distribution of the sentence {metric} of each system",
            "data": _data(rows),
            **drawn,
            "width": width,
            "height": _height(systems),
        }
    )


def sentence_scatter(
    *,
    left: str,
    right: str,
    metric: str,
    segments: int,
    digits: int = DIGITS,
    from_zero: bool = True,
    width: Width = SCATTER_SIZE,
) -> Chart:
    """Draw each segment as a point, with the sentence scores of two systems as coordinates.

    The rows are not part of the chart but its data set `SENTENCES`, as `scatter_rows` returns it,
    since a page contains the scores already.

    Args:
        left: the name of the system on the horizontal axis.
        right: the name of the system on the vertical axis.
        metric: the printed name of the metric.
        segments: the number of segments; points are fainter where there are many.
        digits: the digits after the decimal point.
        from_zero: whether axes begin at 0 even if no score is close to it.
        width: the width of the plot in pixels, or "container".
    """
    sides = (("left", left), ("right", right))
    axes = {} if from_zero else {"scale": {"zero": False}, "axis": {"tickCount": 6}}
    x, y = (
        quantitative(side, title=[*lines_of(name, SCATTER_LABEL), f"sentence {metric}"], **axes)
        for side, name in sides
    )
    scores = [
        quantitative(side, title=f"{metric} of {name}", format=f".{digits}f")
        for side, name in sides
    ]
    points = {
        "mark": {
            "type": "point",
            "filled": True,
            "size": 26,
            "opacity": 0.6 if segments < 500 else 0.3,
        },
        "encoding": {"x": x, "y": y, "tooltip": [quantitative("segment"), *scores]},
    }
    # From the smallest to the largest score of both, so that both axes have the same range.
    ends = [
        {
            "aggregate": [
                {"op": "min", "field": "left", "as": "low"},
                {"op": "min", "field": "right", "as": "lower"},
                {"op": "max", "field": "left", "as": "high"},
                {"op": "max", "field": "right", "as": "higher"},
            ]
        },
        {"calculate": "min(datum.low, datum.lower)", "as": "start"},
        {"calculate": "max(datum.high, datum.higher)", "as": "end"},
    ]
    start, end = quantitative("start"), {"field": "end"}
    equal = {
        "transform": ends,
        "mark": {
            "type": "rule",
            "style": "second-line",
            "strokeWidth": 1.5,
            "strokeDash": [5, 3],
        },
        "encoding": {"x": start, "y": start, "x2": end, "y2": end},
    }
    return Chart(
        {
            "description": f"one point per segment: sentence {metric} of two systems, which is "
            "the same on the dashed line",
            "data": {"name": SENTENCES},
            "layer": [points, equal],
            "width": width,
            "height": SCATTER_SIZE,
        }
    )


def scatter_rows(pairs: Sequence[SentencePair], digits: int = DIGITS) -> list[dict[str, Any]]:
    """Return the rows of the data set of a scatter chart, rounded to the digits that are shown."""
    return [
        {"segment": one.segment, "left": round(one.left, digits), "right": round(one.right, digits)}
        for one in pairs
    ]


def _check(rows: Sequence[Any], what: str) -> None:
    if not rows:
        raise InputError(f"there is no {what} that could be drawn")


def _data(rows: Sequence[Any], digits: int = DIGITS) -> dict[str, Any]:
    """Return the rows with their numbers, also as texts that are rounded as in tables."""
    return {"values": [{**row.as_dict(), **_texts(row.as_dict(), digits)} for row in rows]}


def _texts(row: dict[str, Any], digits: int) -> dict[str, str]:
    # The format of Vega rounds the half up, and Python to the even digit.
    numbers = {name: number for name, number in row.items() if isinstance(number, float | None)}
    return {
        name + AS_TEXT: EMPTY if number is None else f"{number:.{digits}f}"
        for name, number in numbers.items()
    }


def _number(field: str) -> dict[str, Any]:
    return nominal(f"{field}{AS_TEXT}", title=field)


def _scale(scores: Sequence[BucketScore], from_zero: bool) -> dict[str, Any]:
    """Return a scale that has ends even if no bucket has a score."""
    there = any(one.score is not None for one in scores)
    if not there:
        return {"domain": [0, 1]}
    return {} if from_zero else {"zero": False}


def _names_axis(names: Sequence[str]) -> dict[str, Any]:
    lines, offset, _ = row_labels(names, LABEL_WIDTH)
    return {
        "grid": False,
        "ticks": False,
        "labelLimit": 0,
        "labelExpr": lines,
        "labelOffset": offset,
        "labelLineHeight": LINE_HEIGHT,
    }


def _labels_axis(labels: Sequence[str], plot: int) -> tuple[dict[str, Any], int]:
    """Return an axis on which all labels have space, and the width that the chart needs.

    Args:
        labels: the labels.
        plot: the width of the plot on the narrowest screen.
    """
    angle, width = 0, plot / len(labels) - 8
    step = width
    if widest_word(labels) > width:
        angle, width = ROTATED, float(LABEL_WIDTH)
        step = ROTATED_LINE * most_lines(labels, width)
    axis = {
        "labelAngle": angle,
        "labelLimit": 0,
        "labelExpr": label_expression(labels, width),
        "labelOverlap": False,
        "ticks": False,
    }
    return axis, round(step * len(labels)) + (SCREEN - plot)


def _colour(systems: list[str]) -> dict[str, Any]:
    width = NARROW - LEGEND_MARK
    widest = min(max(map(text_width, systems)), width) + LEGEND_MARK
    legend = {
        "orient": "top",
        "title": None,
        "columns": min(len(systems), max(1, int(NARROW // widest))),
        "labelLimit": 0,
        "labelExpr": label_expression(systems, width),
    }
    return nominal("system", sort=systems, scale={"domain": systems}, legend=legend)


def _coloured(mark: dict[str, Any], encoding: dict[str, Any], systems: list[str]) -> dict[str, Any]:
    """Return marks with one colour per system; a click on the legend makes the others faint."""
    chosen = "highlight"
    opacity = {"condition": {"param": chosen, "value": 0.95}, "value": 0.15}
    select = {"type": "point", "fields": ["system"]}
    return {
        "params": [{"name": chosen, "select": select, "bind": "legend"}],
        "mark": mark,
        "encoding": {**encoding, "color": _colour(systems), "opacity": opacity},
    }


def _height(systems: Sequence[str]) -> int:
    return _row_height(systems) * len(systems) if len(systems) > COLOURS else HEIGHT


def _narrow_plot(systems: Sequence[str]) -> int:
    """Return the width of a plot on the narrowest screen."""
    return BESIDE_NAMES if len(systems) > COLOURS else NARROW


def _row_height(systems: Sequence[str]) -> int:
    return max(ROW_HEIGHT, row_labels(systems, LABEL_WIDTH)[2])


def _cells(encoding: dict[str, Any], systems: list[str], shade: str, title: str) -> dict[str, Any]:
    """Return rows of cells, one row per system, whose shade shows a number."""
    up = nominal("system", sort=systems, title=None, axis=_names_axis(systems))
    legend = {"orient": "top", "title": title_lines(title, NARROW)}
    colour = quantitative(shade, legend=legend)
    return {"mark": {"type": "rect"}, "encoding": {**encoding, "y": up, "color": colour}}
