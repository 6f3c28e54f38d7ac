"""Arguments that are read without a parser are what the parser returns, or are left to it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.cli.main import _read_plain
from bleuet.cli.parser import parse
from bleuet.cli.score import COMMAND
from bleuet.errors import OptionError
from tests.effort import examples

WORDS = ["ref.txt", "a.txt", "-", "-i", "--input", "-m", "--metrics", "bleu", "chrf", ""]
MORE = ["--", "-q", "-w", "2", "--input=a", "-ia", "--lowercase", "-5", "--me", "a b", "-x y"]


def values(found: dict[str, Any]) -> dict[str, object]:
    return {name: list(v) if isinstance(v, list | tuple) else v for name, v in found.items()}


@examples(1500)
@given(st.lists(st.sampled_from(WORDS * 3 + MORE), max_size=9))
@pytest.mark.slow
def test_plain_reading_and_the_parser_agree(words: list[str]) -> None:
    plain = _read_plain(COMMAND, words)
    if plain is None:
        return
    try:
        parsed = parse(COMMAND, words)
    except OptionError as error:
        raise AssertionError(f"the parser rejects {words}: {error}") from error
    assert values(plain) == values(parsed)


def test_plain_commands_are_read_without_a_parser() -> None:
    for words in (["r"], ["r", "-i", "a"], ["r", "s", "-i", "a", "b", "-m", "bleu", "ter"]):
        assert _read_plain(COMMAND, words) is not None, words


def test_anything_else_is_left_to_the_parser() -> None:
    for words in (["r", "-q"], ["-h"], ["r", "-i"], ["r", "-i", "-m", "bleu"], ["r", "--", "s"]):
        assert _read_plain(COMMAND, words) is None, words
