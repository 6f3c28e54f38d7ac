"""The stemmer for Finnish.

Source: https://snowballstem.org/algorithms/finnish/stemmer.html, the version before Snowball 2,
for which every character but a vowel is a consonant. Of step 3, METEOR 1.5's program never finds
siin, seen, den and tten, and takes the n of such words.
"""

from __future__ import annotations

from bleuet.text.stemmers.endings import Endings, listed, region_finder

VOWELS = "aeiouyäö"
find_regions = region_finder(VOWELS)
PARTICLES = Endings("kin kaan kään ko kö han hän pa pä sti")
BEFORE_PARTICLE = frozenset(VOWELS + "nt")
POSSESSIVES = Endings("si ni nsa nsä mme nne an än en")
BEFORE_POSSESSIVE = {
    "an": ("ta", "ssa", "sta", "lla", "lta", "na"),
    "än": ("tä", "ssä", "stä", "llä", "ltä", "nä"),
    "en": ("lle", "ine"),
}
CASES = Endings(
    "han hen hin hon hän hön n a ä tta ttä ta tä ssa ssä sta stä lla llä lta ltä",
    "lle na nä ksi ine",
)
LONG = ("aa", "ee", "ii", "oo", "uu", "ää", "öö")
# What must precede these endings.
BEFORE_CASE = {
    "han": "a", "hen": "e", "hin": "i", "hon": "o", "hän": "ä", "hön": "ö", "tta": "e", "ttä": "e",
}  # fmt: skip
NOT_AFTER_PO = listed("mpi mpa mpä mmi mma mmä")
OTHERS = Endings(*NOT_AFTER_PO, "impi impa impä immi imma immä eja ejä")
MMA = Endings("mma imma")
FINAL_VOWELS = frozenset("aäei")


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("aarteisiin", "edeltäjien", "taloissani", "eläkkeen")]
    ['aarteis', 'edeltäj', 'talo', 'eläk']
    """
    r1, r2 = find_regions(word)
    ending = PARTICLES.longest(word, r1)
    if ending:
        at = len(word) - len(ending)
        if at >= r2 if ending == "sti" else word[at - 1] in BEFORE_PARTICLE:
            word = word[:at]
    word = _without_possessive(word, r1)
    rest = _without_case(word, r1)
    had_case = rest is not None
    word = word if rest is None else rest
    word = _without_other(word, OTHERS.longest(word, r2))
    if had_case:
        if len(word) > r1 and word[-1] in ("i", "j"):
            word = word[:-1]
    elif len(word) > r1 + 1 and word[-1] == "t" and word[-2] in VOWELS:
        word = word[:-1]
        word = _without_other(word, MMA.longest(word, r2))
    return _tidy(word, r1)


def _without_possessive(word: str, r1: int) -> str:
    """Step 2."""
    ending = POSSESSIVES.longest(word, r1)
    rest = word[: len(word) - len(ending)]
    if ending in BEFORE_POSSESSIVE:
        return rest if rest.endswith(BEFORE_POSSESSIVE[ending]) else word
    if ending == "si":
        return word if rest[-1:] == "k" else rest
    if ending == "ni" and rest.endswith("kse"):
        return rest[:-1] + "i"
    return rest


def _without_case(word: str, r1: int) -> str | None:
    """Step 3; None if no ending is removed."""
    ending = CASES.longest(word, r1)
    at = len(word) - len(ending)
    if not ending:
        return None
    rest = word[:at]
    if ending == "n":
        return rest[:-1] if rest.endswith((*LONG, "ie")) else rest
    if ending in ("a", "ä"):
        fits = at > 1 and rest[-1] in VOWELS and rest[-2] not in VOWELS
        return rest if fits else None
    if ending in BEFORE_CASE and rest[-1:] != BEFORE_CASE[ending]:
        return None
    return rest


def _without_other(word: str, ending: str) -> str:
    """Return a word without an ending, unless it is one of MPI that follows "po"."""
    rest = word[: len(word) - len(ending)]
    return word if ending in NOT_AFTER_PO and rest.endswith("po") else rest


def _tidy(word: str, r1: int) -> str:
    """Step 6."""
    if word.endswith(LONG, r1):
        word = word[:-1]
    if len(word) > r1 + 1 and word[-1] in FINAL_VOWELS and word[-2] not in VOWELS:
        word = word[:-1]
    if word.endswith(("oj", "uj"), r1):
        word = word[:-1]
    if word.endswith("jo", r1):
        word = word[:-1]
    at = len(word.rstrip(VOWELS))
    return word[: at - 1] + word[at:] if at > 1 and word[at - 1] == word[at - 2] else word
