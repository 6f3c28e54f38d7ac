"""Texts with their words, as the page needs them: each text, and where its words begin and end."""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    # A text whose words stand between spaces; or a text, and where else it is cut; or a text, the
    # beginning and the end of each word in turn, and the words that are not written so.
    Cut: TypeAlias = str | list[str | list[int] | dict[int, str]]


def cut(text: str, words: Sequence[str]) -> Cut:
    """Return a text with where its words are, counted in UTF-16 as browsers count.

    Most texts are words with spaces between; a tokenizer that cuts elsewhere, or changes what it
    cuts, needs numbers.

    Args:
        text: the text as it was given.
        words: its words, as a tokenizer cut it.

    >>> cut("A cat", ["A", "cat"])
    'A cat'
    >>> cut("A cat.", ["A", "cat", "."])
    ['A cat.', [5]]
    >>> cut("Q&amp;A", ["Q", "&", "A"])
    ['Q&amp;A', [0, 1, 1, 2, 6, 7], {}]
    >>> cut("Tom says", ["▁Tom", "▁says"])
    ['Tom says', [0, 3, 4, 8], {0: '▁Tom', 1: '▁says'}]
    """
    if [word for word in text.split(" ") if word] == list(words):
        return text
    spans, otherwise = _spans(text, words)
    cuts = [begin for begin, end in zip(spans[2::2], spans[1::2], strict=False) if begin == end]
    plainly = not otherwise and _between(text, cuts) == list(words)
    places = cuts if plainly else spans
    if not text.isascii():
        places = _in_utf16(text, places)
    return [text, places] if plainly else [text, places, otherwise]


def _between(text: str, cuts: Sequence[int]) -> list[str]:
    """Return what stands between spaces and some other places."""
    parts = [text[begin:end] for begin, end in pairwise([0, *cuts, len(text)])]
    return [word for part in parts for word in part.split(" ") if word]


def _spans(text: str, words: Sequence[str]) -> tuple[list[int], dict[int, str]]:
    spans: list[int] = []
    otherwise: dict[int, str] = {}
    at = 0
    for number, word in enumerate(words):
        begin, length = _find(text, word, at)
        if text[begin : begin + length] != word:
            otherwise[number] = word
        at = begin + length
        spans += [begin, at]
    return spans, otherwise


def _find(text: str, word: str, at: int) -> tuple[int, int]:
    """Return where a word begins, from some place on, and its length in the text."""
    while at < len(text) and text[at].isspace():
        at += 1
    for written in (word, word.lstrip("▁"), word.strip("@")):
        begin = text.find(written, at) if written else -1
        # Further away it is another of its kind, and this one was written otherwise.
        if 0 <= begin <= at + _REACH and not text[at:begin].count(" "):
            return begin, len(written)
    return at, 0


# An escaped mark, such as &quot;, is so much longer than what it stands for.
_REACH = 6


def _in_utf16(text: str, places: Sequence[int]) -> list[int]:
    """Return places counted in units of UTF-16, of which some characters have two."""
    before = [0]
    for mark in text:
        before.append(before[-1] + (2 if ord(mark) > 0xFFFF else 1))
    return [before[place] for place in places]
