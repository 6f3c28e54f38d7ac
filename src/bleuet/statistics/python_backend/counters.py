"""The counters of the Python backend: the names of the kernel, and the definitions in Python.

The kernel also scores all rows of a table at once; in Python the formula of each metric does that.
"""

from __future__ import annotations

from bleuet.statistics.python_backend import meteor_rows, wer_rows
from bleuet.statistics.python_backend.base_counter import AligningCounter, Counter, put_rows
from bleuet.statistics.python_backend.bleu_rows import bleu_row
from bleuet.statistics.python_backend.chrf_rows import chrf_row
from bleuet.statistics.python_backend.cider_rows import CiderCounter as CiderCounter
from bleuet.statistics.python_backend.compared_words import count_words as count_words
from bleuet.statistics.python_backend.compared_words import first_ngrams as first_ngrams
from bleuet.statistics.python_backend.compared_words import match_ngrams as match_ngrams
from bleuet.statistics.python_backend.compared_words import number_words as number_words
from bleuet.statistics.python_backend.compared_words import pack_texts as pack_texts
from bleuet.statistics.python_backend.compared_words import replace_numbers as replace_numbers
from bleuet.statistics.python_backend.compared_words import surface_errors as surface_errors
from bleuet.statistics.python_backend.crystal_bleu_rows import (
    CrystalBleuCounter as CrystalBleuCounter,
)
from bleuet.statistics.python_backend.draws import Pcg64 as Pcg64
from bleuet.statistics.python_backend.draws import exchange_integers as exchange_integers
from bleuet.statistics.python_backend.draws import exchange_reals as exchange_reals
from bleuet.statistics.python_backend.draws import sum_given_choices as sum_given_choices
from bleuet.statistics.python_backend.draws import sum_given_draws as sum_given_draws
from bleuet.statistics.python_backend.eed_rows import eed_row, nearest_path
from bleuet.statistics.python_backend.gleu_rows import gleu_row
from bleuet.statistics.python_backend.mean_ngrams import match_mean_ngrams as match_mean_ngrams
from bleuet.statistics.python_backend.meteor_lexicon import MeteorLexicon
from bleuet.statistics.python_backend.meteor_rows import Word
from bleuet.statistics.python_backend.meteor_stages import align_in_stages
from bleuet.statistics.python_backend.nist_rows import NistCounter as NistCounter
from bleuet.statistics.python_backend.ribes_rows import aligned_with_best, ribes_row
from bleuet.statistics.python_backend.rouge_rows import rouge_row, shared_with_best
from bleuet.statistics.python_backend.segment_cuts import cut_segments as cut_segments
from bleuet.statistics.python_backend.self_rows import self_rows
from bleuet.statistics.python_backend.ter_rows import nearest_alignment, ter_row
from bleuet.text.lines import count_lines as count_lines
from bleuet.text.meteor_normalizer import MeteorNormalizer as MeteorNormalizer
from bleuet.text.tokenizers import TOKENIZERS
from bleuet.text.tokenizers.rouge_words import WORDS
from bleuet.text.tokenizers.tercom import tokenize_segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.statistics.python_backend.base_counter import Aligned, Number


NATIVE = False


