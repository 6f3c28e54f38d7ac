"""How texts are prepared for the extended edit distance: the rules of its authors' program."""

from __future__ import annotations

import re
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SENTENCE_MARKS = re.compile(r"[.!?,]")
WHITE_SPACE = re.compile(r"\s+")
NUMBER = re.compile(r"(\d) ([.,]) (\d)")
# The last point stands for any character, as in the authors' program: "Mr Smith" becomes
# "Mr.mith".
TITLE = re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) .")
ABBREVIATIONS = {"e . g .": "e.g.", "i . e .": "i.e.", "U . S .": "U.S."}


def english(text: str) -> str:
    """Return a text with a space before each mark, and one at both ends.

    Numbers and some abbreviations are joined again where they were apart with spaces on both sides.

    >>> english("Dr. Ann paid 1,5 or 1 . 5, e . g .")
    ' Dr. Ann paid 1 ,5 or 1.5 , e.g. '
    """
    text = SENTENCE_MARKS.sub(r" \g<0>", _stripped(text))
    text = WHITE_SPACE.sub(" ", text)
    text = NUMBER.sub(r"\1\2\3", text)
    text = TITLE.sub(r"\1.", text)
    for apart, together in ABBREVIATIONS.items():
        text = text.replace(apart, together)
    return f" {text} "


def japanese(text: str) -> str:
    """Return a text in which characters that look the same are the same.

    >>> japanese("ＡＢＣ１２")
    'ABC12'
    """
    return unicodedata.normalize("NFKC", _stripped(text))


def _stripped(text: str) -> str:
    # Of another type, this raises a TypeError, as counters do.
    return str.rstrip(text)


PREPARATIONS: dict[str, Callable[[str], str]] = {"en": english, "ja": japanese}
