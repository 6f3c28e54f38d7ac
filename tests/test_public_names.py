"""The public face is a list, what it lists is there, and everything public is documented."""

from __future__ import annotations

import ast
import doctest
import inspect
import pkgutil
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING

import pytest

import bleuet
from bleuet.errors import MissingExtraError
from bleuet.extras import EXTRAS
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(bleuet.__path__, "bleuet.")
    # __main__ runs the program when it is imported; the kernel is documented by the Python backend.
    if not module.name.endswith(("__main__", "._kernel"))
)
DOCUMENTED_ROOMS = ("bleuet.metrics", "bleuet.statistics", "bleuet.text")


def test_the_list_is_what_is_visible() -> None:
    assert bleuet.__all__ == [*bleuet._HOMES, "__version__"]
    assert dir(bleuet) == sorted(bleuet.__all__)


@pytest.mark.parametrize("name", ["bleuet", "bleuet.torch"])
def test_type_checkers_see_the_names_of_the_table(name: str) -> None:
    """They read imports that the program does not run, each `as` itself, which makes it public."""
    module = import_module(name)
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    (block,) = (one for one in tree.body if isinstance(one, ast.If))
    imports = [one for one in block.body if isinstance(one, ast.ImportFrom)]
    assert len(imports) == len(block.body)
    seen = {one.asname: (one.name, line.module) for line in imports for one in line.names}
    assert seen == {own: (own, home) for own, home in module._HOMES.items()}


def test_a_star_import_gives_the_list() -> None:
    namespace: dict[str, object] = {}
    exec("from bleuet import *", namespace)
    assert set(namespace) - {"__builtins__"} == set(bleuet.__all__)


# What a machine without numpy, and what needs it, does.
WITHOUT_NUMPY = """
import sys
from importlib import import_module

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "scipy", "pandas"):
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
from bleuet import *
import bleuet.significance, bleuet.gate, bleuet.meta_evaluation, bleuet.comparison, bleuet.rewards
from bleuet.cli.main import COMMANDS, main

assert COMMANDS
for command in COMMANDS:
    try:
        main([command, "--help"])
    except SystemExit as end:
        assert not end.code, command
try:
    bleuet.meta_evaluation.ScoreMatrix(("a", "b"), [[0.1], [0.2]])
except MissingExtraError as error:
    print(error)
"""


@pytest.mark.slow
def test_names_and_help_need_no_numpy() -> None:
    command = [sys.executable, "-c", WITHOUT_NUMPY]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for line in ("usage: bleuet meta", "usage: bleuet tune"):
        assert line in done.stdout
    assert done.stdout.splitlines()[-1].endswith("pip install 'bleuet[studies]'")


def test_a_public_name_is_what_its_home_has() -> None:
    for name in set(bleuet.__all__) - {"__version__"}:
        value = getattr(bleuet, name)
        assert value is getattr(import_module(bleuet._HOMES[name]), name)
        assert value.__name__ == name
        assert value.__module__ == bleuet._HOMES[name]


def test_a_public_name_stands_in_the_guide() -> None:
    guide = (REPOSITORY / "docs" / "python.md").read_text(encoding="utf-8")
    assert [name for name in bleuet.__all__ if f"`{name}`" not in guide] == []


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="'bleuet' has no attribute 'COMET'"):
        _ = bleuet.COMET


def summary(thing: object) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def test_a_public_name_has_a_summary() -> None:
    for name in set(bleuet.__all__) - {"__version__"}:
        value = getattr(bleuet, name)
        # Inherited documentation says nothing of the class itself.
        assert value.__doc__, name
        line = summary(value)
        assert len(line) > 10, line
        assert line.rstrip().endswith((".", ",", ";")) or "\n" in value.__doc__, line


def public_things(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Functions and classes a module defines, and the methods of those classes."""
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", "") != module.__name__:
            continue
        if isinstance(thing, FunctionType):
            yield name, thing
        elif isinstance(thing, type):
            yield name, thing
            for method, value in vars(thing).items():
                value = getattr(value, "__func__", getattr(value, "fget", value))
                if isinstance(value, FunctionType) and not method.startswith("_"):
                    yield f"{name}.{method}", value


def undocumented(module: ModuleType) -> list[str]:
    return [name for name, thing in public_things(module) if not summary(thing).strip()]


def test_everything_public_has_a_docstring() -> None:
    documented = [name for name in MODULES if name.startswith(DOCUMENTED_ROOMS)]
    assert {
        name: found for name in documented if (found := undocumented(import_module(name)))
    } == {}


def test_a_missing_docstring_is_found() -> None:
    module = ModuleType("planted")
    exec(
        "def told():\n    'Tell.'\n\ndef untold(): pass\n\n"
        "class Kept:\n    'Keep.'\n    def kept(self): pass\n    def _own(self): pass\n",
        vars(module),
    )
    assert undocumented(module) == ["untold", "Kept.kept"]


# The folders of the package, and "bleuet" for the modules beside them.
ROOMS = sorted({"bleuet", *(".".join(name.split(".")[:2]) for name in MODULES if "." in name)})


def failed_examples(name: str) -> list[str]:
    """Return what the examples of a module print that they should not."""
    failures: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    for example in doctest.DocTestFinder(exclude_empty=True).find(import_module(name)):
        runner.run(example, out=failures.append)
    return failures


@pytest.mark.usefixtures("no_running_loop")
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.slow
def test_examples_in_docstrings_are_true(room: str) -> None:
    for name in [room, *(name for name in MODULES if name.startswith(f"{room}."))]:
        if room == "bleuet" and name.count(".") > 1:
            continue
        # The next test runs examples that need a library which is not installed.
        with suppress(MissingExtraError):
            failures = "".join(failed_examples(name))
            missing = [f"No module named '{library}'" for library in EXTRAS]
            reasons = [MissingExtraError.__name__, *missing]
            assert not failures or any(one in failures for one in reasons), failures


@pytest.mark.usefixtures("no_running_loop")
@pytest.mark.libraries
@pytest.mark.torch
def test_every_module_and_its_examples_run_where_all_libraries_are() -> None:
    for name in MODULES:
        # Frameworks that cannot be installed beside the others.
        if name not in ("bleuet.adapters.lighteval", "bleuet.adapters.mbrs"):
            assert "".join(failed_examples(name)) == ""


def test_a_false_example_is_found() -> None:
    module = ModuleType("planted")
    exec("def f():\n    '''Add.\n\n    >>> 1 + 1\n    3\n    '''\n", vars(module))
    runner = doctest.DocTestRunner(verbose=False)
    (test,) = doctest.DocTestFinder().find(module.f, "f", module=False)
    assert runner.run(test, out=lambda _: None).failed == 1


def test_most_public_functions_show_an_example() -> None:
    examples = [
        example
        for name in MODULES
        if name.startswith(DOCUMENTED_ROOMS)
        for example in doctest.DocTestFinder().find(import_module(name))
        if example.examples
    ]
    assert len(examples) > 50
