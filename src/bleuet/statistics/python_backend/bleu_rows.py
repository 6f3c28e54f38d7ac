"""BLEU's row of one segment, by counting n-grams in dictionaries (Papineni et al. 2002, 2.1)."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence
    from typing import TypeAlias

    Ngram: TypeAlias = tuple[Hashable, ...]


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
