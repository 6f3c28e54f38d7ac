"""The corpus: hypotheses and the references of each, validated once."""

from __future__ import annotations

from operator import index

from bleuet.errors import InputError, InputTypeError
from bleuet.frozen import Frozen
from bleuet.messages import plural
from bleuet.text.row_index import shared_index
from bleuet.text.segments import TEXT, TOKEN_IDS, Segments, sources_of
from bleuet.text.validation import check_lengths, check_streams, iterated, kind_of, listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, overload

    from bleuet.text.token_ids import Tokens
    from bleuet.text.validation import References


class Corpus(Frozen):
    """Hypotheses and their references, one entry of each for every segment; it never changes.

    `references[i]` belongs to `hypotheses[i]`. It is a string, or a list of strings when a segment
    has several references; None in such a list is an absent reference, '' a real one of length 0.
    Lists are kept, not copied; other iterables become lists.

    With n hypotheses and n references of n strings each, this layout and sacreBLEU's have the same
    shape. Such references are taken to be per segment; metrics warn if they fit better transposed.

    Args:
        hypotheses: one string for each segment.
        references: for each segment a string, or a list of strings and None; None where there are
            sources alone, for metrics without references.
        sources: for each segment the text that was translated or simplified, for metrics that read
            it.

    Raises:
        InputTypeError: an argument, or an element of one, has the wrong type.
        InputError: the lengths differ, there is no segment, a segment has no reference, or columns
            of data frames have different indexes.

    >>> corpus = Corpus(["a cat", "a dog"], ["the cat", ["the dog", "a hound"]])
    >>> corpus
    Corpus(2 segments, varying numbers of references)
    >>> corpus[0]
    ('a cat', 'the cat')
    >>> corpus[1:].references
    [['the dog', 'a hound']]
    >>> for hypothesis, references in corpus:
    ...     print(hypothesis, references)
    a cat the cat
    a dog ['the dog', 'a hound']
    """

    __slots__ = ("_hypotheses", "_references")

    _hypotheses: Segments
    _references: Segments

    def __init__(
        self,
        hypotheses: Iterable[str],
        references: Iterable[str | Iterable[str | None]] | None = None,
        sources: Iterable[str] | None = None,
    ) -> None:
        shared_index(hypotheses=hypotheses, references=references, sources=sources)
        texts = Segments.hypotheses(hypotheses)
        if sources is not None:
            from bleuet.text.source_texts import with_sources

            references = with_sources(references, sources)
        if not isinstance(references, Segments):
            expected = "a list with one entry for each hypothesis"
            references = listed(references, "references", expected)
        check_lengths(texts, references)
        self._set(_hypotheses=texts, _references=Segments.references(references))

    @classmethod
    def from_sacrebleu(
        cls, hypotheses: Iterable[str], streams: Iterable[Iterable[str | None]]
    ) -> Corpus:
        """Build a corpus from sacreBLEU's transposed layout.

        Args:
            hypotheses: one string for each segment.
            streams: `streams[k][i]` is the k-th reference of segment i, None if it is absent.

        Returns:
            The corpus, with its references per segment.

        Raises:
            InputTypeError: an argument, or an element of one, has the wrong type.
            InputError: a stream's length differs, or a segment has no reference.

        >>> Corpus.from_sacrebleu(["a", "b"], [["a", "c"], ["d", None]]).references
        [('a', 'd'), ('c', None)]
        """
        shared_index(hypotheses=hypotheses, streams=streams)
        texts = Segments.hypotheses(hypotheses)
        columns = check_streams(streams, len(texts))
        rows = columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
        return cls.from_checked(texts, Segments.references(rows))

    @classmethod
    def from_token_ids(cls, hypotheses: Iterable[Tokens], references: Iterable[Any]) -> Corpus:
        """Build a corpus of integers, such as the token ids of a model's vocabulary.

        A sequence is a list or tuple of integers, an `array.array`, or a one-dimensional integer
        array or tensor. A list or tuple of int and a contiguous buffer of integers are kept;
        other sequences become lists of int.

        Args:
            hypotheses: one sequence for each segment; an empty one is an empty hypothesis.
            references: for each segment one sequence, or a list of sequences and None.

        Returns:
            The corpus; each entry of its `references` is a list of sequences and None.

        Raises:
            InputTypeError: an argument, or an element of one, has the wrong type.
            InputError: the lengths differ, there is no segment, or a segment has no reference.

        >>> Corpus.from_token_ids([[5, 6], [7]], [[5, 8], [[7], [7, 9]]]).references
        [[[5, 8]], [[7], [7, 9]]]
        """
        shared_index(hypotheses=hypotheses, references=references)
        ids = Segments.hypotheses(hypotheses, TOKEN_IDS)
        if not isinstance(references, Segments):
            expected = "sequences of integers for each segment"
            references = iterated(references, "references", expected)
        check_lengths(ids, references)
        return cls.from_checked(ids, Segments.references(references, TOKEN_IDS))

    @classmethod
    def from_checked(
        cls,
        hypotheses: Segments | list[Any],
        references: Segments | list[References],
        kind: str = TEXT,
    ) -> Corpus:
        """Build a corpus from parts that are valid, without validating them again.

        Args:
            hypotheses: segments, or a list as `check_hypotheses` returns it.
            references: as many segments, or a list as `check_references` returns it.
            kind: the kind of the lists, `TEXT` or `TOKEN_IDS`.

        Returns:
            The corpus.

        >>> Corpus.from_checked(["a"], ["b"])
        Corpus(1 segment, 1 reference each)
        """
        corpus = cls.__new__(cls)
        corpus._set(
            _hypotheses=_as_segments(hypotheses, kind), _references=_as_segments(references, kind)
        )
        return corpus

    def with_hypotheses(self, hypotheses: Iterable[Any]) -> Corpus:
        """Return the corpus of another system with these references, not validated again.

        Args:
            hypotheses: one string for each segment, or one sequence of token ids.

        Returns:
            The corpus; it shares the references.

        Raises:
            InputTypeError: the hypotheses, or one of them, have the wrong type.
            InputError: their number differs from that of the references.

        >>> Corpus(["a"], ["b"]).with_hypotheses(["c"]).hypotheses
        ['c']
        """
        segments = Segments.hypotheses(hypotheses, TOKEN_IDS if self.token_ids else TEXT)
        check_lengths(segments, self._references)
        return Corpus.from_checked(segments, self._references)

    def select(self, rows: Iterable[int]) -> Corpus:
        """Return the corpus of some segments, in their order; a segment may come more than once.

        Args:
            rows: segment numbers, from 0.

        Returns:
            The corpus of those segments.

        Raises:
            InputTypeError: a row is not an integer, as in a mask of true and false.
            InputError: there is no row, or a row does not exist.

        >>> Corpus(["a", "b", "c"], ["d", "e", "f"]).select([2, 0, 2]).hypotheses
        ['c', 'a', 'c']
        """
        listed_rows = listed(rows, "rows", "a list of segment numbers")
        chosen = [_check_row(row, len(self)) for row in listed_rows]
        return self._part(
            [self.hypotheses[row] for row in chosen], [self.references[row] for row in chosen]
        )

    @property
    def hypotheses(self) -> list[Any]:
        """One string for each segment, or one sequence of integers."""
        return self._hypotheses.tolist()

    @property
    def references(self) -> list[References]:
        """For each segment a string or a list of strings and None; of token ids always a list."""
        return self._references.tolist()

    @property
    def sources(self) -> list[str] | None:
        """The source of each segment, None where they are not known.

        >>> Corpus(["a cat"], ["the cat"], ["eine Katze"]).sources
        ['eine Katze']
        """
        return sources_of(self.references)

    @property
    def segments(self) -> tuple[Segments, Segments]:
        """Hypotheses and references as metrics take them."""
        return self._hypotheses, self._references

    @property
    def token_ids(self) -> bool:
        """Whether the segments are sequences of integers."""
        return self._hypotheses.kind == TOKEN_IDS

    @property
    def n_references(self) -> int | None:
        """How many references each segment has, absent ones not counted; None if it varies.

        >>> Corpus(["a"], [["b", None, "c"]]).n_references
        2
        """
        return self._references.n_references

    def _part(self, hypotheses: list[Any], references: list[References]) -> Corpus:
        if not hypotheses:
            raise InputError(
                f"none of {len(self)} segments was selected; a corpus needs at least "
                "one: use a slice or rows that are not empty"
            )
        return Corpus.from_checked(hypotheses, references, TOKEN_IDS if self.token_ids else TEXT)

    def __len__(self) -> int:
        return len(self._hypotheses)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, part: int) -> tuple[Any, References]: ...
        @overload
        def __getitem__(self, part: slice) -> Corpus: ...

    def __getitem__(self, part: int | slice) -> Corpus | tuple[Any, References]:
        if isinstance(part, slice):
            return self._part(self.hypotheses[part], self.references[part])
        try:
            segment = index(part)
        except TypeError:
            raise InputTypeError(
                f"expected the number of a segment or a slice, not {kind_of(part)}: "
                "corpus.select(numbers) returns the corpus of several segments"
            ) from None
        if not -len(self) <= segment < len(self):
            raise IndexError(f"segment {segment} of {len(self)}")
        return self._hypotheses[segment], self._references[segment]

    def __iter__(self) -> Iterator[tuple[Any, References]]:
        return zip(self.hypotheses, self.references, strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return self._plain() == other._plain()

    # The lists inside can change, so it has no hash; a hash by identity would be wrong.
    __hash__ = None  # type: ignore[assignment]

    def _plain(self) -> tuple[bool, list[Any], list[Any]]:
        if not self.token_ids:
            rows = [
                (entry,) if isinstance(entry, str) else tuple(entry) for entry in self.references
            ]
            return False, self.hypotheses, rows
        return (
            True,
            [list(tokens) for tokens in self.hypotheses],
            [[ids if ids is None else list(ids) for ids in entry] for entry in self.references],
        )

    def __repr__(self) -> str:
        segments = plural(len(self), "segment")
        count = self.n_references
        references = (
            "varying numbers of references"
            if count is None
            else f"{plural(count, 'reference')} each"
        )
        return f"Corpus({segments}{' of token ids' if self.token_ids else ''}, {references})"

    def __reduce__(self) -> tuple[Callable[..., Corpus], tuple[list[Any], list[Any], str]]:
        kind = TOKEN_IDS if self.token_ids else TEXT
        return Corpus.from_checked, (self.hypotheses, self.references, kind)


def _as_segments(values: Segments | list[Any], kind: str) -> Segments:
    return values if isinstance(values, Segments) else Segments(kind, values)


def _check_row(row: Any, count: int) -> int:
    kind = type(row)
    if "bool" in kind.__name__ or not hasattr(kind, "__index__") or hasattr(kind, "__len__"):
        raise InputTypeError(
            f"select got {kind_of(row)}; expected segment numbers: turn a mask into numbers "
            "with [i for i, selected in enumerate(mask) if selected]"
        )
    number = int(row)
    if not -count <= number < count:
        raise InputError(
            f"row {number} does not exist; expected segment numbers from 0 to {count - 1}"
            ": use rows of this corpus"
        )
    return number
