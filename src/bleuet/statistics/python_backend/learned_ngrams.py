"""Word n-grams and how often references have them, for metrics that weigh n-grams by that."""

from __future__ import annotations

from itertools import chain

from bleuet.statistics.python_backend.base_counter import Counter
from bleuet.text.tokenizers import TOKENIZERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    Ngram: TypeAlias = tuple[Any, ...]

# The n-gram of no words counts what the others are compared with: words of the references, or
# segments.
WHOLE: Ngram = ()


class LearnedNgrams(Counter):
    """Counts n-grams with weights that follow from counts of all references.

    A subclass defines `lessons` and `count`.

    Args:
        max_ngram_order: the longest n-grams.
        tokenizer: a tokenizer that needs no other library.
        lowercase: lower-case texts.
        learned: how often all references have each n-gram; None before it has learned.
    """

    def __init__(
        self,
        max_ngram_order: int,
        tokenizer: str,
        lowercase: bool,
        learned: Mapping[Ngram, int] | None,
    ) -> None:
        self.order = max_ngram_order
        self.tokenizer = TOKENIZERS[tokenizer]
        self.lowercase = lowercase
        self.learned = learned or {}

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Lower-case, strip and tokenize."""
        if self.lowercase:
            return self.tokenizer.lower_tokens(text).split()
        return self.tokenizer.tokenize(text.rstrip()).split()

    def occurrences(self, ngram: Ngram) -> int:
        """Return how often references have an n-gram; 1 for one that none of them has."""
        return max(self.learned.get(ngram, 1), 1)


def ngrams(tokens: Sequence[Any], order: int) -> Iterator[Ngram]:
    """Return the n-grams of one order, from left to right.

    >>> list(ngrams("abc", 2))
    [('a', 'b'), ('b', 'c')]
    """
    return zip(*[tokens[i:] for i in range(order)], strict=False)


def ngrams_up_to(tokens: Sequence[Any], order: int) -> Iterator[Ngram]:
    """Return the n-grams of the orders from 1 on.

    >>> list(ngrams_up_to("abc", 2))
    [('a',), ('b',), ('c',), ('a', 'b'), ('b', 'c')]
    """
    orders = range(1, min(order, len(tokens)) + 1)
    return chain.from_iterable(ngrams(tokens, n) for n in orders)
