"""The files of the pages: the server sends them, and the static folder has those of one page."""

from __future__ import annotations

from importlib.resources import files
from pathlib import PurePath

OWN, REPORT = "bleuet.web", "bleuet.report"
# The files of the calculator: the package of each. Nothing else is ever read from the disk.
CALCULATOR = {
    "index.html": OWN,
    "colours.css": REPORT,
    "page.css": OWN,
    "calculator.js": OWN,
    "backend.js": OWN,
    "marks.js": OWN,
    "elements.js": REPORT,
    "charts.js": REPORT,
    "link.js": REPORT,
    "saving.js": REPORT,
}
SYSTEMS = {"systems.html": OWN, "systems.js": OWN}
# Only where the browser computes.
IN_BROWSER = {"worker.js": OWN, "service-worker.js": OWN}
# The module with the chart and what draws it, which is made.
CHART_FILE = "segment-chart.js"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


def page_file(name: str) -> str:
    """Return the text of a file of a page."""
    package = {**CALCULATOR, **SYSTEMS, **IN_BROWSER}[name]
    return files(package).joinpath("page", name).read_text(encoding="utf-8")


def type_of(name: str) -> str:
    """Return the media type of a file of a page.

    >>> type_of("page.css")
    'text/css; charset=utf-8'
    """
    return f"{TYPES[PurePath(name).suffix]}; charset=utf-8"
