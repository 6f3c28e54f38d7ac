"""The stemmer for Norwegian.

Source: https://snowballstem.org/algorithms/norwegian/stemmer.html, the version before Snowball 3.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import Endings, region_finder

VOWELS = "aeiouyæåø"
find_regions = region_finder(VOWELS)
BEFORE_S = frozenset("bcdfghjlmnoprtvyz")
STEP_1 = Endings(
    "a e ede ande ende ane ene hetene en heten ar er heter as es edes endes enes hetenes ens",
    "hetens ers ets et het ast s erte ert",
)
STEP_2 = Endings("dt vt")
STEP_3 = Endings("leg eleg ig eig lig elig els lov elov slov hetslov")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("husene", "vennlig", "reparerte", "sendt")]
    ['hus', 'venn', 'reparer', 'send']
    """
    start = max(find_regions(word)[0], 3)
    ending = STEP_1.longest(word, start)
    if ending in ("erte", "ert"):
        word = word[: 2 - len(ending)]
    elif ending and (ending != "s" or _may_lose_s(word)):
        word = word[: -len(ending)]
    if STEP_2.longest(word, start):
        word = word[:-1]
    ending = STEP_3.longest(word, start)
    return word[: -len(ending)] if ending else word


def _may_lose_s(word: str) -> bool:
    before = word[-2]
    return before in BEFORE_S or (before == "k" and word[-3] not in VOWELS)
