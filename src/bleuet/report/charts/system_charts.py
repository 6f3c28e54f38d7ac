"""Charts of systems on one test set: scores, scores by bucket, and scores of sentences."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.extras import optional
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    import altair as alt

    # Pixels, or "container" for the width of the element around the chart.
    Width: TypeAlias = int | str
else:
    alt = optional("altair")

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
) -> Any:
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
    across = alt.X(
        "score:Q",
        title=title_lines(metric, BESIDE_NAMES),
        scale=alt.Scale(zero=False, nice=False, padding=NUMBER_WIDTH),
        axis=alt.Axis(tickCount=6),
    )
    base = alt.Chart(_data(scores, digits)).encode(
        y=alt.Y("system:N", sort=names, title=None, axis=_names_axis(names), scale=_domain(names)),
        tooltip=[*_fields("system:N"), *map(_number, ["score", *ends])],
    )
    # Vega-Lite warns about missing ends.
    intervals = [
        base.mark_rule(strokeWidth=2, opacity=0.5).encode(
            x=alt.X("low:Q", title=title_lines(metric, BESIDE_NAMES)), x2="high:Q"
        )
    ]
    points = base.mark_point(filled=True, size=70, opacity=1).encode(x=across)
    values = base.mark_text(dy=-11, style="quiet-text").encode(
        x=across, text=alt.Text(f"score{AS_TEXT}:N")
    )
    return alt.layer(*(intervals if ends else ()), points, values).properties(
        width=width,
        height=_row_height(names) * len(names) + 10,
        description=f"{metric} of {len(names)} systems, with intervals if there are any",
    )


def bucket_scores(
    scores: Sequence[BucketScore],
    *,
    metric: str,
    by: str,
    digits: int = DIGITS,
    from_zero: bool = True,
    width: Width = WIDTH,
) -> Any:
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
    chart = alt.Chart(_data(scores, digits), usermeta={LEAST_WIDTH: least_width}).encode(
        x=alt.X("bucket:N", sort=buckets, title=title_lines(by, plot), axis=axis),
        tooltip=[*_fields("system:N", "bucket:N"), _number("score"), *_fields("segments:Q")],
    )
    if len(systems) > COLOURS:
        chart = _cells(chart, systems, "score:Q", metric)
    else:
        highlight, opacity = _highlight()
        chart = (
            (chart.mark_bar() if from_zero else chart.mark_point(filled=True, size=70))
            .encode(
                xOffset=alt.XOffset("system:N", sort=systems, scale=_domain(systems)),
                y=alt.Y(
                    "score:Q", title=title_lines(metric, HEIGHT), scale=_scale(scores, from_zero)
                ),
                color=_colour(systems),
                opacity=opacity,
            )
            .add_params(highlight)
        )
    if isinstance(width, int):
        width = max(width, least_width - (SCREEN - plot))
    return chart.properties(
        width=width, height=_height(systems), description=f"{metric} of each system by {by}"
    )


def sentence_histogram(bins: Sequence[Bin], *, metric: str, width: Width = WIDTH) -> Any:
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
    tooltip = _fields("system:N", "low:Q", "high:Q", "sentences:Q")
    title = title_lines(f"sentence {metric}", _narrow_plot(systems))
    last = max(one.high for one in bins)
    edges = alt.Scale(domain=[min(one.low for one in bins), last])
    if len(systems) > COLOURS:
        chart = alt.Chart(_data(bins)).encode(
            x=alt.X("low:Q", title=title, scale=edges), x2="high:Q", tooltip=tooltip
        )
        chart = _cells(chart, systems, "sentences:Q", "sentences")
    else:
        # The line of steps reaches the end of the last bin only if a point follows there.
        ends = [Bin(one.system, last, last, one.sentences) for one in bins if one.high == last]
        highlight, opacity = _highlight()
        chart = (
            alt.Chart(_data([*bins, *ends]))
            .mark_line(interpolate="step-after", strokeWidth=2)
            .encode(
                x=alt.X("low:Q", title=title, scale=edges),
                y=alt.Y("sentences:Q", title="sentences"),
                color=_colour(systems),
                opacity=opacity,
                tooltip=tooltip,
            )
            .add_params(highlight)
        )
    return chart.properties(
        width=width,
        height=_height(systems),
        description=f"distribution of the sentence {metric} of each system",
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
) -> Any:
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
    base = alt.Chart(alt.NamedData(SENTENCES))
    titles = [[*lines_of(name, SCATTER_LABEL), f"sentence {metric}"] for name in (left, right)]
    scale, axis = alt.Scale(), alt.Axis()
    if not from_zero:
        scale, axis = alt.Scale(zero=False), alt.Axis(tickCount=6)
    points = base.mark_point(filled=True, size=26, opacity=0.6 if segments < 500 else 0.3).encode(
        x=alt.X("left:Q", title=titles[0], scale=scale, axis=axis),
        y=alt.Y("right:Q", title=titles[1], scale=scale, axis=axis),
        tooltip=[
            *_fields("segment:Q"),
            *(
                alt.Tooltip(f"{side}:Q", title=f"{metric} of {name}", format=f".{digits}f")
                for side, name in (("left", left), ("right", right))
            ),
        ],
    )
    ends = base.transform_aggregate(
        low="min(left)", lower="min(right)", high="max(left)", higher="max(right)"
    ).transform_calculate(
        # From the smallest to the largest score of both, so that both axes have the same range.
        start="min(datum.low, datum.lower)",
        end="max(datum.high, datum.higher)",
    )
    equal = ends.mark_rule(style="second-line", strokeWidth=1.5, strokeDash=[5, 3]).encode(
        x="start:Q", y="start:Q", x2="end:Q", y2="end:Q"
    )
    return alt.layer(points, equal).properties(
        width=width,
        height=SCATTER_SIZE,
        description=f"one point per segment: sentence {metric} of two systems, which is the same "
        "on the dashed line",
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


def _data(rows: Sequence[Any], digits: int = DIGITS) -> Any:
    """Return the rows with their numbers, also as texts that are rounded as in tables."""
    return alt.InlineData([{**row.as_dict(), **_texts(row.as_dict(), digits)} for row in rows])


def _texts(row: dict[str, Any], digits: int) -> dict[str, str]:
    # The format of Vega rounds the half up, and Python to the even digit.
    numbers = {name: number for name, number in row.items() if isinstance(number, float | None)}
    return {
        name + AS_TEXT: EMPTY if number is None else f"{number:.{digits}f}"
        for name, number in numbers.items()
    }


def _fields(*fields: str) -> list[Any]:
    return [alt.Tooltip(field) for field in fields]


def _number(field: str) -> Any:
    return alt.Tooltip(f"{field}{AS_TEXT}:N", title=field)


def _scale(scores: Sequence[BucketScore], from_zero: bool) -> Any:
    """Return a scale that has ends even if no bucket has a score."""
    there = any(one.score is not None for one in scores)
    if not there:
        return alt.Scale(domain=[0, 1])
    return alt.Scale() if from_zero else alt.Scale(zero=False)


def _names_axis(names: Sequence[str]) -> Any:
    lines, offset, _ = row_labels(names, LABEL_WIDTH)
    return alt.Axis(
        grid=False,
        ticks=False,
        labelLimit=0,
        labelExpr=lines,
        labelOffset=offset,
        labelLineHeight=LINE_HEIGHT,
    )


def _domain(names: Sequence[str]) -> Any:
    return alt.Scale(domain=list(names))


def _labels_axis(labels: Sequence[str], plot: int) -> tuple[Any, int]:
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
    axis = alt.Axis(
        labelAngle=angle,
        labelLimit=0,
        labelExpr=label_expression(labels, width),
        labelOverlap=False,
        ticks=False,
    )
    return axis, round(step * len(labels)) + (SCREEN - plot)


def _colour(systems: Sequence[str]) -> Any:
    width = NARROW - LEGEND_MARK
    widest = min(max(map(text_width, systems)), width) + LEGEND_MARK
    legend = alt.Legend(
        orient="top",
        title=None,
        columns=min(len(systems), max(1, int(NARROW // widest))),
        labelLimit=0,
        labelExpr=label_expression(systems, width),
    )
    return alt.Color("system:N", sort=list(systems), scale=_domain(systems), legend=legend)


def _highlight() -> tuple[Any, Any]:
    """Return a selection of systems by a click on the legend, and the opacity it sets."""
    chosen = alt.selection_point(name="highlight", fields=["system"], bind="legend")
    return chosen, alt.condition(chosen, alt.value(0.95), alt.value(0.15))


def _height(systems: Sequence[str]) -> int:
    return _row_height(systems) * len(systems) if len(systems) > COLOURS else HEIGHT


def _narrow_plot(systems: Sequence[str]) -> int:
    """Return the width of a plot on the narrowest screen."""
    return BESIDE_NAMES if len(systems) > COLOURS else NARROW


def _row_height(systems: Sequence[str]) -> int:
    return max(ROW_HEIGHT, row_labels(systems, LABEL_WIDTH)[2])


def _cells(chart: Any, systems: Sequence[str], shade: str, title: str) -> Any:
    up = alt.Y("system:N", sort=list(systems), title=None, axis=_names_axis(systems))
    legend = alt.Legend(orient="top", title=title_lines(title, NARROW))
    return chart.mark_rect().encode(y=up, color=alt.Color(shade, legend=legend))
