"""The theme of charts: colours, fonts and sizes, in a light and a dark version.

A chart has no colours of its own, so that one definition serves the page and the picture files.
Marks with another colour than the usual one have one of the styles of the theme.
"""

from __future__ import annotations

from copy import deepcopy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"

# Colour-blind readers can distinguish the categories, too (Okabe and Ito 2008).
_COLOURS = {
    "light": {
        "text": "#1b2430",
        "quiet": "#566171",
        "grid": "#e3e7ec",
        "paper": "#ffffff",
        "mark": "#0067a8",
        "second": "#c24e00",
    },
    "dark": {
        "text": "#e8ecf1",
        "quiet": "#a3adba",
        "grid": "#303844",
        "paper": "#14181e",
        "mark": "#5bb4ec",
        "second": "#f59e52",
    },
}
_CATEGORIES = {
    "light": ["#0067a8", "#c24e00", "#00795a", "#a6478a", "#8a6d00", "#3b8ac4", "#5a6270"],
    "dark": ["#5bb4ec", "#f59e52", "#35c79d", "#e19ac4", "#e8d04a", "#9cc9ea", "#a3adba"],
}
# Small numbers are close to the colour of the background.
_SHADES = {"light": "blues", "dark": "darkblue"}
THEMES = tuple(_COLOURS)


def theme(name: str = "light") -> dict[str, Any]:
    """Return the Vega-Lite configuration of a theme, "light" or "dark".

    >>> theme("dark")["background"]
    '#14181e'
    """
    colours = _COLOURS[name]
    text = {"labelColor": colours["text"], "titleColor": colours["quiet"], "labelFont": FONT}
    return deepcopy(
        {
            "background": colours["paper"],
            "font": FONT,
            "padding": 16,
            "view": {"stroke": None, "continuousWidth": 320, "continuousHeight": 260},
            "title": {
                "color": colours["text"],
                "subtitleColor": colours["quiet"],
                "anchor": "start",
                "fontSize": 15,
                "fontWeight": 600,
                "subtitleFontSize": 12,
                "offset": 14,
            },
            "axis": {
                **text,
                "domain": False,
                "gridColor": colours["grid"],
                "labelFontSize": 12,
                "labelPadding": 6,
                "tickColor": colours["grid"],
                "titleFontSize": 12,
                "titleFontWeight": 400,
                "titlePadding": 10,
            },
            # Numbers that almost touch look like one number.
            "axisQuantitative": {"labelSeparation": 6},
            "header": {**text, "labelFontSize": 13, "labelFontWeight": 600, "labelPadding": 8},
            "legend": {**text, "labelFontSize": 12},
            "range": {"category": _CATEGORIES[name], "heatmap": {"scheme": _SHADES[name]}},
            "mark": {"color": colours["mark"]},
            "line": {"color": colours["mark"]},
            "rule": {"color": colours["mark"]},
            "text": {"color": colours["text"], "fontSize": 12},
            "style": {
                "quiet-text": {"color": colours["quiet"], "fontSize": 11},
                "second-line": {"color": colours["second"]},
                "second-bar": {"color": colours["second"]},
            },
        }
    )
