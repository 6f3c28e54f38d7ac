"""The tokenization of mteval-v13a, NIST's and WMT's scoring script, as in sacreBLEU."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# The order matters: each replacement reads the result of the one before.
REPLACEMENTS = (
    ("<skipped>", ""),
    ("-\n", ""),
    ("\n", " "),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
)
MARK = re.compile(r"([{-~\[-` -&(-+:-@/])")
POINT_AFTER_NON_DIGIT = re.compile(r"([^0-9])([.,])")
POINT_BEFORE_NON_DIGIT = re.compile(r"([.,])([^0-9])")
DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")


def make(name: str) -> tuple[Callable[[str], str], str]:
    """Return the tokenizer and its signature."""
    return tokenize, name


def tokenize(line: str) -> str:
    """Return a line, stripped of trailing white space, with one space between tokens.

    >>> tokenize("He paid &quot;3,50&quot;.")
    'He paid " 3,50 " .'
    """
    for old, new in REPLACEMENTS:
        line = line.replace(old, new)
    return separate_punctuation(f" {line} ")


def separate_punctuation(line: str) -> str:
    """Put spaces around punctuation; the part that 13a and zh share.

    >>> separate_punctuation("(1-2) 3.5.")
    '( 1 - 2 ) 3.5.'
    """
    line = MARK.sub(r" \1 ", line)
    line = POINT_AFTER_NON_DIGIT.sub(r"\1 \2 ", line)
    line = POINT_BEFORE_NON_DIGIT.sub(r" \1 \2", line)
    line = DASH_AFTER_DIGIT.sub(r"\1 \2 ", line)
    return " ".join(line.split())
