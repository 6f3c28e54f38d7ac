"""The stemmer for Dutch, Porter's.

Source: https://snowballstem.org/algorithms/dutch_porter/stemmer.html. Snowball 3 has another one.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import Endings, listed, marker, region_finder

VOWELS = "aeiouyè"
WITHOUT_ACCENTS = str.maketrans("äáëéïíöóüú", "aaeeiioouu")
find_regions = region_finder(VOWELS)
mark = marker(f"[{VOWELS}](?:(i)(?=[{VOWELS}])|(y))", "iy")
STEP_1 = Endings("heden en ene s se")
STEP_3 = Endings("end ing ig lijk baar bar")
DOUBLE = ("kk", "dd", "tt")
LONG = listed("aa ee oo uu")
UNMARKED = str.maketrans("IY", "iy")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("lichamelijkheden", "opgroeiende", "brood", "katten")]
    ['licham', 'opgroei', 'brod', 'kat']
    """
    word = word.translate(WITHOUT_ACCENTS)
    if word[:1] == "y":
        word = "Y" + word[1:]
    word = mark(word)
    r1, r2 = find_regions(word)
    r1 = max(r1, 3)
    word = _without_plural(word, r1)
    word, had_e = _without_e(word, r1)
    at = len(word) - 4
    if word.endswith("heid") and at >= r2 and word[at - 1] != "c":
        word = word[:at]
        if word.endswith("en"):
            word = _without_en(word, 2, r1)
    word = _without_derivation(word, r1, r2, had_e)
    return _with_short_vowel(word).translate(UNMARKED)


def _without_plural(word: str, r1: int) -> str:
    """Step 1."""
    ending = STEP_1.longest(word)
    at = len(word) - len(ending)
    if not ending or at < r1:
        return word
    if ending == "heden":
        return word[:at] + "heid"
    if ending in ("en", "ene"):
        return _without_en(word, len(ending), r1)
    return word if word[at - 1] in VOWELS or word[at - 1] == "j" else word[:at]


def _without_en(word: str, length: int, r1: int) -> str:
    at = len(word) - length
    if at < r1 or word[at - 1] in VOWELS or word.endswith("gem", 0, at):
        return word
    return _single(word[:at])


def _without_e(word: str, r1: int) -> tuple[str, bool]:
    """Step 2; also return whether an e was removed."""
    at = len(word) - 1
    if word[-1:] != "e" or at < r1 or word[at - 1] in VOWELS:
        return word, False
    return _single(word[:at]), True


def _single(word: str) -> str:
    return word[:-1] if word.endswith(DOUBLE) else word


def _with_short_vowel(word: str) -> str:
    """Step 4."""
    if word[-3:-1] not in LONG or word[-1] in VOWELS or word[-1] == "I":
        return word
    return word[:-2] + word[-1] if len(word) > 3 and word[-4] not in VOWELS else word


def _without_derivation(word: str, r1: int, r2: int, had_e: bool) -> str:
    """Step 3b."""
    ending = STEP_3.longest(word)
    at = len(word) - len(ending)
    if not ending or at < r2:
        return word
    rest = word[:at]
    if ending == "ig":
        return word if rest[-1] == "e" else rest
    if ending == "lijk":
        return _without_e(rest, r1)[0]
    if ending == "bar":
        return rest if had_e else word
    if ending == "baar":
        return rest
    if rest.endswith("ig") and at - 2 >= r2 and rest[-3] != "e":
        return rest[:-2]
    return _single(rest)
