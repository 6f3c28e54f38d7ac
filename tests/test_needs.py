"""Every test has one marker that says what it needs, and a quick one needs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.imports import imports_of
from tests.needs import BY_NAME, MARKERS, PEERS, TESTS

if TYPE_CHECKING:
    from pathlib import Path


def peers_of(file: Path) -> set[str]:
    """Return the other programs, and the evaluation data, that a test file imports."""
    imports = imports_of(file, file.parent)
    found = {one.module.partition(".")[0] for one in imports} & PEERS
    data = "tests.evaluation_data.EvaluationData"
    return found | {one.module for one in imports if one.module == data and not one.for_types}


def test_every_test_has_one_marker(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        found = [mark.name for mark in item.iter_markers() if mark.name in MARKERS]
        assert len(found) == 1, f"{item.nodeid}: {found}"


@pytest.mark.parametrize("name", BY_NAME)
def test_every_name_is_that_of_a_test(name: str) -> None:
    path, _, test = name.partition("::")
    assert (TESTS / path).exists()
    if test:
        assert f"def {test}" in (TESTS / path).read_text(encoding="utf-8")


def test_a_quick_test_imports_no_other_program_and_no_data(request: pytest.FixtureRequest) -> None:
    quick = {item.path for item in request.session.items if item.get_closest_marker("quick")}
    found = {str(file): peers_of(file) for file in quick if file.suffix == ".py"}
    assert {file: peers for file, peers in found.items() if peers} == {}


def test_an_import_of_another_program_is_found(tmp_path: Path) -> None:
    file = tmp_path / "test_planted.py"
    file.write_text(
        "from tests.evaluation_data import EvaluationData\n"
        "def test():\n    pytest.importorskip('nltk.translate')\n"
    )
    assert peers_of(file) == {"nltk", "tests.evaluation_data.EvaluationData"}
