"""Rooms of the kernel include each other in one direction, and only the bindings know Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = REPOSITORY / "kernel"
BINDINGS = "bindings"
TESTS = "tests"

SOURCES = {".cpp", ".hpp", ".h", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)', re.MULTILINE)
PYTHON = re.compile(r"Python\.h$|structmember\.h$|nanobind/|pybind11/")
# A row of the README's table of rooms, which has them in their order.
ROOM = re.compile(r"^\| `([a-z_]+)/` \|", re.MULTILINE)


def rooms_in_order(kernel: Path) -> list[str]:
    return ROOM.findall((kernel / "README.md").read_text(encoding="utf-8"))


def offences(kernel: Path) -> list[str]:
    """Every breach of the rules in the kernel, one line each."""
    rooms = rooms_in_order(kernel)
    folders = {folder.name for folder in kernel.iterdir() if folder.is_dir()} - {TESTS}
    found = [f"{room}: not both a folder and a room of the README" for room in folders ^ {*rooms}]
    for file in sorted(kernel.rglob("*")):
        place = file.relative_to(kernel)
        if file.suffix not in SOURCES or place.parts[0] == TESTS:
            continue
        room = place.parts[0]
        if len(place.parts) != 2 or room not in rooms:
            found.append(f"{place}: in no room")
            continue
        for kind, path in INCLUDE.findall(file.read_text(encoding="utf-8")):
            what = _offence_of(kernel, rooms, room, kind, path)
            found += [f"{place}: {what}"] if what else []
    return found


def _offence_of(kernel: Path, rooms: list[str], room: str, kind: str, path: str) -> str:
    if PYTHON.search(path):
        return "" if room == BINDINGS else f"{path} outside of {BINDINGS}"
    if kind == "<":
        return ""
    other = path.partition("/")[0]
    if not (kernel / path).is_file() or other not in rooms:
        return f"{path} is not a path from the kernel's root into a room"
    return "" if rooms.index(other) <= rooms.index(room) else f"{path} is in a later room"


@pytest.mark.skipif(not KERNEL.is_dir(), reason="the kernel's sources are not here")
def test_rooms_include_earlier_rooms_and_only_bindings_know_python() -> None:
    assert rooms_in_order(KERNEL)[-1] == BINDINGS
    assert offences(KERNEL) == []


PLANTED = {
    "a later room": ("text/planted.hpp", '#include "ngrams/bleu.hpp"'),
    "a later room, indented": ("text/planted.hpp", '#if 1\n  #  include "ngrams/bleu.hpp"\n#endif'),
    "the bindings": ("ngrams/planted.cpp", '#include "bindings/names.hpp"'),
    "Python": ("ngrams/planted.hpp", "#pragma once\n#include <Python.h>"),
    "nanobind": ("text/planted.cpp", "#include <nanobind/nanobind.h>"),
    "a path from its own folder": ("ngrams/planted.cpp", '#include "bleu.hpp"'),
    "a path that leaves the room": ("ngrams/planted.cpp", '#include "../text/text.hpp"'),
    "a file that is not there": ("ngrams/planted.cpp", '#include "text/missing.hpp"'),
    "a file of the tests": ("ngrams/planted.cpp", '#include "tests/check.hpp"'),
    "a file in no room": ("planted.cpp", ""),
    "a folder in a room": ("text/inner/planted.cpp", ""),
}


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    rooms = ("text", "ngrams", "bindings")
    table = "".join(f"| `{room}/` | code |\n" for room in rooms)
    (tmp_path / "README.md").write_text(f"| room | about |\n|---|---|\n{table}", encoding="utf-8")
    for path in ("text/text.hpp", "ngrams/bleu.hpp", "bindings/names.hpp", "tests/check.hpp"):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text("#pragma once\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("breach", PLANTED)
def test_a_planted_breach_is_found(breach: str, kernel: Path) -> None:
    path, source = PLANTED[breach]
    (kernel / path).parent.mkdir(exist_ok=True)
    (kernel / path).write_text(source + "\n", encoding="utf-8")
    assert [line.partition(":")[0] for line in offences(kernel)] == [path]


def test_a_room_that_the_table_lacks_is_found(kernel: Path) -> None:
    (kernel / "attic").mkdir()
    assert [line.partition(":")[0] for line in offences(kernel)] == ["attic"]


def test_what_is_allowed_passes(kernel: Path) -> None:
    own_and_earlier = '#include <vector>\n#include "ngrams/bleu.hpp"\n#include "text/text.hpp"\n'
    (kernel / "ngrams/bleu.cpp").write_text(own_and_earlier, encoding="utf-8")
    python = "#include <nanobind/nanobind.h>\n// no Python.h elsewhere\n"
    (kernel / "bindings/module.cpp").write_text(own_and_earlier + python, encoding="utf-8")
    assert offences(kernel) == []
