"""English transcripts of speech in one form: case, fillers, contractions, numbers, punctuation."""

from __future__ import annotations

import re
import unicodedata

from bleuet.text.english_numbers import LARGE, SMALL, NumberWords

FILLERS = re.compile(r"\b(?:u[hm]|mhm|hmm|mmm?)\b")
BRACKETS = re.compile(r"\[[^\[\]]*\]|<[^<>]*>|\([^()]*\)")
# Whole words and what they stand for.
WORDS = {
    "'cause": "because", "gonna": "going to", "gotta": "got to", "wanna": "want to",
    "coulda": "could have", "shoulda": "should have", "woulda": "would have",
    "ain't": "aint", "can't": "can not", "won't": "will not", "let's": "let us",
    "i'ma": "i am going to", "imma": "i am going to", "y'all": "you all", "ma'am": "madam",
    "assoc": "associate", "asst": "assistant", "capt": "captain", "col": "colonel",
    "dr": "doctor", "gen": "general", "gov": "governor", "hon": "honorable", "jr": "junior",
    "lt": "lieutenant", "mr": "mister", "mrs": "missus", "pres": "president",
    "prof": "professor", "rep": "representative", "rev": "reverend", "sen": "senator",
    "sr": "senior", "st": "saint",
}  # fmt: skip
# What follows an apostrophe. "n't" is not; 's and 'd are had and has before a participle.
ENDINGS = {
    "'d": "would", "'ll": "will", "'m": "am", "'re": "are", "'s": "is", "'ve": "have",
    "n't": "not", "'t": "not",
}  # fmt: skip
PERFECT = re.compile(r"'(?:(d) (been|gone|done)|(s) (been|gone|done|got))\b")
# Alternatives that begin alike: the longer one first.
WORD = re.compile(r"(?:\b|(?='))(?:" + "|".join(sorted(WORDS, reverse=True)) + r")\b")
ENDING = re.compile("(?:" + "|".join(sorted(ENDINGS, key=len, reverse=True)) + r")\b")
# Small letters that Unicode does not decompose into letters and marks.
UNDIVIDED = {"ß": "ss", "ð": "d", "þ": "th"}
STROKE = re.compile(r"LATIN SMALL (?:LETTER|LIGATURE) ([A-Z]|AE|OE)(?: WITH STROKE)?")
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
    text = WORD.sub(lambda found: WORDS[found[0]], re.sub(r"(?<=\S)\s+'(?!cause\b)", "'", text))
    text = PERFECT.sub(lambda found: f" had {found[2]}" if found[1] else f" has {found[4]}", text)
    text = ENDING.sub(lambda found: f" {ENDINGS[found[0]]}", text)
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
    for mark in unicodedata.normalize("NFKD", "".join(map(_plain_letter, text))):
        kind = unicodedata.category(mark)
        if mark in IN_NUMBERS:
            found.append(mark)
        elif kind != "Mn":
            found.append(" " if kind[0] in "MSP" else mark)
    return "".join(found)


def _plain_letter(letter: str) -> str:
    """Return the letters that one with a stroke, or a ligature, is written with in English."""
    if letter.isascii():
        return letter
    found = STROKE.fullmatch(unicodedata.name(letter, ""))
    return found[1].lower() if found else UNDIVIDED.get(letter, letter)


def _with_halves(text: str) -> str:
    """Return a text with "and a half" after a number as "point five"."""
    return re.sub(r"\b(\w+) and a half\b", _half, text)


def _half(found: re.Match[str]) -> str:
    return f"{found[1]} point five" if found[1] in SMALL or found[1] in LARGE else found[0]


def _with_cents(found: re.Match[str]) -> str:
    return f"{found[1]}.{int(found[2]):02}"
