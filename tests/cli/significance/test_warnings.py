"""Warnings about few segments and about files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.significance.corpora import (
    FILES,
    Run,
    references,
    texts,
)
from tests.corpora import write_lines

pytestmark = pytest.mark.slow


def test_few_segments_have_a_note_that_quiet_does_not_hide(significance: Run) -> None:
    note = "40 segments are too few for a bootstrap, whose intervals are too narrow"
    assert note in significance(*FILES, "-q").out
    note = "40 segments are too few for a bootstrap, which finds differences too often"
    assert note in significance(*FILES, "--test", "bootstrap", "-q").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("significance",),
        ("compare", "--test", "bootstrap"),
        ("compare", "--test", "randomization"),
        ("score", "--confidence"),
    ],
)
def test_every_command_that_draws_says_so(run: Run, arguments: tuple[str, ...]) -> None:
    for segments, times in ((99, 1), (100, 0)):
        write_lines(Path("ref.txt"), references(segments))
        for name in "ab":
            write_lines(Path(f"{name}.txt"), texts(segments)[name])
        command, *more = arguments
        outcome = run(command, "ref.txt", "-i", "a.txt", "b.txt", "-m", "ter", *more)
        assert outcome.code == 0
        told = outcome.err if command == "score" else outcome.out
        assert told.count("too few for a bootstrap") == times
        quiet = run(command, "ref.txt", "-i", "a.txt", "b.txt", "-m", "ter", *more, "-q")
        assert quiet == (0, outcome.out, "")


def test_two_segments_show_no_difference(run: Run) -> None:
    write_lines(Path("two.txt"), ["The cat sat on the mat.", "It rains in the street today."])
    write_lines(Path("bad.txt"), ["A dog.", "Sun."])
    for command in ("significance", "compare"):
        test = ["--html", "page.html"] if command == "compare" else []
        out = run(command, "two.txt", "-i", "bad.txt", "two.txt", *test, "-f", "json").out
        found = json.loads(out)
        found = found.get("significance", found)
        assert found["test"] == "randomization"
        assert {one["significant"] for one in found["comparisons"]} == {False}


def test_problems_of_files_warn(significance: Run, run: Run) -> None:
    write_lines(Path("b.txt"), ["", *texts()["b"][1:]])
    assert "1 line of b.txt is empty" in run("significance", *FILES).err
    loud = run("significance", "ref.txt", "-i", "a.txt", "ref.txt")
    assert "ref.txt is both a system and a reference" in loud.err
