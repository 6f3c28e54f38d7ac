"""Words and phrases that are replaced in a text, from a file."""

from __future__ import annotations

import re
from hashlib import sha256

from bleuet.errors import InputError
from bleuet.text.files import STDIN
from bleuet.text.lines import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A word, perhaps with apostrophes inside; white space; or any other character.
PIECE = re.compile(r"\w+(?:['’]\w+)*|\s+|.", re.DOTALL)


class Replacements:
    """Whole words or phrases, and what stands in their place.

    The longest phrase that begins at a word is replaced, from left to right, and what stands in its
    place is not replaced again. White space inside a phrase matches any white space.

    Args:
        pairs: each word or phrase, and what replaces it.

    >>> replace = Replacements([("colour", "color"), ("new york", "NY"), ("uh", "")])
    >>> replace("uh colour, colours of new  york")
    ' color, colours of NY'
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        # By its first piece the pieces of each phrase, longest first.
        self._phrases: dict[str, list[tuple[list[str], str]]] = {}
        for phrase, text in pairs:
            pieces = _pieces(phrase)
            self._phrases.setdefault(pieces[0], []).append((pieces, text))
        for phrases in self._phrases.values():
            phrases.sort(key=lambda one: -len(one[0]))

    def __call__(self, text: str) -> str:
        """Return a text with the words and phrases replaced."""
        return "".join(self._replaced(PIECE.findall(text)))

    def _replaced(self, pieces: list[str]) -> Iterator[str]:
        at = 0
        while at < len(pieces):
            for phrase, text in self._phrases.get(pieces[at], ()):
                found = pieces[at : at + len(phrase)]
                if len(phrase) == 1 or [_plain(piece) for piece in found] == phrase:
                    yield text
                    at += len(phrase)
                    break
            else:
                yield pieces[at]
                at += 1


class ReplacementFile(Replacements):
    """Replacements of a file: on each line a word or phrase, a tab, and what replaces it.

    Args:
        path: the file; empty lines are ignored.

    Raises:
        InputError: the file cannot be read, or a line is not such a pair; the message names it.
    """

    def __init__(self, path: str) -> None:
        if path in ("", STDIN):
            shown = "standard input can be read only once" if path else "the name is empty"
            raise InputError(f"{shown}: name a file")
        lines = read_lines(path, bom="strip")
        super().__init__(_pairs(path, lines))
        # Two files with the same content are the same, whatever they are called.
        text = "\n".join(lines)
        self.digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _pairs(path: str, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    first: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        phrase, *rest = line.split("\t")
        phrase = " ".join(phrase.split())
        if len(rest) != 1 or not phrase:
            raise InputError(
                f"{path}:{number}: expected a word or phrase, one tab and what replaces it"
            )
        before = first.setdefault(phrase, number)
        if before != number:
            raise InputError(f"{path}:{number} replaces the same as line {before}: remove one")
        yield phrase, rest[0].strip()


def _pieces(phrase: str) -> list[str]:
    return [_plain(piece) for piece in PIECE.findall(phrase)]


def _plain(piece: str) -> str:
    return " " if piece.isspace() else piece
