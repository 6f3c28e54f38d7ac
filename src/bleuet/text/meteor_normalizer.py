"""METEOR's own tokenization and normalization, its option `-norm`.

Its steps were found by comparing outputs of METEOR 1.5 over all of Unicode and on real texts.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

# The letters and digits that METEOR knows; any other character is a token by itself.
LETTERS = (
    "A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u017e"
    "\\u0400-\\u0527\\u1d00-\\u1d7f\\ua640-\\ua697"
)
WORD = f"0-9{LETTERS}"
# What it writes instead of some quotation marks.
PLAIN = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "`": "'"})

# White space is that of Java, without the characters of Unicode. The vertical tab divides no words.
OTHER = re.compile(f"([^{WORD} \\t\\n\\x0b\\f\\r.',\\-])")
BETWEEN_WORDS = re.compile("[ \\t\\n\\f\\r]+")
# Tokens that are left out, but only after full stops were separated. Other white space is a token.
NO_TOKENS = frozenset("\u00a0\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))
# What Java's trim() removes at both ends.
TRIMMED = "".join(map(chr, range(0x21)))
HYPHEN = re.compile(f"([{WORD}.])-([{WORD}])")
DOTS = re.compile(r"\.\.+")
COMMA = (
    (re.compile(r"([^0-9]),([^0-9])"), r"\1 , \2"),
    (re.compile(r"([0-9]),([^0-9])"), r"\1 , \2"),
    (re.compile(r"([^0-9]),([0-9])"), r"\1 , \2"),
)
# How apostrophes are split, by language; any other splits them from both sides.
ENGLISH = (
    (re.compile(f"([^{LETTERS}])'([^{LETTERS}])"), r"\1 ' \2"),
    (re.compile(f"([^{WORD}])'([{LETTERS}])"), r"\1 ' \2"),
    (re.compile(f"([{LETTERS}])'([^{LETTERS}])"), r"\1 ' \2"),
    (re.compile(f"([{LETTERS}])'([{LETTERS}])"), r"\1 '\2"),
    (re.compile(r"([0-9])'s"), r"\1 's"),
)
FRENCH = (
    ENGLISH[0],
    (re.compile(f"([^{LETTERS}])'([{LETTERS}])"), r"\1 ' \2"),
    ENGLISH[2],
    (ENGLISH[3][0], r"\1' \2"),
)
APOSTROPHE = {"en": ENGLISH, "fr": FRENCH}
ANY = ((re.compile("'"), " ' "),)
NO_WORD = re.compile(f"[^{WORD}]+")
LETTER = re.compile(f"[{LETTERS}]")
LOWER = re.compile("[a-z]")
NUMERIC_ONLY = "#NUMERIC_ONLY#"


class MeteorNormalizer:
    r"""Writes a text in lower case with one space between tokens.

    Args:
        prefixes: words that keep their full stop, such as "Mr", and whether they keep it only
            before a number.
        language: code of the language, which decides how apostrophes are split.
        no_punct: keep only letters and digits, as METEOR's option `-noPunct` does.

    >>> MeteorNormalizer({"Mr": False}, "en")("“Don't re-use” the U.S. pages of Mr. X.")
    '" don \'t re use " the us pages of mr. x .'
    """

    def __init__(self, prefixes: Mapping[str, bool], language: str, no_punct: bool = False) -> None:
        self._prefixes = prefixes
        self._no_punct = no_punct
        self._apostrophe = APOSTROPHE.get(language, ANY)

    def __call__(self, text: str) -> str:
        """Return the text in lower case with one space between tokens."""
        text = f" {text.translate(PLAIN)} "
        text = text.replace("''", '"').replace("--", "-")
        text = DOTS.sub(r" \g<0> ", text)
        text = HYPHEN.sub(r"\1 \2", text)
        # A dash is a token, where a hyphen between letters or digits is none.
        text = OTHER.sub(r" \1 ", text).replace("–", "-")
        for pattern, split in (*COMMA, *self._apostrophe):
            text = pattern.sub(split, text)
        words = [*filter(None, BETWEEN_WORDS.split(text))]
        written = [_full_stop(words, i, self._prefixes) for i in range(len(words))]
        text = " ".join([word for word in written if word not in NO_TOKENS]).strip(TRIMMED)
        # Before small letters are written: the small letter of İ has a dot of its own.
        return (NO_WORD.sub(" ", text).strip() if self._no_punct else text).lower()


def _full_stop(words: list[str], i: int, prefixes: Mapping[str, bool]) -> str:
    """Separate the full stop of a word, if it ends a sentence."""
    word = words[i]
    if not word.endswith(".") or word.strip(".") == "":
        return word
    stem, after = word[:-1], words[i + 1] if i + 1 < len(words) else ""
    if "." in stem and LETTER.search(stem):
        return word.replace(".", "")
    numeric = prefixes.get(stem)
    if numeric is False or (numeric and "0" <= after[:1] <= "9") or LOWER.match(after):
        return word
    return f"{stem} ."


def read_prefixes(lines: Collection[str]) -> dict[str, bool]:
    """Return the words that keep their full stop, from the lines of a file of prefixes.

    >>> read_prefixes(["# titles", "Mr", "No #NUMERIC_ONLY#"])
    {'Mr': False, 'No': True}
    """
    found = {}
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word and not word.startswith("#"):
            found[word] = rest.strip() == NUMERIC_ONLY
    return found
