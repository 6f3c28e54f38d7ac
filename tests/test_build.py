"""The Makefile builds what it must and no more, and the documents name what there is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from tests.evaluation_data import REPOSITORY

MAKEFILE = REPOSITORY / "Makefile"
pytestmark = pytest.mark.skipif(
    not MAKEFILE.is_file() or not shutil.which("make"), reason="there is no Makefile or no make"
)


def rule_of(target: str) -> str:
    """Return the prerequisites of a target, variables expanded, as make reads them."""
    command = ["make", "--print-data-base", "--question", "--no-builtin-rules", "demo"]
    # Not with the flags of a make that runs the tests.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(
        command, cwd=REPOSITORY, env=env, capture_output=True, encoding="utf-8", check=False
    )
    # Not the lines that set a variable for the target.
    (line,) = re.findall(rf"(?m)^{re.escape(target)}: ([^=\n]*)$", done.stdout)
    return str(line)


def test_the_kernel_depends_on_its_sources_and_on_no_python_file() -> None:
    files = rule_of("build/kernel/installed").split()
    cmake = {"CMakeLists.txt", "kernel/CMakeLists.txt"}
    assert cmake | {"pyproject.toml", "kernel/ngrams/bleu.cpp"} <= set(files)
    assert not [file for file in files if file.endswith((".py", ".pyi"))]
    assert rule_of(".venv/installed").split() == [".venv/build-tools"]


def test_the_checkout_is_installed_and_never_a_package_of_the_index() -> None:
    text = MAKEFILE.read_text(encoding="utf-8")
    assert re.findall(r"install .*bleuet", text) == []
    assert "--editable" in text


def test_every_command_of_the_makefile_is_described() -> None:
    (line,) = re.findall(r"(?m)^\.PHONY: (.*)$", MAKEFILE.read_text(encoding="utf-8"))
    guide = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [name for name in line.split() if f"`make {name}`" not in guide] == []


def test_every_document_is_in_the_navigation() -> None:
    pytest.importorskip("griffe", reason="griffelib, which reads docstrings, is not here")
    from website.config import navigation

    docs = REPOSITORY / "docs"
    # A guide may be in the menu of another room, too.
    named = set(re.findall(r"[\w./-]+\.md", str(navigation(docs))))
    there = [file.relative_to(docs).as_posix() for file in docs.rglob("*.md")]
    made = [page for page in named if page.startswith("reference/")]
    assert sorted(named) == sorted(there + made)
