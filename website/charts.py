"""The charts of the pages with numbers, drawn from the tables of the documentation.

`python -m website.charts` writes docs/pictures/numbers/.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import vl_convert

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures" / "numbers"
# In the SVG these become the colours of the reader's light or dark mode.
TEXT, LINES = "#010203", "#040506"
BLUE, ORANGE = "#5584c8", "#d07a2d"
STYLE = (
    "<style>svg{--text:#24292f;--lines:#d0d4d9}"
    "@media(prefers-color-scheme:dark){svg{--text:#e0e3e8;--lines:#4a5058}}</style>"
)
AXIS = {
    "labelColor": TEXT, "titleColor": TEXT, "gridColor": LINES, "domainColor": LINES,
    "tickColor": LINES, "labelFontSize": 13, "titleFontSize": 13, "labelLimit": 330,
}  # fmt: skip
CONFIG = {
    "background": "transparent",
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": AXIS,
    "legend": {"labelColor": TEXT, "titleColor": TEXT, "labelFontSize": 13},
}


def tables(text: str, first: str) -> list[list[str]]:
    r"""Return the rows of the first Markdown table that has a heading.

    >>> tables("| a | b |\n|---|---|\n| 1 | 2 |\n", "a")
    [['1', '2']]
    """
    lines = iter(text.splitlines())
    next(line for line in lines if line.startswith(f"| {first} |"))
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip(" `") for cell in line.strip().strip("|").split("|")])
    return rows


def number(cell: str) -> float:
    """Return the first number of a cell.

    >>> number("1,022×"), number("28× to 106×"), number("4.6%")
    (1022.0, 28.0, 4.6)
    """
    return float(re.sub(r"[^\d.].*", "", cell.replace(",", "")))


def speed() -> dict[str, Any]:
    """Return the chart of how many times faster bleuet is, with a bar for each kind of work."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = [
        {"work": f"{work}, sacreBLEU", "ratio": number(ratio)}
        for work, _, _, _, ratio in tables(text, "work")
    ]
    others = text[text.index("Other metrics on WMT") :]
    rows += [
        {"work": f"{work}, {peer}", "ratio": number(ratio)}
        for work, _, peer, _, ratio in tables(others, "work")
    ]
    return {
        "data": {"values": rows},
        "width": 420,
        "height": {"step": 22},
        "mark": {"type": "bar", "color": BLUE},
        "encoding": {
            "y": {"field": "work", "type": "nominal", "sort": "-x", "title": None},
            "x": {
                "field": "ratio",
                "type": "quantitative",
                "scale": {"type": "log", "domainMin": 1},
                "title": "times as fast (logarithmic scale)",
            },
        },
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
        for test, *shares in tables(text, "segments that differ")
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
    svg = svg.replace(TEXT, "var(--text)").replace(LINES, "var(--lines)")
    return re.sub(r"(<svg[^>]*>)", rf"\g<1>{STYLE}", svg, count=1) + "\n"


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for chart in CHARTS:
        (PICTURES / f"{chart}.svg").write_text(drawn(chart), encoding="utf-8")
