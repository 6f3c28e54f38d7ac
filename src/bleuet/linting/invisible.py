"""Invisible characters, which metrics count like any other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import bidirectional, category, name

from bleuet.linting.letters import script_of
from bleuet.linting.material import REFERENCES
from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material

# Control characters except tab, soft hyphen, zero width, word joiners, byte order mark,
# bidirectional controls, separators of lines and paragraphs, annotation marks, tags.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u034f\u061c\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_JOINERS = "\u200c\u200d"
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Scripts that need no joiners; in others (Arabic, Indic) and in emoji they are spelling.
_UNJOINED = frozenset({"Latin", "Cyrillic", "Greek", "CJK", "Hangul", "Armenian", "Georgian"})
_TAG = re.compile("[\U000e0020-\U000e007f]+")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_SHORT = {"\ufeff": "BYTE ORDER MARK", "\x7f": "DELETE"}


def find_invisible(material: Material) -> Iterator[Finding]:
    """Find invisible characters, in hypotheses only those that no reference contains."""
    for side in material.scored:
        found = {row: marks for row, text in side if (marks := invisible_in(text))}
        rows = [
            row
            for row, marks in found.items()
            if side.role == REFERENCES or not _are_in(marks, material.alternatives[row])
        ]
        if rows:
            kinds = sorted({mark for row in rows for mark in found[row]})
            yield side.finding(
                "invisible",
                rows,
                f"{plural(len(rows), 'line contains', 'lines contain')} invisible characters: "
                f"{', '.join(map(_called, kinds[:4]))}{' and others' if len(kinds) > 4 else ''}",
                "without these characters",
                material.effects_repaired(side, rows, visible),
            )


def _are_in(marks: str, texts: Iterable[str]) -> bool:
    return set(marks) <= set("".join(texts))


def invisible_in(text: str) -> str:
    r"""Return the invisible characters of a text, each once, except those that its spelling needs.

    Arabic and Indic scripts and emoji need joiners, text written from right to left needs
    directional marks, and flags need tags.

    >>> invisible_in("a\u200bb\ufeff"), invisible_in("\u0645\u06cc\u200c\u062e\u0648\u0627")
    ('\u200b\ufeff', '')
    """
    if text.isascii() and text.isprintable():
        return ""
    return "".join(
        dict.fromkeys(found[0] for found in _INVISIBLE.finditer(text) if not _belongs(text, found))
    )


def _belongs(text: str, found: re.Match[str]) -> bool:
    mark, at = found[0], found.start()
    if mark in _JOINERS:
        around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
        return bool(around) and not all(
            script_of(c) in _UNJOINED or c.isascii() or category(c)[0] in "PZ" for c in around
        )
    if _DIRECTIONS.match(mark):
        return any(bidirectional(c) in ("R", "AL") for c in text)
    if _TAG.match(mark):
        return any(flag.start() < at < flag.end() for flag in _FLAG.finditer(text))
    return False


def visible(text: str) -> str:
    r"""Return a text without its invisible characters; a line separator becomes a space.

    >>> visible("a\u200bb\u2028c")
    'ab c'
    """

    def shown(found: re.Match[str]) -> str:
        if _belongs(text, found):
            return found[0]
        return " " if found[0] in "\x0a\x0b\x0c\x0d\x85\u2028\u2029" else ""

    return _INVISIBLE.sub(shown, text)


def _called(mark: str) -> str:
    return f"U+{ord(mark):04X} {_SHORT.get(mark) or name(mark, 'CONTROL CHARACTER')}"
