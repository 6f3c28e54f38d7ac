"""Where the words of a text begin and end, in a compact form for the page."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import chain, pairwise
from unicodedata import is_normalized, normalize

from bleuet.text.tokenizers.mteval13a import REPLACEMENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    # The characters of the words of a text as a tokenizer reads them, and the place of each.
    Marks: TypeAlias = tuple[str, list[tuple[int, int]]]

    # A text whose words are separated by spaces; or a text, and further places where words begin;
    # or a text, the beginning and the end of each word, and the words that are written differently.
    TextSpans: TypeAlias = str | list[str | list[int] | dict[int, str]]


def with_spans(text: str, words: Sequence[str]) -> TextSpans:
    """Return a text with the places of its words, in units of UTF-16 as browsers count.

    The words of most texts are separated by spaces. A tokenizer that splits at other places, or
    changes the words, needs numbers.

    Args:
        text: the text.
        words: the words of the text, as a tokenizer splits it.

    >>> with_spans("A cat", ["A", "cat"])
    'A cat'
    >>> with_spans("A cat.", ["A", "cat", "."])
    ['A cat.', [5]]
    >>> with_spans("Q&amp;A", ["Q", "&", "A"])
    ['Q&amp;A', [0, 1, 1, 6, 6, 7], {1: '&'}]
    >>> with_spans("Tom says", ["▁Tom", "▁says"])
    ['Tom says', [0, 3, 4, 8], {0: '▁Tom', 1: '▁says'}]
    """
    if [word for word in text.split(" ") if word] == list(words):
        return text
    found = spans_of(text, words)
    changed = {
        number: word
        for number, (word, span) in enumerate(zip(words, found, strict=True))
        if text[slice(*span)] != word
    }
    spans = list(chain.from_iterable(found))
    splits = [begin for begin, end in zip(spans[2::2], spans[1::2], strict=False) if begin == end]
    simple = not changed and _between(text, splits) == list(words)
    places = splits if simple else spans
    if not text.isascii():
        places = in_utf16(text, places)
    return [text, places] if simple else [text, places, changed]


def _between(text: str, splits: Sequence[int]) -> list[str]:
    """Return the words between spaces and some further places."""
    parts = [text[begin:end] for begin, end in pairwise([0, *splits, len(text)])]
    return [word for part in parts for word in part.split(" ") if word]


def spans_of(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return the beginning and the end of each word in the text."""
    unchanged = _unchanged(text, words)
    if unchanged is not None:
        return unchanged
    for read, plain in _READINGS:
        pieces = [plain(word) for word in words]
        marks, places = read(text)
        if marks == "".join(pieces):
            return _consecutive(pieces, places)
    return _consecutive(pieces, _aligned(marks, places, "".join(pieces)))


def _unchanged(text: str, words: Sequence[str]) -> list[tuple[int, int]] | None:
    """Return the places of words with only white space between them; None if there is more."""
    spans = []
    end = 0
    for word in words:
        begin = text.find(word, end)
        if begin < 0 or text[end:begin].strip():
            return None
        end = begin + len(word)
        spans.append((begin, end))
    return None if text[end:].strip() else spans


def _unescaped(text: str) -> Marks:
    """Read a text as mteval-v13a does, which replaces `&quot;` and other escapes."""
    text = text.rstrip()
    places = [(at, at + 1) for at in range(len(text))]
    for old, new in REPLACEMENTS:
        read: list[tuple[int, int]] = []
        end = 0
        while (at := text.find(old, end)) >= 0:
            read += places[end:at]
            end = at + len(old)
            read += [(places[at][0], places[end - 1][1])] * len(new)
        places = read + places[end:]
        text = text.replace(old, new)
    return _kept(text, places, str.isspace)


def _normalized(text: str) -> Marks:
    """Read a text as SentencePiece does, which changes characters and has ▁ for spaces."""
    marks: Iterable[str] = text
    if not is_normalized("NFKC", text):
        marks = [normalize("NFKC", mark) for mark in text]
    places = [(at, at + 1) for at, mark in enumerate(marks) for _ in mark]
    return _kept("".join(marks), places, lambda mark: mark == "▁" or mark.isspace())


def _plain(word: str) -> str:
    return word.replace("▁", "")


def _kept(marks: str, places: Sequence[tuple[int, int]], drop: Callable[[str], bool]) -> Marks:
    """Return the characters that belong to words, and their places in the text."""
    kept = [pair for pair in zip(marks, places, strict=True) if not drop(pair[0])]
    return "".join([mark for mark, _ in kept]), [place for _, place in kept]


# How tokenizers read a text, and the part of a word that stands in the text.
_READINGS: tuple[tuple[Callable[[str], Marks], Callable[[str], str]], ...] = (
    (_unescaped, str),
    (_normalized, _plain),
)
# Texts with a larger product of lengths are too long for a comparison of their characters.
_MOST_STEPS = 1_000_000


def _aligned(
    marks: str, places: Sequence[tuple[int, int]], wanted: str
) -> list[tuple[int, int] | None]:
    """Return the places of the characters of `wanted` that the text has in the same order."""
    found: list[tuple[int, int] | None] = [None] * len(wanted)
    if len(marks) * len(wanted) <= _MOST_STEPS:
        same = SequenceMatcher(None, marks, wanted, autojunk=False).get_matching_blocks()
        for at, to, length in same:
            found[to : to + length] = places[at : at + length]
    return found


def _consecutive(
    pieces: Sequence[str], places: Sequence[tuple[int, int] | None]
) -> list[tuple[int, int]]:
    """Return the place of each piece; one without a character in the text has an empty place."""
    spans = []
    at = end = 0
    for piece in pieces:
        own = [place for place in places[at : at + len(piece)] if place is not None]
        at += len(piece)
        spans.append((max(own[0][0], end), own[-1][1]) if own else (end, end))
        end = spans[-1][1]
    return spans


def in_utf16(text: str, places: Sequence[int]) -> list[int]:
    """Return places in units of UTF-16; some characters have two units."""
    before = [0]
    for mark in text:
        before.append(before[-1] + (2 if ord(mark) > 0xFFFF else 1))
    return [before[place] for place in places]
