"""Charts of systems on one test set: scores, scores by bucket, and scores of sentences."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from bleuet.errors import InputError
from bleuet.extras import optional

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
# More systems than the theme has colours are shown as rows.
COLOURS = 7
# The widths of a legend, and of a letter and the mark of its names.
LEGEND_WIDTH = 330
LEGEND_LETTER = 7
LEGEND_MARK = 36
LABEL_WIDTH = 160
# Longer labels of an axis would touch each other, and are rotated.
AXIS_LETTERS = 52
# The name of the data set of a scatter chart.
SENTENCES = "sentences"


@dataclass(frozen=True, slots=True)
class SystemScore:
    """The score of one system, with or without an interval."""

    system: str
    score: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class BucketScore:
    """The score of one system in one bucket, and the number of segments."""

    bucket: str
    system: str
    score: float | None
    segments: int


@dataclass(frozen=True, slots=True)
class Bin:
    """The number of sentences of one system with scores from `low` to `high`."""

    system: str
    low: float
    high: float
    sentences: int


@dataclass(frozen=True, slots=True)
class SentencePair:
    """The sentence scores of two systems in one segment; segments count from 1."""

    segment: int
    left: float
    right: float


def system_scores(
    scores: Sequence[SystemScore], *, metric: str, digits: int = DIGITS, width: Width = WIDTH
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
    across = alt.X(
        "score:Q",
        title=metric,
        scale=alt.Scale(zero=False, nice=False, padding=NUMBER_WIDTH),
        axis=alt.Axis(tickCount=6),
    )
    base = alt.Chart(_data(scores)).encode(
        y=alt.Y("system:N", sort=names, title=None, axis=_names_axis(), scale=_domain(names)),
        tooltip=[
            alt.Tooltip("system:N"),
            *(_number(field, digits) for field in ("score", "low", "high")),
        ],
    )
    # Vega-Lite warns about missing ends.
    intervals = [
        base.mark_rule(strokeWidth=2, opacity=0.5).encode(
            x=alt.X("low:Q", title=metric), x2="high:Q"
        )
    ]
    if any(one.low is None or one.high is None for one in scores):
        intervals = []
    points = base.mark_point(filled=True, size=70, opacity=1).encode(x=across)
    values = base.mark_text(dy=-11, style="quiet-text").encode(
        x=across, text=alt.Text("score:Q", format=f".{digits}f")
    )
    return alt.layer(*intervals, points, values).properties(
        width=width,
        height=ROW_HEIGHT * len(names) + 10,
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
    chart = alt.Chart(_data(scores)).encode(
        x=alt.X("bucket:N", sort=buckets, title=by, axis=_labels_axis(buckets)),
        tooltip=[
            *_fields("system:N", "bucket:N"),
            _number("score", digits),
            *_fields("segments:Q"),
        ],
    )
    if len(systems) > COLOURS:
        chart = _cells(chart, systems, "score:Q", metric)
    else:
        highlight, opacity = _highlight()
        chart = (
            (chart.mark_bar() if from_zero else chart.mark_point(filled=True, size=70))
            .encode(
                xOffset=alt.XOffset("system:N", sort=systems, scale=_domain(systems)),
                y=alt.Y("score:Q", title=metric, scale=_scale(scores, from_zero)),
                color=_colour(systems),
                opacity=opacity,
            )
            .add_params(highlight)
        )
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
    title = f"sentence {metric}"
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
    scale, axis = alt.Scale(), alt.Axis()
    if not from_zero:
        scale, axis = alt.Scale(zero=False), alt.Axis(tickCount=6)
    points = base.mark_point(filled=True, size=26, opacity=0.6 if segments < 500 else 0.3).encode(
        x=alt.X("left:Q", title=f"{left}: sentence {metric}", scale=scale, axis=axis),
        y=alt.Y("right:Q", title=f"{right}: sentence {metric}", scale=scale, axis=axis),
        tooltip=[*_fields("segment:Q"), *(_number(side, digits) for side in ("left", "right"))],
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


def _data(rows: Sequence[Any]) -> Any:
    return alt.InlineData([asdict(row) for row in rows])


def _fields(*fields: str) -> list[Any]:
    return [alt.Tooltip(field) for field in fields]


def _number(field: str, digits: int) -> Any:
    return alt.Tooltip(f"{field}:Q", format=f".{digits}f")


def _scale(scores: Sequence[BucketScore], from_zero: bool) -> Any:
    """Return a scale that has ends even if no bucket has a score."""
    there = any(one.score is not None for one in scores)
    if not there:
        return alt.Scale(domain=[0, 1])
    return alt.Scale() if from_zero else alt.Scale(zero=False)


def _names_axis() -> Any:
    return alt.Axis(grid=False, ticks=False, labelLimit=LABEL_WIDTH)


def _domain(names: Sequence[str]) -> Any:
    return alt.Scale(domain=list(names))


def _labels_axis(labels: Sequence[str]) -> Any:
    crowded = sum(len(label) + 2 for label in labels) > AXIS_LETTERS
    angle = -40 if crowded else 0
    return alt.Axis(labelAngle=angle, labelLimit=LABEL_WIDTH, labelOverlap="greedy", ticks=False)


def _colour(systems: Sequence[str]) -> Any:
    widest = max(map(len, systems)) * LEGEND_LETTER + LEGEND_MARK
    columns = min(len(systems), max(1, LEGEND_WIDTH // widest))
    legend = alt.Legend(orient="top", title=None, columns=columns, labelLimit=LEGEND_WIDTH)
    return alt.Color("system:N", sort=list(systems), scale=_domain(systems), legend=legend)


def _highlight() -> tuple[Any, Any]:
    """Return a selection of systems by a click on the legend, and the opacity it sets."""
    chosen = alt.selection_point(name="highlight", fields=["system"], bind="legend")
    return chosen, alt.condition(chosen, alt.value(0.95), alt.value(0.15))


def _height(systems: Sequence[str]) -> int:
    return ROW_HEIGHT * len(systems) if len(systems) > COLOURS else HEIGHT


def _cells(chart: Any, systems: Sequence[str], shade: str, title: str) -> Any:
    up = alt.Y("system:N", sort=list(systems), title=None, axis=_names_axis())
    legend = alt.Legend(orient="top", title=title)
    return chart.mark_rect().encode(y=up, color=alt.Color(shade, legend=legend))
