"""Letters: the amount of text, and its script."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

# A character of these scripts counts as so many letters of an alphabet.
DENSE = 3
DENSE_SCRIPTS = frozenset({"CJK", "Hangul"})
_SIDE_BY_SIDE = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO", "IDEOGRAPHIC"}
_WIDTHS = {"FULLWIDTH", "HALFWIDTH"}
# First words in the names of letters that are signs and belong to no script.
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
    """Return the script of a letter, from its Unicode name; None for other characters.

    Han, kana and bopomofo count as one script, CJK, because one text mixes them.

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
    """Return the number of letters in each script of a text.

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
    """Return the amount of text, in letters of an alphabet.

    >>> amount("9 lives"), amount("中文")
    (5, 6)
    """
    return weight(scripts_of(text))


def weight(scripts: Counter[str]) -> int:
    """Return the amount of text of counted letters, in letters of an alphabet."""
    return sum(n * (DENSE if script in DENSE_SCRIPTS else 1) for script, n in scripts.items())
