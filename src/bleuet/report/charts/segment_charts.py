"""The chart of one segment: what its score is made of."""

from __future__ import annotations

from bleuet.report.charts.vega_lite import Chart, nominal, quantitative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.report.charts.system_charts import Width

# The name of the data set: rows with `label`, `share` in percent, `text`, and `sum`.
PARTS = "parts"
ROW_HEIGHT = 42
BAR_HEIGHT = 14
# The label and the text stand above the bar.
ABOVE, BELOW = -8, 9


def score_parts(*, width: Width = "container") -> Chart:
    """Draw the parts of a score as bars, such as the precision of each order and their mean.

    Labels stand above the bars, so that they fit on a narrow screen. What the formula makes of
    other parts has another colour. The data comes later, under the name `PARTS`, so that one chart
    shows the parts of every metric. Its height is then the number of rows times `row_height` in
    the entry `usermeta`.

    Args:
        width: the width of the plot in pixels, or "container".
    """
    axis = {"tickCount": 5, "labelExpr": "datum.label + ' %'"}
    across = quantitative("share", title=None, scale={"domain": [0, 100]}, axis=axis)
    bar: dict[str, Any] = {"type": "bar", "height": BAR_HEIGHT, "yOffset": BELOW, "clip": True}
    bars: list[dict[str, Any]] = [
        {
            "transform": [{"filter": test}],
            "mark": {**bar, "style": style},
            "encoding": {"x": across},
        }
        for test, style in (("!datum.sum", "bar"), ("datum.sum", "second-bar"))
    ]
    label = {
        "mark": {"type": "text", "align": "left", "dy": ABOVE},
        "encoding": {"x": {"value": 0}, "text": nominal("label")},
    }
    text = {
        "mark": {"type": "text", "align": "right", "dy": ABOVE, "style": "quiet-text"},
        "encoding": {"x": {"value": "width"}, "text": nominal("text")},
    }
    return Chart(
        {
            "description": "What the score is made of",
            "data": {"name": PARTS},
            "encoding": {"y": nominal("label", sort=None, axis=None)},
            "layer": [*bars, label, text],
            "width": width,
            # A height by step with a width by container makes Vega-Lite warn.
            "usermeta": {"row_height": ROW_HEIGHT},
        }
    )
