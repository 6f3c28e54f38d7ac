"""Each planted fault can still be planted: the text that it changes is there, once."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.evaluation_data import REPOSITORY
from tests.planted.faults import (
    GROUPS,
    SELECTIONS,
    Fault,
    all_faults,
    paths_of_tests,
)


@pytest.mark.parametrize("group", GROUPS)
def test_every_fault_can_be_planted(group: str) -> None:
    for fault in (fault for fault in all_faults() if fault.group == group):
        assert fault.was != fault.now, fault.name
        assert fault.by in ("hand", "mutation"), fault.name
        text = (REPOSITORY / fault.file).read_text(encoding="utf-8")
        planted = fault.planted_in(text)
        assert planted != text, fault.name
        if fault.file.endswith(".py"):
            assert fault.within, f"{fault.name} names no function"
            compile(planted, fault.file, "exec")


def test_every_selected_test_is_there() -> None:
    paths = {
        path for selection in SELECTIONS.values() for path in (*selection.first, *selection.then)
    }
    assert [path for path in sorted(paths) if not (REPOSITORY / path).exists()] == []


def test_every_folder_of_the_product_has_tests_of_its_own() -> None:
    everything = set(SELECTIONS["src/bleuet/"].first)
    rooms = {path.parent for path in (REPOSITORY / "src/bleuet").glob("*/*.py")}
    for room in rooms:
        assert everything.isdisjoint(paths_of_tests(f"src/bleuet/{room.name}/any.py")), room.name


def test_a_file_is_held_by_the_tests_that_mirror_it() -> None:
    assert paths_of_tests("src/bleuet/text/fingerprint.py") == [
        "tests/text/test_fingerprint.py",
        "tests/text",
    ]
    assert paths_of_tests("kernel/edits/ter.cpp") == ["tests/metrics/test_ter_definition.py"]


def test_a_fault_changes_only_the_function_that_it_names() -> None:
    text = (
        "def count():\n    return x + 1\n\nclass Sum:\n    def count(self):\n        return x + 1\n"
    )
    fault = Fault("options", "fault", "any.py", "x + 1", "x + 2", "hand", "Sum.count")
    assert fault.planted_in(text) == text[:-2] + "2\n"
    with pytest.raises(ValueError, match="must occur once in Sum"):
        fault._replace(within="Sum.total").planted_in(text)


def test_names_are_unique() -> None:
    assert len({fault.name for fault in all_faults()}) == len(all_faults())


def test_faults_are_many_and_spread() -> None:
    assert len(all_faults()) >= 150
    assert min(Counter(fault.group for fault in all_faults())[group] for group in GROUPS) >= 15
    assert max(Counter(fault.file for fault in all_faults()).values()) <= 8
