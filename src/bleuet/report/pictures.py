"""Charts as files: SVG, PNG, the Vega-Lite specification, or a page that asks for nothing else."""

from __future__ import annotations

import json
from html import escape

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.messages import nearest
from bleuet.report.theme import THEMES, theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    import vl_convert

    Chart: TypeAlias = Any
    Specification: TypeAlias = dict[str, Any]
else:
    vl_convert = optional("vl_convert")

# What a pixel of the specification is in a PNG, so that it is sharp in print too.
SCALE = 2

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ margin: 0; background: {paper} }} #chart {{ overflow-x: auto }}</style>
<div id="chart"></div>
<script type="application/json" id="specification">{specification}</script>
<script>(function () {{
{libraries}
}})();</script>
</html>
"""
# Without the expression interpreter, a page whose policy forbids eval would stay empty.
DRAW = (
    'vegaEmbed("#chart", JSON.parse(document.getElementById("specification").textContent), '
    '{actions: false, ast: true, renderer: "svg"});'
)


def specification(chart: Chart, colours: str = "light") -> Specification:
    """Return a chart's Vega-Lite specification in a theme.

    Args:
        chart: what a function of `report.charts` returned.
        colours: "light" or "dark".

    Raises:
        OptionError: there is no such theme.
    """
    if colours not in THEMES:
        raise OptionError(
            f"there is no theme {colours!r}{nearest(colours, THEMES)}; they are {', '.join(THEMES)}"
        )
    return {**chart.to_dict(), "config": theme(colours)}


def to_svg(drawn: Specification) -> bytes:
    """Return a picture as SVG."""
    svg: str = vl_convert.vegalite_to_svg(drawn)
    return svg.encode()


def to_png(drawn: Specification) -> bytes:
    """Return a picture as PNG."""
    png: bytes = vl_convert.vegalite_to_png(drawn, scale=SCALE)
    return png


def to_json(drawn: Specification) -> bytes:
    """Return the specification itself, for other programs that draw Vega-Lite."""
    return (json.dumps(drawn, indent=1, ensure_ascii=False) + "\n").encode()


def to_html(drawn: Specification) -> bytes:
    """Return a page that draws the chart and requests nothing from anywhere."""
    # In a script element nothing may look like the end of it, whatever a system is called.
    text = json.dumps(drawn).replace("<", "\\u003c")
    page = PAGE.format(
        title=escape(_title(drawn)),
        paper=drawn["config"]["background"],
        specification=text,
        libraries=vl_convert.javascript_bundle(DRAW),
    )
    return page.encode()


def _title(drawn: Specification) -> str:
    title = drawn.get("title", "")
    return str(title.get("text", "") if isinstance(title, dict) else title)


KINDS: dict[str, Callable[[Specification], bytes]] = {
    ".svg": to_svg,
    ".png": to_png,
    ".html": to_html,
    ".json": to_json,
}


def kind_of(path: str) -> str:
    """Return the ending that says what kind of picture a file is to hold.

    Raises:
        OptionError: it has another ending, or none.

    >>> kind_of("agreement.SVG")
    '.svg'
    """
    ending = "." + path.lower().rpartition(".")[2] if "." in path else ""
    if ending not in KINDS:
        raise OptionError(
            f"a picture's name must end in {', '.join(KINDS)}, which says its kind, not {path!r}"
        )
    return ending


def draw(chart: Chart, path: str, colours: str = "light") -> bytes:
    """Return what a picture file holds, of the kind that its name says.

    Raises:
        OptionError: the name's ending or the theme is unknown.
    """
    return KINDS[kind_of(path)](specification(chart, colours))
