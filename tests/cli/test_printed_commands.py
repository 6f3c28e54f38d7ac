"""Every command that is printed for people to run can be run."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from itertools import cycle
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.cli.main import COMMANDS, HELP, main
from bleuet.errors import InputError
from tests.commands import (
    UNKNOWN,
    Printed,
    commands_of_documents,
    commands_of_make,
    printed_commands,
)
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow
WRONG_USAGE = 2
EVERY = printed_commands()
# What a person writes for what a message leaves open.
FILES = {
    "REF": ["ref.txt"],
    "REFERENCE": ["ref.txt"],
    "HYP": ["a.txt", "b.txt"],
    "SYSTEM": ["a.txt", "b.txt"],
    "SYS": ["a.txt", "b.txt"],
    "OLD": ["a.txt"],
    "NEW": ["b.txt"],
    "LIST": ["nbest.txt"],
    "NAME": ["bleu"],
    UNKNOWN: ["a.txt"],
}


def filled(words: tuple[str, ...]) -> list[str]:
    """Return a command with files in the places of its placeholders."""
    left = {name: cycle(files) for name, files in FILES.items()}
    made = []
    for before, word in zip(("", *words), words, strict=False):
        if word == UNKNOWN and before in ("-m", "--metrics"):
            made.append("bleu")
        else:
            made.append(next(left[word]) if word in left else word)
    return made


def identified(commands: list[Printed]) -> list[Any]:
    """Return each command once, as parameters."""
    places = {command.words: command.place for command in reversed(commands)}
    return [
        pytest.param(words, id=f"{place.rpartition('/')[2]} {' '.join(words)[:60]}")
        for words, place in sorted(places.items())
    ]


def check_options(words: tuple[str, ...]) -> None:
    """Check that a command has the options that a sentence names."""
    command = getattr(import_module(COMMANDS[words[0]][0]), "COMMAND", None)
    if command is not None:
        names = {name for flag in command.flags for name in flag.names} | {*HELP}
        options = [word.partition("=")[0] for word in words if word.startswith("-")]
        assert [option for option in options if option not in names] == []


def check_usage(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command that is whole; of others, look at the options."""
    check_options(words)
    if Printed("", words).is_whole:
        command = filled(words)
        code = main(command)
        assert code != WRONG_USAGE, (command, capsys.readouterr().err)


@pytest.fixture
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with texts, and a server that only notes what it compares."""

    class Server:
        invitation = ""

        def __init__(self, *_: Any, **__: Any) -> None: ...

        def __enter__(self) -> Server:
            return self

        def __exit__(self, *_: object) -> None: ...

        def compare(self, references: Any, systems: Any, *_: Any) -> None:
            assert references
            assert systems

        def run(self) -> None: ...

    monkeypatch.setitem(sys.modules, "bleuet.web.server", SimpleNamespace(Server=Server))

    def unreachable(address: str) -> Any:
        # Arrow would look for the store for six seconds.
        raise InputError(f"{address} cannot be opened")

    monkeypatch.setattr("bleuet.text.addresses.filesystem_of", unreachable)
    lines = [f"It rains on day {number} of this long month.\n" for number in range(40)]
    for name in ("ref", "ref1", "ref2", "reference", "refA", "new", "b", "samples", "speech"):
        (folder / f"{name}.txt").write_text("".join(lines))
    for name in ("system", "old", "a", "c", "mine", "theirs", "output", "north", "south"):
        (folder / f"{name}.txt").write_text("".join(lines).replace("rains", "rained"))
    (folder / "nbest.txt").write_text(
        "".join(
            f"{number} ||| {text} ||| a= {place} b= 1 ||| {place}\n"
            for number, line in enumerate(lines)
            for place, text in enumerate((line.strip(), line.replace("rains", "rained").strip()))
        )
    )
    (folder / "domains.txt").write_text("news\ntalks\n" * 20)
    (folder / "data.jsonl").write_text(
        "".join(
            json.dumps({"reference": text, "candidates": [text, "no"], "samples": [text, "no"]})
            + "\n"
            for text in map(str.strip, lines)
        )
    )
    return folder


# Their texts are options, too: the calculator's command has a test of its own.
ELSEWHERE = ("explain", UNKNOWN, "-m", UNKNOWN)


@pytest.mark.parametrize("words", identified([one for one in EVERY if one.words != ELSEWHERE]))
def test_what_the_program_prints_is_no_wrong_usage(
    words: tuple[str, ...], files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_usage(words, capsys)


@pytest.mark.parametrize("words", identified(commands_of_make()))
def test_targets_of_the_makefile_run(
    words: tuple[str, ...], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(REPOSITORY)
    assert main([*words]) == 0


@pytest.mark.parametrize("words", identified(commands_of_documents()))
def test_what_documents_print_is_no_wrong_usage(
    words: tuple[str, ...], files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_usage(words, capsys)


def test_the_collection_sees_what_is_printed() -> None:
    printed = {command.words for command in EVERY}
    assert ("score", "REF", "-i", "HYP", "-m", UNKNOWN) in printed
    assert ("serve", "REF", "-i", "SYSTEM", "SYSTEM") in printed
    assert ("explain", UNKNOWN, "-m", UNKNOWN) in printed
    assert {words[0] for words in printed} == COMMANDS.keys() - {"tokenizers"}
    assert len(printed) > 100
    assert len(commands_of_make()) == 2


def test_the_command_of_the_calculator_has_its_score(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shlex

    from bleuet.web.calculation import calculate

    texts = 'It\'s "raining" -- here', ["--it rains $here", "It rains"]
    for word in ("bleu", "chrf:word_order=2", "ter"):
        (answer,) = calculate(*texts, metrics=[word])["metrics"]
        program, *words = shlex.split(answer["command"])
        assert program == "bleuet"
        assert main([*words, "-f", "json"]) == 0
        assert f"{answer['score']}" in capsys.readouterr().out
    assert os.getcwd() == str(files)
