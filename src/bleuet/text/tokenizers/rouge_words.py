"""The tokenizers of ROUGE: words without white space, punctuation and symbols.

They read lower-cased text.
"""

from __future__ import annotations

import re

from bleuet.text.porter import porter_stem
from bleuet.text.tokenizers.international import character_class
from bleuet.text.tokenizers.unicode_ranges import PUNCTUATION, SYMBOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Scripts without spaces between words, in which each character is a word.
UNSPACED = (
    (0x0E00, 0x109F),  # Thai, Lao, Tibetan, Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF),  # Tai Le, New Tai Lue
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x3005, 0x3007), (0x3021, 0x3029),  # marks and numbers among ideographs
    (0x3031, 0x312F), (0x31A0, 0x31FF),  # kana, bopomofo
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF),  # ideographs
    (0xA9E0, 0xA9FF), (0xAA60, 0xAADF),  # Burmese, Tai Viet
    (0xF900, 0xFAFF),  # ideographs
    (0xFF66, 0xFF9F),  # kana
    (0x1AFF0, 0x1B2FF),  # kana, Nüshu
    (0x20000, 0x3FFFF),  # ideographs
)  # fmt: skip
# White space, control characters, the zero width space and the byte order mark divide words.
DIVIDERS = r"\s\x00-\x1f\x7f-\x9f\u200b\ufeff"

_ASCII_WORD = re.compile("[a-z0-9]+")
_ASCII_LETTER = re.compile("[a-zA-Z]")
_NO_WORD = DIVIDERS + character_class(PUNCTUATION) + character_class(SYMBOL)
_UNSPACED = character_class(UNSPACED)
_UNICODE_WORD = re.compile(f"[^{_NO_WORD}{_UNSPACED}]+|(?![{_NO_WORD}])[{_UNSPACED}]")


def ascii_words(line: str) -> list[str]:
    """Return the runs of the letters a to z and digits, as rouge-score does.

    >>> ascii_words("déjà vu, 3.5%")
    ['d', 'j', 'vu', '3', '5']
    """
    return _ASCII_WORD.findall(line)


def ascii_stems(line: str) -> list[str]:
    """Return the words with the stems of those of more than three letters, as rouge-score does.

    >>> ascii_stems("the cats were playing")
    ['the', 'cat', 'were', 'play']
    """
    return [porter_stem(word) if len(word) > 3 else word for word in ascii_words(line)]


def unicode_words(line: str) -> list[str]:
    """Return the words of any script.

    A word is a run of letters, marks and digits. In a script without spaces between words, each
    character is one.

    >>> unicode_words("déjà vu, 3.5% 你好")
    ['déjà', 'vu', '3', '5', '你', '好']
    """
    return _UNICODE_WORD.findall(line)


def loses_all_letters(line: str) -> bool:
    """Return whether a text has letters, but `ascii_words` keeps none of them.

    >>> [loses_all_letters(line) for line in ("ไทย", "ไทย 1", "...", "1", "a", "é a")]
    [True, True, False, False, False, False]
    """
    if line.isascii() or _ASCII_LETTER.search(line):
        return False
    # Some letters, such as the Kelvin sign, are of ASCII in lower case.
    return not _ASCII_LETTER.search(line.lower()) and any(map(str.isalpha, line))


# The tokenizers by the names that the kernel has for them.
WORDS: dict[str, Callable[[str], list[str]]] = {
    "rouge": ascii_words,
    "rouge-stems": ascii_stems,
    "unicode": unicode_words,
    "none": str.split,
}
