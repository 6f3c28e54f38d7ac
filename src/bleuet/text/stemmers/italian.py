"""The stemmer for Italian.

Source: https://snowballstem.org/algorithms/italian/stemmer.html, the version before Snowball 3.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import (
    Endings,
    by_ending,
    listed,
    marker,
    region_finder,
    verb_region_finder,
)

VOWELS = "aeiouàèìòù"
find_regions = region_finder(VOWELS)
find_verb_region = verb_region_finder(VOWELS)
mark = marker(f"[{VOWELS}]([ui])(?=[{VOWELS}])", "ui")
GRAVE = str.maketrans("áéíóú", "àèìòù")
PRONOUN = Endings(
    "ci gli la le li lo mi ne si ti vi sene gliela gliele glieli glielo gliene mela mele meli melo",
    "mene tela tele teli telo tene cela cele celi celo cene vela vele veli velo vene",
)
BEFORE_PRONOUN = Endings("ando endo ar er ir")
AZIONE = listed("azione azioni atore atori")
MENTO = listed("amento amenti imento imenti")
IVO = listed("ivo ivi iva ive")
STANDARD, IN_STANDARD = by_ending(
    ("anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti", ""),
    ("istà istè istì oso osi osa ose mente atrice atrici ante anti amente ità", ""),
    (" ".join(AZIONE | MENTO | IVO), ""),
    ("logia logie", "log"),
    ("uzione uzioni usione usioni", "u"),
    ("enza enze", "ente"),
)
BEFORE_AMENTE = Endings("iv os ic abil")
BEFORE_ITA = Endings("abil ic iv")
VERB = Endings(
    "ammo ando ano are arono asse assero assi assimo ata ate ati ato ava avamo avano avate avi avo",
    "emmo enda ende endi endo erà erai eranno ere erebbe erebbero erei eremmo eremo ereste eresti",
    "erete erò erono essero ete eva evamo evano evate evi evo Yamo iamo immo irà irai iranno ire",
    "irebbe irebbero irei iremmo iremo ireste iresti irete irò irono isca iscano isce isci isco",
    "iscono issero ita ite iti ito iva ivamo ivano ivate ivi ivo ono uta ute uti uto ar ir",
)
FINAL_VOWELS = frozenset("aeioàèìò")
UNMARKED = str.maketrans("IU", "iu")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("guardandogli", "abbandonata", "città", "crocchi")]
    ['guard', 'abbandon', 'citt', 'crocc']
    """
    word = mark(word.translate(GRAVE).replace("qu", "qU"))
    rv = find_verb_region(word)
    r1, r2 = find_regions(word)
    word = _without_pronoun(word, rv)
    found = _without_standard(word, rv, r1, r2)
    if found is None:
        ending = VERB.longest(word, rv)
        found = word[: -len(ending)] if ending else word
    return _without_final_vowel(found, rv).translate(UNMARKED)


def _without_pronoun(word: str, rv: int) -> str:
    """Step 0."""
    pronoun = PRONOUN.longest(word)
    if not pronoun:
        return word
    rest = word[: -len(pronoun)]
    ending = BEFORE_PRONOUN.longest(rest)
    if not ending or len(rest) - len(ending) < rv:
        return word
    return rest if len(ending) > 2 else rest + "e"


def _without_standard(word: str, rv: int, r1: int, r2: int) -> str | None:
    """Step 1; None if no ending is removed."""
    ending = STANDARD.longest(word)
    at = len(word) - len(ending)
    region = rv if ending in MENTO else r1 if ending == "amente" else r2
    if not ending or at < region:
        return None
    word = word[:at] + IN_STANDARD[ending]
    if ending in AZIONE:
        before = "ic" if word.endswith("ic") else ""
    elif ending == "amente":
        before = BEFORE_AMENTE.longest(word)
        if before == "iv" and at - 2 >= r2 and word.endswith("ativ") and at - 4 >= r2:
            before = "ativ"
    elif ending == "ità":
        before = BEFORE_ITA.longest(word)
    elif ending in IVO:
        before = "at" if word.endswith("at") else ""
        if before and at - 2 >= r2 and word.endswith("icat") and at - 4 >= r2:
            before = "icat"
    else:
        return word
    return word[: at - len(before)] if at - len(before) >= r2 else word


def _without_final_vowel(word: str, rv: int) -> str:
    """Step 3."""
    if word[-1:] in FINAL_VOWELS and len(word) - 1 >= rv:
        word = word[:-1]
        if word[-1:] == "i" and len(word) - 1 >= rv:
            word = word[:-1]
    if word[-2:] in ("ch", "gh") and len(word) - 2 >= rv:
        word = word[:-1]
    return word
