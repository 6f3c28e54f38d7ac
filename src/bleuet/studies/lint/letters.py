"""Letters: how much text there is, and in which script."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

# One of these says as much as several letters of an alphabet.
DENSE = 3
DENSE_SCRIPTS = frozenset({"CJK", "Hangul"})
_SIDE_BY_SIDE = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "IDEOGRAPHIC"}
_WIDTHS = {"FULLWIDTH", "HALFWIDTH"}
# First words of the names of letters that are no script's, but signs.
_SIGNS = frozenset(
    {
        *("MODIFIER", "MATHEMATICAL", "SUPERSCRIPT", "SUBSCRIPT", "FEMININE", "MASCULINE", "MICRO"),
        *("OHM", "KELVIN", "ANGSTROM", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER", "CIRCLED"),
        *("SQUARED", "NEGATIVE", "PARENTHESIZED", "ROMAN", "TURNED", "ROTATED", "EULER"),
        *("INFORMATION", "ALEF", "BET", "GIMEL", "DALET", "PLANCK"),
    }
)


@lru_cache(maxsize=1 << 16)
def script_of(mark: str) -> str | None:
    """Return the script of a letter, by its name in Unicode; None for all that is no letter.

    Han, kana and bopomofo count as one, CJK, for they are written together.

    >>> [script_of(mark) for mark in "aжΩ字か9µ"]
    ['Latin', 'Cyrillic', 'Greek', 'CJK', 'CJK', None, None]
    """
    if not mark.isalpha():
        return None
    first, _, rest = unicodedata.name(mark, "").partition(" ")
    if first in _WIDTHS:
        first = rest.partition(" ")[0]
    if first in _SIDE_BY_SIDE:
        return "CJK"
    return None if not first or first in _SIGNS else first.capitalize()


def scripts_of(text: str) -> Counter[str]:
    """Return how many letters of each script a text has.

    >>> scripts_of("Привет, Bob!")
    Counter({'Cyrillic': 6, 'Latin': 3})
    """
    if text.isascii():
        count = sum(map(str.isalpha, text))
        return Counter({"Latin": count} if count else {})
    found: Counter[str] = Counter()
    for mark, count in Counter(text).items():
        script = script_of(mark)
        if script is not None:
            found[script] += count
    return found


def amount(text: str) -> int:
    """Return how much text there is, in letters of an alphabet.

    >>> amount("9 lives"), amount("中文")
    (5, 6)
    """
    return weight(scripts_of(text))


def weight(scripts: Counter[str]) -> int:
    """Return how much text some letters by script are, in letters of an alphabet."""
    return sum(n * (DENSE if script in DENSE_SCRIPTS else 1) for script, n in scripts.items())
