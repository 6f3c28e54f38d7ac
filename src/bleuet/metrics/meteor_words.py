"""Words as METEOR's counters read them: numbers, with what is known of each word."""

from __future__ import annotations

from bleuet.text.segments import TOKEN_IDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any, TypeAlias

    from bleuet.text.meteor_resources import Synonyms
    from bleuet.text.wordnet import WordNetSynonyms

    Match: TypeAlias = tuple[int, int, int, int, int]


class MeteorWords:
    """A counter of text that gives numbers of words to a counter of a backend.

    Args:
        counter: the counter of the backend.
        lexicon: the words of that counter.
        stem: returns the stem of a word, or None where stems do not count.
        function_words: the function words.
        synonyms: the sets of synonyms, or None where they do not count.
    """

    def __init__(
        self,
        counter: Any,
        lexicon: Any,
        stem: Callable[[str], str] | None,
        function_words: Collection[str],
        synonyms: Synonyms | WordNetSynonyms | None,
    ) -> None:
        self._counter = counter
        self._lexicon = lexicon
        self._stem = stem
        self._function_words = function_words
        self._synonyms = synonyms

    def table(
        self, kind: str, hypotheses: Any, references: Any, *columns: Any, threads: int = 1
    ) -> int:
        """Write one row per segment, as the counter of the backend does."""
        if isinstance(references, list):
            references = list(map(self._read_several, references))
        ours = list(map(self._read, hypotheses))
        rows: int = self._counter.table(TOKEN_IDS, ours, references, *columns, threads=threads)
        return rows

    def prepare(self, kind: str, references: Any, threads: int = 1) -> Any:
        """Read references once, as the counter of the backend does."""
        return self._counter.prepare(TOKEN_IDS, list(map(self._read_several, references)), threads)

    def row(self, kind: str, hypothesis: str, references: Any) -> tuple[int | float, ...]:
        """Return the row of one segment."""
        row: tuple[int | float, ...] = self._counter.row(
            TOKEN_IDS, self._read(hypothesis), self._read_several(references)
        )
        return row

    def align(self, hypothesis: str, reference: str) -> Sequence[Match]:
        """Return the matches of a hypothesis and a reference, in the order of the reference.

        Returns:
            Of each match the first word and the number of words of the hypothesis, those of the
            reference, and the place of its matcher.
        """
        ours, theirs = self._read(hypothesis), self._read(reference)
        matches: Sequence[Match] = self._counter.align(ours, theirs)
        return matches

    def _read_several(self, references: Any) -> list[Sequence[int]]:
        if isinstance(references, str):
            return [self._read(references)]
        return [self._read(text) for text in references if text is not None]

    def _read(self, text: str) -> tuple[int, ...]:
        numbers: tuple[int, ...] = self._lexicon.read(text, self._describe)
        return numbers

    def _describe(self, word: str) -> tuple[str, bool, Sequence[int]]:
        """Return the stem of a word, whether it is a function word, and its sets of synonyms."""
        stem = self._stem(word) if self._stem is not None else word
        synonyms = self._synonyms.of(word) if self._synonyms else ()
        return stem, word in self._function_words, synonyms
