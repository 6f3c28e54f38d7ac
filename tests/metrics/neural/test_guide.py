"""The guide of neural metrics has commands, names and options that exist."""

from __future__ import annotations

import ast
import re
import shlex
from importlib import import_module

import pytest

from bleuet.cli.main import COMMANDS, read_arguments
from bleuet.metrics.catalogue import NEURAL, find_metric, is_neural, known_name, parse_metric
from bleuet.metrics.neural.published_models import OF_METRICS
from tests.evaluation_data import REPOSITORY

DOCS = REPOSITORY / "docs"
GUIDE = "\n".join(
    (DOCS / name).read_text("utf-8")
    for name in ("neural.md", *(f"metrics/{metric}.md" for metric in NEURAL))
)
BLOCKS = re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", GUIDE)
LINES = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines()]
# Commands that name files, which need not be there.
SCORING = [line for line in LINES if line.startswith("bleuet") and " -m " in line]


def test_the_guide_has_commands() -> None:
    assert len(SCORING) >= 6


@pytest.mark.parametrize("line", SCORING)
def test_commands_can_be_read(line: str) -> None:
    _, name, *rest = shlex.split(line)
    args = read_arguments(import_module(COMMANDS[name][0]).COMMAND, rest)
    assert any(map(is_neural, args.metrics))
    for word in args.metrics:
        parse_metric(word)


def test_code_can_be_parsed() -> None:
    code = [block for kind, block in BLOCKS if kind == "python"]
    assert len(code) >= 2
    for block in code:
        ast.parse(block)


def test_every_option_is_in_the_table() -> None:
    (table,) = re.findall(r"(?ms)^\| option \| of .*?\n\n", GUIDE)
    rows = table.strip().splitlines()[2:]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    declared = {one.name for name in NEURAL for one in find_metric(name).options}
    assert named == declared


def test_every_published_model_is_in_the_table() -> None:
    (table,) = re.findall(r"(?ms)^\| names \| what .*?\n\n", GUIDE)
    beginnings = tuple(one.rstrip("…") for one in re.findall(r"`([\w.-]+…)`", table))
    for name in OF_METRICS:
        assert f"`{name}`" in table or name.startswith(beginnings), name
    for alias in ("cometkiwi", "xcomet"):
        assert f"(`{alias}`)" in table
        assert known_name(alias) in table
