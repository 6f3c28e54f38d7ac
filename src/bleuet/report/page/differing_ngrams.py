"""The n-grams in which two systems differ most, as the texts have them, for the pairs of a page."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from bleuet.comparison.ngrams import ngram_differences
from bleuet.report.page.word_spans import spans_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bleuet.comparison import Comparison
    from bleuet.comparison.texts import ComparedTexts

# For each system of a pair.
SHOWN = 10


def differing_ngrams(
    comparison: Comparison, pairs: Iterable[tuple[int, int]]
) -> dict[str, list[list[dict[str, Any]]]]:
    """Return the n-grams of pairs of systems.

    Args:
        comparison: the comparison.
        pairs: the pairs, by the numbers of their systems.

    Returns:
        By the numbers of two systems, as in "0-1", the n-grams that the first one matches more
        often than the second, and those of the second. Each has its words, the matches of both
        systems, and how a text writes it, which a search finds.
    """
    groups = comparison.texts.ngram_groups
    written = _Written(comparison.texts)
    found = {}
    for left, right in pairs:
        of_pair = ngram_differences(groups, left, right, SHOWN)
        found[f"{left}-{right}"] = [
            [
                {"words": one.text, "left": one.left, "right": one.right}
                | {"written": written.find(one.ngram, better)}
                for one in own
            ]
            for better, own in ((left, of_pair[0]), (right, of_pair[1]))
        ]
    return found


class _Written:
    """Finds how texts write n-grams: with which spaces, and before which words none."""

    def __init__(self, texts: ComparedTexts) -> None:
        self._texts = texts
        self._numbers = {word: number for number, word in enumerate(texts.words.vocabulary)}
        self._found: dict[tuple[str, ...], str] = {}

    def find(self, ngram: tuple[str, ...], system: int) -> str:
        """Return the first place of an n-gram in the hypotheses of a system, as it is written."""
        if ngram not in self._found:
            places = (self._written(ngram, system, *at) for at in self._places(ngram, system))
            self._found[ngram] = next(filter(None, places), " ".join(ngram))
        return self._found[ngram]

    def _places(self, ngram: tuple[str, ...], system: int) -> Iterator[tuple[int, int]]:
        """Yield each text with an n-gram, and the number of its words before the first one."""
        texts = self._texts.words.hypotheses[system]
        wanted = array("i", [self._numbers[word] for word in ngram])
        ends = memoryview(texts.ends).cast("q")
        at = texts.numbers.find(wanted)
        while at >= 0:
            first, between = divmod(at, wanted.itemsize)
            row = bisect_right(ends, first)
            if between or first + len(ngram) > ends[row]:
                at += 1
            else:
                yield row, first - (ends[row - 1] if row else 0)
                at = ends[row] * wanted.itemsize
            at = texts.numbers.find(wanted, at)

    def _written(self, ngram: tuple[str, ...], system: int, row: int, first: int) -> str:
        """Return the part of a text that an n-gram is, or nothing if it has other letters."""
        text = self._texts.hypotheses[system][row]
        read = text.lower() if self._texts.lowercase else text
        if not all(word in read for word in ngram):
            return ""
        spans = spans_of(text, self._texts.tokens.hypotheses[system][row])
        return text[spans[first][0] : spans[first + len(ngram) - 1][1]]
