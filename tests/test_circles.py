"""No modules import each other in a circle, and no folders do; type-only imports count."""

from __future__ import annotations

from pathlib import Path

import pytest

import bleuet
from tests.imports import circles, folder_graphs, module_graph

PACKAGE = Path(bleuet.__file__).parent

# Circles that are still to be removed. A circle that is gone must leave this list.
KNOWN: set[str] = set()


def all_circles(package: Path) -> set[str]:
    modules = module_graph(package)
    found = set(circles(modules))
    for _, inside in folder_graphs(modules):
        found.update(circles(inside))
    return {names.replace("bleuet.", "") for names in found}


@pytest.mark.slow
def test_no_imports_go_in_a_circle() -> None:
    assert all_circles(PACKAGE) == KNOWN


PLANTED = {
    "two modules": (
        {"text/a.py": "import bleuet.text.b", "text/b.py": "from bleuet.text import a"},
        {"text.a text.b"},
    ),
    "three modules": (
        {
            "text/a.py": "from bleuet.text.b import B",
            "text/b.py": "from bleuet.text.c import C",
            "text/c.py": "from bleuet.text.a import A",
        },
        {"text.a text.b text.c"},
    ),
    "only for types": (
        {
            "text/a.py": "from bleuet.text.b import B",
            "text/b.py": "TYPE_CHECKING = False\nif TYPE_CHECKING:\n"
            "    from bleuet.text.a import A",
        },
        {"text.a text.b"},
    ),
    "inside a function": (
        {
            "text/a.py": "def f():\n    from bleuet.text.b import B",
            "text/b.py": "import bleuet.text.a",
        },
        {"text.a text.b"},
    ),
    "by the name in a string": (
        {"text/a.py": "HOME = 'bleuet.text.b:B'", "text/b.py": "import bleuet.text.a"},
        {"text.a text.b"},
    ),
    "two folders, without two modules": (
        {
            "text/a.py": "import bleuet.metrics.a",
            "metrics/a.py": "",
            "metrics/b.py": "import bleuet.text.b",
            "text/b.py": "",
        },
        {"metrics text"},
    ),
    "a folder and a module beside it": (
        {
            "text/a.py": "import bleuet.text.inner.a",
            "text/inner/a.py": "",
            "text/inner/b.py": "import bleuet.text.a",
        },
        {"text.a text.inner"},
    ),
    "what a folder gives out, and who uses it there": (
        {
            "text/__init__.py": "from bleuet.text.a import A",
            "text/a.py": "from bleuet.text import NAMES",
        },
        {"text text.a", "text.__init__ text.a"},
    ),
}


@pytest.mark.parametrize("circle", PLANTED)
def test_a_planted_circle_is_found(circle: str, tmp_path: Path) -> None:
    files, found = PLANTED[circle]
    assert all_circles(planted(files, tmp_path)) == found


def test_imports_in_one_direction_pass(tmp_path: Path) -> None:
    files = {
        "__init__.py": "__all__ = ['A']",
        "text/__init__.py": "from bleuet.text.a import A",
        "text/a.py": "from bleuet.text.inner.b import B\nfrom bleuet.text.c import C",
        "text/inner/b.py": "from bleuet.text.c import C",
        "text/c.py": "import os",
        "metrics/a.py": "from bleuet.text import A\nfrom bleuet.text.a import A",
    }
    assert all_circles(planted(files, tmp_path)) == set()


def planted(files: dict[str, str], folder: Path) -> Path:
    package = folder / "bleuet"
    for path, source in files.items():
        file = package / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{source}\n", encoding="utf-8")
    return package
