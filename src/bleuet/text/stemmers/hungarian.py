"""The stemmer for Hungarian, Tordai's.

Source: https://snowballstem.org/algorithms/hungarian/stemmer.html; Tordai and de Rijke (2005),
"Four stemmers and a funeral: Stemming in Hungarian at CLEF 2005".
"""

from __future__ import annotations

import re

from bleuet.text.stemmers.endings import Endings, by_ending

VOWELS = "aeiouáéíóöõúüû"
match_region = re.compile(
    f"[{VOWELS}]+(?=[^{VOWELS}])(?:cs|gy|ly|ny|sz|ty|zs|dzs|.)|[^{VOWELS}]+[{VOWELS}]", re.DOTALL
).match
DOUBLE = Endings("bb cc ccs dd ff gg ggy jj kk ll lly mm nn nny pp rr ss ssz tt tty vv zz zzs")
CASES = Endings(
    "ban ben ba be ra re nak nek val vel tól tõl ról rõl ból bõl hoz hez höz nál nél ig at et ot",
    "öt ért képp képpen kor ul ül vá vé onként enként anként ként en on an ön n t",
)
# Steps 3, 4 and 6 to 9.
STEPS = (
    by_ending(("én", "e"), ("án ánként", "a")),
    by_ending(("astul estül stul stül", ""), ("ástul", "a"), ("éstül", "e")),
    None,
    by_ending(("oké öké aké eké ké éi é", ""), ("áké áéi", "a"), ("éké ééi éé", "e")),
    by_ending(
        ("ünk unk nk juk jük uk ük em om am m od ed ad öd d ja je a e o", ""),
        ("ánk ájuk ám ád á", "a"),
        ("énk éjük ém éd é", "e"),
    ),
    by_ending(
        ("jaim jeim aim eim im jaid jeid aid eid id jai jei ai ei i jaink jeink eink aink ink", ""),
        ("jaitok jeitek aitok eitek itek jeik jaik aik eik ik", ""),
        ("áim áid ái áink áitok áik", "a"),
        ("éim éid éi éink éitek éik", "e"),
    ),
    by_ending(("ák", "a"), ("ék", "e"), ("ök ak ok ek k", "")),
)


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("babakocsijáért", "mulasztásban", "babákkal", "bagolyszemüveges")]
    ['babakocs', 'mulasztás', 'baba', 'bagolyszemüveges']
    """
    found = match_region(word)
    start = len(word) if found is None else found.end()
    if word[-2:] in ("al", "el"):
        word = _without_double(word, 2, start)
    ending = CASES.longest(word)
    at = len(word) - len(ending)
    if ending and at >= start:
        word = word[:at]
        if word[-1:] in ("á", "é") and len(word) - 1 >= start:
            word = word[:-1] + ("a" if word[-1] == "á" else "e")
    for step in STEPS:
        if step is None:
            # Step 5.
            if word[-1:] in ("á", "é"):
                word = _without_double(word, 1, start)
            continue
        endings, replaced = step
        ending = endings.longest(word)
        at = len(word) - len(ending)
        if ending and at >= start:
            word = word[:at] + replaced[ending]
    return word


def _without_double(word: str, length: int, start: int) -> str:
    """Remove an ending after a double consonant, and one of its letters."""
    at = len(word) - length
    if at < start or not DOUBLE.longest(word[:at]):
        return word
    return word[: at - 2] + word[at - 1 : at]
