"""The stemmer for Portuguese.

Source: https://snowballstem.org/algorithms/portuguese/stemmer.html, the version before Snowball 2.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import (
    Endings,
    by_ending,
    listed,
    region_finder,
    verb_region_finder,
)

VOWELS = "aeiouáéíóúâêô"
find_regions = region_finder(VOWELS)
find_verb_region = verb_region_finder(VOWELS)
IDADE = listed("idade idades")
IVA = listed("iva ivo ivas ivos")
IRA = listed("ira iras")
STANDARD, IN_STANDARD = by_ending(
    ("eza ezas ico ica icos icas ismo ismos ável ível ista istas oso osa osos osas", ""),
    ("amento amentos imento imentos adora ador aça~o adoras adores aço~es ante antes ância", ""),
    ("amente mente", ""),
    (" ".join(IDADE | IVA), ""),
    ("logía logías", "log"),
    ("ución uciones", "u"),
    ("ência ências", "ente"),
    (" ".join(IRA), "ir"),
)
BEFORE_AMENTE = Endings("iv os ic ad")
BEFORE_MENTE = Endings("ante avel ível")
BEFORE_IDADE = Endings("abil ic iv")
VERB = Endings(
    "ada ida ia aria eria iria ará ara erá era irá ava asse esse isse aste este iste ei arei erei",
    "irei am iam ariam eriam iriam aram eram iram avam em arem erem irem assem essem issem ado ido",
    "ando endo indo ara~o era~o ira~o ar er ir as adas idas ias arias erias irias arás aras erás",
    "eras irás avas es ardes erdes irdes ares eres ires asses esses isses astes estes istes is ais",
    "eis íeis aríeis eríeis iríeis áreis areis éreis ereis íreis ireis ásseis ésseis ísseis áveis",
    "ados idos ámos amos íamos aríamos eríamos iríamos áramos éramos íramos ávamos emos aremos",
    "eremos iremos ássemos êssemos íssemos imos armos ermos irmos eu iu ou ira iras",
)
RESIDUAL = Endings("os a i o á í ó")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("boazinha", "felizmente", "ações", "quiabos")]
    ['boazinh', 'feliz', 'açõ', 'quiab']
    """
    word = word.replace("ã", "a~").replace("õ", "o~")
    rv = find_verb_region(word)
    r1, r2 = find_regions(word)
    found = _without_standard(word, rv, r1, r2)
    if found is None:
        ending = VERB.longest(word, rv)
        found = word[: -len(ending)] if ending else None
    if found is not None:
        word = found
        if word.endswith("ci") and len(word) - 1 >= rv:
            word = word[:-1]
    else:
        ending = RESIDUAL.longest(word)
        if ending and len(word) - len(ending) >= rv:
            word = word[: -len(ending)]
    return _without_final_e(word, rv).replace("a~", "ã").replace("o~", "õ")


def _without_standard(word: str, rv: int, r1: int, r2: int) -> str | None:
    """Step 1; None if no ending is removed."""
    ending = STANDARD.longest(word)
    at = len(word) - len(ending)
    region = rv if ending in IRA else r1 if ending == "amente" else r2
    if not ending or at < region or (ending in IRA and word[at - 1 : at] != "e"):
        return None
    word = word[:at] + IN_STANDARD[ending]
    if ending == "amente":
        before = BEFORE_AMENTE.longest(word)
        if before == "iv" and at - 2 >= r2 and word.endswith("ativ") and at - 4 >= r2:
            before = "ativ"
    elif ending == "mente":
        before = BEFORE_MENTE.longest(word)
    elif ending in IDADE:
        before = BEFORE_IDADE.longest(word)
    elif ending in IVA:
        before = "at" if word.endswith("at") else ""
    else:
        return word
    return word[: at - len(before)] if at - len(before) >= r2 else word


def _without_final_e(word: str, rv: int) -> str:
    """Step 5."""
    if word[-1:] in ("e", "é", "ê"):
        if len(word) - 1 >= rv:
            word = word[:-1]
            if word[-2:] in ("gu", "ci") and len(word) - 1 >= rv:
                word = word[:-1]
    elif word[-1:] == "ç":
        word = word[:-1] + "c"
    return word
