"""English transcripts of speech in one form: case, fillers, contractions, numbers, punctuation."""

from __future__ import annotations

import re
import unicodedata

from bleuet.text.english_numbers import NumberWords

FILLERS = re.compile(r"\b(?:hmm|mm|mhm|mmm|uh|um)\b")
BRACKETS = re.compile(r"\[[^\[\]]*\]|<[^<>]*>|\([^()]*\)")
# Contractions and titles, in this order, and what they stand for.
WRITTEN_OUT = [
    (re.compile(pattern), text)
    for pattern, text in (
        (r"'cause\b", "because"),
        (r"(?<!\s)\s+'", "'"),
        (r"\bwon't\b", "will not"),
        (r"\bcan't\b", "can not"),
        (r"\blet's\b", "let us"),
        (r"\bain't\b", "aint"),
        (r"\by'all\b", "you all"),
        (r"\bwanna\b", "want to"),
        (r"\bgotta\b", "got to"),
        (r"\bgonna\b", "going to"),
        (r"\bi'ma\b|\bimma\b", "i am going to"),
        (r"\b(would|could|should)a\b", r"\1 have"),
        (r"\bma'am\b", "madam"),
        (r"\bmr\b", "mister"),
        (r"\bmrs\b", "missus"),
        (r"\bst\b", "saint"),
        (r"\bdr\b", "doctor"),
        (r"\bprof\b", "professor"),
        (r"\bcapt\b", "captain"),
        (r"\bgov\b", "governor"),
        (r"\bgen\b", "general"),
        (r"\bsen\b", "senator"),
        (r"\brep\b", "representative"),
        (r"\bpres\b", "president"),
        (r"\brev\b", "reverend"),
        (r"\bhon\b", "honorable"),
        (r"\basst\b", "assistant"),
        (r"\bassoc\b", "associate"),
        (r"\blt\b", "lieutenant"),
        (r"\bcol\b", "colonel"),
        (r"\bjr\b", "junior"),
        (r"\bsr\b", "senior"),
        (r"'d (been|gone|done)\b", r" had \1"),
        (r"'s (been|gone|done|got)\b", r" has \1"),
        (r"n't\b", " not"),
        (r"'re\b", " are"),
        (r"'s\b", " is"),
        (r"'d\b", " would"),
        (r"'ll\b", " will"),
        (r"'t\b", " not"),
        (r"'ve\b", " have"),
        (r"'m\b", " am"),
    )
]
# Letters that no decomposition of Unicode divides into a letter and a mark.
LETTERS = str.maketrans(
    {"œ": "oe", "ø": "o", "æ": "ae", "ß": "ss", "đ": "d", "ð": "d", "þ": "th", "ł": "l"}
)
IN_NUMBERS = ".%$¢€£"


def normalized_speech(text: str) -> str:
    """Return an English text in lower case, with everything written in one way.

    Notes in brackets and fillers are removed, contractions and titles written out, and number words
    become digits. Diacritics and punctuation are removed, other than those of numbers.

    Args:
        text: the text.

    >>> normalized_speech("Uh, won't Mr. Smith pay twenty-one dollars [laughs] for 1,000 cafés?")
    'will not mister smith pay $21 for 1000 cafes'
    """
    text = FILLERS.sub("", BRACKETS.sub("", text.lower()))
    for pattern, replacement in WRITTEN_OUT:
        text = pattern.sub(replacement, text)
    text = re.sub(r"(\d),(\d)", r"\1\2", text)
    text = re.sub(r"\.([^0-9]|$)", r" \1", text)
    text = _without_symbols(text)
    text = re.sub(r"([a-z])(\d)", r"\1 \2", text)
    text = re.sub(r"(\d)(?!(?:st|nd|rd|th|s)\b)([a-z])", r"\1 \2", text)
    text = text.replace("per cent", "percent")
    text = " ".join(NumberWords(_with_halves(text).split()).all())
    text = re.sub(r"([€£$]\d+) and ¢(\d{1,2})\b", _with_cents, text)
    text = re.sub(r"\b1\b(?![.%])", "one", text)
    text = re.sub(r"[.$¢€£]([^0-9])", r" \1", text)
    text = re.sub(r"([^0-9])%", r"\1 ", text)
    return " ".join(text.split())


def _without_symbols(text: str) -> str:
    """Return a text with spaces for symbols and punctuation, and without diacritics."""
    if text.isascii():
        return re.sub(r"[^\w\s.%$]|_", " ", text)
    found = []
    for mark in unicodedata.normalize("NFKD", text.translate(LETTERS)):
        kind = unicodedata.category(mark)
        if mark in IN_NUMBERS:
            found.append(mark)
        elif kind != "Mn":
            found.append(" " if kind[0] in "MSP" else mark)
    return "".join(found)


def _with_halves(text: str) -> str:
    """Return a text with "and a half" after a number as "point five"."""
    return re.sub(r"\b(\w+) and a half\b", _half, text)


def _half(found: re.Match[str]) -> str:
    from bleuet.text.english_numbers import LARGE, SMALL

    return f"{found[1]} point five" if found[1] in SMALL or found[1] in LARGE else found[0]


def _with_cents(found: re.Match[str]) -> str:
    return f"{found[1]}.{int(found[2]):02}"
