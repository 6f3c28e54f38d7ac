"""Hints: a slip of the finger is understood for every name, and nothing is made up."""

from __future__ import annotations

import random
from importlib import import_module

import pytest

from bleuet.cli.main import COMMANDS
from bleuet.comparison.comparison import PARTS
from bleuet.comparison.division import DIVISIONS
from bleuet.evaluation.score_tables import ROLES
from bleuet.linting.checks import CHECKS
from bleuet.messages import near_names, nearest
from bleuet.meta_evaluation.statistics import STATISTICS
from bleuet.metrics import catalogue
from bleuet.metrics.catalogue import CATALOGUE, NAMES, parse_metric
from bleuet.output.rendering import FORMATS
from bleuet.text import tokenizers
from bleuet.text.tokenizers import TOKENIZERS


@pytest.fixture(scope="module")
def lists() -> dict[str, list[str]]:
    """Return all names that a person types, by where."""
    found = {
        "commands": list(COMMANDS),
        "metrics": list(NAMES),
        "tokenizers": list(TOKENIZERS),
        "formats": list(FORMATS),
        "checks": list(CHECKS),
        "statistics": list(STATISTICS),
        "divisions": list(DIVISIONS),
        "parts": list(PARTS),
        "roles": list(ROLES),
    }
    for name, entry in CATALOGUE.items():
        kind = entry.load()
        found[f"options of {name}"] = [one.name for one in kind.options]
        for one in kind.options:
            if one.choices:
                found[f"{name}:{one.name}"] = list(one.choices)
    for name, (module, _) in COMMANDS.items():
        command = getattr(import_module(module), "COMMAND", None)
        for flag in command.flags if command else ():
            if flag.choices:
                found[f"{name} {flag.name}"] = list(flag.choices)
        if command:
            found[f"flags of {name}"] = [
                flag.name for flag in command.flags if flag.name.startswith("--")
            ]
    return found


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def slips(name: str, draw: random.Random, number: int) -> set[str]:
    """Return a name with one slip of the finger, in several ways; digits stay as they are."""
    places = [at for at, mark in enumerate(name) if mark.isalpha()]
    found = set()
    for _ in range(number if places else 0):
        at = draw.choice(places)
        other = draw.choice(LETTERS)
        found |= {
            name[:at] + name[at + 1 :],
            name[:at] + other + name[at + 1 :],
            name[:at] + other + name[at:],
        }
        if at + 1 in places:
            found.add(name[:at] + name[at + 1] + name[at] + name[at + 2 :])
    return {slip for slip in found if len(slip) > 2}


@pytest.mark.slow
def test_a_slip_is_understood(lists: dict[str, list[str]]) -> None:
    for names in lists.values():
        draw = random.Random(1)
        for name in (name for name in names if len(name.strip("-")) > 2):
            for slip in slips(name, draw, 2):
                found = near_names(slip, names)
                # It may be as near to others, or another name itself.
                assert name in found or near_names(slip, [name]), (slip, name, found)
                assert found or len(names) > 3
                assert len(found) <= 3


def test_other_case_and_hyphens_are_understood(lists: dict[str, list[str]]) -> None:
    for names in lists.values():
        for name in names:
            for spelling in {name.upper(), name.replace("_", "-"), name.replace("-", "")}:
                assert name in near_names(spelling, names)


# Words of the field and others, none of which is any of these names or a form of one.
UNRELATED = [
    *("comet", "bertscore", "bleurt", "prism", "yisi"),
    *(
        "banana",
        "kitchen",
        "weather",
        "river",
        "translate",
        "evaluate",
        "neural",
        "corpus",
        "piano",
    ),
    *("transformer", "attention", "decoder", "gradient", "python", "numpy", "torch", "docker"),
    *("campus", "professor", "yes", "maybe", "monday", "purple", "umbrella", "xyzzy", "qwerty"),
    *("foo", "bar", "baz", "42", "3.14", "gpt", "model", "quality", "beam"),
]


@pytest.mark.slow
def test_an_unrelated_word_suggests_nothing(lists: dict[str, list[str]]) -> None:
    for where, names in lists.items():
        if where != "meteor:language":  # some word is near any code of two letters
            # A name that begins with the word, as python3 with python, is related.
            unrelated = [
                word for word in UNRELATED if not any(one.startswith(word) for one in names)
            ]
            assert {word: near for word in unrelated if (near := near_names(word, names))} == {}


@pytest.mark.parametrize(
    ("wanted", "names", "hint"),
    [
        ("chrfpp", ["chrf", "chrf++"], ""),
        ("v2", ["v1"], ""),
        ("system-12", ["system-1", "system-2"], ""),
        ("c.txt", ["a.txt", "b.txt"], ""),
        ("tau-d", ["tau-a", "tau-b", "tau-c", "tau-e"], ""),
        ("x" * 10**6, ["x" * 10**6 + "y"], ""),
        ("", ["a"], ""),
        ("\ud800", ["a"], ""),
    ],
)
def test_other_names_are_left_out(wanted: str, names: list[str], hint: str) -> None:
    assert nearest(wanted, names) == hint


@pytest.mark.parametrize("table", [catalogue, tokenizers])
def test_what_a_spelling_means_is_there(table: object) -> None:
    """Every word that people use for a name leads to what can be typed, and none is a name."""
    names = NAMES if table is catalogue else TOKENIZERS
    for word, meant in table.SPELLINGS.items():  # type: ignore[attr-defined]
        assert word not in names
        assert nearest(word.upper(), names, table.SPELLINGS) == (  # type: ignore[attr-defined]
            f" (did you mean {meant}?)" if meant else ""
        )
        first = meant.partition(" ")[0]
        if table is tokenizers:
            assert not meant or meant in names
        elif first == "bleuet":
            assert meant.split(" ")[1] in COMMANDS
        elif first and "flores" not in first:  # its model is not here
            parse_metric(first)
