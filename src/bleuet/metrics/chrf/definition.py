"""The rows of chrF and chrF++, slow and readable, from the definition."""

from __future__ import annotations

from collections import Counter

from bleuet.metrics.chrf.formula import chrf_f_score
from bleuet.statistics.definitions.counter import RowCounter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.statistics.definitions.counter import Number

# string.punctuation: ASCII only, as in Popović's chrF++.py
PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class ChrfCounter(RowCounter):
    """chrF's statistics."""

    def __init__(self, *, lowercase: bool, **options: Any) -> None:
        super().__init__(**options)
        self.lowercase = lowercase
        self.integers = 3 * (self.options["char_order"] + self.options["word_order"])

    def read(self, text: str, *, reference: bool) -> str:
        """Lower-case where the option is set."""
        return text.lower() if self.lowercase else text

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return three counts per order."""
        return chrf_row(hypothesis, references, **self.options)


def chrf_row(
    hypothesis: str,
    references: Sequence[str],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> tuple[int, ...]:
    """Count the n-grams of one segment and the reference that gives the best F-score.

    Args:
        hypothesis: the segment, already lower-cased where case is ignored.
        references: at least one reference, treated like the hypothesis.
        char_order: longest character n-gram.
        word_order: longest word n-gram; 0 for chrF, 2 for chrF++.
        beta: how many times recall counts as much as precision; decides between references.
        whitespace: whether white space counts as a character.
        eps_smoothing: which of the two F-scores decides between references.

    Returns:
        For each character order, then each word order: n-grams of the hypothesis, n-grams of the
        reference, clipped matches; of the reference with the best F-score, the first of equals.

    Source: Popović (2015), "chrF: character n-gram F-score for automatic MT evaluation", and
    Popović (2017), "chrF++: words helping character n-grams".

    >>> chrf_row("a cat", ["the cat"], char_order=2)
    (4, 6, 3, 3, 5, 2)
    >>> chrf_row("a cat", ["the cat", "a hat"], char_order=1, word_order=1)
    (4, 4, 3, 2, 2, 1)
    """

    def row_against(reference: str) -> tuple[int, ...]:
        row: list[int] = []
        for items_of, order in ((characters, char_order), (words, word_order)):
            ours, theirs = items_of(hypothesis, whitespace), items_of(reference, whitespace)
            for n in range(1, order + 1):
                row += triple(ngrams(ours, n), ngrams(theirs, n))
        return tuple(row)

    def score(row: tuple[int, ...]) -> float:
        return chrf_f_score(
            row,
            char_order=char_order,
            word_order=word_order,
            beta=beta,
            eps_smoothing=eps_smoothing,
        )

    return max(map(row_against, references), key=score)


def characters(text: str, whitespace: bool) -> list[str]:
    """Return the characters that n-grams are made of.

    >>> characters("a b", whitespace=False)
    ['a', 'b']
    """
    return list(text if whitespace else "".join(text.split()))


def words(text: str, _whitespace: bool = False) -> list[str]:
    """Return the words, one trailing mark cut off each, else one leading mark (Popović 2017).

    >>> words("(well yes,")
    ['(', 'well', 'yes', ',']
    >>> words("(hi)")
    ['(hi', ')']
    """
    cut: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            cut += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in PUNCTUATION:
            cut += [word[0], word[1:]]
        else:
            cut.append(word)
    return cut


def ngrams(items: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of one order.

    >>> ngrams(["a", "b", "a", "b"], 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1))


def triple(
    hypothesis: Counter[tuple[str, ...]], reference: Counter[tuple[str, ...]]
) -> tuple[int, int, int]:
    """Count both sides and what they share, of one order.

    Where the reference has no n-gram of the order, those of the hypothesis do not count either:
    sacreBLEU's rule, and so the definition here.

    >>> triple(Counter("aab"), Counter("ab"))
    (3, 2, 2)
    """
    in_reference = sum(reference.values())
    in_hypothesis = sum(hypothesis.values()) if in_reference else 0
    return in_hypothesis, in_reference, sum((hypothesis & reference).values())
