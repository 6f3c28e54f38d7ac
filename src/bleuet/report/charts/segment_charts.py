"""The chart of one segment: what its score is made of."""

from __future__ import annotations

from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import altair as alt

    from bleuet.report.charts.system_charts import Width
else:
    alt = optional("altair")

# The name of the data set: rows with `label`, `share` in percent, `text`, and `sum`.
PARTS = "parts"
ROW_HEIGHT = 42
BAR_HEIGHT = 14
# The label and the text stand above the bar.
ABOVE, BELOW = -8, 9


def score_parts(*, width: Width = "container") -> Any:
    """Draw the parts of a score as bars, such as the precision of each order and their mean.

    Labels stand above the bars, so that they fit on a narrow screen. What the formula makes of
    other parts has another colour. The data comes later, under the name `PARTS`, so that one chart
    shows the parts of every metric. Its height is then the number of rows times `row_height` in
    the entry `usermeta`.

    Args:
        width: the width of the plot in pixels, or "container".
    """
    rows = alt.Chart(alt.NamedData(PARTS)).encode(y=alt.Y("label:N", sort=None, axis=None))
    bars = [
        rows.transform_filter(test)
        .mark_bar(height=BAR_HEIGHT, yOffset=BELOW, clip=True, style=style)
        .encode(
            x=alt.X(
                "share:Q",
                title=None,
                scale=alt.Scale(domain=[0, 100]),
                axis=alt.Axis(tickCount=5, labelExpr="datum.label + ' %'"),
            )
        )
        for test, style in (("!datum.sum", "bar"), ("datum.sum", "second-bar"))
    ]
    label = rows.mark_text(align="left", dy=ABOVE).encode(x=alt.value(0), text="label:N")
    text = rows.mark_text(align="right", dy=ABOVE, style="quiet-text").encode(
        x=alt.value("width"), text="text:N"
    )
    return alt.layer(*bars, label, text).properties(
        width=width,
        # A height by step with a width by container makes Vega-Lite warn.
        usermeta={"row_height": ROW_HEIGHT},
        description="What the score is made of",
    )
