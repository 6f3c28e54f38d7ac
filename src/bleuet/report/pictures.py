"""Charts as files: SVG, PNG, the Vega-Lite specification, or an HTML page without requests."""

from __future__ import annotations

import json
from html import escape

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.frozen import checked
from bleuet.messages import nearest, shown, wrong_type
from bleuet.report.theme import THEMES, theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    import vl_convert

    Specification: TypeAlias = dict[str, Any]
else:
    vl_convert = optional("vl_convert")

# The pixels of a PNG for each pixel of the specification, so that it is sharp in print, too.
SCALE = 2

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ margin: 0; background: {paper} }}
#chart {{ display: block; overflow-x: auto }}
</style>
<div id="chart"></div>
<script type="application/json" id="specification">{specification}</script>
<script>(function () {{
{libraries}
}})();</script>
</html>
"""
# `ast` interprets expressions, which a page whose policy forbids eval needs.
DRAW = (
    'vegaEmbed("#chart", JSON.parse(document.getElementById("specification").textContent), '
    '{actions: false, ast: true, renderer: "svg"});'
)


@checked
def specification(chart: Any, colours: str = "light") -> Specification:
    """Return a chart's Vega-Lite specification in a theme.

    Args:
        chart: the result of a function in `report.charts`, or a chart of Altair.
        colours: "light" or "dark".

    Raises:
        OptionError: there is no such theme.
    """
    check_theme(colours)
    if isinstance(chart, type) or not hasattr(chart, "to_dict"):
        raise wrong_type("chart", "a chart of bleuet.report.charts", chart)
    return {**chart.to_dict(), "config": theme(colours)}


@checked
def check_theme(colours: str) -> None:
    """Raise where a theme does not exist.

    Args:
        colours: its name.

    Raises:
        OptionError: there is no such theme.
    """
    if colours not in THEMES:
        raise OptionError(
            f"there is no theme {shown(colours)}{nearest(colours, THEMES)}; the themes are "
            f"{', '.join(THEMES)}"
        )


def to_svg(chart: Specification) -> bytes:
    """Return a picture as SVG."""
    svg: str = vl_convert.vegalite_to_svg(chart)
    return svg.encode()


def to_png(chart: Specification) -> bytes:
    """Return a picture as PNG."""
    png: bytes = vl_convert.vegalite_to_png(chart, scale=SCALE)
    return png


def to_json(chart: Specification) -> bytes:
    """Return the specification, for other programs that draw Vega-Lite."""
    return (json.dumps(chart, indent=1, ensure_ascii=False) + "\n").encode()


def to_html(chart: Specification) -> bytes:
    """Return a page that draws the chart and sends no request."""
    # No text, such as the name of a system, may look like the end of the script element.
    text = json.dumps(chart).replace("<", "\\u003c")
    page = PAGE.format(
        title=escape(_title(chart)),
        paper=chart["config"]["background"],
        specification=text,
        libraries=vl_convert.javascript_bundle(DRAW),
    )
    return page.encode()


def _title(chart: Specification) -> str:
    title = chart.get("title", "")
    return str(title.get("text", "") if isinstance(title, dict) else title)


KINDS: dict[str, Callable[[Specification], bytes]] = {
    ".svg": to_svg,
    ".png": to_png,
    ".html": to_html,
    ".json": to_json,
}


@checked
def kind_of(path: str) -> str:
    """Return the extension of the name of a picture file, which selects the kind of picture.

    Raises:
        OptionError: it is not an extension of `KINDS`.

    >>> kind_of("agreement.SVG")
    '.svg'
    """
    ending = "." + path.lower().rpartition(".")[2] if "." in path else ""
    if ending not in KINDS:
        raise OptionError(
            f"the name of a picture must end in {', '.join(KINDS)}, not {shown(path)}"
        )
    return ending


@checked
def draw(chart: Any, path: str, colours: str = "light") -> bytes:
    """Return the content of a picture file.

    Args:
        chart: the result of a function in `report.charts`, or a chart of Altair.
        path: the name of the file, whose extension selects the kind of picture.
        colours: "light" or "dark".

    Raises:
        OptionError: the extension or the theme is unknown.
    """
    return KINDS[kind_of(path)](specification(chart, colours))
