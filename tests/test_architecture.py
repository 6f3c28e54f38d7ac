"""Imports only go down, optional libraries have one door, and scoring imports next to nothing."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bleuet
from bleuet.extras import EXTRAS
from tests.backends import HAS_KERNEL
from tests.imports import OPTIONAL_CALL, Import, imports_of
from tests.patience import PATIENCE

PACKAGE = Path(bleuet.__file__).parent

FLOORS = {
    "cli": 9,
    "web": 9,
    "compat": 9,
    "adapters": 9,
    "rewards": 9,
    "duckdb": 9,
    "polars": 9,
    "torch": 9,
    "report": 8,
    "tuning": 8,
    "comparison": 7,
    "gate": 7,
    "meta_evaluation": 7,
    "shards": 7,
    "significance": 6,
    "column_functions": 6,
    "minimum_bayes_risk": 6,
    "evaluation": 5,
    "explanation": 5,
    "linting": 5,
    "resegmentation": 5,
    "engines": 4,
    "study_settings": 4,
    "tablefile": 4,
    "metrics": 3,
    "statistics": 2,
    "text": 1,
    "output": 1,
    "errors": 0,
    "extras": 0,
    "frozen": 0,
    "argument_types": 0,
    "messages": 0,
    "version": 0,
}
# The package's own face, which names everything and which nothing inside may use.
FACE = ""
FACE_FLOOR = 10
# Rooms on one floor that see each other all the same: (who imports, what).
NEIGHBOURS = {
    ("extras", "errors"),
    ("messages", "errors"),
    ("argument_types", "errors"),
    ("argument_types", "messages"),
    ("frozen", "argument_types"),
    ("cli", "compat"),
    ("adapters", "torch"),
    ("cli", "web"),
    ("web", "rewards"),
}

HEAVY = {"numpy", "scipy", "pandas"}
# Rooms that no score needs, so that their modules may bring optional libraries with them.
MAY_LOAD_LIBRARIES = {"adapters", "report", "torch", "web"}
OPTIONAL = {library.partition(".")[0] for library in EXTRAS}
CATCH_ALL_NAMES = {"utils", "helpers", "common", "misc"}
# sacreBLEU's own names, under which its users' imports must go on working.
MIRRORED = {"compat/sacrebleu/utils.py", "compat/sacrebleu/metrics/helpers.py"}
# What a score needs none of, each slower to import than a test set is to score.
NOT_WHILE_SCORING = {
    "argparse",
    "dataclasses",
    "inspect",
    "json",
    "numpy",
    "pathlib",
    "re",
    "rich",
    "typing",
}


def room_of(module: str) -> str:
    """The room of a module named from the outside: bleuet.text.lines is in 'text'."""
    parts = module.split(".")
    if len(parts) == 1:
        return FACE
    # A name that is no room is a public name, which the face gives out.
    return parts[1] if parts[1] in FLOORS else FACE


def home_of(file: Path, package: Path) -> str:
    first = file.relative_to(package).parts[0].removesuffix(".py")
    return FACE if first in ("__init__", "__main__") else first


def offences(package: Path) -> list[str]:
    """Every breach of the rules in a package, one line each."""
    return [
        f"{file.relative_to(package)}:{offence}"
        for file in sorted(package.rglob("*.py"))
        for offence in _offences_in(file, package)
    ]


def _offences_in(file: Path, package: Path) -> list[str]:
    home = home_of(file, package)
    name = (file.parent.name if file.name == "__init__.py" else file.stem).strip("_")
    mirrored = file.relative_to(package).as_posix() in MIRRORED
    found = []
    if name in CATCH_ALL_NAMES and not mirrored:
        found.append(f"0: {name} says nothing of what it holds")
    if home != FACE and home not in FLOORS:
        return [*found, f"0: {home} stands on no floor"]
    for one in imports_of(file, package):
        found += [f"{one.line}: {what}" for what in _offences_of(one, home, file, package)]
    return found


def _offences_of(one: Import, home: str, file: Path, package: Path) -> list[str]:
    if one.level:
        return ["a relative import"]
    if one.module.startswith(OPTIONAL_CALL):
        if home in MAY_LOAD_LIBRARIES:
            return []
        return [f"{one.module.removeprefix(OPTIONAL_CALL).strip()} is loaded with the module"]
    outermost = one.module.partition(".")[0]
    if outermost == "bleuet":
        room = room_of(one.module)
        return [] if _goes_down(home, room) else [f"{home or 'the face'} imports {one.module}"]
    found = []
    if outermost in HEAVY and one.when_loaded:
        found.append(f"{outermost} is imported with the module")
    # evaluate looks for this import in the text of its modules.
    is_door = file == package / "extras.py" or one.module == "datasets"
    if outermost in OPTIONAL and not one.for_types and not is_door:
        found.append(f"{outermost} is imported past extras.optional")
    if outermost == "rich" and home not in ("cli", "output"):
        found.append("rich outside of output and cli")
    return found


def _goes_down(home: str, room: str) -> bool:
    floors = {**FLOORS, FACE: FACE_FLOOR}
    return home == room or floors[room] < floors[home] or (home, room) in NEIGHBOURS


@pytest.mark.slow
def test_imports_only_go_down_and_optional_libraries_have_one_door() -> None:
    assert offences(PACKAGE) == []


PLANTED = {
    "a higher floor": ("text/planted.py", "import bleuet.metrics.bleu.metric"),
    "a higher floor, by from": ("statistics/planted.py", "from bleuet.metrics import bleu"),
    "a higher floor, inside a function": ("text/planted.py", "def f():\n    import bleuet.cli"),
    "a higher floor, for types": (
        "text/planted.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import bleuet.statistics",
    ),
    "a higher floor, by a string": ("metrics/planted.py", "PATH = 'bleuet.comparison.draws:Draw'"),
    "the face": ("tuning/planted.py", "from bleuet import BLEU"),
    "a room beside it": ("web/planted.py", "from bleuet import cli"),
    "a room beside it, on the ground": ("frozen.py", "import bleuet.errors"),
    "a relative import": ("metrics/planted.py", "from . import bleu"),
    "a room without a floor": ("attic/planted.py", ""),
    "a name that says nothing": ("metrics/utils.py", ""),
    "a private name that says nothing": ("metrics/_helpers.py", ""),
    "numpy with the module": ("metrics/planted.py", "import numpy.random"),
    "scipy in a class": ("tuning/planted.py", "class A:\n    from scipy import stats"),
    "an optional library": ("text/planted.py", "def f():\n    import zstandard"),
    "an optional library, by its parent": ("text/planted.py", "import pyarrow"),
    "an optional library, by a string": (
        "text/planted.py",
        "from importlib import import_module\nimport_module('sentencepiece')",
    ),
    "an optional library, too soon": (
        "text/planted.py",
        "from bleuet.extras import optional\nZSTANDARD = optional('zstandard')",
    ),
    "an optional library, past its door": ("tuning/planted.py", "import scipy.stats"),
    "rich": ("metrics/planted.py", "def f():\n    from rich.table import Table"),
}


@pytest.mark.parametrize("breach", PLANTED)
def test_a_planted_breach_is_found(breach: str, tmp_path: Path) -> None:
    path, source = PLANTED[breach]
    file = tmp_path / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(source + "\n", encoding="utf-8")
    assert {line.partition(":")[0] for line in offences(tmp_path)} == {path}


ALLOWED = {
    "down": ("tuning/planted.py", "from bleuet.text.corpus import Corpus"),
    "itself": ("metrics/planted.py", "from bleuet.metrics.bleu.metric import BLEU"),
    "a neighbour of the table": ("cli/planted.py", "import bleuet.compat"),
    "an optional library through its door": (
        "tuning/planted.py",
        "from bleuet.extras import optional\ndef f():\n    optional('zstandard')",
    ),
    "an optional library with its module": (
        "report/planted.py",
        "from bleuet.extras import optional\nNUMPY = optional('numpy')",
    ),
    "an optional library on first use": (
        "tuning/planted.py",
        "from bleuet.extras import deferred\nNUMPY = deferred('numpy')",
    ),
    "a type of an optional library": (
        "text/planted.py",
        "TYPE_CHECKING = False\nif TYPE_CHECKING:\n    import pyarrow",
    ),
}


@pytest.mark.parametrize("case", ALLOWED)
def test_what_is_allowed_passes(case: str, tmp_path: Path) -> None:
    path, source = ALLOWED[case]
    file = tmp_path / path
    file.parent.mkdir()
    file.write_text(source + "\n", encoding="utf-8")
    assert offences(tmp_path) == []


def class_names(package: Path) -> list[str]:
    """The names of all classes, without those under names of other programs."""
    return [
        node.name
        for file in sorted(package.rglob("*.py"))
        if not {"adapters", "compat"}.intersection(file.relative_to(package).parts)
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]


@pytest.mark.slow
def test_one_name_of_a_class_stands_for_one_thing() -> None:
    names = class_names(PACKAGE)
    assert [name for name in names if names.count(name) > 1] == []


def test_a_class_name_used_again_is_found(tmp_path: Path) -> None:
    for path in ("text/a.py", "metrics/b.py", "compat/c.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("class A:\n    pass\n", encoding="utf-8")
    assert class_names(tmp_path) == ["A", "A"]


def modules_imported_by(program: str) -> set[str]:
    """The modules a fresh interpreter has imported for a program, beyond those it starts with."""
    script = (
        f"import sys\nsys.path.insert(0, {str(PACKAGE.parent)!r})\nbefore = set(sys.modules)\n"
        f"{program}\nprint(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        # Without site, whose .pth files import what they like.
        [sys.executable, "-S", "-c", script],
        env={key: value for key, value in os.environ.items() if key != "BLEUET_BACKEND"},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return set(done.stdout.split())


SCORING = """
import bleuet
for metric in bleuet.BLEU(), bleuet.CHRF(word_order=2), bleuet.TER():
    str(metric.corpus_score(["a cat"], ["a dog"]))
    str(metric.sentence_score("a cat", ["a dog", "the cat"]))
    metric.sentence_scores(["a cat"], ["a dog"]).values
    metric.signature().short()
"""


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
def test_scoring_imports_next_to_nothing() -> None:
    imported = modules_imported_by(SCORING)
    assert "bleuet.statistics._kernel" in imported
    assert {name.partition(".")[0] for name in imported} & NOT_WHILE_SCORING == set()


def test_importing_the_package_imports_nothing_else() -> None:
    assert modules_imported_by("import bleuet") <= {
        "__future__",
        "bleuet",
        "bleuet.version",
    }


def test_an_import_while_scoring_would_be_seen() -> None:
    assert "json" in modules_imported_by("import json")
