"""Labels of charts on several lines, since Vega cuts what is longer than its place.

The widths are measured with a wide font, because readers can have other fonts.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from unicodedata import east_asian_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LINE_HEIGHT = 14
# Vega removes white space, and browsers leave an empty line out.
BLANK = "\N{ZERO WIDTH SPACE}"
# Pixels of letters of 12 pixels; other letters have the last width.
_NARROW, _BROAD = set(" '!()*,-./:;I[]fijlrt|"), set("%&@MWmw")
_WORD = re.compile(r"[^\s\-._/:,+|]*[\s\-._/:,+|]+|[^\s\-._/:,+|]+|^$")
_WIDTHS = (5.0, 7.7, 12.0)


def text_width(text: str) -> float:
    """Return about how many pixels a text is wide.

    >>> text_width("it") < text_width("BLEU") < text_width("中文中文")
    True
    """
    narrow, usual, broad = _WIDTHS
    return sum(narrow if mark in _NARROW else broad if _is_broad(mark) else usual for mark in text)


def _is_broad(mark: str) -> bool:
    return mark in _BROAD or (not mark.isascii() and east_asian_width(mark) in "WF")


def lines_of(text: str, width: float) -> list[str]:
    """Return a text as lines of at most some pixels, which end after spaces or punctuation.

    >>> lines_of("transformer-big.finetuned", 100)
    ['transformer-', 'big.finetuned']
    """
    lines = [""]
    for part in _parts(text, width):
        if lines[-1] and text_width((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def _parts(text: str, width: float) -> Iterator[str]:
    """Yield the shortest parts of a text that stay on one line: words, or letters of long ones."""
    for word in _WORD.findall(text):
        yield from [word] if text_width(word.rstrip()) <= width else word


def widest_word(labels: Iterable[str]) -> float:
    """Return the width of the widest word of some labels."""
    return max(text_width(word.rstrip()) for label in labels for word in _WORD.findall(label))


def title_lines(text: str, width: float) -> str | list[str]:
    """Return a title for Vega-Lite: a text, or several lines if it is too wide for its place."""
    lines = lines_of(text, width)
    return lines if len(lines) > 1 else text


def label_expression(labels: Sequence[str], width: float) -> str:
    """Return an expression of Vega for the lines of a label, one of some labels.

    >>> label_expression(["a", "bc d"], 20)
    '[["a"], ["bc", "d"]][indexof(["a", "bc d"], datum.label)]'
    """
    return _chosen([lines_of(label, width) for label in labels], labels)


def _chosen(lines: Sequence[Sequence[str]], labels: Sequence[str]) -> str:
    return f"{json.dumps(lines)}[indexof({json.dumps(list(labels))}, datum.label)]"


def row_labels(names: Sequence[str], width: float) -> tuple[str, int, int]:
    """Return what names beside the rows of a chart need.

    Vega puts the first of several lines beside the row, so all names have as many lines as the
    longest one, empty ones too, and are moved up.

    Returns:
        The expression for their lines, by how much they are moved, and the height of a row.
    """
    found = [lines_of(name, width) for name in names]
    above = most_lines(names, width) // 2
    padded = []
    for lines in found:
        before = above - (len(lines) - 1) // 2
        padded.append([*[BLANK] * before, *lines] + [BLANK] * (2 * above + 1 - before - len(lines)))
    pairs = [len(one) + len(other) for one, other in pairwise(found)]
    height = LINE_HEIGHT * max(pairs, default=1) // 2 + 6
    return _chosen(padded, names), -above * LINE_HEIGHT, height


def most_lines(labels: Sequence[str], width: float) -> int:
    """Return the largest number of lines of a label."""
    return max((len(lines_of(label, width)) for label in labels), default=1)
