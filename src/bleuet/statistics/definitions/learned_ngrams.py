"""Word n-grams and how often references have them, for metrics that weigh n-grams by that."""

from __future__ import annotations

from itertools import chain

from bleuet.statistics.definitions.counter import WordCounter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    Ngram: TypeAlias = tuple[Any, ...]

# The n-gram of no words counts what the others are compared with: words of the references, or
# segments.
WHOLE: Ngram = ()


class LearnedNgrams(WordCounter):
    """Counts n-grams with weights that follow from counts of all references.

    A subclass defines `lessons` and `count`.

    Args:
        max_ngram_order: the longest n-grams.
        learned: how often all references have each n-gram; None before it has learned.
        **options: the tokenizer, the letter case, and the other options of the counter.
    """

    def __init__(
        self, *, max_ngram_order: int, learned: Mapping[Ngram, int] | None, **options: Any
    ) -> None:
        super().__init__(**options)
        self.order = max_ngram_order
        self.learned = learned or {}

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
