"""The stemmer for Danish.

Source: https://snowballstem.org/algorithms/danish/stemmer.html, the version before Snowball 2.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import Endings, region_finder

VOWELS = "aeiouyæåø"
find_regions = region_finder(VOWELS)
BEFORE_S = frozenset("abcdfghjklmnoprtvyzå")
STEP_1 = Endings(
    "hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes",
    "erendes enes ernes eres ens hedens erens ers ets erets et eret s",
)
STEP_2 = Endings("gd dt gt kt")
STEP_3 = Endings("ig lig elig els løst")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("husene", "venligst", "lykkelige", "hjælpeløst")]
    ['hus', 'ven', 'lyk', 'hjælpeløs']
    """
    start = max(find_regions(word)[0], 3)
    ending = STEP_1.longest(word, start)
    if ending and (ending != "s" or word[-2] in BEFORE_S):
        word = word[: -len(ending)]
    word = _without_second_consonant(word, start)
    if word.endswith("igst"):
        word = word[:-2]
    ending = STEP_3.longest(word, start)
    if ending == "løst":
        word = word[:-1]
    elif ending:
        word = _without_second_consonant(word[: -len(ending)], start)
    if len(word) > start and word[-1] == word[-2] and word[-1] not in VOWELS:
        word = word[:-1]
    return word


def _without_second_consonant(word: str, start: int) -> str:
    """Step 2."""
    return word[:-1] if STEP_2.longest(word, start) else word
