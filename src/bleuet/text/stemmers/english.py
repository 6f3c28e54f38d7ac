"""The stemmer for English, Porter's second.

Source: https://snowballstem.org/algorithms/english/stemmer.html, the version before Snowball 3.
"""

from __future__ import annotations

import re

from bleuet.text.stemmers.endings import Endings, by_ending, listed, region_finder

IRREGULAR = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
    "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    "sky": "sky", "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos",
    "bias": "bias", "andes": "andes",
}  # fmt: skip
# Those that nothing more is removed from after step 1a.
WHOLE = listed("inning outing canning herring earring proceed exceed succeed")
VOWELS = "aeiouy"
NOT_SHORT = frozenset("aeiouywxY")
BEFORE_LI = frozenset("cdeghkmnrt")
DOUBLES = Endings("bb dd ff gg mm nn pp rr tt")
find_regions = region_finder(VOWELS, "gener", "commun", "arsen")
mark_y = re.compile(f"([{VOWELS}])y").sub
has_vowel = re.compile(f"[{VOWELS}]").search

STEP_0 = Endings("' 's 's'")
STEP_1A = Endings("sses ied ies us ss s")
STEP_1B = Endings("eed eedly ed edly ing ingly")
STEP_2, IN_STEP_2 = by_ending(
    ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("abli", "able"), ("entli", "ent"),
    ("izer ization", "ize"), ("ational ation ator", "ate"), ("alism aliti alli", "al"),
    ("fulness fulli", "ful"), ("ousli ousness", "ous"), ("iveness iviti", "ive"),
    ("biliti bli", "ble"), ("ogi", "og"), ("lessli", "less"), ("li", ""),
)  # fmt: skip
STEP_3, IN_STEP_3 = by_ending(
    ("tional", "tion"), ("ational", "ate"), ("alize", "al"), ("icate iciti ical", "ic"),
    ("ful ness ative", ""),
)  # fmt: skip
STEP_4 = Endings(
    "al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion",
)


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("relational", "playing", "cries", "dogs'", "cosmos")]
    ['relat', 'play', 'cri', 'dog', 'cosmos']
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 3:
        return word
    word = word.removeprefix("'")
    marked = "y" in word and _marked(word)
    if marked:
        word = marked
    r1, r2 = find_regions(word)
    if "'" in word:
        word = word[: len(word) - len(STEP_0.longest(word))]
    # Endings have these last letters.
    if word[-1:] in ("s", "d"):
        word = _step_1a(word)
    if word not in WHOLE:
        if word[-1:] in ("d", "g", "y"):
            word = _step_1b(word, r1)
        if word[-1:] in ("y", "Y") and len(word) > 2 and word[-2] not in VOWELS:
            word = word[:-1] + "i"
        if len(word) > r1:
            word = _step_2(word, r1)
            word = _step_3(word, r1, r2)
            if len(word) > r2:
                word = _step_4(word, r2)
            word = _step_5(word, r1, r2)
    return word.replace("Y", "y") if marked else word


def _marked(word: str) -> str:
    """Return a word with Y for each y that is a consonant, or "" if there is none."""
    marked = "Y" + word[1:] if word[0] == "y" else word
    marked = mark_y(r"\1Y", marked)
    return "" if marked == word else marked


def _ends_short(word: str) -> bool:
    """Whether a word ends in a short syllable."""
    if len(word) == 2:
        return word[0] in VOWELS and word[1] not in VOWELS
    return (
        len(word) > 2
        and word[-1] not in NOT_SHORT
        and word[-2] in VOWELS
        and word[-3] not in VOWELS
    )


def _step_1a(word: str) -> str:
    """Remove plurals."""
    ending = STEP_1A.longest(word)
    if ending == "sses":
        return word[:-2]
    if ending in ("ied", "ies"):
        return word[:-2] if len(word) > 4 else word[:-1]
    if ending == "s" and has_vowel(word, 0, len(word) - 2):
        return word[:-1]
    return word


def _step_1b(word: str, r1: int) -> str:
    """Remove past tenses and participles."""
    ending = STEP_1B.longest(word)
    if not ending:
        return word
    at = len(word) - len(ending)
    if ending in ("eed", "eedly"):
        return word[: at + 2] if at >= r1 else word
    if not has_vowel(word, 0, at):
        return word
    word = word[:at]
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if DOUBLES.longest(word):
        return word[:-1]
    return word + "e" if len(word) == r1 and _ends_short(word) else word


def _step_2(word: str, r1: int) -> str:
    ending = STEP_2.longest(word)
    at = len(word) - len(ending)
    if not ending or at < r1:
        return word
    if ending == "li" and word[at - 1 : at] not in BEFORE_LI:
        return word
    if ending == "ogi" and word[at - 1 : at] != "l":
        return word
    return word[:at] + IN_STEP_2[ending]


def _step_3(word: str, r1: int, r2: int) -> str:
    ending = STEP_3.longest(word)
    at = len(word) - len(ending)
    if not ending or at < (r2 if ending == "ative" else r1):
        return word
    return word[:at] + IN_STEP_3[ending]


def _step_4(word: str, r2: int) -> str:
    ending = STEP_4.longest(word)
    at = len(word) - len(ending)
    if not ending or at < r2 or (ending == "ion" and word[at - 1 : at] not in ("s", "t")):
        return word
    return word[:at]


def _step_5(word: str, r1: int, r2: int) -> str:
    at = len(word) - 1
    if word[-1:] == "e":
        if at >= r2 or (at >= r1 and not _ends_short(word[:-1])):
            return word[:-1]
    elif word[-2:] == "ll" and at >= r2:
        return word[:-1]
    return word
