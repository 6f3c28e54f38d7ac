"""Where the words of a text begin and end, in a compact form for the page."""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

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
    ['Q&amp;A', [0, 1, 1, 2, 6, 7], {}]
    >>> with_spans("Tom says", ["▁Tom", "▁says"])
    ['Tom says', [0, 3, 4, 8], {0: '▁Tom', 1: '▁says'}]
    """
    if [word for word in text.split(" ") if word] == list(words):
        return text
    spans, changed = _spans(text, words)
    splits = [begin for begin, end in zip(spans[2::2], spans[1::2], strict=False) if begin == end]
    simple = not changed and _between(text, splits) == list(words)
    places = splits if simple else spans
    if not text.isascii():
        places = _in_utf16(text, places)
    return [text, places] if simple else [text, places, changed]


def _between(text: str, splits: Sequence[int]) -> list[str]:
    """Return the words between spaces and some further places."""
    parts = [text[begin:end] for begin, end in pairwise([0, *splits, len(text)])]
    return [word for part in parts for word in part.split(" ") if word]


def _spans(text: str, words: Sequence[str]) -> tuple[list[int], dict[int, str]]:
    spans: list[int] = []
    changed: dict[int, str] = {}
    at = 0
    for number, word in enumerate(words):
        begin, length = _find(text, word, at)
        if text[begin : begin + length] != word:
            changed[number] = word
        at = begin + length
        spans += [begin, at]
    return spans, changed


def _find(text: str, word: str, at: int) -> tuple[int, int]:
    """Return where a word begins, at a place or after it, and its length in the text."""
    while at < len(text) and text[at].isspace():
        at += 1
    for written in (word, word.lstrip("▁"), word.strip("@")):
        begin = text.find(written, at) if written else -1
        # A word farther away is another one of the same form, and this one is written differently.
        if 0 <= begin <= at + _REACH and not text[at:begin].count(" "):
            return begin, len(written)
    return at, 0


# An escaped character, such as &quot;, is so much longer than the character.
_REACH = 6


def _in_utf16(text: str, places: Sequence[int]) -> list[int]:
    """Return places in units of UTF-16; some characters have two units."""
    before = [0]
    for mark in text:
        before.append(before[-1] + (2 if ord(mark) > 0xFFFF else 1))
    return [before[place] for place in places]
