"""Each test file names the groups of its tests, and collecting the tests loads little."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from bleuet.metrics.catalogue import CATALOGUE
from tests.evaluation_data import REPOSITORY
from tests.groups import GROUPS, LEFT_OUT, LOADED, REQUIRE_ALL, groups_of_file
from tests.imports import imports_of

if TYPE_CHECKING:
    from pathlib import Path

# Libraries, and the groups whose tests may import them.
PEERS = {
    "sacrebleu": {"peers", "libraries"},
    "nltk": {"peers", "libraries"},
    "jiwer": {"peers"},
    "rouge_score": {"peers"},
    "cer": {"peers"},
    "rapidfuzz": {"peers"},
    "crystalbleu": {"peers"},
    "krippendorff": {"peers"},
    "statsmodels": {"peers"},
    "mweralign": {"peers"},
    "regex": {"peers"},
    "torch": {"torch", "neural", "frameworks"},
    "torchmetrics": {"torch"},
    "trl": {"frameworks"},
    "verl": {"frameworks"},
    "pyarrow": {"libraries"},
    "pandas": {"libraries", "peers"},
    "polars": {"libraries"},
    "vl_convert": {"libraries"},
    "mcp": {"libraries"},
}
METRICS = {entry.class_name for entry in CATALOGUE.values()}
# Files without such words need not be parsed.
NAMES_PEER = re.compile(rf"\b(?:{'|'.join(PEERS)})\b")
CALLS_METRIC = re.compile(rf"\b(?:{'|'.join(METRICS)})\s*\(")
FIXTURES = {"chromium": "browser", "evaluation_data": "data"}


def groups_of(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()} & set(GROUPS)


@pytest.mark.slow
def test_the_line_of_a_file_is_its_mark(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        named = groups_of_file(item.path)
        if item.path.suffix == ".py":
            assert named <= groups_of(item), item.nodeid
            modules = [node for node in item.listchain() if isinstance(node, pytest.Module)]
            marks = {mark.name for node in modules for mark in node.own_markers}
            assert marks & set(GROUPS) <= named, f"{item.nodeid}: a mark is not on one line"


def test_what_a_test_uses_is_its_group(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        used = {FIXTURES[name] for name in getattr(item, "fixturenames", ()) if name in FIXTURES}
        assert used <= groups_of(item), item.nodeid


@pytest.mark.slow
def test_a_file_imports_what_its_groups_have() -> None:
    faults = [
        f"{file}: {peer}"
        for file in sorted((REPOSITORY / "tests").rglob("test_*.py"))
        for peer in peers_of(file)
        if not PEERS[peer] & set(re.findall(r"pytest\.mark\.(\w+)", file.read_text("utf-8")))
    ]
    assert faults == []


def peers_of(file: Path) -> set[str]:
    """Return the other programs that a test file imports, at its head or in a function."""
    if not NAMES_PEER.search(file.read_text(encoding="utf-8")):
        return set()
    modules = {one.module for one in imports_of(file, file.parent) if not one.for_types}
    return {module.partition(".")[0] for module in modules} & set(PEERS)


def test_an_import_of_another_program_is_found(tmp_path: Path) -> None:
    file = tmp_path / "test_planted.py"
    file.write_text("def test():\n    import nltk.translate\n")
    assert peers_of(file) == {"nltk"}


def test_collecting_loads_no_library(request: pytest.FixtureRequest) -> None:
    assert request.config.stash[LOADED] == set()


@pytest.mark.slow
def test_collecting_builds_no_metric() -> None:
    tests = REPOSITORY / "tests"
    built = {
        file.relative_to(tests).as_posix(): metrics_built_in(file)
        for file in sorted(tests.rglob("test_*.py"))
    }
    assert {name: lines for name, lines in built.items() if lines} == {}


def metrics_built_in(file: Path) -> list[int]:
    """Return the lines on which importing a file makes a metric."""
    source = file.read_text(encoding="utf-8")
    found: list[int] = []
    waiting: list[ast.AST] = [ast.parse(source)] if CALLS_METRIC.search(source) else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in METRICS:
            found.append(node.lineno)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            # Not the body, which runs later.
            waiting += getattr(node, "decorator_list", [])
        else:
            waiting += ast.iter_child_nodes(node)
    return sorted(found)


def test_a_metric_built_by_an_import_is_found(tmp_path: Path) -> None:
    file = tmp_path / "test_planted.py"
    file.write_text("@mark([BLEU()])\ndef test():\n    TER()\n\nLATER = lambda: TER()\nCHRF()\n")
    assert metrics_built_in(file) == [1, 6]


def test_the_groups_of_a_file_are_read(tmp_path: Path) -> None:
    file = tmp_path / "test_planted.py"
    file.write_text("import pytest\n\npytestmark = [pytest.mark.peers, pytest.mark.data]\n")
    assert groups_of_file(file) == {"peers", "data"}
    page = tmp_path / "page.md"
    page.write_text("<!-- tests: torch -->\n# BLEU of tensors\n")
    assert groups_of_file(page) == {"torch"}


def test_each_group_with_libraries_has_an_extra() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name for name in project["optional-dependencies"] if name.startswith("test-")}
    assert extras == {f"test-{name}" for name, group in GROUPS.items() if group.libraries}
    (line,) = re.findall(r"(?m)^GROUPS := (.*)$", (REPOSITORY / "Makefile").read_text())
    assert {f"test-{name}" for name in line.split()} == extras


def pytest_with(*options: str) -> subprocess.CompletedProcess[str]:
    """Run one test of this file."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(
        [*command, "tests/test_groups.py", "-k", "groups_of_a_file"],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.slow
def test_a_run_ends_with_what_it_left_out() -> None:
    done = pytest_with("--run", "test")
    last = done.stdout.splitlines()[-1]
    assert "1 passed" in done.stdout
    assert last.startswith("Left out: long, libraries, peers,")
    assert last.endswith("`make test-all` runs everything.")


@pytest.mark.slow
def test_a_missing_group_is_named_or_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEUET_EVALUATION_DATA", "/nowhere")
    for required in ("", "1"):
        monkeypatch.setenv(REQUIRE_ALL, required)
        done = pytest_with("--run", "all")
        assert done.returncode == (4 if required else 0)
        assert "data (no evaluation data in /nowhere" in done.stdout + done.stderr


def test_a_run_takes_what_a_shorter_one_takes() -> None:
    assert LEFT_OUT["all"] < LEFT_OUT["test"] < LEFT_OUT["quick"]
