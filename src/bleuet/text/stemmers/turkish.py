"""The stemmer for Turkish nouns, Çilden's.

Source: https://snowballstem.org/algorithms/turkish/stemmer.html, the version before Snowball 3,
which keeps apostrophes; Eryiğit and Adalı (2004), "An affix stripping morphological analyzer for
Turkish". Suffixes have capital letters where a letter changes: A is a or e, U is ı, i, u or ü.

Each function below removes a suffix, and returns None where the word does not have it.
"""

from __future__ import annotations

import re

from bleuet.text.stemmers.endings import Endings, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Suffix: TypeAlias = Callable[[str], str | None]

VOWELS = "aeıioöuü"
HIGH = frozenset("ıiuü")
find_vowels = re.compile(f"[{VOWELS}]").findall
# Vowels that can come before a vowel.
BEFORE_VOWEL = {
    "a": frozenset("aıou"), "e": frozenset("eiöü"), "ı": frozenset("aı"), "i": frozenset("ei"),
    "o": frozenset("ou"), "ö": frozenset("öü"), "u": frozenset("ou"), "ü": frozenset("öü"),
}  # fmt: skip
LAST_CONSONANTS = {"b": "p", "c": "ç", "d": "t", "ğ": "k"}
ADDED_VOWELS = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
RESERVED = listed("ad soyad")


def is_harmonic(word: str) -> bool:
    """Whether some vowel of a word can come before the last one.

    >>> is_harmonic("okuldan"), is_harmonic("saatten")
    (True, False)
    """
    vowels = find_vowels(word)
    return bool(vowels) and not BEFORE_VOWEL[vowels[-1]].isdisjoint(vowels[:-1])


def with_vowels(*suffixes: str) -> Endings:
    """Return suffixes with each vowel that A and U stand for, the same in the whole suffix.

    >>> sorted(with_vowels("DA").all)
    ['da', 'de', 'ta', 'te']
    """
    return Endings(
        *(
            suffix.replace("D", d).replace("A", low).replace("U", high)
            for suffix in suffixes
            for d in "dt"
            for low in "ae"
            for high in "ıiuü"
        )
    )


def suffix(*suffixes: str, optional: str = "", harmonic: bool = True) -> Suffix:
    """Return the function that removes the longest of some suffixes.

    Args:
        suffixes: the suffixes.
        optional: a letter that the suffix can begin with. Without it or before it, the letter
            before the last must be a vowel; for "U", a consonant.
        harmonic: whether the last vowel must fit to one before it.
    """
    endings = with_vowels(*suffixes)
    letters = HIGH if optional == "U" else frozenset(optional)

    def remove(word: str) -> str | None:
        """Return a word without the suffix, or None."""
        ending = endings.longest(word)
        if not ending or (harmonic and not is_harmonic(word)):
            return None
        rest = word[: -len(ending)]
        if not letters:
            return rest
        if len(rest) < 2 or (rest[-2] in VOWELS) == (optional == "U"):
            return None
        return rest[:-1] if rest[-1] in letters else rest

    return remove


def first_of(*suffixes: Suffix) -> Suffix:
    """Return the function that removes the first of several suffixes that a word has."""

    def remove(word: str) -> str | None:
        """Return a word without the suffix, or None."""
        for one in suffixes:
            rest = one(word)
            if rest is not None:
                return rest
        return None

    return remove


possessive = suffix("mUz", "nUz", "m", "n", optional="U", harmonic=False)
su = suffix("U", optional="s")
lari = suffix("leri", "ları", harmonic=False)
yu = suffix("U", optional="y")
nu = suffix("nU")
nun = suffix("Un", optional="n")
ya = suffix("A", optional="y")
na = suffix("nA")
da = suffix("DA")
nda = suffix("ndA")
dan = suffix("DAn")
ndan = suffix("ndAn")
yla = suffix("lA", optional="y")
ki = suffix("ki", harmonic=False)
nca = suffix("cA", optional="n")
yum = suffix("Um", optional="y")
sun = suffix("sUn")
yuz = suffix("Uz", optional="y")
sunuz = suffix("sUnUz", harmonic=False)
lar = suffix("lAr")
nuz = suffix("nUz")
dur = suffix("DUr")
casina = suffix("casına", "cesine", harmonic=False)
ydu = suffix("DUm", "DUn", "DUk", "DU", optional="y")
ysa = suffix("sAm", "sAn", "sAk", "sA", optional="y", harmonic=False)
ymus = suffix("mUş", optional="y")
yken = suffix("ken", optional="y", harmonic=False)

possessive_or_su = first_of(possessive, su)
tense = first_of(ymus, ydu, ysa, yken)
person = first_of(sunuz, lar, yum, sun, yuz)
after_lar = first_of(dur, ydu, ysa, ymus)
after_nuz = first_of(ydu, ysa)
singular_person = first_of(sunuz, yuz, sun, yum)
location = first_of(nda, na)
source = first_of(ndan, nu)
belonging = first_of(nun, yla)
direction = first_of(da, yu, ya)


