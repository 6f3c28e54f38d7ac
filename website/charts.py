"""The charts of the pages with numbers, drawn from the tables of the documentation.

`python -m website.charts` writes docs/pictures/numbers/.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import vl_convert

from tests.documents import tables
from website.svg import colours

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures" / "numbers"
# In the SVG these become the colours of the reader's light or dark mode.
TEXT, LINES = "#010203", "#040506"
BLUE, ORANGE = "#5584c8", "#d07a2d"
# What the names of rows say beside the work.
UNNEEDED = re.compile(r", with a score object|, new process, 2,000 segments|, 200,000 segments")
AXIS = {
    "labelColor": TEXT, "titleColor": TEXT, "gridColor": LINES, "domainColor": LINES,
    "tickColor": LINES, "labelFontSize": 13, "titleFontSize": 13, "labelLimit": 330,
}  # fmt: skip
CONFIG = {
    "background": "transparent",
    # The reader's font may be wider than the one that measures.
    "padding": {"left": 30, "right": 30, "top": 5, "bottom": 5},
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": AXIS,
    "legend": {"labelColor": TEXT, "titleColor": TEXT, "labelFontSize": 13},
}


def rows_of(text: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table whose first heading this is, without marks of code."""
    (_, *rows) = next(table for table in tables(text) if table[0][0] == heading)
    return [[cell.strip("`") for cell in row] for row in rows]


def number(cell: str) -> float:
    """Return the first number of a cell.

    >>> number("1,022×"), number("28× to 106×"), number("4.6%")
    (1022.0, 28.0, 4.6)
    """
    return float(re.sub(r"[^\d.].*", "", cell.replace(",", "")))


def speed() -> dict[str, Any]:
    """Return the chart of how many times faster bleuet is, with a bar for each kind of work."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [(work, "sacreBLEU", ratio) for work, _, _, _, ratio in rows_of(text, "work")]
    others = text[text.index("Other metrics on WMT") :]
    rows += [(work, peer, ratio) for work, _, peer, _, ratio in rows_of(others, "work")]
    values = [
        {
            "work": UNNEEDED.sub("", work),
            "ratio": number(ratio),
            "label": f"{ratio} {peer.partition(' ')[0]}",
            "from": 1,
            "name": f"{work}, {peer}",
        }
        for work, peer, ratio in rows
    ]
    # A bar on a logarithmic scale begins at 1, not at 0.
    bars = {
        "mark": {"type": "bar", "color": BLUE},
        "encoding": {
            "x": {
                "field": "ratio",
                "type": "quantitative",
                "scale": {"type": "log", "domainMin": 1},
                "axis": {"values": [1, 10, 100, 1000], "grid": False},
                "title": "times as fast (logarithmic scale)",
            },
            "x2": {"field": "from"},
        },
    }
    ratios = {
        "mark": {"type": "text", "align": "left", "dx": 5, "fontSize": 12, "color": TEXT},
        "encoding": {
            "x": {"field": "ratio", "type": "quantitative"},
            "text": {"field": "label"},
        },
    }
    rank = {"field": "ratio", "order": "descending"}
    return {
        "data": {"values": values},
        "width": 330,
        "height": {"step": 24},
        "encoding": {"y": {"field": "work", "type": "nominal", "sort": rank, "title": None}},
        "layer": [bars, ratios],
    }


def history() -> dict[str, Any]:
    """Return the chart of these ratios over time."""
    runs = json.loads((ROOT / "docs/numbers/speed-history.json").read_text(encoding="utf-8"))
    rows = [
        {"date": run["date"], "work": work, "ratio": ratio}
        for run in runs
        for work, ratio in run["ratios"].items()
    ]
    return {
        "data": {"values": rows},
        "width": 420,
        "height": 260,
        "mark": {"type": "line", "point": {"size": 60}},
        "encoding": {
            "x": {
                "field": "date",
                "type": "ordinal",
                "sort": None,
                "title": None,
                "axis": {"labelAngle": 0},
            },
            "y": {
                "field": "ratio",
                "type": "quantitative",
                "scale": {"type": "log", "domainMin": 10},
                "title": "times as fast as sacreBLEU (logarithmic scale)",
            },
            "color": {"field": "work", "type": "nominal", "title": None},
        },
    }


def false_findings() -> dict[str, Any]:
    """Return the chart of how often tests find a difference between equal systems."""
    text = (ROOT / "docs" / "significance.md").read_text(encoding="utf-8")
    rows = [
        {"test": test, "share": number(shares[0])}
        for test, *shares in rows_of(text, "segments that differ")
    ]
    bars = {
        "mark": {"type": "bar"},
        "encoding": {
            "y": {"field": "test", "type": "nominal", "sort": None, "title": None},
            "x": {
                "field": "share",
                "type": "quantitative",
                "title": "differences found between equal systems, in percent",
            },
            "color": {
                "condition": {"test": "datum.share > 6", "value": ORANGE},
                "value": BLUE,
            },
        },
    }
    expected = {
        "data": {"values": [{"share": 5}]},
        "mark": {"type": "rule", "color": TEXT, "strokeDash": [4, 3]},
        "encoding": {"x": {"field": "share", "type": "quantitative"}},
    }
    return {
        "data": {"values": rows},
        "width": 380,
        "height": {"step": 30},
        "layer": [bars, expected],
    }


CHARTS = {"speed": speed, "history": history, "false-findings": false_findings}


def drawn(name: str) -> str:
    """Return a chart as SVG.

    Args:
        name: one of `CHARTS`.
    """
    spec = {"$schema": "https://vega.github.io/schema/vega-lite/v6.json", **CHARTS[name]()}
    svg: str = vl_convert.vegalite_to_svg({**spec, "config": CONFIG})
    svg = svg.replace(TEXT, "var(--ink)").replace(LINES, "var(--line)")
    return re.sub(r"(<svg[^>]*>)", rf"\g<1><style>{colours()}</style>", svg, count=1) + "\n"


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for chart in CHARTS:
        (PICTURES / f"{chart}.svg").write_text(drawn(chart), encoding="utf-8")
