"""The stemmer for French.

Source: https://snowballstem.org/algorithms/french/stemmer.html, the version before Snowball 2,
which does not mark ë and ï.
"""

from __future__ import annotations

import re

from bleuet.text.stemmers.endings import Endings, by_ending, listed, marker, region_finder

VOWELS = "aeiouyâàëéêèïîôûù"
find_regions = region_finder(VOWELS)
mark = marker(f"[{VOWELS}](?:([ui])(?=[{VOWELS}])|(y))|(y)(?=[{VOWELS}])|q(u)", "uiy")
match_verb_region = re.compile(
    f"[{VOWELS}]{{2}}.|par|col|tap|.[^{VOWELS}]*[{VOWELS}]", re.DOTALL
).match
remove_accent = re.compile(f"[éè](?=[^{VOWELS}]+\\Z)").sub
ATION = listed("atrice ateur ation atrices ateurs ations")
ITE = listed("ité ités")
IF = listed("if ive ifs ives")
EUSE = listed("euse euses")
EMENT = listed("ement ements")
STANDARD, IN_STANDARD = by_ending(
    ("ance iqUe isme able iste eux ances iqUes ismes ables istes", ""),
    (" ".join(ATION), ""),
    ("logie logies", "log"),
    ("usion ution usions utions", "u"),
    ("ence ences", "ent"),
    (" ".join(ITE | IF | EUSE | EMENT), ""),
    ("eaux", "eau"),
    ("aux", "al"),
    ("issement issements ment ments", ""),
    ("amment", "ant"),
    ("emment", "ent"),
)
BEFORE_EMENT = Endings("iv eus abl iqU ièr Ièr")
BEFORE_ITE = Endings("abil ic iv")
VERB_I = Endings(
    "îmes ît îtes i ie ies ir ira irai iraIent irais irait iras irent irez iriez irions irons",
    "iront is issaIent issais issait issant issante issantes issants isse issent isses issez",
    "issiez issions issons it",
)
AFTER_E = listed(
    "âmes ât âtes a ai aIent ais ait ant ante antes ants as asse assent asses assiez assions"
)
VERB = Endings(
    *AFTER_E,
    "ions é ée ées és èrent er era erai eraIent erais erait eras erez eriez erions erons eront ez",
    "iez",
)
RESIDUAL = Endings("ion ier ière Ier Ière e ë")
KEEPS_S = frozenset("aiouès")
DOUBLE = ("enn", "onn", "ett", "ell", "eill")
UNMARKED = str.maketrans("IUY", "iuy")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("continuellement", "majesté", "constamment", "anciennes")]
    ['continuel', 'majest', 'const', 'ancien']
    """
    word = mark(word)
    found = match_verb_region(word)
    rv = len(word) if found is None else found.end()
    r1, r2 = find_regions(word)
    word, done = _without_standard(word, rv, r1, r2)
    if not done:
        word, done = _without_verb_ending(word, rv, r2)
    if not done:
        word = _without_residue(word, rv, r2)
    elif word[-1:] == "Y":
        word = word[:-1] + "i"
    elif word[-1:] == "ç":
        word = word[:-1] + "c"
    if word.endswith(DOUBLE):
        word = word[:-1]
    return remove_accent("e", word).translate(UNMARKED)


def _without_standard(word: str, rv: int, r1: int, r2: int) -> tuple[str, bool]:
    """Step 1; also return whether step 2 is left out."""
    ending = STANDARD.longest(word)
    if not ending:
        return word, False
    at = len(word) - len(ending)
    rest = word[:at]
    if ending == "eaux":
        return word[:-1], True
    if ending == "aux":
        return (rest + "al", True) if at >= r1 else (word, False)
    if ending in ("amment", "emment"):
        return rest + IN_STANDARD[ending] if at >= rv else word, False
    if ending in ("ment", "ments"):
        return rest if at > rv and rest[-1] in VOWELS else word, False
    if ending in ("issement", "issements"):
        return (rest, True) if at >= r1 and at and rest[-1] not in VOWELS else (word, False)
    if ending in EMENT:
        return (_without_before_ement(rest, rv, r1, r2), True) if at >= rv else (word, False)
    if ending in EUSE and r2 > at >= r1:
        return rest + "eux", True
    if at < r2:
        return word, False
    if ending in ATION:
        return _without_ic(rest, r2), True
    if ending in ITE:
        return _without_before_ite(rest, r2), True
    if ending in IF:
        if rest.endswith("at") and at - 2 >= r2:
            rest = _without_ic(rest[:-2], r2)
        return rest, True
    return rest + IN_STANDARD[ending], True


def _without_ic(word: str, r2: int) -> str:
    if not word.endswith("ic"):
        return word
    return word[:-2] if len(word) - 2 >= r2 else word[:-2] + "iqU"


def _without_before_ite(word: str, r2: int) -> str:
    ending = BEFORE_ITE.longest(word)
    if ending == "ic":
        return _without_ic(word, r2)
    at = len(word) - len(ending)
    if at >= r2:
        return word[:at]
    return word[:at] + "abl" if ending == "abil" else word


def _without_before_ement(word: str, rv: int, r1: int, r2: int) -> str:
    ending = BEFORE_EMENT.longest(word)
    at = len(word) - len(ending)
    rest = word[:at]
    if ending in ("ièr", "Ièr"):
        return rest + "i" if at >= rv else word
    if ending == "eus" and r2 > at >= r1:
        return rest + "eux"
    if at < r2:
        return word
    if ending == "iv" and rest.endswith("at") and at - 2 >= r2:
        return rest[:-2]
    return rest


def _without_verb_ending(word: str, rv: int, r2: int) -> tuple[str, bool]:
    """Step 2; also return whether an ending was removed."""
    ending = VERB_I.longest(word, rv)
    at = len(word) - len(ending)
    if ending and at > rv and word[at - 1] not in VOWELS:
        return word[:at], True
    ending = VERB.longest(word, rv)
    at = len(word) - len(ending)
    if not ending or (ending == "ions" and at < r2):
        return word, False
    if ending in AFTER_E and at > rv and word[at - 1] == "e":
        at -= 1
    return word[:at], True


def _without_residue(word: str, rv: int, r2: int) -> str:
    """Step 4."""
    if len(word) > 1 and word[-1] == "s" and word[-2] not in KEEPS_S:
        word = word[:-1]
    ending = RESIDUAL.longest(word, rv)
    at = len(word) - len(ending)
    if not ending:
        return word
    if ending == "e":
        return word[:at]
    if ending == "ion":
        return word[:at] if at >= r2 and at > rv and word[at - 1] in ("s", "t") else word
    if ending == "ë":
        return word[:at] if at - 2 >= rv and word.endswith("guë") else word
    return word[:at] + "i"
