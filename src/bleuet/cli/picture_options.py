"""The flags of pictures that commands share, and how a picture is written."""

from __future__ import annotations

from bleuet.cli.options import Flag
from bleuet.output.destination import Destination
from bleuet.report.theme import THEMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PICTURE = Flag(
    "--picture", metavar="FILE", writes=True,
    help="draw the metrics: .svg, .png, .html or .json (Vega-Lite)",
)  # fmt: skip
THEME = Flag(
    "--theme", metavar="NAME", choices=THEMES,
    help=f"the theme of pictures: {', '.join(THEMES)} (default: {THEMES[0]})",
)  # fmt: skip


def check_pictures(*paths: str | None) -> None:
    """Check that pictures can be drawn, before anything is computed.

    Args:
        *paths: their files; None where there is no picture.

    Raises:
        MissingExtraError: the libraries that draw are not installed.
        OptionError: the name of a file has no ending of a picture.
    """
    for path in filter(None, paths):
        from bleuet.report.pictures import kind_of

        kind_of(path)


def write_picture(path: str, chart: Any, theme: str | None) -> None:
    """Write a picture.

    Args:
        path: its file, whose ending selects the kind of picture.
        chart: a chart of `bleuet.report.charts`.
        theme: the name of the theme, None for the default.

    Raises:
        InputError: it cannot be written.
    """
    from bleuet.report.pictures import draw

    with Destination(path, binary=True) as out:
        out.write(draw(chart, path, theme or THEMES[0]))
