"""A hypothesis and its references as sentences, with signs at the words that differ."""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from bleuet.metrics.base.marks import EXTRA, MISSING, SHIFTED, SUBSTITUTED, matched_ngrams
from bleuet.output.document import ADDED, MISSED, MOVED, Column, DocumentTable, MarkedText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.metrics.base.marks import Mark
    from bleuet.output.document import Cell

DIFFERENT = (EXTRA, MISSING, SUBSTITUTED)
CLIPPED = ", clipped"
SIGNS = {
    ADDED: "{+added: only in the hypothesis+}",
    MISSED: "[-missed: only in the reference-]",
    MOVED: "<moved: in another place of the reference>",
}


class MarkedSentences:
    """Which words of a hypothesis and of its references match.

    Where n-grams match, a word matches as often as both sides have it, those in the longest n-grams
    first, and each reference is compared. Where words are aligned, only the reference that counts.

    Args:
        hypothesis: its tokens.
        references: the tokens of each reference.
        marks: the marks of a metric.

    >>> marks = matched_ngrams("a a b".split(), ["a b c".split()], [1, 2])
    >>> found = MarkedSentences("a a b".split(), ["a b c".split()], marks)
    >>> found.added, found.missed
    (['a'], [(0, ['c'])])
    """

    def __init__(
        self,
        hypothesis: Sequence[str],
        references: Sequence[Sequence[str]],
        marks: Sequence[Mark],
    ) -> None:
        ngrams = [mark for mark in marks if mark.kind.endswith("-gram")]
        pairs = ngrams or [mark for mark in marks if _is_match(mark)]
        kept = range(len(references))
        if marks and not ngrams and not any(mark.kind.endswith(CLIPPED) for mark in marks):
            kept = range(marks[0].reference_number, marks[0].reference_number + 1)
        spans = [mark.hypothesis for mark in pairs]
        matched = _matched(hypothesis, spans, _budget(hypothesis, spans, bool(ngrams)))
        moved = [mark.hypothesis for mark in marks if mark.kind == SHIFTED]
        self._hypothesis = _kinds(matched, ADDED)
        for at in _places(moved):
            self._hypothesis[at] = self._hypothesis[at] or MOVED
        self._words = hypothesis
        words = Counter(word for word, one in zip(hypothesis, matched, strict=True) if one)
        self._references = []
        for number in kept:
            own = [mark.reference for mark in pairs if mark.reference_number == number]
            theirs = references[number]
            if ngrams:
                rest = [(at, at + 1) for at in range(len(theirs))]
                there = _matched(theirs, [*own, *rest], words.copy())
            else:
                there = _matched(theirs, own, _budget(theirs, own, False))
            self._references.append((number, theirs, _kinds(there, MISSED)))
        self._several = len(references) > 1

    @property
    def added(self) -> list[str]:
        """The words that only the hypothesis has."""
        return _of_kind(self._words, self._hypothesis, ADDED)

    @property
    def missed(self) -> list[tuple[int, list[str]]]:
        """The number of each reference that was compared, from 0, and the words only it has."""
        return [
            (number, _of_kind(words, kinds, MISSED)) for number, words, kinds in self._references
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the words that differ as plain values."""
        return {
            "added": self.added,
            "missed": [
                {"reference_number": number, "words": words} for number, words in self.missed
            ],
        }

    def table(self, title: str = "") -> DocumentTable:
        """Return a table of the sentences, with signs at the words that differ."""
        rows: list[list[Cell]] = [["hypothesis", _text(self._words, self._hypothesis)]]
        rows += [
            [f"reference{self._number(number)}", _text(words, kinds)]
            for number, words, kinds in self._references
        ]
        rows += [
            [f"missed{self._number(number)}", " ".join(words) or None]
            for number, words in self.missed
        ]
        rows.append(["added", " ".join(self.added) or None])
        used = {kind for _, _, kinds in self._references for kind in kinds} | {*self._hypothesis}
        note = ", ".join(text for kind, text in SIGNS.items() if kind in used)
        columns = [Column("sentence"), Column("words")]
        return DocumentTable("sentences", title, columns, rows, note and f"Signs: {note}.")

    def _number(self, number: int) -> str:
        return f" {number + 1}" if self._several else ""


def compared_words(hypothesis: str, references: Sequence[str]) -> MarkedSentences:
    """Return the words between spaces of texts that no metric divides into words.

    Args:
        hypothesis: the hypothesis.
        references: its references.
    """
    ours, theirs = hypothesis.split(), [one.split() for one in references]
    return MarkedSentences(ours, theirs, matched_ngrams(ours, theirs, [1, 2]))


def _is_match(mark: Mark) -> bool:
    return mark.kind not in (*DIFFERENT, SHIFTED) and not mark.kind.endswith(CLIPPED)


def _places(spans: Sequence[tuple[int, int]]) -> Iterator[int]:
    for span in spans:
        yield from range(*span)


def _budget(words: Sequence[str], spans: Sequence[tuple[int, int]], shortest: bool) -> Counter[str]:
    """Return how often each word matches; of n-grams, how often in the shortest ones."""
    least = min((end - start for start, end in spans), default=0) if shortest else 0
    chosen = [span for span in spans if not shortest or span[1] - span[0] == least]
    return Counter(words[at] for at in {*_places(chosen)})


def _matched(
    words: Sequence[str], spans: Sequence[tuple[int, int]], budget: Counter[str]
) -> list[bool]:
    """Return whether each word matches: the first in the spans, as often as the budget has it."""
    matched = [False] * len(words)
    for at in _places(spans):
        if not matched[at] and budget[words[at]]:
            matched[at] = True
            budget[words[at]] -= 1
    return matched


def _kinds(matched: Sequence[bool], other: str) -> list[str]:
    return ["" if one else other for one in matched]


def _of_kind(words: Sequence[str], kinds: Sequence[str], wanted: str) -> list[str]:
    return [word for word, kind in zip(words, kinds, strict=True) if kind == wanted]


def _text(words: Sequence[str], kinds: Sequence[str]) -> MarkedText:
    """Return words as a text; neighbours of one kind share their signs."""
    parts = []
    for kind, run in groupby(zip(kinds, words, strict=True), key=lambda pair: pair[0]):
        parts.append((" ".join(word for _, word in run), kind))
    return MarkedText(parts)
