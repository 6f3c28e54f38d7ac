"""The plain reader returns what the parser returns, or leaves the words to the parser."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bleuet.cli.arguments import score_parser
from bleuet.cli.given import GENERAL, Given, read_plainly
from bleuet.errors import OptionError

WORDS = ["ref.txt", "a.txt", "-", "-i", "--input", "-m", "--metrics", "bleu", "chrf", ""]
MORE = ["--", "-q", "-w", "2", "--input=a", "-ia", "--lowercase", "-5", "--me", "a b", "-x y"]


def general(one: Given) -> dict[str, object]:
    values = {name: getattr(one, name) for name in sorted(GENERAL)}
    return {name: list(v) if isinstance(v, list | tuple) else v for name, v in values.items()}


@settings(max_examples=1500)
@given(st.lists(st.sampled_from(WORDS * 3 + MORE), max_size=9))
def test_the_plain_reader_and_the_parser_agree(words: list[str]) -> None:
    plain = read_plainly(words)
    if plain is None:
        return
    try:
        parsed = score_parser().read(words)
    except OptionError as error:
        raise AssertionError(f"the parser refuses {words}: {error}") from error
    assert general(plain) == general(parsed)
    options = {name: v for name, v in vars(parsed).items() if name not in GENERAL}
    assert set(options.values()) == {None}


def test_plain_commands_are_read_plainly() -> None:
    for words in (["r"], ["r", "-i", "a"], ["r", "s", "-i", "a", "b", "-m", "bleu", "ter"]):
        assert read_plainly(words) is not None, words


def test_anything_else_is_left_to_the_parser() -> None:
    for words in (["r", "-q"], ["-h"], ["r", "-i"], ["r", "-i", "-m", "bleu"], ["r", "--", "s"]):
        assert read_plainly(words) is None, words
