"""Synonyms of WordNet, from the folder with its database files, which the user names.

Only the files `index.*` and `*.exc` are read (wndb(5WN) describes them). They are no part of
bleuet.
"""

from __future__ import annotations

import os
from pathlib import Path

from bleuet.errors import InputError
from bleuet.text.meteor_resources import MOST_BYTES, Synonyms, fingerprint_of, limited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Parts of speech, and the endings that WordNet replaces to find a form that it has, in its order
# (morphy(7WN)).
ENDINGS = {
    "noun": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
        ("men", "man"), ("ies", "y"),
    ),
    "verb": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip
# The files of a part of speech have offsets of less than this.
MOST_OFFSETS = 10**8


class WordNet:
    """The files of WordNet.

    Args:
        path: a folder with `index.noun`, `noun.exc` and so on.
    """

    def __init__(self, path: str) -> None:
        self.folder = Path(path)

    @staticmethod
    def is_at(path: str) -> bool:
        """Return whether a folder has WordNet's files."""
        return "\0" not in path and os.path.isfile(os.path.join(path, "index.noun"))

    def check(self, matchers: Sequence[str]) -> None:
        """Reject a folder without all files.

        Args:
            matchers: not used: WordNet has nothing but synonyms.

        Raises:
            InputError: a file is missing.
        """
        for file in self._files():
            if not file.is_file():
                raise InputError(f"the matcher synonym: {self.folder} has no file {file.name}")

    def prefixes(self) -> dict[str, bool]:
        """Return the words that keep their full stop: none."""
        return {}

    def synonyms(self) -> WordNetSynonyms:
        """Return the sets of synonyms.

        Raises:
            InputError: a file is damaged or too large.
        """
        return WordNetSynonyms(
            [
                Synonyms(self._index(part, number), self._exceptions(part), ENDINGS[part])
                for number, part in enumerate(ENDINGS)
            ]
        )

    def fingerprint(self) -> str:
        """Return a name and the start of the SHA-256 of the files, for a signature."""
        return fingerprint_of(self.folder.name, self._files())

    def _files(self) -> list[Path]:
        names = [name for part in ENDINGS for name in (f"index.{part}", f"{part}.exc")]
        return [self.folder / name for name in names]

    def _index(self, part: str, number: int) -> dict[str, tuple[int, ...]]:
        """Return the synsets of each word; words with a space in them match no word."""
        name = f"index.{part}"
        sets = {}
        for line in self._lines(name):
            if line[:1] in ("", " ") or "_" in (word := line.partition(" ")[0]):
                continue
            try:
                sets[word] = tuple(number * MOST_OFFSETS + offset for offset in _offsets(line))
            except (IndexError, ValueError):
                raise InputError(
                    f"{name} of {self.folder} is not WordNet's: a line begins {line[:40]!r}"
                ) from None
        return sets

    def _exceptions(self, part: str) -> dict[str, tuple[str, ...]]:
        lines = map(str.split, self._lines(f"{part}.exc"))
        return {form: tuple(bases) for form, *bases in filter(None, lines)}

    def _lines(self, name: str) -> list[str]:
        try:
            content = limited(self.folder / name)
        except OSError as error:
            raise InputError(f"{name} of {self.folder} cannot be read: {error}") from error
        if len(content) > MOST_BYTES:
            raise InputError(f"{name} of {self.folder} has more than 64 MiB")
        try:
            return content.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            raise InputError(f"{name} of {self.folder} is not UTF-8") from None


def _offsets(line: str) -> list[int]:
    """Return the synsets of a line of an index, after as many symbols of pointers as it says.

    >>> _offsets("kid n 2 2 @ ~ 2 1 09917593 09918248")
    [9917593, 9918248]
    """
    fields = line.split()
    offsets = [int(text) for text in fields[6 + int(fields[3]) :]]
    if len(offsets) != int(fields[2]):
        raise ValueError("as many synsets as the third field says")
    return offsets


class WordNetSynonyms:
    """Sets of words that mean the same, for each part of speech.

    Args:
        parts: the sets by part of speech.
    """

    def __init__(self, parts: Sequence[Synonyms]) -> None:
        self._parts = parts

    def of(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the sets that a word is in, or the word that it is a form of.

        Args:
            word: as it stands in the text; WordNet's index has small letters.
        """
        word = word.lower()
        return tuple([number for part in self._parts for number in part.of(word)])
