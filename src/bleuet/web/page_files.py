"""The files of the pages: the server sends them, and the static folder has those of one page."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from importlib.resources import files
from pathlib import PurePath

from bleuet.web.workers import CHART_REQUEST, Workers

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
}
SYSTEMS = {"systems.html": OWN, "systems.js": OWN}
# Only where the browser computes.
IN_BROWSER = {"worker.js": OWN, "service-worker.js": OWN}
# The module with the chart and what draws it, which is made.
CHART = "segment-chart.js"
NO_CHART = b"export const chart = null;\n"
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


class Chart:
    """The module with the chart, which is made once; without the extra `report` it has no chart.

    Another process makes it, because what it loads takes 100 MB.
    """

    def __init__(self) -> None:
        self._made = b""
        self._making = asyncio.Lock()

    async def module(self) -> bytes:
        """Return the module."""
        async with self._making:
            if not self._made:
                workers = Workers(1)
                try:
                    status, content = await workers.answer(CHART_REQUEST)
                finally:
                    workers.end()
                self._made = content if status == HTTPStatus.OK else NO_CHART
        return self._made
