"""The pages of `docs/how-to` fit on a screen, print what they show, and lead somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from functools import cache
from importlib import import_module
from math import exp, log
from typing import TYPE_CHECKING

import pytest

from bleuet import make_metric
from bleuet.cli.main import COMMANDS, read_arguments
from bleuet.text.parallel import read_corpus
from bleuet.text.source import Source
from tests.cli.test_documentation import scripts
from tests.documents import BLOCK, DOCS, blocks, links, titles
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

    from bleuet import Score, Table

FOLDER = DOCS / "how-to"
INDEX = FOLDER / "index.md"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path != INDEX)
# A page without an example that prints something, and the reason.
WITHOUT_EXAMPLES = {
    "gate-github": "a workflow runs on GitHub; its scripts are checked below",
    "gate-gitlab": "a pipeline runs on GitLab; its scripts are checked below",
    "calculator": "a page in the browser, which tests/web opens",
    "lighteval": "lighteval needs an environment of its own: tests/adapters/alone.py runs it there",
    "mbrs": "mbrs needs an environment of its own: tests/adapters/alone.py runs it there",
    "comet-from-a-folder": "the model is too large; tests/metrics/neural run small ones",
}
MOST_LINES = 45

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the documentation is not here")


each_page = pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in PAGES])


def test_there_are_pages() -> None:
    assert len(PAGES) >= 40
    assert set(WITHOUT_EXAMPLES) <= {path.stem for path in PAGES}


@each_page
def test_page_is_one_question_on_one_screen(path: Path) -> None:
    (title,) = titles(path)
    assert title.endswith("?")
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@each_page
def test_page_has_examples_that_are_checked(path: Path) -> None:
    """Python is run by doctest, or compiled; the others have a test below."""
    known = {"console", "python", "sh", "text", "yaml"}
    found = BLOCK.findall(path.read_text(encoding="utf-8"))
    assert {language for language, _ in found} <= known
    runs = False
    for language, block in found:
        if language == "console":
            runs = runs or block.startswith("$ ")
        elif language == "python" and ">>> " in block:
            assert block.startswith(">>> ")
            assert block.endswith("\n\n"), "doctest needs a blank line before the closing fence"
            runs = True
        elif language == "python":
            compile(block, str(path), "exec")
        elif language == "text":
            assert path.stem in QUOTED
    assert runs is (path.stem not in WITHOUT_EXAMPLES)


@each_page
def test_commands_that_are_not_run_are_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    # Options that name a file to write need its folder.
    (tmp_path / "quality").mkdir()
    monkeypatch.chdir(tmp_path)
    for script in (
        *blocks(path.read_text(encoding="utf-8"), "sh"),
        *scripts(path.read_text(encoding="utf-8")),
    ):
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
        for line in script.replace("\\\n", "").splitlines():
            if line.startswith("bleuet "):
                check_command(shlex.split(line)[1:])
            elif line.startswith("pip install "):
                check_extras(shlex.split(line)[2:])


def check_command(words: list[str]) -> None:
    """Read the options of a command as the program does."""
    module = import_module(COMMANDS[words[0]][0])
    read_arguments(module.COMMAND, words[1:])


def check_extras(packages: list[str]) -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    known = project["project"]["optional-dependencies"]
    for package in packages:
        if found := re.search(r"bleuet\[([\w,-]+)\]", package):
            assert set(found[1].split(",")) <= set(known)


def test_every_page_is_in_the_list_once() -> None:
    listed = [target for target, _ in links(INDEX) if target.parent == FOLDER]
    assert sorted(listed) == PAGES


# --- Quoted outputs of programs that are not installed for tests ------------------------------


@cache
def example(metric: str, system: str) -> tuple[Score, Table]:
    """Return the score and the counts of a system of `examples` with one reference."""
    corpus = read_corpus(
        Source(str(REPOSITORY / "examples" / f"{system}.txt")),
        [Source(str(REPOSITORY / "examples" / "reference-1.txt"))],
    )
    made = make_metric(metric)
    return made.corpus_score(corpus), made.table(corpus)


def of_evaluate() -> list[str]:
    score, _ = example("bleu:smooth=none,reference_length=shortest", "system-a")
    found = score.to_dict()
    shares = (found["score"] / 100, found["ratio"])
    # Twelve digits, not rounded.
    return [f"{share:.15f}"[:14] for share in shares] + [f"'brevity_penalty': {found['bp']}"]


def of_compare_mt() -> list[str]:
    """Return BLEU with at least one n-gram of each order in every hypothesis."""
    numbers = []
    for system in ("system-a", "system-b"):
        score, table = example("bleu:tokenize=none,smooth=none", system)
        found = score.to_dict()
        lengths = [table.row(number)["sys_len"] for number in range(len(table))]
        totals = [sum(max(1, length - n) for length in lengths) for n in range(4)]
        logs = [log(a / b) for a, b in zip(found["counts"], totals, strict=True)]
        numbers.append(f"{100 * found['bp'] * exp(sum(logs) / 4):.4f}")
    return numbers


# The pages that quote another program's output, and numbers of it that are computed here.
QUOTED = {"from-compare-mt": of_compare_mt, "from-evaluate": of_evaluate}


@pytest.mark.parametrize("name", QUOTED)
def test_quoted_numbers_are_computed_here(name: str) -> None:
    path = FOLDER / f"{name}.md"
    (quoted,) = blocks(path.read_text(encoding="utf-8"), "text")
    assert re.search(r"\b\d+\.\d+\.\d+\b", path.read_text(encoding="utf-8"))  # the version
    for number in QUOTED[name]():
        assert number in quoted
