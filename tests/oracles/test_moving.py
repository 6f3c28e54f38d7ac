"""The guide to moving from other packages: both numbers of each row of its table.

`evaluate` downloads its programs, so its column is not computed here.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, NamedTuple

import pytest

import bleuet
from tests.evaluation_data import REPOSITORY

GUIDE = (REPOSITORY / "docs" / "moving.md").read_text(encoding="utf-8")
ROW = re.compile(r"(?m)^\| `(.+)` \| ([\d.e-]+) \| `(.+)` \| ([\d.e-]+) \|$")


class Row(NamedTuple):
    package: str
    their_call: str
    their_number: str
    our_call: str
    our_number: str


def rows() -> list[Row]:
    found = []
    package = ""
    for line in GUIDE.splitlines():
        if title := re.match(r"\| \*\*\[(\w+) ", line):
            package = title[1]
        if row := ROW.match(line):
            found.append(Row(package, *row.groups()))
    return found


ROWS = rows()


def sentences() -> dict[str, Any]:
    names: dict[str, Any] = {}
    block = re.search(r"(?s)>>> (h = .*?)\n>>> (r = .*?)\n\n", GUIDE)
    assert block is not None
    for text in block.groups():
        exec(text.replace("\n... ", "\n"), names)
    return names


def printed_like(stated: str, number: float) -> str:
    """A number in the form of another."""
    if "e" in stated:
        return f"{number:.0e}"
    return f"{number:.{len(stated.partition('.')[2])}f}"


def of_package(name: str) -> pytest.MarkDecorator:
    own = [row for row in ROWS if row.package == name]
    assert own
    return pytest.mark.parametrize("row", own, ids=lambda row: row.their_call)


def check(row: Row, *modules: str) -> None:
    names = sentences()
    for module in modules:
        loaded = import_module(module)
        names.update(vars(loaded))
        names[module.rpartition(".")[2]] = loaded
    for block in re.findall(r"(?s)```python\n((?!>>>).*?)```", GUIDE):
        setup = [line for line in block.splitlines() if "scorer." not in line]
        exec("\n".join(setup if row.package != "rouge_score" else block.splitlines()), names)
    found = float(eval(row.their_call, names))
    assert printed_like(row.their_number, found) == row.their_number


def test_every_row_is_read() -> None:
    assert len(ROWS) == sum(line.startswith("| `") for line in GUIDE.splitlines()) - 9
    assert len({row.package for row in ROWS}) == 5


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.their_call)
def test_our_column(row: Row) -> None:
    names = sentences()
    public = {name: getattr(bleuet, name) for name in bleuet.__all__}
    found = eval(row.our_call, {**public, **names})
    if isinstance(found, bleuet.Metric):
        found = found.corpus_score(names["h"], names["r"])
    assert printed_like(row.our_number, found.score) == row.our_number


@pytest.mark.peers
@of_package("rouge_score")
def test_rouge_score(row: Row) -> None:
    check(row, "rouge_score.rouge_scorer")


@pytest.mark.peers
@of_package("NLTK")
def test_nltk(row: Row) -> None:
    names = ("bleu_score", "chrf_score", "gleu_score", "nist_score", "ribes_score")
    check(row, *(f"nltk.translate.{name}" for name in names))


@pytest.mark.peers
@of_package("jiwer")
def test_jiwer(row: Row) -> None:
    check(row, "jiwer")


@pytest.mark.torch
@of_package("torchmetrics")
def test_torchmetrics(row: Row) -> None:
    check(row, "torchmetrics.text", "torchmetrics.text.rouge")
