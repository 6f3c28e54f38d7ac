"""The words of a test set: every text cut into tokens once, for all analyses that look at words."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.statistics.backend import backend
from bleuet.text.tokenizers import find_tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of all texts, as they are written.

    Attributes:
        tokenizer: the tokenizer's name.
        hypotheses: the words of each segment of each system, `hypotheses[system][row]`.
        references: the words of each reference of each segment, `references[row][reference]`.
    """

    tokenizer: str
    hypotheses: tuple[tuple[Words, ...], ...]
    references: tuple[tuple[Words, ...], ...]

    def lowered(self) -> Tokens:
        """Return the same tokens in lower case."""
        return Tokens(
            self.tokenizer,
            tuple(tuple(lower(words) for words in system) for system in self.hypotheses),
            tuple(tuple(lower(words) for words in segment) for segment in self.references),
        )


def tokenize_all(
    tokenizer: str, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> Tokens:
    """Cut every text of a test set into tokens.

    Args:
        tokenizer: a tokenizer's name.
        hypotheses: one text per segment for each system.
        references: the texts of each segment's references.

    >>> tokenize_all("13a", [["A cat."]], [["The cat."]]).references
    ((('The', 'cat', '.'),),)
    """
    cut = cutter(tokenizer)
    return Tokens(
        tokenizer,
        tuple(tuple(map(cut, texts)) for texts in hypotheses),
        tuple(tuple(map(cut, texts)) for texts in references),
    )


def cutter(tokenizer: str) -> Callable[[str], Words]:
    """Return a function that cuts a text into the tokens BLEU counts with a tokenizer.

    Raises:
        OptionError: there is no such tokenizer.
        MissingExtraError: it needs a library that is not installed.

    >>> cutter("13a")("Yes, 3.5%. ")
    ('Yes', ',', '3.5', '%', '.')
    """
    found = find_tokenizer(tokenizer)
    if found.in_kernel:
        tokenize: Any = backend().tokenize
        return lambda text: tuple(tokenize(tokenizer, text))
    return lambda text: tuple(found.tokenize(text.rstrip()).split())


def lower(words: Iterable[str]) -> Words:
    """Return words in lower case."""
    return tuple([word.lower() for word in words])
