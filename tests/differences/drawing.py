"""Commands that a seed draws from those that the tests of options run."""

from __future__ import annotations

import re
import shlex
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from bleuet.cli.options import FORMAT
from tests.cli import test_option_pairs
from tests.cli.every_option import texts
from tests.cli.test_every_option import LISTED
from tests.cli.test_shared_options import BASES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from random import Random

# Commands that ask, serve, download, or speak of this computer.
LEFT_OUT = {"serve", "tutorial", "doctor", "meteor-data", "completion"}
FLAG = re.compile(r"--?[A-Za-z]")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
NUMBERS = ("0", "1", "2", "3", "0.5", "1.5", "100", "-1", "nan")
SHARED = (
    *(["-f", name] for name in FORMAT.choices),
    *(["-w", digits] for digits in ("0", "1", "5")),
    ["-q"], ["--short"], ["-t", "2"], ["--lowercase"], ["--documents", "docs.txt"],
    ["--confidence"], ["-m", "ter", "bleu"], ["-m", "chrf:word_order=2"],
)  # fmt: skip
# The command that has no option of its own.
SACREBLEU = (
    "sacrebleu ref.txt -i a.txt",
    "sacrebleu ref.txt -i a.txt -m bleu chrf ter --confidence --confidence-n 20 -w 3 --short",
    "sacrebleu ref.txt ref2.txt -i a.txt b.txt c.txt -m bleu chrf --paired-bs --paired-bs-n 20",
    "sacrebleu ref.txt -i a.txt b.txt -m ter --paired-ar --paired-ar-n 20 -f text -lc",
    "sacrebleu ref.txt -i a.txt -s -m chrf --chrf-word-order 2 -b",
)
# Files of lines that are easily misread: their endings, marks, empty lines and quotes.
UNUSUAL = {
    "unusual.txt": "\ufeffThe boat is green.\r\n\r\nShe said \"no\".\t\n" + "The same line.\n" * 15,
    "unusual-ref.txt": "The boat is Green.\n \nShe said no.\n" + "The same  line\n" * 14 + "End",
    "unusual.tsv": 'id\tref\ta\n1\t"The ""boat"""\t"The boat"\n2\t""\tno\n3\tyes\t"yes\n"\n',
    "unusual.csv": "ref,a\n\"one, two\",one two\nthree;four,\n",
    "unusual.jsonl": '{"ref": "one", "a": "one"}\n{"ref": ["two", "2"], "a": null}\n',
}  # fmt: skip


class Words(NamedTuple):
    """A command: what stands before its options, and each option with its values."""

    begin: list[str]
    options: list[list[str]]

    @classmethod
    def read(cls, line: str) -> Words:
        """Return the words of a line."""
        begin, *options = _divided(shlex.split(line))
        return cls(begin, options)

    @property
    def command(self) -> str:
        """The name of the command."""
        return self.begin[0]

    def line(self) -> str:
        """Return the line of a command."""
        return shlex.join([*self.begin, *(word for option in self.options for word in option)])


def _divided(words: list[str]) -> Iterator[list[str]]:
    flags = 0
    numbered = []
    for word in words:
        flags += bool(FLAG.match(word))
        numbered.append((flags, word))
    if not numbered or numbered[0][0]:
        raise ValueError(f"a line must begin with a command, not {words}")
    for _, group in groupby(numbered, key=lambda pair: pair[0]):
        yield [word for _, word in group]


def known_lines() -> list[str]:
    """Return the lines that the tests of options run."""
    lines = [*BASES.values(), *SACREBLEU]
    for _, _, case in LISTED:
        lines += [case.without, case.given, *([case.like] if case.like else [])]
    for command in ("score", "significance", "compare", "gate", "mbr", "meta", "tune"):
        options: Mapping[str, list[str]] = getattr(test_option_pairs, command.upper())
        (_, references), *others = options.items()
        lines += [f"{command} {first}" for first in references]
        basis = f"{command} {references[0]} {others[0][1][0]}"
        lines += [
            f"{basis} {value}" for _, values in others for value in values if value[:1] == "-"
        ]
    return sorted({line for line in lines if line.split()[0] not in LEFT_OUT})


def draw_lines(number: int, random: Random) -> list[str]:
    """Draw commands: each of those that tests run, with options and values of others.

    Args:
        number: how many, all of them different.
        random: what draws.
    """
    by_command: dict[str, list[Words]] = {}
    for line in known_lines():
        words = Words.read(line)
        by_command.setdefault(words.command, []).append(words)
    files = sorted([*texts(), *UNUSUAL, *(f"mark/{name}" for name in texts())])
    lines: dict[str, None] = {}
    while len(lines) < number:
        known = by_command[random.choice(sorted(by_command))]
        lines[_changed(random.choice(known), known, files, random).line()] = None
    return list(lines)


def _changed(words: Words, known: Iterable[Words], files: list[str], random: Random) -> Words:
    pool = [*(option for other in known for option in other.options), *SHARED]
    options = [*words.options, *random.sample(pool, random.choice((0, 1, 1, 2, 2, 3)))]
    groups = [words.begin, *{option[0]: option for option in options}.values()]
    if len(groups) > 1 and random.random() < 0.1:
        del groups[random.randrange(1, len(groups))]
    if random.random() < 0.5:
        place = random.randrange(len(groups))
        group = groups[place]
        if len(group) > 1:
            at = random.randrange(1, len(group))
            groups[place] = [*group[:at], _other(group[at], files, random), *group[at + 1 :]]
    return Words(groups[0], groups[1:])


def _other(word: str, files: list[str], random: Random) -> str:
    """Return another value of the kind of a word."""
    if NUMBER.fullmatch(word):
        return random.choice(NUMBERS)
    name, equals, path = word.rpartition("=")
    ending = PurePosixPath(path.partition(":")[0]).suffix
    fitting = [file for file in files if ending and PurePosixPath(file).suffix == ending]
    return f"{name}{equals}{random.choice(fitting)}" if fitting else word
