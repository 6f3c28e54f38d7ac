"""Words as METEOR's counters read them: numbers, with what is known of each word."""

from __future__ import annotations

from bleuet.frozen import Value
from bleuet.text.segments import TOKEN_IDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any, TypeAlias

    from bleuet.text.meteor_resources import Synonyms
    from bleuet.text.wordnet import WordNetSynonyms

    Match: TypeAlias = tuple[int, int, int, int, int]

# A lexicon with more words than this, about 40 MB, is left for an empty one.
MOST_WORDS = 200_000


class Numbering(Value):
    """The words that have numbers, and the counter that knows them."""

    lexicon: Any
    counter: Any


class ReadReferences(Value):
    """References as numbers, and which word each number stands for."""

    numbering: Numbering
    prepared: Any


class MeteorWords:
    """A counter of text that gives numbers of words to a counter of a backend.

    Args:
        make_counter: makes a counter of the backend that counts the words of a lexicon.
        lexicon: the first lexicon, with the paraphrases.
        stem: returns the stem of a word, or None where stems do not count.
        function_words: the function words.
        synonyms: the sets of synonyms, or None where they do not count.
    """

    def __init__(
        self,
        make_counter: Callable[[Any], Any],
        lexicon: Any,
        stem: Callable[[str], str] | None,
        function_words: Collection[str],
        synonyms: Synonyms | WordNetSynonyms | None,
    ) -> None:
        self._make_counter = make_counter
        self._numbering = Numbering(lexicon, make_counter(lexicon))
        self._stem = stem
        self._function_words = function_words
        self._synonyms = synonyms

    def table(
        self, kind: str, hypotheses: Any, references: Any, *columns: Any, threads: int = 1
    ) -> int:
        """Write one row per segment, as the counter of the backend does."""
        if isinstance(references, ReadReferences):
            numbering, theirs = references.numbering, references.prepared
        else:
            numbering = self._current()
            theirs = [self._read_several(numbering, texts) for texts in references]
        ours = [self._read(numbering, text) for text in hypotheses]
        rows: int = numbering.counter.table(TOKEN_IDS, ours, theirs, *columns, threads=threads)
        return rows

    def prepare(self, kind: str, references: Any, threads: int = 1) -> ReadReferences:
        """Read references once, as the counter of the backend does."""
        numbering = self._current()
        read = [self._read_several(numbering, texts) for texts in references]
        return ReadReferences(numbering, numbering.counter.prepare(TOKEN_IDS, read, threads))

    def row(self, kind: str, hypothesis: str, references: Any) -> tuple[int | float, ...]:
        """Return the row of one segment."""
        numbering = self._current()
        row: tuple[int | float, ...] = numbering.counter.row(
            TOKEN_IDS, self._read(numbering, hypothesis), self._read_several(numbering, references)
        )
        return row

    def align(self, hypothesis: str, reference: str) -> Sequence[Match]:
        """Return the matches of a hypothesis and a reference, in the order of the reference.

        Returns:
            Of each match the first word and the number of words of the hypothesis, those of the
            reference, and the place of its matcher.
        """
        numbering = self._current()
        ours, theirs = self._read(numbering, hypothesis), self._read(numbering, reference)
        matches: Sequence[Match] = numbering.counter.align(ours, theirs)
        return matches

    def _current(self) -> Numbering:
        """Return what numbers words now; other threads may still use the one before."""
        if len(self._numbering.lexicon) > MOST_WORDS:
            lexicon = self._numbering.lexicon.without_words()
            self._numbering = Numbering(lexicon, self._make_counter(lexicon))
        return self._numbering

    def _read_several(self, numbering: Numbering, references: Any) -> list[Sequence[int]]:
        if isinstance(references, str):
            return [self._read(numbering, references)]
        return [self._read(numbering, text) for text in references if text is not None]

    def _read(self, numbering: Numbering, text: str) -> tuple[int, ...]:
        numbers: tuple[int, ...] = numbering.lexicon.read(text, self._describe)
        return numbers

    def _describe(self, word: str) -> tuple[str, bool, Sequence[int]]:
        """Return the stem of a word, whether it is a function word, and its sets of synonyms."""
        stem = self._stem(word) if self._stem is not None else word
        synonyms = self._synonyms.of(word) if self._synonyms else ()
        return stem, word.lower() in self._function_words, synonyms
