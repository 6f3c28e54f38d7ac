"""The kernel's tokenizers and their Python equivalents, token for token against sacreBLEU's."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.statistics.definitions import plain_python
from bleuet.text.tokenizers import TOKENIZERS, tercom, unicode_ranges
from tests.backends import HAS_KERNEL, kernel
from tests.effort import is_fuzzing
from tests.oracles import fuzz
from tests.oracles.sacrebleu_peer import forget, peer_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.peers
NAMES = ("13a", "none", "char", "intl", "zh")
every_tokenizer = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def _bounded_memory() -> Iterator[None]:
    yield
    forget()


def our_tokenizers() -> list[Callable[[str, str], list[str]]]:
    """The kernel's, if it is built, and Python's."""
    return [*([kernel().tokenize] if HAS_KERNEL else []), plain_python.tokenize]


@cache
def their_tokenizer(name: str) -> Any:
    return peer_tokenizer(f"tokenizer_{name}")()


def their_tokens(name: str, line: str) -> list[str]:
    tokens: list[str] = their_tokenizer(name)(line.rstrip()).split()
    return tokens


def assert_equal(name: str, lines: Iterator[str]) -> int:
    programs, compared = our_tokenizers(), 0
    for line in lines:
        theirs = their_tokens(name, line)
        for ours in programs:
            assert ours(name, line) == theirs, (name, line, ours)
        compared += 1
    return compared


def all_strings(alphabet: str, longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        for letters in product(alphabet, repeat=length):
            yield "".join(letters)


def test_all_tokenizers_of_the_kernel_are_here() -> None:
    in_both = {t.name for t in TOKENIZERS.values() if t.in_kernel and t.in_sacrebleu}
    assert set(NAMES) == in_both


def test_13a_on_all_strings_up_to_length_5() -> None:
    alphabet = "a1.,- &/é"
    strings = sum(len(alphabet) ** n for n in range(6))
    assert assert_equal("13a", all_strings(alphabet, 5)) == strings


@every_tokenizer
def test_all_strings_up_to_length_4(name: str) -> None:
    alphabet = "a1.,- &你\n«"
    strings = sum(len(alphabet) ** n for n in range(5))
    assert assert_equal(name, all_strings(alphabet, 4)) == strings


@every_tokenizer
def test_markup_in_all_orders(name: str) -> None:
    pieces = ["&quot;", "&amp;", "&lt;", "gt;", "<skipped>", "-", "\n", "<", "a", "1", "."]
    assert assert_equal(name, map("".join, product(pieces, repeat=4))) == len(pieces) ** 4


# Where Unicode has grown since the regex module at hand, the newer characters are not compared.
MADE_WITH = re.search(r"regex ([\d.]+)", unicode_ranges.__doc__ or "")


def is_unknown_to_them(character: str) -> bool:
    assert MADE_WITH is not None
    regex: Any = import_module("regex")
    theirs, ours = (
        tuple(map(int, version.split("."))) for version in (regex.__version__, MADE_WITH[1])
    )
    return theirs < ours and bool(regex.match(r"\p{Cn}", character))


def code_points(stride: int) -> Iterator[list[str]]:
    """Every character up to U+2FFFF and, beyond, where nearly nothing is assigned, some.

    They come in groups, as one call on many lines is less work than many calls.
    """
    chosen = [*range(0x30000), *range(0x30000, 0x110000, 1 if is_fuzzing() else stride)]
    for start in range(0, len(chosen), 256):
        yield [chr(c) for c in chosen[start : start + 256]]


def in_contexts(characters: list[str]) -> str:
    return " ".join(f"{c} a{c}b 1{c}2" for c in characters)


@pytest.mark.parametrize("name", ["intl", "zh", "13a", "char"])
def test_every_code_point_alone_and_between_letters_and_digits(name: str) -> None:
    programs, compared = our_tokenizers(), 0
    for group in code_points(stride=97):
        line = in_contexts(group)
        theirs = their_tokens(name, line)
        for ours in programs:
            if ours(name, line) != theirs:
                for c in group:
                    same = ours(name, in_contexts([c])) == their_tokens(name, in_contexts([c]))
                    assert same or is_unknown_to_them(c), (f"U+{ord(c):04X}", ours)
        compared += len(group)
    assert compared > 0x30000


def test_intl_of_every_code_point() -> None:
    """The kernel's and sacreBLEU's are quick enough for all of them.

    > sacreBLEU uses the installed version of the library `regex`.
    """
    ours = our_tokenizers()[0]
    for group in code_points(stride=1):
        line = in_contexts(group)
        if ours("intl", line) != their_tokens("intl", line):
            for c in group:
                same = ours("intl", in_contexts([c])) == their_tokens("intl", in_contexts([c]))
                assert same or is_unknown_to_them(c), f"U+{ord(c):04X}"


@every_tokenizer
def test_seeded_texts(name: str) -> None:
    pairs = fuzz.pairs(20_000)
    hypotheses, _ = fuzz.segments(99, pairs)
    assert assert_equal(name, iter(hypotheses)) == pairs


@every_tokenizer
def test_sequences_longer_than_any_block(name: str) -> None:
    """Marks at every offset around the 16 bytes that the kernel classifies at a time."""
    marks = [".", ",", "-", "&amp;", " ", "é", "你", "€", "\x85", "\u2028", "😀", "\ud800"]
    lines = (
        f"{filler * offset}{mark}{filler * 20}{mark}{tail}"
        for filler in ("a", "1", "é")
        for offset in range(35)
        for mark in marks
        for tail in ("", "1", "a")
    )
    assert assert_equal(name, lines) == 3 * 35 * len(marks) * 3


TERCOM_OPTIONS = [
    dict(zip(("normalized", "no_punct", "asian_support"), flags, strict=True))
    for flags in product((False, True), repeat=3)
]


@pytest.mark.parametrize("options", TERCOM_OPTIONS, ids=str)
def test_tercom(options: dict[str, bool]) -> None:
    peer = peer_tokenizer("tokenizer_ter")(**options, case_sensitive=True)
    lines = list(all_strings("a1.,- '你", 4)) + fuzz.segments(98, fuzz.pairs(10_000))[0]
    lines += ["a's", "a's b", "s'", "&quot;a&quot;", "a-\nb", "ーア。", "㈀㐀", "1-2 a-b"]
    for line in lines:
        assert tercom.tokenize(line, **options) == peer(line).split(), line
        twice = tercom.tokenize_segment(line, times=2, **options)
        assert twice == peer(peer(line.rstrip())).split() or "\n" in line, line


# Two flags at a time; what a flag does by itself the strings above show.
@pytest.mark.parametrize(
    "options", [one for one in TERCOM_OPTIONS if sum(one.values()) == 2], ids=str
)
def test_tercom_on_every_code_point(options: dict[str, bool]) -> None:
    peer = peer_tokenizer("tokenizer_ter")(**options, case_sensitive=True)
    for group in code_points(stride=997):
        line = in_contexts(group)
        assert tercom.tokenize(line, **options) == peer(line).split(), group[0]
