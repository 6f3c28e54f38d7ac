"""BLEU's row of one segment, by counting n-grams in dictionaries (Papineni et al. 2002, 2.1)."""

from __future__ import annotations

from collections import Counter

from bleuet.metrics.bleu.self_rows import self_rows
from bleuet.statistics.definitions.counter import WordCounter, put_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence
    from typing import Any, TypeAlias

    from bleuet.statistics.definitions.counter import Number

    Ngram: TypeAlias = tuple[Hashable, ...]


class BleuCounter(WordCounter):
    """BLEU's statistics."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.reals = int(self.options["reference_length"] == "average")
        self.integers = 2 * self.options["max_ngram_order"] + 2 - self.reals

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return lengths, matches and totals."""
        return bleu_row(hypothesis, references, **self.options)

    def self_table(
        self,
        kind: str,
        texts: Any,
        references: bytes,
        itself: bool,
        integer_columns: Any,
        real_columns: Any,
        threads: int = 1,
    ) -> list[int]:
        """Write a row of each text against the others into column after column.

        Args:
            kind: the kind of the texts.
            texts: as `Segments.content`.
            references: of each text, whether it is a reference of the others.
            itself: whether a text that is a reference is also one of itself.
            integer_columns: as of `table`.
            real_columns: as of `table`.
            threads: for the kernel; Python uses one.

        Returns:
            How many different n-grams of each order the texts have.
        """
        read = self.read_texts(kind, texts)
        if len(references) - references.count(0) < (1 if itself else 2):
            raise ValueError("a text has no reference")
        rows, different = self_rows(read, references, itself, **self.options)
        put_rows(rows, self.integers, integer_columns, real_columns)
        return different


def bleu_row(
    hypothesis: Sequence[Hashable],
    references: Sequence[Sequence[Hashable]],
    *,
    max_ngram_order: int = 4,
    reference_length: str = "closest",
    phantom_ngrams: bool = False,
    ignored: Collection[Ngram] = (),
) -> tuple[int | float, ...]:
    """Return the sufficient statistics of one segment.

    Args:
        hypothesis: its tokens.
        references: the tokens of each reference, at least one.
        max_ngram_order: the longest n-grams that count.
        reference_length: "closest", "shortest" or "average".
        phantom_ngrams: count one n-gram of every order that the hypothesis is too short for, as
            NLTK does.
        ignored: n-grams that do not count.

    Returns:
        Hypothesis length, reference length, clipped matches of order 1..N, n-grams of the
        hypothesis of order 1..N. An average reference length comes last instead of second.

    >>> bleu_row("a b b".split(), ["a b c".split()], max_ngram_order=2)
    (3, 3, 2, 1, 3, 2)
    """
    orders = range(1, max_ngram_order + 1)
    matches = [clipped_matches(hypothesis, references, n, ignored) for n in orders]
    kept = [ngrams(hypothesis, n, ignored).total() for n in orders]
    totals = [max(int(phantom_ngrams), number) for number in kept]
    lengths = [len(reference) for reference in references]
    if reference_length == "average":
        return (len(hypothesis), *matches, *totals, sum(lengths) / len(lengths))
    if reference_length == "shortest":
        closest = min(lengths)
    else:
        closest = min(lengths, key=lambda n: (abs(n - len(hypothesis)), n))
    return (len(hypothesis), closest, *matches, *totals)


def clipped_matches(
    hypothesis: Sequence[Hashable],
    references: Sequence[Sequence[Hashable]],
    n: int,
    ignored: Collection[Ngram] = (),
) -> int:
    """Return how many n-grams of the hypothesis are in a reference, each at most as often as there.

    >>> clipped_matches("the the the".split(), ["the cat".split()], 1)
    1
    """
    most: Counter[Ngram] = Counter()
    for reference in references:
        most |= ngrams(reference, n)
    return (ngrams(hypothesis, n, ignored) & most).total()


def ngrams(tokens: Sequence[Hashable], n: int, ignored: Collection[Ngram] = ()) -> Counter[Ngram]:
    """Return how often each n-gram occurs that is not ignored.

    >>> ngrams("a b a b".split(), 2)[("a", "b")]
    2
    """
    found = [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
    return Counter([ngram for ngram in found if ngram not in ignored])
