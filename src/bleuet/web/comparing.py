"""One comparison in a process of its own, which can be stopped and then uses no memory.

`python -m bleuet.web.comparing FOLDER` reads `job.json` there and writes the page and all formats
beside it. It says on standard output, a line each, how far it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bleuet.comparison import compare
from bleuet.comparison.comparison import ALL
from bleuet.engines import counting
from bleuet.errors import BleuetError
from bleuet.output.rendering import FORMATS
from bleuet.report import Report
from bleuet.report.page.html_page import served_page
from bleuet.text.parallel import read_systems
from bleuet.text.source import Source
from bleuet.web.comparisons import JOB, PAGE, REPORT
from bleuet.web.requested_metrics import requested_metrics
from bleuet.web.row_files import write_rows
from bleuet.web.worker import watch_server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CALCULATOR = "/"
# What is said at each step, and the share of the time that has passed by then, from experience.
STEPS = {
    "reading the files": 0.0,
    "counting the segments": 0.03,
    "testing the differences": 0.15,
    "counting the words": 0.22,
    "comparing n-grams": 0.32,
    "drawing the page": 0.48,
    "writing the sentences": 0.65,
    "writing the documents": 0.8,
}
END = 1.0


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
    _step("counting the segments")
    counting.listeners.append(_say_counted)
    comparison = compare(
        {name: corpus.hypotheses for name, corpus in zip(systems, corpora, strict=True)},
        corpora[0].references,
        requested_metrics(job["metrics"]),
    )
    del corpora
    _step("testing the differences")
    comparison = comparison.tested()
    _step("counting the words")
    _ = comparison.breakdowns, comparison.words, comparison.surface
    _step("comparing n-grams")
    _ = [(pair.sentences, pair.gained) for pair in comparison.pairs]
    _step("drawing the page")
    (folder / PAGE).write_text(served_page(comparison, CALCULATOR), encoding="utf-8")
    (folder / REPORT).write_text(Report(comparison).to_html(), encoding="utf-8")
    _step("writing the sentences")
    write_rows(comparison, folder)
    for number, name in enumerate(FORMATS):
        _step("writing the documents", number / len(FORMATS))
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


def _step(name: str, part: float = 0.0, detail: str = "") -> None:
    """Say which step has begun, and how much of it is done."""
    begin = STEPS[name]
    end = min((share for share in STEPS.values() if share > begin), default=END)
    say(step=name + detail, share=begin + part * (end - begin))


def _say_counted(counted: int, segments: int) -> None:
    detail = f": {counted:,} of {segments:,}"
    _step("counting the segments", counted / segments, detail)


def _source(file: dict[str, Any]) -> Source:
    return Source(file["path"], file["column"] or None, **file["reading"])


if __name__ == "__main__":
    place = Path(sys.argv[1])
    watch_server()
    try:
        work(place)
    except BleuetError as error:
        say(error=without_paths(place, str(error)))
