"""The groups of tests, what each group needs, and which of them a run takes.

A test file names its group itself, on one line: `pytestmark = pytest.mark.peers`. A single test has
a decorator, and a page of the documentation a first line `<!-- tests: torch -->`. A test without
a group needs what the extra `test` installs, and takes well under a second.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.evaluation_data import VARIABLE, EvaluationData

if TYPE_CHECKING:
    from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Group(NamedTuple):
    """What the tests of a group do, and what must be there before they can run."""

    summary: str
    # Modules that must be there, between spaces. The extra `test-GROUP` installs them.
    libraries: str = ""
    # One of these programs must be on the PATH.
    programs: tuple[str, ...] = ()

    def missing(self) -> list[str]:
        """Return what the group needs and this machine lacks."""
        found = [name for name in self.libraries.split() if find_spec(name) is None]
        if self.programs and not any(map(shutil.which, self.programs)):
            found.append(" or ".join(self.programs))
        return found


class DataGroup(Group):
    """Tests that read the evaluation data."""

    def missing(self) -> list[str]:
        """Return the folder of the evaluation data if it is not there."""
        data = EvaluationData.find()
        return [] if data.is_there else [f"evaluation data in {data.root}, which {VARIABLE} names"]


GROUPS = {
    "slow": Group("start processes, wait for signals or measure memory"),
    "long": Group("simulate, or try very many values"),
    "libraries": Group(
        "need an optional library that the extra `test` leaves out, such as pyarrow",
        "pyarrow vl_convert zstandard MeCab mecab_ko sentencepiece nltk shtab mcp pandas polars "
        "duckdb schemathesis sacrebleu",
    ),
    "peers": Group(
        "compare with another program, such as sacreBLEU or NLTK",
        "sacrebleu nltk jiwer rapidfuzz rouge_score cer crystalbleu mweralign pycocoevalcap regex "
        "Stemmer krippendorff statsmodels pandas gleu",
    ),
    "data": DataGroup("read the evaluation data"),
    "browser": Group("open a page in Chromium", "playwright axe_playwright_python", BROWSERS),
    "torch": Group("count tensors", "torch torchmetrics triton"),
    "neural": Group(
        "run neural metrics, on small models that they make", "torch transformers safetensors"
    ),
    "clusters": Group("count on Ray and on Spark", "ray pyspark pyarrow", ("java",)),
    "adapters": Group(
        "run metrics inside frameworks of evaluation", "evaluate lm_eval inspect_ai datasets"
    ),
    "frameworks": Group("train with TRL and verl", "trl verl"),
    "site": Group(
        "build the documentation and open it in Chromium, and run the notebook",
        "zensical griffe vl_convert playwright axe_playwright_python nbclient ipykernel towncrier",
        BROWSERS,
    ),
    "packaging": Group(
        "build and install the package, with pip and the index; generate clients of the API",
        "auditwheel build check_wheel_contents openapi_python_client pipx uv",
    ),
}
# What each run leaves out; `all` leaves out only what cannot run here.
LEFT_OUT = {
    "quick": frozenset(GROUPS),
    "test": frozenset(GROUPS) - {"slow"},
    "all": frozenset[str](),
    "fuzz": frozenset[str](),
}
# With this variable a group that cannot run is an error, as continuous integration needs it.
REQUIRE_ALL = "BLEUET_REQUIRE_ALL"

# Plugins of pytest import the first two, where they are installed. The third may be a stand-in for
# tests. The files of tests/torch and tests/tablefile use the others in every test.
LOADED_ALL_THE_SAME = {"schemathesis", "playwright", "vl_convert", "torch", "pyarrow", "pandas"}

# Where the root's conftest keeps what `loaded_too_early` found.
LOADED = pytest.StashKey[set[str]]()

_MARKS = re.compile(r"^pytestmark = (.+)$|\A<!-- tests: (.+) -->$", re.MULTILINE)


@cache
def missing_groups() -> dict[str, list[str]]:
    """Return the groups that cannot run on this machine, and what each of them lacks."""
    lacking = {name: group.missing() for name, group in GROUPS.items()}
    return {name: lack for name, lack in lacking.items() if lack}


def all_required() -> bool:
    """Whether a group that cannot run is an error."""
    return os.environ.get(REQUIRE_ALL) == "1"


@cache
def groups_of_file(path: Path) -> frozenset[str]:
    """Return the groups that a test file names, without importing it."""
    found = _MARKS.search(path.read_text(encoding="utf-8"))
    return frozenset(GROUPS).intersection(re.findall(r"\w+", found.group()) if found else ())


def loaded_too_early() -> set[str]:
    """Return the libraries of groups that test files have imported while they were collected."""
    libraries = {name for group in GROUPS.values() for name in group.libraries.split()}
    return (libraries - LOADED_ALL_THE_SAME) & set(sys.modules)
