"""The stemmer for German.

Source: https://snowballstem.org/algorithms/german/stemmer.html, the version before Snowball 2,
which keeps both s of -niss- and the letters ae, oe and ue.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import Endings, marker, region_finder

VOWELS = "aeiouyäöü"
find_regions = region_finder(VOWELS)
mark = marker(f"[{VOWELS}]([uy])(?=[{VOWELS}])", "uy")
BEFORE_S = frozenset("bdfghklmnrt")
BEFORE_ST = frozenset("bdfghklmnt")
STEP_1 = Endings("em ern er e en es s")
STEP_2 = Endings("en er est st")
STEP_3 = Endings("end ung ig ik isch lich heit keit")
BEFORE_KEIT = Endings("lich ig")
UNMARKED = str.maketrans("UYäöü", "uyaou")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("häuser", "freundlichkeit", "größten", "bauen")]
    ['haus', 'freundlich', 'grosst', 'bau']
    """
    word = mark(word.replace("ß", "ss"))
    r1, r2 = find_regions(word)
    # No suffix begins after the end of a word.
    r1 = max(r1, 3)
    ending = STEP_1.longest(word)
    at = len(word) - len(ending)
    if ending and at >= r1 and (ending != "s" or word[at - 1] in BEFORE_S):
        word = word[:at]
    ending = STEP_2.longest(word)
    at = len(word) - len(ending)
    if ending and at >= r1 and (ending != "st" or (at > 3 and word[at - 1] in BEFORE_ST)):
        word = word[:at]
    return _step_3(word, r1, r2).translate(UNMARKED)


def _step_3(word: str, r1: int, r2: int) -> str:
    ending = STEP_3.longest(word)
    at = len(word) - len(ending)
    if not ending or at < r2:
        return word
    if ending in ("ig", "ik", "isch"):
        return word if word[at - 1] == "e" else word[:at]
    word = word[:at]
    if ending in ("end", "ung"):
        if word.endswith("ig") and not word.endswith("eig") and at - 2 >= r2:
            return word[:-2]
    elif ending == "keit":
        ending = BEFORE_KEIT.longest(word)
        if ending and at - len(ending) >= r2:
            return word[: -len(ending)]
    elif word.endswith(("er", "en")) and at - 2 >= r1:
        return word[:-2]
    return word
