"""The stemmer for Romanian.

Source: https://snowballstem.org/algorithms/romanian/stemmer.html, the version before Snowball 3,
which has the letters ş and ţ with cedillas only.
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

VOWELS = "aeiouâîă"
find_regions = region_finder(VOWELS)
find_verb_region = verb_region_finder(VOWELS)
mark = marker(f"[{VOWELS}]([ui])(?=[{VOWELS}])", "ui")
PLURAL, IN_PLURAL = by_ending(
    ("ul ului", ""),
    ("aua", "a"),
    ("ea ele elor", "e"),
    ("ii iua iei iile iilor ilor ile", "i"),
    ("atei", "at"),
    ("aţie aţia", "aţi"),
)
COMBINED, IN_COMBINED = by_ending(
    ("abilitate abilitati abilităi abilităţi", "abil"),
    ("ibilitate", "ibil"),
    ("ivitate ivitati ivităi ivităţi", "iv"),
    ("icitate icitati icităi icităţi icator icatori iciv iciva icive icivi icivă", "ic"),
    ("ical icala icale icali icală", "ic"),
    ("ativ ativa ative ativi ativă aţiune atoare ator atori ătoare ător ători", "at"),
    ("itiv itiva itive itivi itivă iţiune itoare itor itori", "it"),
)
STANDARD, IN_STANDARD = by_ending(
    ("at ata ată ati ate ut uta ută uti ute it ita ită iti ite ic ica ice ici ică", ""),
    ("abil abila abile abili abilă ibil ibila ibile ibili ibilă oasa oasă oase os osi oşi", ""),
    ("ant anta ante anti antă ator atori itate itati ităi ităţi iv iva ive ivi ivă", ""),
    ("iune iuni", ""),
    ("ism isme ist ista iste isti istă işti", "ist"),
)
IUNE = listed("iune iuni")
AFTER_CONSONANT = listed(
    "are ere ire âre ind ând indu ându eze ească ez ezi ează esc eşti eşte ăsc ăşti ăşte am ai au "
    "eam eai ea eaţi eau iam iai ia iaţi iau ui aşi arăm arăţi ară uşi urăm urăţi ură işi irăm "
    "irăţi iră âi âşi ârăm ârăţi âră asem aseşi ase aserăm aserăţi aseră isem iseşi ise iserăm "
    "iserăţi iseră âsem âseşi âse âserăm âserăţi âseră usem useşi use userăm userăţi useră"
)
VERB = Endings(
    *AFTER_CONSONANT,
    "ăm aţi em eţi im iţi âm âţi seşi serăm serăţi seră sei se sesem seseşi sese seserăm seserăţi",
    "seseră",
)
FINAL_VOWEL = Endings("a e i ie ă")
UNMARKED = str.maketrans("IU", "iu")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("casele", "frumoasă", "naţiunilor", "posibilitate")]
    ['cas', 'frumoas', 'naţiun', 'posibil']
    """
    word = mark(word)
    rv = find_verb_region(word)
    r1, r2 = find_regions(word)
    ending = PLURAL.longest(word)
    at = len(word) - len(ending)
    if ending and at >= r1 and not (ending == "ile" and word[at - 2 : at] == "ab"):
        word = word[:at] + IN_PLURAL[ending]
    word, removed = _without_standard(word, r1, r2)
    if not removed:
        ending = VERB.longest(word, rv)
        at = len(word) - len(ending)
        if ending and (ending not in AFTER_CONSONANT or _follows_consonant(word, at, rv)):
            word = word[:at]
    ending = FINAL_VOWEL.longest(word)
    if ending and len(word) - len(ending) >= rv:
        word = word[: -len(ending)]
    return word.translate(UNMARKED)


def _without_standard(word: str, r1: int, r2: int) -> tuple[str, bool]:
    """Steps 1 and 2; also return whether an ending was replaced."""
    removed = False
    while True:
        ending = COMBINED.longest(word)
        at = len(word) - len(ending)
        if not ending or at < r1:
            break
        word, removed = word[:at] + IN_COMBINED[ending], True
    ending = STANDARD.longest(word)
    at = len(word) - len(ending)
    if not ending or at < r2:
        return word, removed
    if ending in IUNE:
        return (word[: at - 1] + "t", True) if word[at - 1] == "ţ" else (word, removed)
    return word[:at] + IN_STANDARD[ending], True


def _follows_consonant(word: str, at: int, rv: int) -> bool:
    return at > rv and (word[at - 1] not in VOWELS or word[at - 1] == "u")
