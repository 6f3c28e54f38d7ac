"""Which way a column of texts runs: from left to right, or from right to left."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from bleuet.report.page.kept import even_sample

if TYPE_CHECKING:
    from collections.abc import Sequence

LEFT_TO_RIGHT, RIGHT_TO_LEFT = "ltr", "rtl"
# So many texts of a column show it.
SAMPLE = 200
_RIGHT = {"R", "AL"}


def direction_of(texts: Sequence[str]) -> str:
    """Return the direction of a column of texts, that of most of its letters.

    A browser would decide for each text by its first letter, so that a Hebrew sentence that begins
    with a name in Latin letters would run the other way than its neighbours.

    >>> direction_of(["NATO \u05d0\u05d9\u05e9\u05e8\u05d4 \u05d6\u05d0\u05ea"])
    'rtl'
    """
    letters = list(map(bidirectional, chain.from_iterable(even_sample(texts, SAMPLE))))
    right = sum(letter in _RIGHT for letter in letters)
    return RIGHT_TO_LEFT if right > letters.count("L") else LEFT_TO_RIGHT
