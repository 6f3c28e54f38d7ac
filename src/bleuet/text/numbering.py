"""Words and characters as numbers, by which they are compared."""

from __future__ import annotations

from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class WordNumbers:
    """Numbers for different words, from 0 on; "" is -1.

    >>> numbers = WordNumbers()
    >>> numbers.of("abba"), len(numbers)
    (array('i', [0, 1, 1, 0]), 2)
    """

    def __init__(self) -> None:
        self._known: dict[object, int] = {"": -1}

    def __len__(self) -> int:
        return len(self._known) - 1

    def of(self, words: Iterable[object]) -> array[int]:
        """Return the numbers of some words."""
        known = self._known
        return array("i", [known.setdefault(word, len(known) - 1) for word in words])

    def of_texts(self, texts: Iterable[Iterable[object]]) -> tuple[array[int], array[int]]:
        """Return the numbers of the words of texts, and where each text ends."""
        return joined(map(self.of, texts))


def joined(texts: Iterable[array[int]]) -> tuple[array[int], array[int]]:
    """Return the numbers of texts one after the other, and where each text ends.

    >>> joined([array("i", [4, 5]), array("i", [6])])
    (array('i', [4, 5, 6]), array('q', [2, 3]))
    """
    numbers, ends = array("i"), array("q")
    for text in texts:
        numbers += text
        ends.append(len(numbers))
    return numbers, ends