def stem(word: str) -> str:
    """Return the stem of a word.

    >>> [stem(word) for word in ("doktoruymuşsunuz", "evlerinizden", "kitaplar", "kedim")]
    ['doktor', 'ev', 'kitap', 'kedi']
    """
    if len(find_vowels(word)) < 2:
        return word
    rest, goes_on = _without_verb_suffixes(word)
    if not goes_on:
        return rest
    rest = _without_noun_suffixes(rest)
    if rest in RESERVED:
        return rest
    if rest[-1:] in ("d", "g"):
        vowels = find_vowels(rest)
        if vowels:
            return rest + ADDED_VOWELS[vowels[-1]]
    return rest[:-1] + LAST_CONSONANTS.get(rest[-1:], rest[-1:])


def _then(remove: Suffix, word: str) -> str:
    """Return a word without a suffix that it need not have."""
    rest = remove(word)
    return word if rest is None else rest


def _without_verb_suffixes(word: str) -> tuple[str, bool]:
    """Remove suffixes of nouns that are verbs; also return whether those of nouns can follow."""
    rest = tense(word)
    if rest is not None:
        return rest, True
    rest = casina(word)
    if rest is not None:
        rest = ymus(_then(person, rest))
        if rest is not None:
            return rest, True
    rest = lar(word)
    if rest is not None:
        return _then(after_lar, rest), False
    rest = nuz(word)
    if rest is not None:
        rest = after_nuz(rest)
        if rest is not None:
            return rest, True
    rest = singular_person(word)
    if rest is not None:
        return _then(ymus, rest), True
    rest = dur(word)
    if rest is not None:
        found = ymus(_then(person, rest))
        return (rest if found is None else found), True
    return word, True


def _without_lar(word: str) -> str:
    """Remove lAr, and what can precede it before ki."""
    rest = lar(word)
    return word if rest is None else _then(_chain_before_ki, rest)


def _chain_before_ki(word: str) -> str | None:
    """Remove ki and the suffixes before it."""
    before_ki = ki(word)
    if before_ki is None:
        return None
    rest = da(before_ki)
    if rest is not None:
        found = lar(rest)
        if found is not None:
            return _then(_chain_before_ki, found)
        found = possessive(rest)
        return rest if found is None else _without_lar(found)
    rest = nun(before_ki)
    if rest is not None:
        return _without_owner(rest)
    rest = nda(before_ki)
    return None if rest is None else _without_inner(word, rest)


def _without_owner(rest: str) -> str:
    found = lari(rest)
    if found is not None:
        return found
    found = possessive_or_su(rest)
    return _then(_chain_before_ki, rest) if found is None else _without_lar(found)


def _without_inner(word: str, rest: str) -> str | None:
    """Return a word without the suffix after `rest` and those before, or only with the latter."""
    found = lari(rest)
    if found is not None:
        return found
    found = su(rest)
    if found is not None:
        return _without_lar(found)
    found = _chain_before_ki(rest)
    # The suffix itself stays here.
    return None if found is None else found + word[len(rest) :]


def _without_noun_suffixes(word: str) -> str:
    for remove in NOUN_SUFFIXES:
        rest = remove(word)
        if rest is not None:
            return rest
    return word


def _plural(word: str) -> str | None:
    rest = lar(word)
    return None if rest is None else _then(_chain_before_ki, rest)


def _nca(word: str) -> str | None:
    rest = nca(word)
    if rest is None:
        return None
    found = lari(rest)
    if found is not None:
        return found
    found = possessive_or_su(rest)
    return _without_lar(rest if found is None else found)


def _location(word: str) -> str | None:
    rest = location(word)
    return None if rest is None else _without_inner(word, rest)


def _source(word: str) -> str | None:
    rest = source(word)
    if rest is None:
        return None
    found = su(rest)
    if found is not None:
        return _without_lar(found)
    # With lArI nothing is removed, and nothing else is tried.
    return None if lari(rest) is None else word


def _dan(word: str) -> str | None:
    rest = dan(word)
    if rest is None:
        return None
    found = possessive(rest)
    if found is not None:
        return _without_lar(found)
    found = lar(rest)
    return _then(_chain_before_ki, rest if found is None else found)


def _belonging(word: str) -> str | None:
    rest = belonging(word)
    if rest is None:
        return None
    found = lar(rest)
    if found is not None:
        rest = found
        found = _chain_before_ki(rest)
        if found is not None:
            return found
    found = possessive_or_su(rest)
    return _then(_chain_before_ki, rest) if found is None else _without_lar(found)


def _direction(word: str) -> str | None:
    rest = direction(word)
    if rest is None:
        return None
    found = possessive(rest)
    if found is not None:
        return _then(_chain_before_ki, _then(lar, found))
    return _without_lar(rest)


def _owner(word: str) -> str | None:
    rest = possessive_or_su(word)
    return None if rest is None else _without_lar(rest)


# Each begins with the last suffix of a word; the first that a word has is removed.
NOUN_SUFFIXES: Sequence[Suffix] = (
    _plural,
    _nca,
    _location,
    _source,
    _dan,
    _belonging,
    lari,
    _chain_before_ki,
    _direction,
    _owner,
)
