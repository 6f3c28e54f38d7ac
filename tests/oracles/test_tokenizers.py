"""The kernel's tokenizers and their Python equivalents, token for token against sacreBLEU's."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
import regex  # type: ignore[import-untyped,unused-ignore]
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from bleuet.statistics.python_backend import counters as python_backend
from bleuet.text.tokenizers import TOKENIZERS, tercom, unicode_ranges
from tests.backends import HAS_KERNEL, kernel
from tests.oracles import fuzz
from tests.oracles.sacrebleu_peer import forget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PEERS: dict[str, Any] = {
    name: kind()  # type: ignore[no-untyped-call]
    for name, kind in {
        "13a": Tokenizer13a,
        "none": NoneTokenizer,
        "char": TokenizerChar,
        "intl": TokenizerV14International,
        "zh": TokenizerZh,
    }.items()
}
every_tokenizer = pytest.mark.parametrize("name", PEERS)
every_program = pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "kernel",
            marks=pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built"),
        ),
        "python",
    ],
)


@pytest.fixture(autouse=True)
def _bounded_memory() -> Iterator[None]:
    yield
    forget()


def tokens_of(program: str) -> Callable[[str, str], list[str]]:
    found: Callable[[str, str], list[str]] = (
        kernel().tokenize if program == "kernel" else python_backend.tokenize
    )
    return found


def their_tokens(name: str, line: str) -> list[str]:
    tokens: list[str] = PEERS[name](line.rstrip()).split()
    return tokens


def assert_equal(program: str, name: str, lines: Iterator[str]) -> int:
    ours, compared = tokens_of(program), 0
    for line in lines:
        assert ours(name, line) == their_tokens(name, line), (name, line)
        compared += 1
    return compared


def all_strings(alphabet: str, longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        for letters in product(alphabet, repeat=length):
            yield "".join(letters)


def test_all_tokenizers_of_the_kernel_are_here() -> None:
    in_both = {t.name for t in TOKENIZERS.values() if t.in_kernel and t.in_sacrebleu}
    assert set(PEERS) == in_both


@every_program
def test_13a_on_all_strings_up_to_length_5(program: str) -> None:
    alphabet = "a1.,- &/é"
    strings = sum(len(alphabet) ** n for n in range(6))
    assert assert_equal(program, "13a", all_strings(alphabet, 5)) == strings


@every_program
@every_tokenizer
def test_all_strings_up_to_length_4(program: str, name: str) -> None:
    alphabet = "a1.,- &你\n«"
    strings = sum(len(alphabet) ** n for n in range(5))
    assert assert_equal(program, name, all_strings(alphabet, 4)) == strings


@every_program
@every_tokenizer
def test_markup_in_all_orders(program: str, name: str) -> None:
    pieces = ["&quot;", "&amp;", "&lt;", "gt;", "<skipped>", "-", "\n", "<", "a", "1", "."]
    assert assert_equal(program, name, map("".join, product(pieces, repeat=4))) == len(pieces) ** 4


# Where Unicode has grown since the regex module at hand, the newer characters are not compared.
MADE_WITH = re.search(r"regex ([\d.]+)", unicode_ranges.__doc__ or "")


def is_unknown_to_them(character: str) -> bool:
    assert MADE_WITH is not None
    theirs, ours = (
        tuple(map(int, version.split("."))) for version in (regex.__version__, MADE_WITH[1])
    )
    return theirs < ours and bool(regex.match(r"\p{Cn}", character))


def code_points(stride: int) -> Iterator[list[str]]:
    """Every character up to U+2FFFF and, beyond, where nearly nothing is assigned, some.

    They come in groups, as one call on many lines is less work than many calls.
    """
    chosen = [*range(0x30000), *range(0x30000, 0x110000, stride)]
    for start in range(0, len(chosen), 256):
        yield [chr(c) for c in chosen[start : start + 256]]


def in_contexts(characters: list[str]) -> str:
    return " ".join(f"{c} a{c}b 1{c}2" for c in characters)


@every_program
@pytest.mark.parametrize("name", ["intl", "zh", "13a", "char"])
def test_every_code_point_alone_and_between_letters_and_digits(program: str, name: str) -> None:
    every_one = program == "kernel" and name in ("intl", "zh")
    ours, compared = tokens_of(program), 0
    for group in code_points(stride=1 if every_one else 97):
        line = in_contexts(group)
        if ours(name, line) != their_tokens(name, line):
            for c in group:
                same = ours(name, in_contexts([c])) == their_tokens(name, in_contexts([c]))
                assert same or is_unknown_to_them(c), f"U+{ord(c):04X}"
        compared += len(group)
    assert compared == 0x110000 if every_one else compared > 0x30000


@every_program
@every_tokenizer
def test_seeded_texts(program: str, name: str) -> None:
    pairs = min(20_000, fuzz.PAIRS)
    hypotheses, _ = fuzz.segments(99, pairs)
    assert assert_equal(program, name, iter(hypotheses)) == pairs


@every_program
@every_tokenizer
def test_sequences_longer_than_any_block(program: str, name: str) -> None:
    """Marks at every offset around the 16 bytes that the kernel classifies at a time."""
    marks = [".", ",", "-", "&amp;", " ", "é", "你", "€", "\x85", "\u2028", "😀", "\ud800"]
    lines = (
        f"{filler * offset}{mark}{filler * 20}{mark}{tail}"
        for filler in ("a", "1", "é")
        for offset in range(35)
        for mark in marks
        for tail in ("", "1", "a")
    )
    assert assert_equal(program, name, lines) == 3 * 35 * len(marks) * 3


TERCOM_OPTIONS = [
    dict(zip(("normalized", "no_punct", "asian_support"), flags, strict=True))
    for flags in product((False, True), repeat=3)
]


@pytest.mark.parametrize("options", TERCOM_OPTIONS, ids=str)
def test_tercom(options: dict[str, bool]) -> None:
    peer = TercomTokenizer(**options, case_sensitive=True)
    lines = list(all_strings("a1.,- '你", 4)) + fuzz.segments(98, min(10_000, fuzz.PAIRS))[0]
    lines += ["a's", "a's b", "s'", "&quot;a&quot;", "a-\nb", "ーア。", "㈀㐀", "1-2 a-b"]
    for line in lines:
        assert tercom.tokenize(line, **options) == peer(line).split(), line
        twice = tercom.tokenize_segment(line, times=2, **options)
        assert twice == peer(peer(line.rstrip())).split() or "\n" in line, line


@pytest.mark.parametrize("options", TERCOM_OPTIONS, ids=str)
def test_tercom_on_every_code_point(options: dict[str, bool]) -> None:
    peer = TercomTokenizer(**options, case_sensitive=True)
    for group in code_points(stride=997):
        line = in_contexts(group)
        assert tercom.tokenize(line, **options) == peer(line).split(), group[0]
