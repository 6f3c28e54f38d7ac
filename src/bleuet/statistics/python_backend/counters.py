"""The Python backend's counters: the kernel's names over the definitions.

The kernel also scores all rows of a table at once; here each metric's own formula does that.
"""

from __future__ import annotations

from bleuet.statistics.python_backend.bleu_rows import bleu_row
from bleuet.statistics.python_backend.chrf_rows import chrf_row
from bleuet.statistics.python_backend.draws import Pcg64 as Pcg64
from bleuet.statistics.python_backend.draws import exchange_integers as exchange_integers
from bleuet.statistics.python_backend.draws import exchange_reals as exchange_reals
from bleuet.statistics.python_backend.draws import sum_given_choices as sum_given_choices
from bleuet.statistics.python_backend.draws import sum_given_draws as sum_given_draws
from bleuet.statistics.python_backend.ter_rows import ter_row
from bleuet.text.lines import count_lines as count_lines
from bleuet.text.tokenizers import TOKENIZERS
from bleuet.text.tokenizers.tercom import tokenize_segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    Number: TypeAlias = int | float


NATIVE = False


class Prepared:
    """References read once; here that is only their tokens."""

    def __init__(self, segments: list[list[Any]]) -> None:
        self.segments = segments

    def __len__(self) -> int:
        return len(self.segments)


class Counter:
    """What all counters share: rows into columns. A counter gives the two methods below it."""

    integers = 0
    reals = 0
    token_ids = False

    def read(self, segment: Any, *, reference: bool) -> Any:
        """Return a segment as `count` wants it."""
        raise NotImplementedError

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return one row, integers first."""
        raise NotImplementedError

    def prepare(self, references: Sequence[Any], threads: int = 1) -> Prepared:
        """Read references once; threads are the native kernel's."""
        return Prepared([self._references(group) for group in _listed(references)])

    def row(self, hypothesis: Any, references: Any) -> tuple[Number, ...]:
        """Return the row of one segment."""
        return self.count(self.read(hypothesis, reference=False), self._references(references))

    def table(
        self,
        hypotheses: Sequence[Any],
        references: Sequence[Any] | Prepared,
        integer_columns: Any,
        real_columns: Any,
        threads: int = 1,
    ) -> int:
        """Write one row per segment into column after column.

        Returns:
            The references per segment, 0 where segments differ.
        """
        hypotheses = _listed(hypotheses)
        prepared = references if isinstance(references, Prepared) else self.prepare(references)
        if len(prepared) != len(hypotheses):
            raise ValueError(
                f"{len(hypotheses)} hypotheses but references for {len(prepared)} segments"
            )
        integers = memoryview(integer_columns).cast("B").cast("q")
        reals = memoryview(real_columns).cast("B").cast("d")
        rows = len(hypotheses)
        for i, (hypothesis, group) in enumerate(zip(hypotheses, prepared.segments, strict=True)):
            row = self.count(self.read(hypothesis, reference=False), group)
            integers[i::rows] = _column(row[: self.integers], "q")
            reals[i::rows] = _column(row[self.integers :], "d")
        counts = set(map(len, prepared.segments))
        return counts.pop() if len(counts) == 1 else 0

    def _references(self, group: Any) -> list[Any]:
        alone = isinstance(group, str) or (self.token_ids and not _is_nested(group))
        if not alone and not isinstance(group, list | tuple):
            raise TypeError(f"expected a list of references, got {type(group).__name__}")
        several = [group] if alone else [one for one in group if one is not None]
        if not several:
            raise ValueError("the segment has no reference")
        return [self.read(one, reference=True) for one in several]


