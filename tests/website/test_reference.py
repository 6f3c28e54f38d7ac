"""The pages that are made of the package have every name, command and metric."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import bleuet
from bleuet.cli.main import COMMANDS, main
from bleuet.metrics.catalogue import CATALOGUE, NEURAL
from tests.evaluation_data import REPOSITORY
from website import commands
from website.parts import PARTS, parity_table

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    not (REPOSITORY / "docs").is_dir(), reason="the documentation is not here"
)


def test_every_public_name_is_on_one_page() -> None:
    pytest.importorskip("griffe", reason="griffelib, which reads docstrings, is not here")
    from website import api

    on_pages = [
        name for page in api.PAGES.values() if page.module == "bleuet" for name in page.names
    ]
    assert sorted(on_pages) == sorted(set(bleuet.__all__) - {"__version__"})
    pages = api.pages()
    for file, page in api.PAGES.items():
        text = pages[f"{api.FOLDER}/{file}.md"]
        for name in api._names(page):
            assert f"{{ #{page.module}.{name} }}" in text
    assert "lowercase: bool = False," in pages["reference/python/metrics.md"]
    # The line of a function, and not of what wraps it.
    assert re.search(
        r"blob/v[\d.]+/src/bleuet/evaluation/scoring\.py#L\d+", pages["reference/python/scoring.md"]
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_on_its_page(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([name, "--help"])
    options = set(re.findall(r"(?m)^ +(?:-\w, )?(--[\w-]+)", capsys.readouterr().out))
    page = commands.pages()[f"{commands.FOLDER}/{name}.md"]
    assert options - {"--help"} <= set(re.findall(r"--[\w-]+", page))


def test_the_guides_of_commands_exist() -> None:
    assert set(commands.GUIDES) <= set(COMMANDS)
    for guide in filter(None, commands.GUIDES.values()):
        assert (REPOSITORY / "docs" / guide).is_file()


def test_the_table_of_equal_programs_has_every_metric() -> None:
    rows = parity_table().splitlines()[2:]
    assert len(rows) == len(CATALOGUE) + len(NEURAL)
    assert not [row for row in rows if row.endswith("|  |")]


def test_every_part_is_used() -> None:
    pages = [file.read_text(encoding="utf-8") for file in (REPOSITORY / "docs").rglob("*.md")]
    for comment, made in PARTS.items():
        assert sum(comment in page for page in pages) == 1
        assert made().count("\n| ") > 5


def test_guides_stand_before_python_in_the_index_of_the_search(tmp_path: Path) -> None:
    pytest.importorskip("griffe", reason="griffelib, which reads docstrings, is not here")
    from website.build import _put_guides_first

    index = tmp_path / "search.json"
    names = {"path": ["Reference", "Python", "Gate"], "text": ""}
    items = [
        {"location": "reference/python/gate/", "title": "Gate", **names},
        {"location": "reference/python/gate/#bleuet.gate.Check", "title": "Check", **names},
        {"location": "gate/", "title": "A gate", "path": ["Guides", "A gate"], "text": ""},
    ]
    index.write_text(json.dumps({"config": {}, "items": items}), encoding="utf-8")
    _put_guides_first(index)
    found = json.loads(index.read_text(encoding="utf-8"))["items"]
    assert [(one["title"], one["path"]) for one in found] == [
        ("A gate", ["Guides", "A gate"]),
        ("Gate", ["Reference", "Python"]),
        ("<code>bleuet.gate.Check</code>", ["Reference", "Python"]),
    ]
