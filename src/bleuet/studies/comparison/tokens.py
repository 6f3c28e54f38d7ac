"""The words of a test set: each text is tokenized once, for all analyses of words."""

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
    """The tokens of all texts.

    Attributes:
        tokenizer: the name of the tokenizer.
        hypotheses: the words of each segment of each system, `hypotheses[system][segment]`.
        references: the words of each reference, `references[segment][reference]`.
    """

    tokenizer: str
    hypotheses: tuple[tuple[Words, ...], ...]
    references: tuple[tuple[Words, ...], ...]

    def lowercased(self) -> Tokens:
        """Return the same tokens in lower case."""
        return Tokens(
            self.tokenizer,
            tuple(tuple(lower(words) for words in system) for system in self.hypotheses),
            tuple(tuple(lower(words) for words in segment) for segment in self.references),
        )


def tokenize_all(
    tokenizer: str, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> Tokens:
    """Tokenize all texts of a test set.

    Args:
        tokenizer: the name of a tokenizer.
        hypotheses: one text per segment for each system.
        references: the references of each segment.

    >>> tokenize_all("13a", [["A cat."]], [["The cat."]]).references
    ((('The', 'cat', '.'),),)
    """
    split = splitter(tokenizer)
    return Tokens(
        tokenizer,
        tuple(tuple(map(split, texts)) for texts in hypotheses),
        tuple(tuple(map(split, texts)) for texts in references),
    )


def splitter(tokenizer: str) -> Callable[[str], Words]:
    """Return a function that splits a text into the tokens that BLEU counts.

    Args:
        tokenizer: the name of a tokenizer.

    Raises:
        OptionError: there is no such tokenizer.
        MissingExtraError: a library that it needs is not installed.

    >>> splitter("13a")("Yes, 3.5%. ")
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
