"""The base classes of tokenizers."""

from __future__ import annotations

from bleuet.text.tokenizers import find_tokenizer


class BaseTokenizer:
    """A function from a line to a line with one space between tokens, with a signature."""

    def signature(self) -> str:
        """Return the value of `tok` in a signature."""
        raise NotImplementedError

    def __call__(self, line: str) -> str:
        raise NotImplementedError


class NamedTokenizer(BaseTokenizer):
    """One of bleuet's tokenizers.

    Args:
        name: its name.

    Raises:
        MissingExtraError: the tokenizer needs a library that is not installed.
    """

    def __init__(self, name: str) -> None:
        self._tokenizer = find_tokenizer(name)

    def signature(self) -> str:
        return self._tokenizer.signature()

    def __call__(self, line: str) -> str:
        return self._tokenizer.tokenize(line)
