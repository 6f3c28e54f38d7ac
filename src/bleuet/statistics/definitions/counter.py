"""The base of counters in Python: from a function of one segment to tables of many."""

from __future__ import annotations

from array import array
from collections import Counter
from hashlib import blake2b
from itertools import pairwise

from bleuet.text.segments import ARROW, LINES, TOKEN_IDS, WithSource
from bleuet.text.tokenizers import TOKENIZERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    Number: TypeAlias = int | float
    # The first word of a hypothesis and how many, the same of a reference, and a kind.
    Aligned: TypeAlias = tuple[int, int, int, int, int]


# The bytes of a place in a column of Arrow: a large offset, or a view, which holds short texts.
LARGE, VIEW, INSIDE = 8, 16, 12
# Those of a digest of references, and how many different digests there are.
_DIGEST_BYTES = 32
_DIGESTS = 1 << 8 * _DIGEST_BYTES
# What `table` returns where segments have a source alone.
NO_REFERENCES = -1


class Prepared:
    """References that were read once; in Python that means tokenized."""

    def __init__(self, segments: list[list[Any]]) -> None:
        self.segments = segments

    def __len__(self) -> int:
        return len(self.segments)


class LearnedCounts(dict):  # type: ignore[type-arg]
    """What a metric has learned: how often each n-gram, or word, occurs in the references.

    Args:
        counts: how often each occurs.
        digest: the sum of the digests of the references of each segment, 256 bits.
        references: the references that were read; None if they were learned in several parts.
    """

    def __init__(
        self, counts: Mapping[Any, int], digest: int, references: Prepared | None = None
    ) -> None:
        super().__init__(counts)
        self.digest = digest % _DIGESTS
        self.references = references

    @property
    def fingerprint(self) -> str:
        """64 hexadecimal digits that other references would change."""
        return f"{self.digest:064x}"

    @staticmethod
    def join(parts: Sequence[LearnedCounts]) -> LearnedCounts:
        """Return what the references of all parts teach."""
        counts: Counter[Any] = Counter()
        for part in parts:
            counts.update(part)
        return LearnedCounts(counts, sum(part.digest for part in parts))

    def __reduce__(self) -> tuple[Any, ...]:
        return LearnedCounts, (dict(self), self.digest)


