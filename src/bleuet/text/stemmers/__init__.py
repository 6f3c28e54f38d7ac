"""Snowball's stemmers as METEOR 1.5 has them, as a table; each is one file of this folder.

They are written from the descriptions of the algorithms at https://snowballstem.org/algorithms,
in the versions of 2014. Later versions of Snowball have other stems of some words.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# The files of this folder by the code of the language.
STEMMERS = {
    "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip


@cache
def find_stemmer(language: str) -> Callable[[str], str]:
    """Return the function from a lower-cased word to its stem; it keeps the stems of 65,536 words.

    Args:
        language: a code of `STEMMERS`.

    >>> [find_stemmer(code)(word) for code, word in (("en", "houses"), ("de", "häuser"))]
    ['hous', 'haus']
    """
    module = import_module(f"bleuet.text.stemmers.{STEMMERS[language]}")
    stem: Callable[[str], str] = lru_cache(maxsize=1 << 16)(module.stem)
    return stem
