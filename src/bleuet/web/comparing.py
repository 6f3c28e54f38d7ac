"""One comparison in a process of its own, which can be stopped and then uses no memory.

`python -m bleuet.web.comparing FOLDER` reads `job.json` there and writes the page and all formats
beside it. It says on standard output, a line each, how far it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bleuet.errors import BleuetError
from bleuet.output.rendering import FORMATS
from bleuet.report import Report
from bleuet.report.page.html_page import charts_library, served_page
from bleuet.studies.comparison import compare
from bleuet.studies.comparison.comparison import ALL
from bleuet.text.parallel import read_systems
from bleuet.text.source import Source
from bleuet.web.comparison_files import JOB, PAGE, REPORT
from bleuet.web.requested_metrics import requested_metrics
from bleuet.web.row_files import write_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CALCULATOR = "/"
# What is said at each step, and the share of the time that has passed by then, from experience.
STEPS = {
    "reading the files": 0.0,
    "comparing the systems": 0.1,
    "testing the differences": 0.6,
    "drawing the page": 0.8,
}


def say(**values: Any) -> None:
    """Write a line for the server."""
    print(json.dumps(values), flush=True)


def work(folder: Path) -> None:
    """Compare, and write all results.

    Raises:
        BleuetError: the files cannot be compared.
    """
    job = _job(folder)
    _step("reading the files")
    references = [_source(one) for one in job["references"]]
    systems = {one["name"]: _source(one) for one in job["systems"]}
    corpora = read_systems(list(systems.values()), references)
    _step("comparing the systems")
    comparison = compare(
        {name: corpus.hypotheses for name, corpus in zip(systems, corpora, strict=True)},
        corpora[0].references,
        requested_metrics(job["metrics"]),
    )
    _step("testing the differences")
    comparison = comparison.tested()
    _step("drawing the page")
    charts_library()
    (folder / PAGE).write_text(served_page(comparison, CALCULATOR), encoding="utf-8")
    (folder / REPORT).write_text(Report(comparison).to_html(), encoding="utf-8")
    write_rows(comparison, folder)
    for name in FORMATS:
        text = comparison.show(ALL).render(name)
        (folder / name).write_text(text, encoding="utf-8")
    say(done=True)


def without_paths(folder: Path, message: str) -> str:
    """Return a message with the names of files that users know, not the places where they are."""
    job = _job(folder)
    for file in (*job["references"], *job["systems"]):
        message = message.replace(file["path"], file["name"])
        message = message.replace(Path(file["path"]).name, file["name"])
    return message


def _job(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / JOB).read_text(encoding="utf-8"))
    return found


def _step(name: str) -> None:
    say(step=name, share=STEPS[name])


def _source(file: dict[str, Any]) -> Source:
    return Source(file["path"], file["column"] or None, **file["reading"])


if __name__ == "__main__":
    place = Path(sys.argv[1])
    try:
        work(place)
    except BleuetError as error:
        say(error=without_paths(place, str(error)))
