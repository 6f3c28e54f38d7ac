"""The kernel's functions that belong to no metric, in plain Python, from their definitions.

A metric's counter is defined beside the metric.
"""

from __future__ import annotations

from bleuet.statistics.definitions.compared_words import count_words as count_words
from bleuet.statistics.definitions.compared_words import first_ngrams as first_ngrams
from bleuet.statistics.definitions.compared_words import match_ngrams as match_ngrams
from bleuet.statistics.definitions.compared_words import number_words as number_words
from bleuet.statistics.definitions.compared_words import pack_texts as pack_texts
from bleuet.statistics.definitions.compared_words import replace_numbers as replace_numbers
from bleuet.statistics.definitions.compared_words import surface_errors as surface_errors
from bleuet.statistics.definitions.counter import tokenize as tokenize
from bleuet.statistics.definitions.draws import Pcg64 as Pcg64
from bleuet.statistics.definitions.draws import exchange_integers as exchange_integers
from bleuet.statistics.definitions.draws import exchange_reals as exchange_reals
from bleuet.statistics.definitions.draws import sum_given_choices as sum_given_choices
from bleuet.statistics.definitions.draws import sum_given_draws as sum_given_draws
from bleuet.statistics.definitions.mean_ngrams import match_mean_ngrams as match_mean_ngrams
from bleuet.statistics.definitions.segment_cuts import cut_segments as cut_segments
from bleuet.text.lines import count_lines as count_lines
from bleuet.text.meteor_normalizer import MeteorNormalizer as MeteorNormalizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NATIVE = False


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
