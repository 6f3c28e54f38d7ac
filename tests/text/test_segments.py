"""Segments behave like lists, whatever their kind; lines are what the plain definition says."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.errors import InputError
from bleuet.text.files import _COMPRESSIONS
from bleuet.text.lines import count_lines, read_lines, stream_lines
from bleuet.text.parallel import Parallel
from bleuet.text.segments import LINES, TEXT, TOKENS, Segments, WithSource
from bleuet.text.source import Source

PIECES = [
    "a",
    "b c",
    " .",
    "&",
    "\r",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\0",
    "é",
    "漢",
    "😀",
    "\u2028",
    "\x85",
]
WRONG = [b"\xff", b"\x80", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80"]
right = st.lists(st.sampled_from([piece.encode() for piece in PIECES]), max_size=30).map(b"".join)
OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
ARCHIVES = tuple(magic for _, magics in _COMPRESSIONS.values() for magic in magics)
any_bytes = st.one_of(
    right,
    st.lists(st.sampled_from([*[p.encode() for p in PIECES], *WRONG]), max_size=30).map(b"".join),
    st.binary(max_size=60),
).filter(lambda content: not content.startswith(ARCHIVES))


def definition(content: bytes) -> list[str] | tuple[int, int]:
    """The lines of a file; or line and byte, both from 1, of the first that is not UTF-8."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].split(b"\n")
        return len(before), len(before[-1]) + 1
    lines = text.split("\n")
    ended = [line[:-1] if line.endswith("\r") else line for line in lines[:-1]]
    return ended + [line for line in lines[-1:] if line]


def in_portions(path: Path, batch_bytes: int, batch_lines: int) -> list[str]:
    lines: list[str] = []
    with stream_lines(path, batch_bytes, batch_lines) as file:
        while portion := file.next_portion(count_lines):
            assert 1 <= len(portion) <= batch_lines
            utf8 = b"".join(b"".join(blocks) for blocks in portion.content)
            assert len(portion) == utf8.count(b"\n") == len(portion.tolist())
            lines += portion
        assert not file.next_portion(count_lines)
    return lines


def in_batches(path: Path, batch_bytes: int, batch_lines: int) -> list[str]:
    return [line for batch in stream_lines(path, batch_bytes, batch_lines) for line in batch]


