"""What METEOR knows of words and phrases, for the Python backend."""

from __future__ import annotations

import re
from itertools import islice

from bleuet.metrics.meteor.alignment import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


# What is between words, as METEOR has it.
WORDS = re.compile("[^ \\t\\n\\r\\f]+")


def words_of(text: str) -> list[str]:
    r"""Return the words of a text.

    >>> words_of("one\tno\xa0break")
    ['one', 'no\xa0break']
    """
    return WORDS.findall(text)


class MeteorLexicon:
    """Words by number, and paraphrases. A table of millions of paraphrases takes gigabytes."""

    def __init__(self) -> None:
        self.words: list[Word] = []
        self._numbers: dict[str, int] = {}
        # By each phrase those that it leads to, in the order of the table.
        self.paraphrases: dict[str, tuple[str, ...]] = {}
        # Words of the longest phrase.
        self.longest = 0
        self._parts: list[bytes] = []

    def __len__(self) -> int:
        """The number of words."""
        return len(self.words)

    def without_words(self) -> MeteorLexicon:
        """Return a lexicon without words that has the same paraphrases."""
        lexicon = MeteorLexicon()
        lexicon.paraphrases, lexicon.longest = self.paraphrases, self.longest
        return lexicon

    def read(
        self, text: str, describe: Callable[[str], tuple[str, bool, Sequence[int]]]
    ) -> tuple[int, ...]:
        """Return the numbers of the words of a text.

        Args:
            text: the words, with spaces, tabs, line feeds or form feeds between them.
            describe: returns the stem of a new word, whether it is a function word, and the sets
                of synonyms that it is in.
        """
        words = words_of(text)
        for word in words:
            if word not in self._numbers:
                stem, function, synonyms = describe(word)
                self._numbers[word] = len(self.words)
                self.words.append(Word(word, stem, function, tuple(synonyms)))
        return tuple([self._numbers[word] for word in words])

    def read_paraphrases(self, part: bytes) -> None:
        """Read a part of a table: per entry a line with a probability, and one per phrase."""
        self._parts.append(part)

    def close_paraphrases(self) -> int:
        """End the table, and return the number of entries.

        Raises:
            ValueError: the last entry is not complete.
        """
        text = b"".join(self._parts).decode("utf-8", "surrogateescape").removesuffix("\n")
        self._parts = []
        lines = iter(text.split("\n") if text else ())
        same: dict[str, dict[str, None]] = {}
        entries = 0
        while entry := list(islice(lines, 3)):
            if len(entry) < 3:
                raise ValueError("the last entry is not complete")
            one, other = (" ".join(filter(None, line.split(" "))) for line in entry[1:])
            same.setdefault(one, {})[other] = None
            entries += 1
        self.paraphrases = {phrase: tuple(others) for phrase, others in same.items()}
        phrases = [phrase for one, others in same.items() for phrase in (one, *others)]
        self.longest = max([len(phrase.split(" ")) for phrase in phrases], default=0)
        return entries
