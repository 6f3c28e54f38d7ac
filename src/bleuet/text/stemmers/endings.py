"""What the stemmers share: the longest ending of a word, and its regions."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection


def listed(words: str) -> frozenset[str]:
    """Return the words of a text.

    >>> sorted(listed("b a"))
    ['a', 'b']
    """
    return frozenset(words.split())


class Endings:
    """A list of endings.

    Args:
        endings: the endings, or texts that have several with spaces between them.

    >>> Endings("s", "ies es").longest("ties"), Endings("s", "ies es").longest("ties", 2)
    ('ies', 'es')
    """

    def __init__(self, *endings: str) -> None:
        self.all = listed(" ".join(endings))
        # The lengths of those that end in a letter, from the longest.
        lengths: dict[str, set[int]] = {}
        for ending in self.all:
            lengths.setdefault(ending[-1], set()).add(len(ending))
        self._lengths = {last: sorted(found, reverse=True) for last, found in lengths.items()}

    def longest(self, word: str, start: int = 0) -> str:
        """Return the longest ending of a word that begins at a place or after it, or ""."""
        most = len(word) - start
        for length in self._lengths.get(word[-1:], ()):
            if length <= most:
                ending = word[-length:]
                if ending in self.all:
                    return ending
        return ""


def by_ending(*groups: tuple[str, str]) -> tuple[Endings, dict[str, str]]:
    """Return endings, and what replaces each, from groups of both.

    >>> by_ending(("a o", ""), ("ies", "y"))[1]
    {'a': '', 'o': '', 'ies': 'y'}
    """
    table = {ending: other for endings, other in groups for ending in endings.split()}
    return Endings(*table), table


def region_finder(vowels: str, *beginnings: str) -> Callable[[str], tuple[int, int]]:
    """Return the function that finds where R1 and R2 of a word begin.

    R1 is what follows the first consonant after a vowel; R2 is R1 of R1. At the end of the word a
    region is empty. Source: https://snowballstem.org/texts/r1r2.html.

    Args:
        vowels: the letters that are vowels.
        beginnings: beginnings of words that R1 follows all the same.

    >>> region_finder("aeiou")("beautiful"), region_finder("aeiou")("tree")
    ((5, 7), (4, 4))
    """
    to_region = f"[^{vowels}]*[{vowels}]+[^{vowels}]"
    match = re.compile(f"(?:{'|'.join((*beginnings, to_region))})({to_region})?").match

    def find(word: str) -> tuple[int, int]:
        found = match(word)
        if found is None:
            return len(word), len(word)
        if found[1] is None:
            return found.end(), len(word)
        return found.start(1), found.end()

    return find


def verb_region_finder(vowels: str) -> Callable[[str], int]:
    """Return the function that finds where RV of a Spanish, Portuguese or similar word begins.

    If the second letter is a consonant, RV is what follows the next vowel; if the first two are
    vowels, what follows the next consonant; otherwise what follows the third letter.

    >>> find = verb_region_finder("aeiou")
    >>> find("oliva"), find("macho"), find("trabajo"), find("aureo"), find("no")
    (3, 3, 3, 3, 2)
    """
    v, c = f"[{vowels}]", f"[^{vowels}]"
    match = re.compile(f"{v}(?:{c}+{v}|{v}+{c})|{c}(?:{c}+{v}|{v}.)", re.DOTALL).match

    def find(word: str) -> int:
        found = match(word)
        return len(word) if found is None else found.end()

    return find


def marker(pattern: str, letters: Collection[str]) -> Callable[[str], str]:
    """Return the function that puts letters into upper case, so that they are not vowels.

    Args:
        pattern: matches a marked letter and what must be around it; it is its last group.
        letters: the letters, of which a word must have one.

    >>> marker("[aou](u)(?=[aou])", "u")("auau")
    'aUau'
    """
    substitute = re.compile(pattern).sub

    def upper(found: re.Match[str]) -> str:
        at = found.start(found.lastindex or 0) - found.start()
        text = found[0]
        return text[:at] + text[at].upper() + text[at + 1 :]

    def mark(word: str) -> str:
        for letter in letters:
            if letter in word:
                return substitute(upper, word)
        return word

    return mark
