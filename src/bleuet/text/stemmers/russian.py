"""The stemmer for Russian.

Source: https://snowballstem.org/algorithms/russian/stemmer.html, the version before Snowball 2,
for which ё is a letter of its own and no vowel.
"""

from __future__ import annotations

import re

from bleuet.text.stemmers.endings import Endings, listed

VOWELS = "аеиоуыэюя"
match_regions = re.compile(
    f"[^{VOWELS}]*[{VOWELS}]()(?:[{VOWELS}]*[^{VOWELS}]+[{VOWELS}]+[^{VOWELS}]())?"
).match
# Those of the first group must follow one of these letters.
BEFORE_FIRST = ("а", "я")
GERUND_1 = listed("в вши вшись")
GERUND = Endings(*GERUND_1, "ив ивши ившись ыв ывши ывшись")
ADJECTIVE = Endings(
    "ее ие ые ое ими ыми ей ий ый ой ем им ым ом его ого ему ому их ых ую юю ая яя ою ею"
)
PARTICIPLE_1 = listed("ем нн вш ющ щ")
PARTICIPLE = Endings(*PARTICIPLE_1, "ивш ывш ующ")
VERB_1 = listed("ла на ете йте ли й л ем н ло но ет ют ны ть ешь нно")
VERB = Endings(
    *VERB_1,
    "ила ыла ена ейте уйте ите или ыли ей уй ил ыл им ым ен ило ыло ено ят ует уют ит ыт ены",
    "ить ыть ишь ую ю",
)
NOUN = Endings(
    "а ев ов ие ье е иями ями ами еи ии и ией ей ой ий й иям ям ием ем ам ом о у ах иях ях ы ь",
    "ию ью ю ия ья я",
)
LAST = Endings("ейш ейше н ь")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("бегавшая", "важнейшими", "вагонов", "важность")]
    ['бега', 'важн', 'вагон', 'важност']
    """
    regions = match_regions(word)
    if regions is None:
        return word
    start, r2 = regions.end(1), regions.end(2)
    before, word = word[:start], word[start:]
    word = _without_inflection(word)
    if word[-1:] == "и":
        word = word[:-1]
    if r2 >= 0:
        ending = "ость" if word.endswith("ость") else "ост" if word.endswith("ост") else ""
        if ending and len(word) - len(ending) >= r2 - start:
            word = word[: -len(ending)]
    ending = LAST.longest(word)
    if ending == "ь":
        word = word[:-1]
    elif ending:
        if ending != "н":
            word = word[: -len(ending)]
        if word[-2:] == "нн":
            word = word[:-1]
    return before + word


def _without(word: str, endings: Endings, first: frozenset[str]) -> str | None:
    """Return a word without its longest ending, or None if it has none or not after its letters."""
    ending = endings.longest(word)
    if not ending:
        return None
    word = word[: -len(ending)]
    return word if ending not in first or word[-1:] in BEFORE_FIRST else None


def _without_inflection(word: str) -> str:
    """Step 1: the ending of a gerund, or of a reflexive and an adjective, verb or noun."""
    found = _without(word, GERUND, GERUND_1)
    if found is not None:
        return found
    if word[-2:] in ("ся", "сь"):
        word = word[:-2]
    ending = ADJECTIVE.longest(word)
    if ending:
        word = word[: -len(ending)]
        found = _without(word, PARTICIPLE, PARTICIPLE_1)
        return word if found is None else found
    found = _without(word, VERB, VERB_1)
    if found is not None:
        return found
    ending = NOUN.longest(word)
    return word[: -len(ending)] if ending else word
