"""The stemmer for Spanish.

Source: https://snowballstem.org/algorithms/spanish/stemmer.html, the version before Snowball 3.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import (
    Endings,
    by_ending,
    listed,
    region_finder,
    verb_region_finder,
)

VOWELS = "aeiouáéíóúü"
find_regions = region_finder(VOWELS)
find_verb_region = verb_region_finder(VOWELS)
PRONOUN = Endings("me se sela selo selas selos la le lo las les los nos")
BEFORE_PRONOUN, UNACCENTED = by_ending(
    ("iéndo", "iendo"), ("ándo", "ando"), ("ár", "ar"), ("ér", "er"), ("ír", "ir"),
    ("ando", "ando"), ("iendo", "iendo"), ("ar", "ar"), ("er", "er"), ("ir", "ir"),
    ("yendo", "yendo"),
)  # fmt: skip
AFTER_IC = listed("adora ador ación adoras adores aciones ante antes ancia ancias")
IDAD = listed("idad idades")
IVA = listed("iva ivo ivas ivos")
STANDARD, IN_STANDARD = by_ending(
    ("anza anzas ico ica icos icas ismo ismos able ables ible ibles ista istas oso osa osos", ""),
    ("osas amiento amientos imiento imientos", ""),
    (" ".join(AFTER_IC), ""),
    ("logía logías", "log"),
    ("ución uciones", "u"),
    ("encia encias", "ente"),
    ("amente mente", ""),
    (" ".join(IDAD | IVA), ""),
)
BEFORE_AMENTE = Endings("iv os ic ad")
BEFORE_MENTE = Endings("ante able ible")
BEFORE_IDAD = Endings("abil ic iv")
VERB_Y = Endings("ya ye yan yen yeron yendo yo yó yas yes yais yamos")
AFTER_GU = listed("en es éis emos")
VERB = Endings(
    *AFTER_GU,
    "arían arías arán arás aríais aría aréis aríamos aremos ará aré erían erías erán erás eríais",
    "ería eréis eríamos eremos erá eré irían irías irán irás iríais iría iréis iríamos iremos irá",
    "iré aba ada ida ía ara iera ad ed id ase iese aste iste an aban ían aran ieran asen iesen",
    "aron ieron ado ido ando iendo ió ar er ir as abas adas idas ías aras ieras ases ieses ís áis",
    "abais íais arais ierais aseis ieseis asteis isteis ados idos amos ábamos íamos imos áramos",
    "iéramos iésemos ásemos",
)
RESIDUAL = Endings("os a o á í ó e é")
WITHOUT_ACCENTS = str.maketrans("áéíóú", "aeiou")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("haciéndola", "rápidamente", "canciones", "pagué")]
    ['hac', 'rapid', 'cancion', 'pag']
    """
    rv = find_verb_region(word)
    r1, r2 = find_regions(word)
    word = _without_pronoun(word, rv)
    found = _without_standard(word, r1, r2)
    word = _without_verb_ending(word, rv) if found is None else found
    ending = RESIDUAL.longest(word)
    at = len(word) - len(ending)
    if ending and at >= rv:
        word = word[:at]
        if ending in ("e", "é") and word.endswith("gu") and at - 1 >= rv:
            word = word[:-1]
    return word.translate(WITHOUT_ACCENTS)


def _without_pronoun(word: str, rv: int) -> str:
    """Step 0."""
    pronoun = PRONOUN.longest(word)
    if not pronoun:
        return word
    rest = word[: -len(pronoun)]
    ending = BEFORE_PRONOUN.longest(rest)
    at = len(rest) - len(ending)
    if not ending or at < rv or (ending == "yendo" and rest[at - 1 : at] != "u"):
        return word
    return rest[:at] + UNACCENTED[ending]


def _without_standard(word: str, r1: int, r2: int) -> str | None:
    """Step 1; None if no ending is removed."""
    ending = STANDARD.longest(word)
    at = len(word) - len(ending)
    if not ending or at < (r1 if ending == "amente" else r2):
        return None
    word = word[:at] + IN_STANDARD[ending]
    if ending in AFTER_IC:
        before = "ic" if word.endswith("ic") else ""
    elif ending == "amente":
        before = BEFORE_AMENTE.longest(word)
        if before == "iv" and at - 2 >= r2 and word.endswith("ativ") and at - 4 >= r2:
            before = "ativ"
    elif ending == "mente":
        before = BEFORE_MENTE.longest(word)
    elif ending in IDAD:
        before = BEFORE_IDAD.longest(word)
    elif ending in IVA:
        before = "at" if word.endswith("at") else ""
    else:
        return word
    return word[: at - len(before)] if at - len(before) >= r2 else word


def _without_verb_ending(word: str, rv: int) -> str:
    """Step 2."""
    ending = VERB_Y.longest(word, rv)
    at = len(word) - len(ending)
    if ending and word[at - 1 : at] == "u":
        return word[:at]
    ending = VERB.longest(word, rv)
    if not ending:
        return word
    word = word[: -len(ending)]
    return word[:-1] if ending in AFTER_GU and word.endswith("gu") else word
