"""The commands that the program, its pages, the Makefile and the documents print for people."""

from __future__ import annotations

import ast
import re
import shlex
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import bleuet
from bleuet.cli.main import COMMANDS
from tests.documents import BLOCK, DOCS, FOR_CONTRIBUTORS
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bleuet.cli.options import Flag

# What stands for a part of a text that only a run knows.
UNKNOWN = "UNKNOWN"
PRINTED = re.compile(rf"\bbleuet ({'|'.join(COMMANDS)})(?![\w-])((?:\\\n|[^\n`<])*)")
# What a module has that prints one, also where a string is split: few modules are parsed.
SPLIT = re.compile(rf"\bbleuet\W+(?:[fr]{{1,2}}[\"'])?(?:{'|'.join(COMMANDS)})\b")
# Where a command ends in a sentence, or in a list with explanations.
END = re.compile(r" {2,}|[,;:]\s|\.\s|\s[(|>&#]|[.,;:)\"]*$")
# A placeholder, a file, an option's value with a sign in it: no word of a sentence.
NO_PROSE = re.compile(r"[A-Z]+|.*[./=:*\d].*|-")
# Commands whose first words are names.
MOST_VALUES = 100
TAKE_NAMES = ("metrics", "completion")


class Printed(NamedTuple):
    """A command that is printed, and where.

    Attributes:
        place: the file, and the line where the text begins.
        words: what follows the program's name.
    """

    place: str
    words: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether it has references or an input, so that it can be run; others name an option."""
        first = self.words[1:2]
        return "-i" in self.words or any(map(NO_PROSE.fullmatch, first))


def commands_in(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    r"""Yield the line of each command in a text, from 0, and its words.

    >>> list(commands_in("write bleuet score REF -i HYP, or see\nbleuet align cuts them"))
    [(0, ('score', 'REF', '-i', 'HYP')), (1, ('align',))]
    """
    for found in PRINTED.finditer(text):
        rest = re.sub(r"\s*\\\n\s*", " ", found[2])
        end = END.search(rest.strip(), 0)
        yield (
            text.count("\n", 0, found.start()),
            (found[1], *_arguments(found[1], rest.strip()[: end.start() if end else None])),
        )


def _arguments(name: str, text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError:  # an apostrophe in a sentence
        words = text.split()
    flags = _flags(name)
    arguments: list[str] = []
    # How many words of letters alone can be values here.
    values = 1 if name in TAKE_NAMES else 0
    for word in words:
        if word.startswith("--") or re.fullmatch(r"-[a-z]{1,3}", word):
            values = _values(flags, word)
        elif word == "...":
            continue
        elif values:
            values -= 1
        elif not NO_PROSE.fullmatch(word):
            break
        arguments.append(word)
    return arguments


def _flags(name: str) -> dict[str, Flag]:
    """Return the flags of a command by each of their names."""
    command = getattr(import_module(COMMANDS[name][0]), "COMMAND", None)
    return {option: flag for flag in (command.flags if command else ()) for option in flag.names}


def _values(flags: dict[str, Flag], option: str) -> int:
    """Return how many values can follow an option; without declared flags any number."""
    flag = flags.get(option)
    if flag is None:
        return 0 if flags else MOST_VALUES
    if flag.kind in ("switch", "yes or no"):
        return 0
    return MOST_VALUES if flag.many in ("+", "*") else 1


@cache
def printed_commands() -> list[Printed]:
    """Return the commands in the texts of the package: messages, help, pages."""
    package = REPOSITORY / "src" / "bleuet"
    listed = []
    for file in sorted(package.rglob("*")):
        if file.suffix == ".py":
            texts = list(_strings(file))
        elif file.suffix in (".js", ".html", ".mjs"):
            texts = [(1, file.read_text(encoding="utf-8"))]
        else:
            continue
        listed += _located(file, texts)
    assert bleuet.__file__.startswith(str(package))
    return listed


def _located(file: Path, texts: list[tuple[int, str]]) -> list[Printed]:
    name = file.relative_to(REPOSITORY).as_posix()
    return [
        Printed(f"{name}:{start + line}", words)
        for start, text in texts
        for line, words in commands_in(text)
    ]


def _strings(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that are no docstrings."""
    source = file.read_text(encoding="utf-8")
    if not SPLIT.search(source):
        return
    skipped: set[int] = set()
    # The walk meets what holds a string before the string.
    for node in ast.walk(ast.parse(source)):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            if node.body and isinstance(node.body[0], ast.Expr):
                skipped.add(id(node.body[0].value))
            continue
        if isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
            parts = [
                part.value if isinstance(part, ast.Constant) else UNKNOWN for part in node.values
            ]
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def commands_of_make() -> list[Printed]:
    """Return the commands of bleuet that targets of the Makefile run."""
    text = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    return _located(REPOSITORY / "Makefile", [(1, text.replace("$(BIN)/bleuet", "bleuet"))])


def commands_of_documents() -> list[Printed]:
    """Return the commands in inline code, blocks of shell and templates of issues.

    Those of console blocks are run, and their output is compared.
    """
    listed = []
    pages = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
    for page in [*pages, *FOR_CONTRIBUTORS]:
        text = page.read_text(encoding="utf-8")
        texts = [
            (text.count("\n", 0, block.start(2)) + 1, block[2])
            for block in BLOCK.finditer(text)
            if block[1] in ("sh", "bash")
        ]
        without = BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
        texts += [
            (without.count("\n", 0, code.start()) + 1, code[1])
            for code in re.finditer(r"`(bleuet [^`]*)`", without)
        ]
        listed += _located(page, texts)
    return listed
