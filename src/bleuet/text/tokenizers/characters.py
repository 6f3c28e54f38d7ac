"""Every character is a token."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def make(name: str) -> tuple[Callable[[str], str], str]:
    """Return the tokenizer and its signature."""
    return tokenize, name


def tokenize(line: str) -> str:
    """Return the line with a space after every character.

    >>> tokenize("Ah!")
    'A h !'
    """
    return " ".join(line)