@pytest.mark.parametrize("read", [in_portions, in_batches, lambda path, *_: read_lines(path)])
@given(content=any_bytes, batch_bytes=st.integers(1, 9), batch_lines=st.integers(1, 5))
def test_any_bytes_cut_anywhere(
    tmp_path_factory: Any, read: Any, content: bytes, batch_bytes: int, batch_lines: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(content)
    expected = definition(content)
    if isinstance(expected, list):
        assert read(path, batch_bytes, batch_lines) == expected
        return
    with pytest.raises(InputError) as caught:
        read(path, batch_bytes, batch_lines)
    if "iconv -f UTF-" in str(caught.value):
        assert content.startswith(OTHER_ENCODINGS)
    else:
        assert str(caught.value).startswith(f"{path}:{expected[0]}: byte {expected[1]} of the line")


def blocks_of(lines: list[str], cuts: list[int]) -> Segments:
    edges = sorted({0, len(lines), *(cut % (len(lines) + 1) for cut in cuts)})
    parts = [lines[a:b] for a, b in pairwise(edges)]
    return Segments.of_lines(
        [("".join(f"{line}\n" for line in part).encode(), len(part)) for part in parts]
    )


def columns_of(columns: list[Segments]) -> Segments:
    return Segments.of_lines(*[file for column in columns for file in column.files])


some_lines = st.lists(st.text(st.sampled_from("ab &é😀"), max_size=5), max_size=12)
some_cuts = st.lists(st.integers(0, 50), max_size=3)


@given(lines=some_lines, cuts=some_cuts, at=st.integers(0, 14))
def test_lines_behave_as_a_list(lines: list[str], cuts: list[int], at: int) -> None:
    given = blocks_of(lines, cuts)
    assert b"".join(given.content[0]) == "".join(f"{line}\n" for line in lines).encode()
    first, rest = given.cut(at)
    assert (first.tolist(), rest.tolist()) == (lines[:at], lines[at:])
    assert (len(first), len(rest)) == (len(lines[:at]), len(lines[at:]))
    assert list(given.containing("&")) == [line for line in lines if "&" in line]
    assert list(given.containing("é")) == [line for line in lines if "é" in line]
    assert [given[0]] == lines[:1] if lines else not given
    assert list(given) == given.tolist() == lines
    assert given == lines
    assert given == blocks_of(lines, [1])
    assert (given == blocks_of([*lines, ""], [1])) is False
    assert (given == blocks_of(lines[::-1], [1])) == (lines == lines[::-1])
    assert given[1:3] == lines[1:3]
    assert given.count("") == lines.count("")


def test_a_cut_far_into_a_block() -> None:
    lines = ["x" * (n % 7) for n in range(5_000)]
    given = blocks_of(lines, [])
    for at in (1, 2, 999, 2_500, 4_999):
        first, rest = given.cut(at)
        assert (first.tolist(), rest.tolist()) == (lines[:at], lines[at:])


def test_columns_behave_as_a_list_of_tuples() -> None:
    columns = [blocks_of(["a", "", ""], [1]), blocks_of(["c", "", "d"], [2])]
    rows = [("a", "c"), ("", ""), ("", "d")]
    assert columns_of(columns)[0] == rows[0]
    references = columns_of(columns)
    assert references == rows
    assert len(references) == 3
    assert references[0] == rows[0]
    assert references.count(("", "")) == 1
    assert list(references.columns) == columns


def test_a_segment_is_looked_at_without_the_others() -> None:
    lines = Segments.of_lines([(b"a\n", 1), (b"\xff\n", 1)])
    assert lines[0] == "a"
    with pytest.raises(UnicodeDecodeError):
        lines.tolist()


@pytest.mark.parametrize("references", [1, 2])
def test_plain_files_are_read_in_step_as_bytes(tmp_path: Path, references: int) -> None:
    short, long = [f"{n}" for n in range(9_000)], ["long " * (n % 90) for n in range(9_000)]
    sources = []
    for number, lines in enumerate([short, long, short][: references + 1]):
        (tmp_path / f"{number}").write_text("".join(f"{line}\n" for line in lines))
        sources.append(Source(str(tmp_path / f"{number}")))
    seen, read = 0, [0]

    def count(utf8: bytes) -> int:
        read[0] += 1
        return count_lines(utf8)

    rows = long if references == 1 else list(zip(long, short, strict=True))
    for hypotheses, entries in Parallel(sources[:1], sources[1:], 4_000, 50_000, count):
        assert hypotheses[0].kind == entries.kind == LINES
        assert len(entries.files) == entries.n_references == references
        part = slice(seen, seen + len(entries))
        assert hypotheses[0] == short[part]
        assert entries == rows[part]
        seen += len(entries)
    assert seen == 9_000
    assert read[0] > 9


@pytest.mark.parametrize("at", [0, 1, 2, 5])
def test_text_is_cut_and_searched_like_lines(at: int) -> None:
    items = ["a &", "", "b"]
    text = Segments(TEXT, items)
    first, rest = text.cut(at)
    assert first == items[:at]
    assert rest == items[at:]
    assert first.kind == rest.kind == TEXT
    assert list(text.containing("&")) == ["a &"]
    assert list(text.containing("c")) == []
    assert text == blocks_of(items, [1])
    assert text.decoded() is text
    assert blocks_of(items, [1]).decoded().kind == TEXT
    assert (text.columns, text.n_references, Segments(TEXT, [["a", None], "b"]).n_references) == (
        [],
        1,
        1,
    )


def test_text_becomes_tokens() -> None:
    def spaced(text: str) -> str:
        return " ".join(text)

    tokens = Segments(TEXT, ["ab", ["c", None, ""], ("d",)]).tokenized(spaced)
    assert tokens.kind == TOKENS
    assert [t if isinstance(t, str) else list(t) for t in tokens] == ["a b", ["c", None, ""], ["d"]]
    assert blocks_of(["ab", "é!"], [1]).tokenized(spaced) == ["a b", "é !"]


def test_segments_pickle() -> None:
    for segments in (Segments(TEXT, ["a"]), blocks_of(["a", "b"], [1])):
        assert pickle.loads(pickle.dumps(segments)) == segments


@pytest.mark.parametrize("entries", [["", "r"], ["r", ""], ["r", "", "r"]])
def test_either_all_segments_have_references_or_none(entries: list[str]) -> None:
    """Beside sources, which may be alone."""
    alone = [WithSource("s", []) for _ in entries]
    assert Segments.references(alone).tolist() == alone
    mixed = [WithSource("s", [entry] if entry else []) for entry in entries]
    with pytest.raises(InputError, match=rf"references\[{entries.index('')}\] has no reference"):
        Segments.references(mixed)
