"""What the README claims is what its tables, the package and the command line say."""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from bleuet.cli.main import COMMANDS, read_arguments
from bleuet.extras import EXTRAS
from tests.documents import tables
from tests.groups import GROUPS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Extras for those who work on bleuet itself.
FOR_DEVELOPERS = {"all", "bench", "docs", "lint", "test", *(f"test-{name}" for name in GROUPS)}


def section(title: str) -> str:
    """Return the text below a heading."""
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def rows(text: str) -> dict[str, list[str]]:
    """Return the rows of a table by their first cell."""
    ((_, *found), *_) = tables(text)
    return {cells[0].strip("`"): cells[1:] for cells in found}


def commands() -> list[str]:
    """Return the commands, without their comments."""
    block = section("Command line").split("```\n")[1]
    return [line.split(" #")[0] for line in block.splitlines()]


def test_the_ratios_are_those_of_the_table() -> None:
    claimed = re.search(
        r"BLEU is (\d+) to (\d+) times, chrF (\d+) to (\d+) times and TER (\d+) to ([\d,]+) times",
        README,
    )
    assert claimed
    measured: list[int] = []
    for row in ("corpus BLEU, per pair", "chrF", "TER"):
        ratios = rows(section("How fast"))[row][-2:]
        measured += sorted(int(ratio.strip("×").replace(",", "")) for ratio in ratios)
    assert [int(ratio.replace(",", "")) for ratio in claimed.groups()] == measured


def test_every_extra_is_in_the_table() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - FOR_DEVELOPERS
    assert set(rows(section("Install"))) == extras
    assert {extra for _, extra in EXTRAS.values()} - {""} == extras


@pytest.mark.parametrize("command", commands())
def test_every_command_is_understood(command: str) -> None:
    program, name, *words = shlex.split(command)
    assert program == "bleuet"
    module = import_module(COMMANDS[name][0])
    if hasattr(module, "COMMAND"):
        read_arguments(module.COMMAND, words)


def test_every_command_of_the_package_is_shown() -> None:
    shown = {shlex.split(command)[1] for command in commands()}
    assert shown == set(COMMANDS) - {"completion", "doctor", "metrics", "tokenizers", "meteor-data"}
