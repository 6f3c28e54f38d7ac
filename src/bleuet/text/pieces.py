"""Text as pieces that can be put together again: words, or the tokens of words."""

from __future__ import annotations

from itertools import accumulate, pairwise

from bleuet.frozen import Value
from bleuet.text.tokenizers import find_tokenizer
from bleuet.text.tokenizers.unspaced import is_unspaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# SentencePiece's mark of a space.
SPACE = "\u2581"


class Piece(Value):
    """One token of a text.

    Args:
        token: what is compared with other tokens.
        text: its part of the text; the first token of a word that cannot be divided has it all.
        spaced: whether a space is before it.
        begins: whether a segment may begin with it.
    """

    token: str
    text: str
    spaced: bool
    begins: bool


class Pieces:
    """Divides texts into pieces.

    White space and the end of a text divide words, and a tokenizer divides each word. A segment can
    begin inside a word only next to a character of a script without spaces between words; between
    two texts that end and begin with such characters there is no space.

    Args:
        tokenize: the name of a tokenizer of `bleuet.text.tokenizers`.
        case_sensitive: tokens keep their case.

    >>> [piece.text for piece in Pieces("char").of(["Ah, 猫。"])]
    ['A', 'h', ',', '猫', '。']
    >>> join(Pieces("none").of(["A cat", "sat."]))
    'A cat sat.'
    """

    def __init__(self, tokenize: str = "none", *, case_sensitive: bool = False) -> None:
        tokenizer = find_tokenizer(tokenize)
        self._tokenize = tokenizer.tokenize
        self._case_sensitive = case_sensitive
        self._known: dict[str, list[Piece]] = {}
        case = "mixed" if case_sensitive else "lc"
        self.signature = f"{tokenizer.signature()}-{case}"

    def of(self, texts: Iterable[str]) -> list[Piece]:
        """Return the pieces of some texts that follow one another."""
        found: list[Piece] = []
        for text in texts:
            joint = len(found)
            for word in text.split():
                found += self._of_word(word)
            if 0 < joint < len(found) and _is_unspaced(found[joint - 1 : joint + 1]):
                first = found[joint]
                found[joint] = Piece(first.token, first.text, spaced=False, begins=True)
        return found

    def in_case(self, text: str) -> str:
        """Return a text as it is compared: in lower case, unless case is kept."""
        return text if self._case_sensitive else text.lower()

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return [piece.token for word in text.split() for piece in self._of_word(word)]

    def _of_word(self, word: str) -> list[Piece]:
        if word not in self._known:
            self._known[word] = list(self._divide(word))
        return self._known[word]

    def _divide(self, word: str) -> Iterable[Piece]:
        tokens = self._tokenize(word).replace(SPACE, "").split() or [word]
        ends = list(accumulate(map(len, tokens), initial=0))
        # A tokenizer may write characters in another form, or leave some out.
        texts = [word, *[""] * (len(tokens) - 1)]
        if ends[-1] == len(word):
            texts = [word[begin:end] for begin, end in pairwise(ends)]
        for i, (token, text) in enumerate(zip(tokens, texts, strict=True)):
            yield Piece(
                self.in_case(token),
                text,
                spaced=not i,
                begins=not i or _is_beside_unspaced(texts[i - 1], text),
            )


def join(pieces: Sequence[Piece]) -> str:
    """Return the text of some pieces, without a space before the first."""
    return "".join([f"{' ' * piece.spaced}{piece.text}" for piece in pieces]).removeprefix(" ")


def look(character: str) -> str:
    """Return how a word looks at an end: as a capital, another letter or digit, or a mark.

    >>> look("B"), look("b"), look("1"), look("?")
    ('A', 'a', 'a', '?')
    """
    return "A" if character.isupper() else "a" if character.isalnum() else character


def bare(token: str) -> str:
    """Return the letters and digits of a token, or the token if it has none.

    >>> bare("«cat's»"), bare("...")
    ('cats', '...')
    """
    return "".join(filter(str.isalnum, token)) or token


def _is_beside_unspaced(before: str, behind: str) -> bool:
    return bool(before and behind) and (is_unspaced(before[-1]) or is_unspaced(behind[0]))


def _is_unspaced(pair: Sequence[Piece]) -> bool:
    before, behind = (piece.text for piece in pair)
    return bool(before and behind) and is_unspaced(before[-1]) and is_unspaced(behind[0])
