"""The n-grams in which two systems differ most, as the texts have them, for the pairs of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.comparison.ngrams import ngram_differences
from bleuet.comparison.tokens import splitter
from bleuet.report.page.word_spans import spans_of

if TYPE_CHECKING:
    from collections.abc import Iterable
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
        self._split = splitter(texts.tokenizer)
        self._found: dict[tuple[str, ...], str] = {}

    def find(self, ngram: tuple[str, ...], system: int) -> str:
        """Return the first place of an n-gram in the hypotheses of a system, as it is written."""
        if ngram not in self._found:
            places = (self._place(ngram, text) for text in self._texts.hypotheses[system])
            self._found[ngram] = next(filter(None, places), " ".join(ngram))
        return self._found[ngram]

    def _place(self, ngram: tuple[str, ...], text: str) -> str:
        read = text.lower() if self._texts.lowercase else text
        if not all(word in read for word in ngram):
            return ""
        words = self._split(text)
        compared = [word.lower() for word in words] if self._texts.lowercase else words
        size = len(ngram)
        for first in range(len(words) - size + 1):
            if tuple(compared[first : first + size]) == ngram:
                spans = spans_of(text, words)
                return text[spans[first][0] : spans[first + size - 1][1]]
        return ""