class BleuCounter(Counter):
    """BLEU's statistics."""

    def __init__(
        self,
        max_ngram_order: int,
        tokenizer: str,
        lowercase: bool,
        reference_length: str,
        phantom_ngrams: bool,
    ) -> None:
        self.tokenizer = tokenizer
        self.lowercase = lowercase
        self.options: dict[str, Any] = {
            "max_ngram_order": max_ngram_order,
            "reference_length": reference_length,
            "phantom_ngrams": phantom_ngrams,
        }
        self.reals = int(reference_length == "average")
        self.integers = 2 * max_ngram_order + 2 - self.reals

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Lower-case, strip and tokenize."""
        return tokenize(self.tokenizer, text, lowercase=self.lowercase)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return lengths, matches and totals."""
        return bleu_row(hypothesis, references, **self.options)

    def self_table(
        self,
        kind: str,
        texts: Any,
        references: bytes,
        itself: bool,
        integer_columns: Any,
        real_columns: Any,
        threads: int = 1,
    ) -> list[int]:
        """Write a row of each text against the others into column after column.

        Args:
            kind: the kind of the texts.
            texts: as `Segments.content`.
            references: of each text, whether it is a reference of the others.
            itself: whether a text is also compared with itself.
            integer_columns: as of `table`.
            real_columns: as of `table`.
            threads: for the kernel; Python uses one.

        Returns:
            How many different n-grams of each order the texts have.
        """
        read = self.read_texts(kind, texts)
        if len(references) - references.count(0) < (1 if itself else 2):
            raise ValueError("a text has no reference")
        rows, different = self_rows(read, references, itself, **self.options)
        put_rows(rows, self.integers, integer_columns, real_columns)
        return different


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

    def read(self, text: str, *, reference: bool) -> str:
        """Lower-case where the option is set."""
        return text.lower() if self.lowercase else text

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return three counts per order."""
        return chrf_row(hypothesis, references, **self.options)


class GleuCounter(Counter):
    """GLEU's statistics."""

    integers = 2

    def __init__(
        self, min_ngram_order: int, max_ngram_order: int, tokenizer: str, lowercase: bool
    ) -> None:
        self.orders = range(min_ngram_order, max_ngram_order + 1)
        self.tokenizer = tokenizer
        self.lowercase = lowercase

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Lower-case, strip and tokenize."""
        return tokenize(self.tokenizer, text, lowercase=self.lowercase)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[int, int]:
        """Return matches and n-grams of the reference with the best ratio."""
        return gleu_row(hypothesis, references, self.orders)


class MeteorCounter(Counter):
    """METEOR's statistics; segments are numbers of the lexicon's words."""

    def __init__(
        self,
        lexicon: MeteorLexicon,
        matchers: list[str],
        weights: list[float],
        alpha: float,
        beta: float,
        gamma: float,
        delta: float,
        beam: int,
        staged: bool,
    ) -> None:
        self.lexicon = lexicon
        self.matchers = [meteor_rows.MATCHERS.index(name) for name in matchers]
        self.parameters = (weights, alpha, beta, gamma, delta)
        self.beam = beam
        self.staged = staged
        self.integers = 5 + 4 * len(matchers)

    def align(self, hypothesis: list[int], reference: list[int]) -> list[tuple[int, ...]]:
        """Return the matches that were chosen."""
        words = self.lexicon.words
        matches = self._align([words[i] for i in hypothesis], [words[i] for i in reference])
        return [(*match[:4], self.matchers.index(match.matcher)) for match in matches]

    def _align(self, ours: list[Word], theirs: list[Word]) -> list[meteor_rows.Match]:
        if self.staged:
            return align_in_stages(ours, theirs, self.matchers, self.beam)
        found = meteor_rows.find_matches(
            ours, theirs, self.matchers, self.lexicon.paraphrases, self.lexicon.longest
        )
        return meteor_rows.align(found, self.beam)

    def count(self, hypothesis: Any, references: list[Any]) -> list[int]:
        """Return the row of the reference with the highest score."""
        ours = [self.lexicon.words[number] for number in hypothesis]
        rows = []
        for reference in references:
            theirs = [self.lexicon.words[number] for number in reference]
            matches = self._align(ours, theirs)
            rows.append(
                meteor_rows.meteor_row(ours, theirs, matches, self.matchers, staged=self.staged)
            )
        return max(rows, key=lambda row: meteor_rows.meteor_score(row, *self.parameters))


class RibesCounter(AligningCounter):
    """RIBES's statistics."""

    integers = 1
    reals = 4

    def __init__(
        self, alpha: float, beta: float, left_first: bool, tokenizer: str, lowercase: bool
    ) -> None:
        self.options: dict[str, Any] = {"alpha": alpha, "beta": beta, "left_first": left_first}
        self.tokenizer = tokenizer
        self.lowercase = lowercase

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Lower-case, strip and tokenize."""
        return tokenize(self.tokenizer, text, lowercase=self.lowercase)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return 1, RIBES and its factors for the best reference."""
        return 1, *ribes_row(hypothesis, references, **self.options)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return the aligned words of the best reference."""
        return aligned_with_best(hypothesis, references, **self.options)


class TerCounter(AligningCounter):
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
    ) -> None:
        self.lowercase = lowercase
        self.options: dict[str, bool] = {
            "normalized": normalized,
            "no_punct": no_punct,
            "asian_support": asian_support,
        }
        self.times = 1 if tokenize_references_once else 2

    def read(self, text: str, *, reference: bool) -> list[str]:
        """Lower-case and tokenize; references twice by default, as sacreBLEU does."""
        line = text.lower() if self.lowercase else text
        return tokenize_segment(line, times=self.times if reference else 1, **self.options)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return edits and mean reference length."""
        return ter_row(hypothesis, references)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return shifts, edits and matches with the nearest reference."""
        return nearest_alignment(hypothesis, references)


class WerCounter(AligningCounter):
    """The edits of WER, CDER and PER."""

    integers = 4

    def __init__(
        self, moves: str, characters: bool, lowercase: bool, no_punct: bool, whitespace: str
    ) -> None:
        self.moves = moves
        self.options: dict[str, Any] = {
            "characters": characters,
            "lowercase": lowercase,
            "no_punct": no_punct,
            "whitespace": whitespace,
        }

    def read(self, text: str, *, reference: bool) -> Any:
        """Return the words or characters that are compared."""
        return wer_rows.items_of(text, **self.options)

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return hits, substitutions, deletions and insertions."""
        return wer_rows.wer_row(hypothesis, references, self.moves)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return edits and hits with the nearest reference."""
        return wer_rows.nearest_alignment(hypothesis, references, self.moves)


class EedCounter(Counter):
    """The extended edit distance."""

    integers = 1
    reals = 1

    def __init__(self, alpha: float, rho: float, deletion: float, insertion: float) -> None:
        self.costs = {"alpha": alpha, "rho": rho, "deletion": deletion, "insertion": insertion}

    def read(self, text: str, *, reference: bool) -> str:
        """Return the text as it is."""
        return text

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return 1 and the distance to the nearest reference."""
        return eed_row(hypothesis, references, **self.costs)

    def path(self, kind: str, hypothesis: Any, references: Any) -> tuple[int, float, int]:
        """Return the number of the nearest reference, and the cheapest path through it.

        Arguments as for `row`.

        Returns:
            The number, from 0; what the path costs; and how often it visits places again or never.
        """
        several = self._references(kind, references)
        return nearest_path(self._read(kind, hypothesis, False), several, **self.costs)


