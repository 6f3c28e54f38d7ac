"""No tokenization: tokens are separated by white space."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def make(name: str) -> tuple[Callable[[str], str], str]:
    """Return the tokenizer and its signature."""
    return tokenize, name


def tokenize(line: str) -> str:
    """Return the line as it is.

    >>> tokenize("A  cat.")
    'A  cat.'
    """
    return line
