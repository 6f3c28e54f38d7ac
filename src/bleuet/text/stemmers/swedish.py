"""The stemmer for Swedish.

Source: https://snowballstem.org/algorithms/swedish/stemmer.html, the version before Snowball 3.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import Endings, region_finder

VOWELS = "aeiouyäåö"
find_regions = region_finder(VOWELS)
BEFORE_S = frozenset("bcdfghjklmnoprtvy")
STEP_1 = Endings(
    "a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or",
    "as arnas ernas ornas es ades andes ens arens hetens erns at andet het ast s",
)
STEP_2 = Endings("dd gd nn dt gt kt tt")
STEP_3 = Endings("lig ig els löst fullt")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("husen", "vänligt", "hopplöst", "möjligheterna")]
    ['hus', 'vän', 'hopplös', 'möj']
    """
    start = max(find_regions(word)[0], 3)
    ending = STEP_1.longest(word, start)
    if ending and (ending != "s" or word[-2] in BEFORE_S):
        word = word[: -len(ending)]
    if STEP_2.longest(word, start):
        word = word[:-1]
    ending = STEP_3.longest(word, start)
    if ending in ("löst", "fullt"):
        return word[:-1]
    return word[: -len(ending)] if ending else word
