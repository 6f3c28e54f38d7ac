"""Texts in JSON files, which would make one character of two surrogates that follow each other."""

from __future__ import annotations

from typing import Any


def as_stored(text: Any) -> Any:
    """Return a text in ASCII, with Python's escapes, or references with such texts."""
    if isinstance(text, str):
        return text.encode("unicode_escape").decode("ascii")
    return text and [as_stored(one) for one in text]


def as_text(stored: Any) -> Any:
    """Return the text or the references that were stored."""
    if isinstance(stored, str):
        return stored.encode("ascii").decode("unicode_escape")
    return stored and [as_text(one) for one in stored]