class RowCounter:
    """What all counters in Python share. The methods that others call are the kernel's.

    A counter defines `read` and `count`. `kind` is a kind of `bleuet.text.segments`, and the
    segments are what `Segments.content` returns for it.

    Args:
        **options: the options of the counter.
    """

    integers = 0
    reals = 0
    # The class of what `learn` returns.
    learned_type = LearnedCounts

    def __init__(self, **options: Any) -> None:
        self.options = options

    def read(self, text: str, *, reference: bool) -> Any:
        """Return a text in the form that `count` takes."""
        raise NotImplementedError

    def count(self, hypothesis: Any, references: list[Any]) -> Sequence[Number]:
        """Return the row of one segment, integers first."""
        raise NotImplementedError

    def prepare(self, kind: str, references: Any, threads: int = 1) -> Prepared:
        """Read references once.

        Args:
            kind: their kind.
            references: as `Segments.content`.
            threads: for the kernel; Python uses one.
        """
        return Prepared([self._references(kind, entry) for entry in _listed(kind, references)])

    def lessons(self, references: list[Any]) -> Iterable[Any]:
        """Yield the n-grams or words that the references of one segment add to the counts."""
        raise NotImplementedError

    def learn(self, kind: str, references: Any, threads: int = 1) -> LearnedCounts:
        """Count the n-grams or words of the references; arguments as for `prepare`."""
        counts: Counter[Any] = Counter()
        digest = 0
        prepared = self.prepare(kind, references)
        for several in prepared.segments:
            counts.update(self.lessons(several))
            digest += _digest(several)
        return LearnedCounts(counts, digest, prepared)

    def row(self, kind: str, hypothesis: Any, references: Any) -> tuple[Number, ...]:
        """Return the row of one segment.

        Args:
            kind: its kind, but not lines.
            hypothesis: a string, or a sequence of integers.
            references: a string, or a list of references.
        """
        several = self._references(kind, references)
        return tuple(self.count(self._read(kind, hypothesis, False), several))

    def table(
        self,
        kind: str,
        hypotheses: Any,
        references: Any,
        integer_columns: Any,
        real_columns: Any,
        threads: int = 1,
    ) -> int:
        """Write one row per segment into column after column.

        Args:
            kind: the kind of the segments.
            hypotheses: as `Segments.content`.
            references: as `Segments.content`, or what `prepare` or `learn` returned.
            integer_columns: memory for the integers, 8 bytes each.
            real_columns: memory for the real numbers, 8 bytes each.
            threads: for the kernel; Python uses one.

        Returns:
            The references per segment, 0 where segments differ, -1 without references.
        """
        texts = self.read_texts(kind, hypotheses)
        if isinstance(references, LearnedCounts):
            references = references.references
        prepared = (
            references if isinstance(references, Prepared) else self.prepare(kind, references)
        )
        rows = len(texts)
        if len(prepared) != rows:
            raise ValueError(f"{rows} hypotheses but references for {len(prepared)} segments")
        counted = self.rows(texts, prepared.segments)
        put_rows(counted, self.integers, integer_columns, real_columns)
        counts = set(map(len, prepared.segments))
        return (counts.pop() or NO_REFERENCES) if len(counts) == 1 else 0

    def rows(self, texts: list[Any], references: list[list[Any]]) -> list[Sequence[Number]]:
        """Return the row of each segment; a counter whose rows depend on earlier ones overrides.

        Args:
            texts: the hypotheses, as `read` returns them.
            references: as many lists of references.
        """
        return [self.count(text, several) for text, several in zip(texts, references, strict=True)]

    def read_texts(self, kind: str, texts: Any) -> list[Any]:
        """Return texts that are no references in the form that `count` takes.

        Args:
            kind: their kind.
            texts: as `Segments.content`.
        """
        return [self._read(kind, text, False) for text in _listed(kind, texts)]

    def _read(self, kind: str, segment: Any, reference: bool) -> Any:
        if kind == TOKEN_IDS:
            return list(segment)
        if not isinstance(segment, str):
            raise TypeError(f"expected a string, got {type(segment).__name__}")
        return self.read(segment, reference=reference)

    def _references(self, kind: str, entry: Any) -> list[Any]:
        if isinstance(entry, str):
            entry = [entry]
        elif not isinstance(entry, list | tuple):
            raise TypeError(f"expected a list of references, got {type(entry).__name__}")
        several = [self._read(kind, one, True) for one in entry if one is not None]
        if not several:
            raise ValueError("a segment has no reference")
        if isinstance(entry, WithSource):
            return entry.with_texts(entry.source, several)
        return several


class AligningCounter(RowCounter):
    """What counters share that count aligned words: they also say which words these are."""

    def align(self, kind: str, hypothesis: Any, references: Any) -> tuple[int, Sequence[Aligned]]:
        """Return the number of the reference that counts, and which words it is aligned with.

        Arguments as for `row`.

        Returns:
            The number of the reference, from 0; and each time the first word of the hypothesis and
            the number of words, the same of the reference, and a kind. A side without words has the
            place where they are missing.
        """
        several = self._references(kind, references)
        return self.aligned(self._read(kind, hypothesis, False), several)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return what `align` returns, of what `read` returns."""
        raise NotImplementedError


class WordCounter(RowCounter):
    """What counters share that count words.

    Args:
        tokenizer: a tokenizer that needs no other library.
        lowercase: lower-case texts.
        **options: the other options of the counter.
    """

    def __init__(self, *, tokenizer: str, lowercase: bool, **options: Any) -> None:
        super().__init__(**options)
        self.tokenizer = tokenizer
        self.lowercase = lowercase

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Lower-case, strip and tokenize."""
        return tokenize(self.tokenizer, text, lowercase=self.lowercase)


