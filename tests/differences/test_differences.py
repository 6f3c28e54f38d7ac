"""Drawn commands say the same with the same product, and something else with a fault."""

from __future__ import annotations

import json
import shutil
from random import Random
from typing import TYPE_CHECKING

import pytest

from bleuet.cli.main import COMMANDS
from tests.differences.__main__ import Difference, differences, package_of, said_by
from tests.differences.drawing import LEFT_OUT, Words, draw_lines, known_lines
from tests.planted.faults import ROOT, read_faults

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


def test_words_of_a_command() -> None:
    words = Words.read("score 'my ref.txt' -i a.txt b.txt --weights -1 .5 -q")
    assert words.command == "score"
    assert words.begin == ["score", "my ref.txt"]
    assert words.options == [["-i", "a.txt", "b.txt"], ["--weights", "-1", ".5"], ["-q"]]
    assert Words.read(words.line()) == words
    with pytest.raises(ValueError, match="begin with a command"):
        Words.read("-i a.txt")


def test_a_seed_draws_commands_of_every_kind() -> None:
    lines = draw_lines(400, Random(3))
    assert lines == draw_lines(400, Random(3)) != draw_lines(400, Random(4))
    assert len(set(lines)) == 400
    assert {Words.read(line).command for line in lines} == set(COMMANDS) - LEFT_OUT
    # Most have what no test has: options or values of other commands.
    assert len(set(lines) & set(known_lines())) < 150


def test_a_fault_is_a_difference(tmp_path: Path) -> None:
    drawn = [line for line in draw_lines(600, Random(1)) if line.startswith("score")][:15]
    # The options of a preset are not those that are given with it.
    (fault,) = (one for one in read_faults("options") if one.within == "parse_metric")
    changed = "score ref.txt -i a.txt -m chrf++:word_order=1"
    lines = tmp_path / "lines.json"
    lines.write_text(json.dumps([*drawn, changed]), encoding="utf-8")
    shutil.copytree(ROOT / "src", tmp_path / "src")
    (tmp_path / "now").mkdir()
    now = said_by(package_of(str(ROOT), tmp_path), lines, tmp_path / "now")
    file = tmp_path / fault.file
    file.write_text(fault.planted_in(file.read_text(encoding="utf-8")), encoding="utf-8")
    before = said_by(package_of(str(tmp_path), tmp_path), lines, tmp_path)
    assert len(before) == len(drawn) + 1
    assert all("standard output" in said or "errors" in said for said in before.values())
    assert differences(now, now) == []
    shown = {difference.line: difference for difference in differences(before, now)}[changed]
    assert shown.parts == ["standard output"]
    assert shown.text().startswith(f"bleuet {changed}\n  standard output:\n")


def test_what_differs_is_shown_by_part() -> None:
    difference = Difference(
        "score x",
        {"exit code": "0", "standard output": "1\n2\n"},
        {"exit code": "1", "errors": "no"},
    )
    assert difference.parts == ["exit code", "standard output", "errors"]
    assert difference.text().splitlines() == [
        "bleuet score x",
        "  exit code:", "    @@ -1 +1 @@", "    -0", "    +1",
        "  standard output:", "    @@ -1,2 +0,0 @@", "    -1", "    -2",
        "  errors:", "    @@ -0,0 +1 @@", "    +no",
    ]  # fmt: skip
