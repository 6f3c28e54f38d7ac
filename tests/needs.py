"""What a test needs decides when it runs: each test has exactly one of these markers.

`make quick` runs the tests marked `quick`, `make test` runs all.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TESTS = Path(__file__).parent

MARKERS = {
    "packaging": "builds and installs the package, with pip and the index",
    "browser": "opens a page in Chromium",
    "data": "reads the evaluation data",
    "peer": "compares with another program, such as sacreBLEU or NLTK",
    "quick": "needs none of these",
}
BY_FIXTURE = {"chromium": "browser", "evaluation_data": "data"}
BY_FOLDER = {
    "packaging": "packaging",
    "oracles": "peer",
    "compat": "peer",
    "benchmarks": "peer",
    "examples/test_examples.py": "peer",
}
# The other programs that quick tests do not import.
PEERS = {"jiwer", "nltk", "playwright", "rouge_score", "sacrebleu", "torchmetrics"}


def need_of(item: pytest.Item) -> str:
    """Return the marker of a test: by the fixtures it uses, else by its folder."""
    used = {BY_FIXTURE[name] for name in getattr(item, "fixturenames", ()) if name in BY_FIXTURE}
    path = item.path.relative_to(TESTS).as_posix() if item.path.is_relative_to(TESTS) else ""
    used |= {need for folder, need in BY_FOLDER.items() if path.startswith(folder)}
    return next(need for need in MARKERS if need in used or need == "quick")
