"""mteval-v14's international tokenization: punctuation and symbols of all of Unicode."""

from __future__ import annotations

import re

from bleuet.text.tokenizers.unicode_ranges import NUMBER, PUNCTUATION, SYMBOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# The order matters: each replacement reads the result of the one before.
REPLACEMENTS = (
    ("<skipped>", ""),
    ("&quot;", '"'),
    ("&amp;", "&"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&apos;", "'"),
)


def character_class(ranges: Sequence[tuple[int, int]]) -> str:
    """Return ranges as a part of a character class of a regular expression."""
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


AFTER_NON_NUMBER = re.compile(f"([^{character_class(NUMBER)}])([{character_class(PUNCTUATION)}])")
BEFORE_NON_NUMBER = re.compile(f"([{character_class(PUNCTUATION)}])([^{character_class(NUMBER)}])")
ANY_SYMBOL = re.compile(f"([{character_class(SYMBOL)}])")
ANY_PUNCTUATION = re.compile(f"[{character_class(PUNCTUATION)}]")


def make(name: str) -> tuple[Callable[[str], str], str]:
    """Return the tokenizer and its signature."""
    return tokenize, name


def make_mteval(name: str) -> tuple[Callable[[str], str], str]:
    """Return the tokenizer with mteval's replacements, and its signature."""
    return tokenize_mteval, name


def tokenize_mteval(line: str) -> str:
    r"""Return a line as `tokenize`, after the replacements that mteval makes.

    >>> tokenize_mteval("&quot;L&apos;été&quot;")
    '" L \' été "'
    """
    for old, new in REPLACEMENTS:
        line = line.replace(old, new)
    return tokenize(line)


def tokenize(line: str) -> str:
    """Return a line, stripped of trailing white space, with one space between tokens.

    A full stop at the very end stays with a number before it, as in mteval-v14.

    >>> tokenize("«Oui», 3€ en 2014.")
    '« Oui » , 3 € en 2014.'
    """
    line = AFTER_NON_NUMBER.sub(r"\1 \2 ", line)
    line = BEFORE_NON_NUMBER.sub(r" \1 \2", line)
    line = ANY_SYMBOL.sub(r" \1 ", line)
    return " ".join(line.split())
