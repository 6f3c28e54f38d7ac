"""Porter's stemmer for English (Porter 1980) with the changes that NLTK makes by default.

rouge-score stems with `nltk.stem.PorterStemmer`. It differs from the published algorithm, which
Snowball has as "porter", in the stems of one English word in sixty: play, not plai; use, not us.
"""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    # (suffix, what replaces it); the first suffix that a word has is the only one that is tried.
    Rules = Sequence[tuple[str, str]]

IRREGULAR = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "inning": "inning", "innings": "inning", "outing": "outing", "outings": "outing",
    "canning": "canning", "cannings": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
STEP_2: Rules = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ("fulli", "ful"),
)  # fmt: skip
STEP_3: Rules = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
)  # fmt: skip
STEP_4: Rules = tuple(
    (suffix, "")
    for suffix in (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion",
        "ou", "ism", "ate", "iti", "ous", "ive", "ize",
    )
)  # fmt: skip


@lru_cache(maxsize=1 << 17)
def porter_stem(word: str) -> str:
    """Return the stem of a lower-cased English word.

    Source: Porter (1980), "An algorithm for suffix stripping", Program 14(3); NLTK 3.10.

    >>> [porter_stem(word) for word in ("relational", "playing", "flies", "died", "controlled")]
    ['relat', 'play', 'fli', 'die', 'control']
    """
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _without_ending(_without_plural(word))
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        word = word[:-1] + "i"
    word = _step_2(word)
    word = _replaced(word, STEP_3, 0)
    word = _replaced(word, STEP_4, 1)
    return _without_final_e_or_l(word)


def _shape(word: str) -> str:
    """Return "c" for each consonant and "v" for each vowel; y after a consonant is a vowel.

    >>> _shape("syzygy"), _shape("toy")
    ('cvcvcv', 'cvc')
    """
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """Return m of [C](VC){m}[V], the paper's number of vowel-consonant pairs.

    >>> [_measure(stem) for stem in ("tree", "oats", "private")]
    [0, 1, 2]
    """
    return _shape(stem).count("vc")


def _replaced(word: str, rules: Rules, least: int) -> str:
    """Return a word with its suffix replaced, if the measure of what is before it is more."""
    for suffix, other in rules:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            # Step 4: (m > 1 and (*S or *T)) ION
            fits = suffix != "ion" or stem[-1:] in ("s", "t")
            return stem + other if fits and _measure(stem) > least else word
    return word


def _without_plural(word: str) -> str:
    """Step 1a. NLTK keeps the e of short words: dies, ties."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_ending(word: str) -> str:
    """Step 1b: eed, ed and ing. NLTK has "ied" too."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    ending = 2 if word.endswith("ed") else 3 if word.endswith("ing") else 0
    stem = word[: len(word) - ending]
    shape = _shape(stem)
    if not ending or "v" not in shape:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if shape[-1] == "c" and stem[-2:-1] == stem[-1]:
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if shape.count("vc") == 1 and _ends_short(stem, shape) else stem


def _ends_short(stem: str, shape: str) -> bool:
    """The condition *o: consonant, vowel, consonant but w, x, y. NLTK has two letters too."""
    return (shape[-3:] == "cvc" and stem[-1] not in "wxy") or shape == "vc"


def _step_2(word: str) -> str:
    """Step 2. NLTK removes a second suffix where "alli" follows it, and has "fulli" and "logi"."""
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step_2(word[:-2])
    if word.endswith("logi"):
        # The l belongs to the stem here, for theology and the like.
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, STEP_2, 0)


def _without_final_e_or_l(word: str) -> str:
    """Step 5."""
    if word.endswith("e"):
        stem = word[:-1]
        shape = _shape(stem)
        measure = shape.count("vc")
        if measure > 1 or (measure == 1 and not _ends_short(stem, shape)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