class BleuCounter(Counter):
    """BLEU's statistics."""

    def __init__(
        self,
        max_ngram_order: int,
        tokenizer: str,
        lowercase: bool,
        reference_length: str,
        token_ids: bool,
        phantom_ngrams: bool = False,
    ) -> None:
        self.order = max_ngram_order
        self.phantom_ngrams = phantom_ngrams
        self.tokenizer = tokenizer
        self.lowercase = lowercase
        self.reference_length = reference_length
        self.token_ids = token_ids
        self.reals = int(reference_length == "average")
        self.integers = 2 * max_ngram_order + 2 - self.reals

    def read(self, segment: Any, *, reference: bool) -> list[Any]:
        """Lower-case, strip and tokenize; token ids stay as they are."""
        if self.token_ids:
            return list(segment)
        line = segment.lower() if self.lowercase else segment
        return tokenize(self.tokenizer, line)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return lengths, matches and totals."""
        return bleu_row(
            hypothesis,
            references,
            max_ngram_order=self.order,
            reference_length=self.reference_length,
            phantom_ngrams=self.phantom_ngrams,
        )


class ChrfCounter(Counter):
    """chrF's statistics."""

    def __init__(
        self,
        char_order: int,
        word_order: int,
        beta: float,
        lowercase: bool,
        whitespace: bool,
        eps_smoothing: bool,
    ) -> None:
        self.lowercase = lowercase
        self.options: dict[str, Any] = {
            "char_order": char_order,
            "word_order": word_order,
            "beta": beta,
            "whitespace": whitespace,
            "eps_smoothing": eps_smoothing,
        }
        self.integers = 3 * (char_order + word_order)

    def read(self, segment: Any, *, reference: bool) -> str:
        """Lower-case where asked."""
        text: str = segment.lower() if self.lowercase else segment
        return text

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return three counts per order."""
        return chrf_row(hypothesis, references, **self.options)


class TerCounter(Counter):
    """TER's statistics."""

    integers = 1
    reals = 1

    def __init__(
        self,
        normalized: bool,
        no_punct: bool,
        asian_support: bool,
        lowercase: bool,
        tokenize_references_once: bool,
        token_ids: bool,
    ) -> None:
        self.lowercase = lowercase
        self.token_ids = token_ids
        self.options: dict[str, bool] = {
            "normalized": normalized,
            "no_punct": no_punct,
            "asian_support": asian_support,
        }
        self.times = 1 if tokenize_references_once else 2

    def read(self, segment: Any, *, reference: bool) -> list[Any]:
        """Lower-case and tokenize; references twice, as sacreBLEU does, unless told not to."""
        if self.token_ids:
            return list(segment)
        line = segment.lower() if self.lowercase else segment
        return tokenize_segment(line, times=self.times if reference else 1, **self.options)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return edits and mean reference length."""
        return ter_row(hypothesis, references)


def tokenize(tokenizer: str, line: str) -> list[str]:
    """Return the tokens of a line by one of the kernel's tokenizers.

    >>> tokenize("13a", "A cat.")
    ['A', 'cat', '.']
    """
    return TOKENIZERS[tokenizer].tokenize(line.rstrip()).split()


def count_endings(utf8: bytes, ending: bytes) -> int:
    r"""Return how many lines end with `ending`; each has its newline, and b"\n" ends empty ones.

    >>> [count_endings(b"\na .\n\n\nb\n", ending) for ending in (b" .", b"\n")]
    [1, 3]
    """
    lines = utf8.split(b"\n")[:-1]
    return lines.count(b"") if ending == b"\n" else sum(line.endswith(ending) for line in lines)


def unwritten(numbers: int) -> bytearray:
    """Return memory for so many 64-bit numbers, all of which a counter then writes."""
    return bytearray(8 * numbers)


def sum_integers(columns: Any, rows: int, initial: list[int]) -> list[int]:
    """Return each column's sum, added onto its initial value."""
    return [start + sum(columns[c * rows : (c + 1) * rows]) for c, start in enumerate(initial)]


def sum_reals(columns: Any, rows: int, initial: list[float]) -> list[float]:
    """Return each column's sum, added from the first row to the last onto its initial value."""
    sums = []
    for c, total in enumerate(initial):
        for value in columns[c * rows : (c + 1) * rows]:
            total += value
        sums.append(total)
    return sums


def select_integers(
    columns: Any, rows: int, chosen: Any, n_chosen: int, n_columns: int, out: Any
) -> None:
    """Write the chosen rows of all columns, column after column."""
    _select(columns, rows, chosen, n_columns, memoryview(out).cast("B").cast("q"))


def select_reals(
    columns: Any, rows: int, chosen: Any, n_chosen: int, n_columns: int, out: Any
) -> None:
    """Write the chosen rows of all columns, column after column."""
    _select(columns, rows, chosen, n_columns, memoryview(out).cast("B").cast("d"))


def _select(columns: Any, rows: int, chosen: Any, n_columns: int, out: Any) -> None:
    at = 0
    if any(not 0 <= row < rows for row in chosen):
        raise IndexError("a row number lies outside the table")
    for c in range(n_columns):
        for row in chosen:
            out[at] = columns[c * rows + row]
            at += 1


def _column(values: Sequence[Number], kind: str) -> memoryview:
    from array import array

    return memoryview(array(kind, values))


def _listed(segments: Any) -> Any:
    """Return segments given as blocks of lines, or references as such of each file, as a list."""
    if not isinstance(segments, tuple) or not segments:
        return segments
    if isinstance(segments[0], bytes):
        return b"".join(segments).decode("utf-8").split("\n")[:-1]
    if isinstance(segments[0], tuple) and isinstance(segments[0][0], bytes):
        return list(zip(*map(_listed, segments), strict=True))
    return segments


def _is_nested(group: Any) -> bool:
    """Whether references given as token ids are several sequences rather than one."""
    return isinstance(group, list | tuple) and any(hasattr(one, "__len__") for one in group)
