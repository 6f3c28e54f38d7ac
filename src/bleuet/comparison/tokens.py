"""The words of a test set: each text is tokenized once, for all analyses of words.

Words are kept as numbers, which take a tenth of the memory of strings and are compared as integers.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from operator import sub
from typing import overload

from bleuet.frozen import Value
from bleuet.statistics.backend import backend
from bleuet.text.tokenizers import find_tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    Words: TypeAlias = tuple[str, ...]


class Texts(Value, Sequence["Words"], eq=False):
    """Texts as words; `texts[row]` is a tuple of strings.

    Attributes:
        vocabulary: the different words of the test set, by their numbers.
        numbers: the numbers of all words, text after text; 32-bit integers.
        ends: where each text ends among the numbers; 64-bit integers.
    """

    vocabulary: Sequence[str]
    numbers: bytearray
    ends: bytearray

    def __len__(self) -> int:
        return len(self.ends) // 8

    @overload
    def __getitem__(self, row: int) -> Words: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[Words, ...]: ...
    def __getitem__(self, row: int | slice) -> Words | tuple[Words, ...]:
        if isinstance(row, slice):
            return tuple([self[one] for one in range(*row.indices(len(self)))])
        row = range(len(self))[row]
        ends = memoryview(self.ends).cast("q")
        return self._words(ends[row - 1] if row else 0, ends[row])

    def __iter__(self) -> Iterator[Words]:
        ends = memoryview(self.ends).cast("q")
        return (self._words(begin, end) for begin, end in pairwise(chain((0,), ends)))

    def _words(self, begin: int, end: int) -> Words:
        numbers = memoryview(self.numbers).cast("i")[begin:end]
        return tuple([self.vocabulary[number] for number in numbers])

    @property
    def lengths(self) -> list[int]:
        """The number of words of each text."""
        ends = memoryview(self.ends).cast("q")
        return list(map(sub, ends, chain((0,), ends)))

    @property
    def buffers(self) -> tuple[bytearray, bytearray]:
        """The texts as the backend reads them."""
        return self.numbers, self.ends

    @cached_property
    def ranks(self) -> array[int]:
        """The place of each word of the vocabulary in the order of words, by its number."""
        ranks = array("i", bytes(4 * len(self.vocabulary)))
        order = sorted(range(len(self.vocabulary)), key=self.vocabulary.__getitem__)
        for rank, number in enumerate(order):
            ranks[number] = rank
        return ranks

    def renumbered(self, vocabulary: Sequence[str], numbers: array[int]) -> Texts:
        """Return the texts with other words.

        Args:
            vocabulary: the other words.
            numbers: the number of the other word for each word.
        """
        return Texts(vocabulary, backend().replace_numbers(self.numbers, numbers), self.ends)


class References(Value, Sequence["tuple[Words, ...]"], eq=False):
    """The references of each segment; `references[row]` has a tuple of words for each.

    Attributes:
        texts: all references, segment after segment.
        groups: where the references of each segment end among all; 64-bit integers.
    """

    texts: Texts
    groups: array[int]

    def __len__(self) -> int:
        return len(self.groups)

    @overload
    def __getitem__(self, row: int) -> tuple[Words, ...]: ...
    @overload
    def __getitem__(self, row: slice) -> tuple[tuple[Words, ...], ...]: ...
    def __getitem__(self, row: int | slice) -> Any:
        if isinstance(row, slice):
            return tuple([self[one] for one in range(*row.indices(len(self)))])
        row = range(len(self))[row]
        return self.texts[self.groups[row - 1] if row else 0 : self.groups[row]]

    @property
    def lengths(self) -> list[list[int]]:
        """The number of words of each reference of each segment."""
        lengths = self.texts.lengths
        return [lengths[begin:end] for begin, end in pairwise(chain((0,), self.groups))]

    @property
    def buffers(self) -> tuple[bytearray, bytearray, array[int]]:
        """The references as the backend reads them."""
        return (*self.texts.buffers, self.groups)


class Tokens(Value, eq=False):
    """The tokens of all texts.

    Attributes:
        tokenizer: the name of the tokenizer.
        vocabulary: the different words, by their numbers.
        hypotheses: the words of each segment of each system, `hypotheses[system][segment]`.
        references: the words of each reference, `references[segment][reference]`.
    """

    tokenizer: str
    vocabulary: Sequence[str]
    hypotheses: tuple[Texts, ...]
    references: References

    @cached_property
    def in_lower_case(self) -> tuple[tuple[str, ...], array[int]]:
        """The different words in lower case, and which of them each word is."""
        known: dict[str, int] = {}
        numbers = [known.setdefault(word.lower(), len(known)) for word in self.vocabulary]
        return tuple(known), array("i", numbers)

    def lowercased(self) -> Tokens:
        """Return the same tokens in lower case."""
        vocabulary, numbers = self.in_lower_case
        references = self.references
        return Tokens(
            self.tokenizer,
            vocabulary,
            tuple(texts.renumbered(vocabulary, numbers) for texts in self.hypotheses),
            References(references.texts.renumbered(vocabulary, numbers), references.groups),
        )


def tokenize_all(
    tokenizer: str, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> Tokens:
    """Tokenize all texts of a test set.

    Args:
        tokenizer: the name of a tokenizer.
        hypotheses: one text per segment for each system.
        references: the references of each segment.

    Raises:
        OptionError: there is no such tokenizer.
        MissingExtraError: a library that it needs is not installed.

    >>> tokenize_all("13a", [["A cat."]], [["The cat."]]).references[0]
    (('The', 'cat', '.'),)
    """
    lists = [list(chain.from_iterable(references)), *hypotheses]
    found = find_tokenizer(tokenizer)
    if found.in_kernel:
        vocabulary, numbered = backend().number_words(tokenizer, lists)
    else:
        cut = [[found.tokenize(text.rstrip()) for text in texts] for texts in lists]
        vocabulary, numbered = backend().number_words("none", cut)
    flat, *systems = [Texts(vocabulary, *buffers) for buffers in numbered]
    groups = array("q", accumulate(map(len, references)))
    return Tokens(tokenizer, vocabulary, tuple(systems), References(flat, groups))


def splitter(tokenizer: str) -> Callable[[str], Words]:
    """Return a function that splits a text into the tokens that BLEU counts.

    Args:
        tokenizer: the name of a tokenizer.

    Raises:
        OptionError: there is no such tokenizer.
        MissingExtraError: a library that it needs is not installed.

    >>> splitter("13a")("Yes, 3.5%. ")
    ('Yes', ',', '3.5', '%', '.')
    """
    found = find_tokenizer(tokenizer)
    if found.in_kernel:
        tokenize: Any = backend().tokenize
        return lambda text: tuple(tokenize(tokenizer, text))
    return lambda text: tuple(found.tokenize(text.rstrip()).split())


def lower(words: Iterable[str]) -> Words:
    """Return words in lower case."""
    return tuple([word.lower() for word in words])
