"""Lower case of languages in which the letters are not those of Unicode's rules."""

from __future__ import annotations

# Turkish and Azeri have an i with a dot and an i without, each with a capital of its own.
DOTTED_AND_DOTLESS_I = frozenset(("tr", "az"))


def lowered_turkish(text: str) -> str:
    """Return a text in lower case, as Turkish and Azeri have it: I becomes ı, and İ becomes i.

    Source: the Unicode Character Database, SpecialCasing.txt, its conditions "tr" and "az".

    >>> lowered_turkish("DIYARBAKIR İZMİR")
    'dıyarbakır izmir'
    """
    # The dot can be a character of its own, which belongs to the letter before it.
    text = text.replace("I\u0307", "i").replace("İ", "i").replace("I", "ı")
    return text.lower()