def tokenize(tokenizer: str, line: str, *, lowercase: bool = False) -> list[str]:
    """Return the tokens of a line by a tokenizer that the kernel has, perhaps in lower case.

    >>> tokenize("13a", "A cat.")
    ['A', 'cat', '.']
    """
    found = TOKENIZERS[tokenizer]
    return (found.lower_tokens(line) if lowercase else found.tokenize(line.rstrip())).split()


def put_rows(
    rows: Sequence[Sequence[Number]], n_integers: int, integer_columns: Any, real_columns: Any
) -> None:
    """Write rows into column after column.

    Args:
        rows: the rows, integers first.
        n_integers: how many integers a row has.
        integer_columns: memory for the integers, 8 bytes each.
        real_columns: memory for the real numbers, 8 bytes each.
    """
    integers = memoryview(integer_columns).cast("B").cast("q")
    reals = memoryview(real_columns).cast("B").cast("d")
    for i, row in enumerate(rows):
        integers[i :: len(rows)] = memoryview(array("q", row[:n_integers]))
        reals[i :: len(rows)] = memoryview(array("d", row[n_integers:]))


class FunctionCounter(RowCounter):
    """Counts with one function of a hypothesis and its references, all as they are.

    Args:
        integers: how many integers a row has.
        reals: how many real numbers a row has, after the integers.
        function: returns the row of a segment.
        lessons: returns what the references of a segment add to the counts.
    """

    def __init__(
        self,
        integers: int,
        reals: int,
        function: Callable[[Any, list[Any]], Sequence[Number]],
        lessons: Callable[[list[Any]], Iterable[Any]],
    ) -> None:
        super().__init__()
        self.integers = integers
        self.reals = reals
        self.function = function
        self.lessons = lessons  # type: ignore[method-assign, assignment]

    def read(self, text: str, *, reference: bool) -> str:
        """Return the text as it is.

        Raises:
            TypeError: it is not a string, which the function need not check.
        """
        if not isinstance(text, str):
            raise TypeError(f"expected a string, got {type(text).__name__}")
        return text

    def count(self, hypothesis: Any, references: list[Any]) -> Sequence[Number]:
        """Return what the function returns."""
        row = self.function(hypothesis, references)
        if len(row) != self.integers + self.reals:
            raise TypeError(
                f"a row has {len(row)} numbers; expected {self.integers + self.reals}, one for "
                "each column of the metric"
            )
        return row


def _digest(references: Iterable[Any]) -> int:
    """Return the BLAKE2b of the references of a segment: texts, or their tokens."""
    digest = blake2b(digest_size=_DIGEST_BYTES)
    for one in references:
        text = one if isinstance(one, str) else " ".join(map(str, one))
        encoded = text.encode("utf-8", "surrogatepass")
        # The size says where a text begins, so that other lists of texts are other bytes.
        digest.update(b"%b\n%d\n" % (encoded, len(encoded)))
    return int.from_bytes(digest.digest(), "little")


def _listed(kind: str, content: Any) -> list[Any]:
    """Return the content of segments as a list."""
    if kind == ARROW:
        columns = [[text for block in column for text in _texts_of(*block)] for column in content]
        return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))
    if kind != LINES:
        return list(content)
    columns = [b"".join(blocks).decode("utf-8").split("\n")[:-1] for blocks in content]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


def _texts_of(
    places: Any, width: int, buffers: Sequence[Any], first: int, count: int
) -> Iterator[str]:
    """Yield the texts of a block of Arrow; see `Segments.of_arrow`."""
    content = [memoryview(buffer) for buffer in buffers]
    if width != VIEW:
        ends = memoryview(places).cast("B").cast("q" if width == LARGE else "i")
        for begin, end in pairwise(ends[first : first + count + 1]):
            if not 0 <= begin <= end <= len(content[0]):
                raise ValueError("an array has an offset outside its texts")
            yield str(content[0][begin:end], "utf-8")
        return
    views = memoryview(places).cast("B")
    for view in range(VIEW * first, VIEW * (first + count), VIEW):
        size, _, buffer, begin = views[view : view + VIEW].cast("i")
        if size <= INSIDE:
            yield str(views[view + 4 : view + 4 + size], "utf-8")
        else:
            yield str(content[buffer][begin : begin + size], "utf-8")