class RougeCounter(AligningCounter):
    """ROUGE's statistics."""

    integers = 1
    reals = 3

    def __init__(self, unit: str, order: int, tokenizer: str, lowercase: bool) -> None:
        self.unit = unit
        self.order = order
        self.words = WORDS[tokenizer]
        self.lowercase = lowercase

    def read(self, text: str, *, reference: bool) -> list[list[str]]:
        """Return the words of each sentence in lower case; all in one unless sentences count."""
        text = text.lower() if self.lowercase else text
        lines = text.split("\n") if self.unit == "sentences" else [text]
        return [self.words(line) for line in lines]

    def count(self, hypothesis: Any, references: list[Any]) -> tuple[Number, ...]:
        """Return one segment, precision, recall and F."""
        return rouge_row(hypothesis, references, unit=self.unit, order=self.order)

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return the words of the subsequences of the best reference; none of n-grams."""
        return shared_with_best(hypothesis, references, unit=self.unit, order=self.order)


def tokenize(tokenizer: str, line: str, *, lowercase: bool = False) -> list[str]:
    """Return the tokens of a line by a tokenizer that the kernel has, perhaps in lower case.

    >>> tokenize("13a", "A cat.")
    ['A', 'cat', '.']
    """
    found = TOKENIZERS[tokenizer]
    return (found.lower_tokens(line) if lowercase else found.tokenize(line.rstrip())).split()


def count_endings(utf8: bytes, ending: bytes) -> int:
    r"""Return how many lines end with `ending`; each has a newline, and b"\n" counts empty ones.

    >>> [count_endings(b"\na .\n\n\nb\n", ending) for ending in (b" .", b"\n")]
    [1, 3]
    """
    lines = utf8.split(b"\n")[:-1]
    return lines.count(b"") if ending == b"\n" else sum(line.endswith(ending) for line in lines)


def unwritten(numbers: int) -> bytearray:
    """Return memory for 64-bit numbers, all of which a counter then writes."""
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
