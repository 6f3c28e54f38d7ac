"""Lines of files are counted as the strings they are, by both backends."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.errors import InputError
from bleuet.metrics.chrf.definition import ChrfCounter
from bleuet.metrics.ter.definition import TerCounter
from bleuet.statistics.definitions import plain_python
from bleuet.text.segments import LINES, TEXT, TOKEN_IDS, TOKENS, Segments
from bleuet.text.source_texts import with_sources
from tests import effort
from tests.backends import counted_by, kernel
from tests.contract.settings import counted, every_metric
from tests.corpora.any_text import texts
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Callable

PIECES = [
    *(b"\n", b"a" * 13, "é".encode(), "漢".encode(), "😀".encode(), "\U0010ffff".encode()),
    *("\ud7ff\ue000\u0800\U00010000".encode(), b"\xc3", b"\xed\xa0\x80", b"\x80", b"\xf0\x9f"),
]
CHRF = {
    **{"char_order": 6, "word_order": 0, "beta": 2},
    **{"lowercase": False, "whitespace": False, "eps_smoothing": False},
}
TER = {
    **{"normalized": False, "no_punct": False, "asian_support": False},
    **{"lowercase": True, "tokenize_references_once": False},
}
pytestmark = pytest.mark.usefixtures("needs_kernel")


def as_line(text: str) -> str:
    """What of a text a file can hold in a line."""
    return text.replace("\n", "").encode("utf-8", "ignore").decode("utf-8")


def as_file(lines: list[str]) -> Segments:
    """Lines in blocks of one and more."""
    blocks = [lines[:1], lines[1:3], lines[3:]]
    utf8 = ["".join(f"{line}\n" for line in block).encode() for block in blocks]
    return Segments.of_lines(
        [(some, len(block)) for some, block in zip(utf8, blocks, strict=True) if block]
    )


rows = st.lists(st.tuples(*[texts.map(as_line)] * 3), min_size=1, max_size=6)


@every_metric
@examples(10)
@given(rows=rows, threads=st.integers(1, 2))
def test_lines_are_counted_as_strings(
    name: str, rows: list[tuple[str, str, str]], threads: int
) -> None:
    hypotheses, first, second = (list(column) for column in zip(*rows, strict=True))
    both = list(zip(first, second, strict=True))
    given = as_file(hypotheses)
    one = as_file(first)
    two = Segments.of_lines(*as_file(first).files, *as_file(second).files)
    for program in (kernel(), plain_python):
        with counted_by(program):
            for setting in counted(name):
                if setting.token_ids:
                    continue
                metric = setting.metric()
                if name == "errant":  # lines of plain files have no edits
                    with pytest.raises(InputError, match="came as texts"):
                        metric.count(given, with_sources(one, given))
                    continue
                for lines, strings in ((one, first), (two, both)):
                    if metric.reads_sources:
                        lines = with_sources(lines, as_file(hypotheses[::-1]))
                        strings = with_sources(strings, hypotheses[::-1]).tolist()
                    expected = metric.count(hypotheses, strings)
                    assert metric.count(given, lines, threads=threads) == expected, setting
                    prepared = metric.prepare_references(lines, threads=threads)
                    assert prepared.n_references == expected.n_references
                    assert metric.count(given, prepared, threads=threads) == expected, setting
                    assert metric.count(hypotheses, prepared) == expected, setting
                    assert metric.count(hypotheses, lines) == expected, setting
                    assert metric.count(given, strings) == expected, setting


@given(rows=rows, ending=st.sampled_from([b"\n", b".", b" .", b"a", "é".encode()]))
def test_lines_are_counted_by_their_ends(rows: list[tuple[str, ...]], ending: bytes) -> None:
    utf8 = b"".join(as_file([line for row in rows for line in row]).content[0])
    lines = utf8.split(b"\n")[:-1]
    whole = [line for line in lines if line.endswith(ending) or (ending == b"\n" and not line)]
    assert kernel().count_endings(utf8, ending) == len(whole)
    assert plain_python.count_endings(utf8, ending) == len(whole)


@given(st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(PIECES)).map(b"".join)))
def test_lines_are_checked_as_python_does(utf8: bytes) -> None:
    try:
        count = plain_python.count_lines(utf8)
    except ValueError:
        with pytest.raises(ValueError, match="not UTF-8"):
            kernel().count_lines(utf8)
    else:
        assert kernel().count_lines(utf8) == count == utf8.decode().count("\n")


# Those where the rules of UTF-8 change.
EDGES = bytes.fromhex("00 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 ff")


def is_accepted(check: Callable[[bytes], object], utf8: bytes) -> bool:
    try:
        check(utf8)
    except ValueError:
        return False
    return True


# The first of four bytes, and what reaches from one block of 64 bytes into the next.
STARTS = [b"\xf0", b"\xf1", b"\xf3", b"\xf4", b"\xf5", b"a" * 61, b"a" * 63, b"a" * 62 + b"\xf1"]


@pytest.mark.parametrize("before", [b"", *STARTS])
def test_all_short_sequences_of_edges_are_checked_as_python_does(before: bytes) -> None:
    for length in range(3 if effort.is_quick() else 4):
        for some in product(EDGES, repeat=length):
            utf8 = before + bytes(some)
            expected = is_accepted(bytes.decode, utf8)
            assert is_accepted(kernel().count_lines, utf8) == expected, utf8


@pytest.mark.parametrize("lines", [0, 1, 127, 128, 129, 255, 256, 257, 512, 1000, 65536])
def test_empty_lines_are_counted(lines: int) -> None:
    assert kernel().count_lines(b"\n" * lines) == lines


@pytest.mark.parametrize(
    "wrong", [b"a\xff\n", b"\xed\xa0\x80\n", b"\xc3", b"a\n\xf4\x90\x80\x80\n"]
)
def test_the_kernel_counts_nothing_but_utf8(wrong: bytes) -> None:
    counter = kernel().ChrfCounter(**CHRF)
    columns = bytearray(8 * 18 * len(wrong.splitlines()))
    for threads in (1, 3):
        with pytest.raises(ValueError, match="is not UTF-8"):
            counter.table(LINES, ((wrong,),), ((wrong,),), columns, bytearray(), threads=threads)
    with pytest.raises(ValueError, match="is not UTF-8"):
        counter.prepare(LINES, ((wrong,),))
    lowering = kernel().ChrfCounter(**{**CHRF, "lowercase": True})
    with pytest.raises(ValueError, match="can't decode"):
        lowering.table(LINES, ((wrong,),), ((wrong,),), columns, bytearray())


LINE = (b"a\n",)


@pytest.mark.parametrize(
    ("references", "error"),
    [
        *(
            ([], TypeError),
            (["a"], TypeError),
            ((), TypeError),
            (None, TypeError),
            ("a", TypeError),
        ),
        *((LINE, TypeError), ((LINE, "a"), TypeError), ((LINE, ()), ValueError)),
        *(((LINE, LINE + LINE), ValueError), ((LINE + LINE,), ValueError), (((b"",),), ValueError)),
    ],
)
def test_the_kernel_refuses_what_are_no_lines(references: object, error: type[Exception]) -> None:
    counter = kernel().TerCounter(**TER)
    with pytest.raises(error):
        counter.table(LINES, (LINE,), references, bytearray(8), bytearray(8))
    for hypotheses in (["a"], [b"a"], b"a", (b"a", "a"), ((b"a", "a"),), ("a",), ()):
        with pytest.raises(TypeError):
            counter.table(LINES, hypotheses, (LINE,), bytearray(8), bytearray(8))


def test_a_counter_has_all_its_options_by_name() -> None:
    wrong: list[dict[str, Any]] = [
        {},
        {**TER, "beta": 2},
        {**TER, "lowercase": "yes"},
        {**TER, "normalised": True},
    ]
    for options in wrong:
        with pytest.raises(TypeError, match="option"):
            kernel().TerCounter(**options)
    words = {"tokenizer": "14a", "lowercase": False}
    with pytest.raises(ValueError, match="unknown tokenizer 14a"):
        kernel().GleuCounter(min_ngram_order=1, max_ngram_order=4, **words)


def test_counters_know_the_kinds() -> None:
    numbers = bytearray(8 * 18)
    both: list[Any] = [kernel(), SimpleNamespace(TerCounter=TerCounter, ChrfCounter=ChrfCounter)]
    for program in both:
        ter, chrf = program.TerCounter(**TER), program.ChrfCounter(**CHRF)
        assert ter.row(TEXT, "a b", "a c") == ter.row(TOKEN_IDS, [1, 2], [[1, 3]]) == (1, 2.0)
        assert ter.row(TOKENS, "a b", ["a c", None]) == (1, 2.0)
        assert ter.table(TOKEN_IDS, [[1, 2]], [[[1, 3]]], bytearray(8), bytearray(8)) == 1
        for wrong in (1, [1], [["a"]], [None], []):
            with pytest.raises((TypeError, ValueError)):
                chrf.table(TEXT, ["a"], [wrong], numbers, bytearray())
    with pytest.raises(ValueError, match="unknown kind"):
        kernel().TerCounter(**TER).row("text ", "a", "a")
    with pytest.raises(ValueError, match="token ids"):
        kernel().ChrfCounter(**CHRF).row(TOKEN_IDS, [1], [[1]])
    with pytest.raises(ValueError, match="lines"):
        kernel().TerCounter(**TER).row(LINES, LINE, (LINE,))
