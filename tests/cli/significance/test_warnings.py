"""Warnings about few segments and about files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.significance.corpora import (
    FILES,
    RUN_WORDS,
    Run,
    references,
    texts,
)
from tests.corpora import write_lines


def test_few_segments_warn(significance: Run, run: Run) -> None:
    loud = run("significance", *FILES)
    assert loud.err == (
        "bleuet: warning: 40 segments are too few for a bootstrap, which finds differences too "
        "often: use 100 or more, or a randomization test (--quiet hides this)\n"
    )
    assert loud.out == significance(*FILES).out
    randomized = run("significance", *FILES, "--test", "randomization")
    assert "whose intervals are too narrow" in randomized.err
    assert run("significance", "ref.txt", *RUN_WORDS).err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("significance",),
        ("compare", "--test", "bootstrap"),
        ("compare", "--test", "randomization"),
        ("score", "--confidence"),
    ],
)
def test_every_command_that_draws_warns(run: Run, arguments: tuple[str, ...]) -> None:
    for segments, lines in ((99, 1), (100, 0)):
        write_lines(Path("ref.txt"), references(segments))
        for name in "ab":
            write_lines(Path(f"{name}.txt"), texts(segments)[name])
        command, *more = arguments
        outcome = run(command, "ref.txt", "-i", "a.txt", "b.txt", "-m", "ter", *more)
        assert outcome.code == 0
        assert outcome.err.count("\n") == lines
        assert outcome.err.count("too few for a bootstrap") == lines
        quiet = run(command, "ref.txt", "-i", "a.txt", "b.txt", "-m", "ter", *more, "-q")
        assert quiet == (0, outcome.out, "")


def test_problems_of_files_warn(significance: Run, run: Run) -> None:
    write_lines(Path("b.txt"), ["", *texts()["b"][1:]])
    assert "1 line of b.txt is empty" in run("significance", *FILES).err
    loud = run("significance", "ref.txt", "-i", "a.txt", "ref.txt")
    assert "ref.txt is both a system and a reference" in loud.err
