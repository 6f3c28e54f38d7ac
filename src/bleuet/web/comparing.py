"""One comparison in a process of its own, which can be stopped and then uses no memory.

`python -m bleuet.web.comparing FOLDER` reads `job.json` there and writes the page and all formats
beside it. It prints its progress on standard output, one line for each step.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bleuet.comparison import compare
from bleuet.comparison.comparison import ALL, PARTS
from bleuet.errors import BleuetError
from bleuet.output.rendering import FORMATS
from bleuet.report import Report
from bleuet.report.page.html_page import served_page
from bleuet.text.parallel import read_systems
from bleuet.text.source import Source
from bleuet.web.comparison_files import JOB, PAGE, REPORT
from bleuet.web.requested_metrics import requested_metrics
from bleuet.web.segment_files import write_segments
from bleuet.web.worker import watch_server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CALCULATOR = "/"
READING, COUNTING, TESTING = (
    "reading the files", "counting the segments", "testing the differences",
)  # fmt: skip
MAKING = {part: f"making the tables of {part}" for part in PARTS}
DRAWING, SENTENCES = "drawing the page", "writing the sentences"
WRITING = {name: f"writing the results as {name}" for name in FORMATS}
# All steps in their order. Each is the same share of the whole, whatever time it takes.
STEPS = (READING, COUNTING, TESTING, *MAKING.values(), DRAWING, SENTENCES, *WRITING.values())


def say(**values: Any) -> None:
    """Write a line for the server."""
    print(json.dumps(values), flush=True)


def work(folder: Path) -> None:
    """Compare, and write all results.

    Raises:
        BleuetError: the files cannot be compared.
    """
    job = _job(folder)
    _step(READING)
    references = [_source(one) for one in job["references"]]
    systems = {one["name"]: _source(one) for one in job["systems"]}
    # At most one file.
    source = next(map(_source, job["sources"]), None)
    corpora = read_systems(list(systems.values()), references, source)
    _step(COUNTING)
    comparison = compare(
        {name: corpus.segments[0] for name, corpus in zip(systems, corpora, strict=True)},
        corpora[0].segments[1],
        requested_metrics(job["metrics"]),
        progress=_say_counted,
    )
    del corpora
    _step(TESTING)
    comparison = comparison.tested()
    for part, step in MAKING.items():
        _step(step)
        # The comparison keeps what it computes for them; all results have the same tables.
        comparison.tables(part)
    _step(DRAWING)
    (folder / PAGE).write_text(served_page(comparison, CALCULATOR), encoding="utf-8")
    (folder / REPORT).write_text(Report(comparison).to_html(), encoding="utf-8")
    _step(SENTENCES)
    write_segments(comparison, folder)
    for name, step in WRITING.items():
        _step(step)
        text = comparison.show(ALL).render(name)
        (folder / name).write_text(text, encoding="utf-8")
    say(done=True)


def without_paths(folder: Path, message: str) -> str:
    """Return a message with the files' names that users know, instead of their paths here."""
    job = _job(folder)
    for file in (*job["references"], *job["systems"], *job["sources"]):
        message = message.replace(file["path"], file["name"])
        message = message.replace(Path(file["path"]).name, file["name"])
    return message


def _job(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / JOB).read_text(encoding="utf-8"))
    return found


def _step(name: str, part: float = 0.0, detail: str = "") -> None:
    """Report to the server which step runs, and how much of it is done."""
    say(step=name + detail, share=(STEPS.index(name) + part) / len(STEPS))


def _say_counted(counted: int, segments: int) -> None:
    _step(COUNTING, counted / segments, f": {counted:,} of {segments:,}")


def _source(file: dict[str, Any]) -> Source:
    return Source(file["path"], file["column"] or None, **file["reading"])


if __name__ == "__main__":
    place = Path(sys.argv[1])
    watch_server()
    try:
        work(place)
    except BleuetError as error:
        say(error=without_paths(place, str(error)))
