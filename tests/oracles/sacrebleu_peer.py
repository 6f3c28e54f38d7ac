"""sacreBLEU as an oracle: the same options for both tools, and segment statistics to compare."""

from __future__ import annotations

import logging
import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuet.metrics.catalogue import CATALOGUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.metrics.base.metric import Metric
    from bleuet.statistics.table import Table

# How far a stored score may be away. sacreBLEU adds logarithms with sum(), which compensates for
# rounding from Python 3.12 on, and the stored scores are those of Python 3.11.
OF_STORED = 0 if sys.version_info < (3, 12) else 1e-13
# sacreBLEU's name of an option of ours, where it is another.
NAMES = {"smooth": "smooth_method"}
TOKENIZERS = {
    "tokenizer_13a": "Tokenizer13a",
    "tokenizer_none": "NoneTokenizer",
    "tokenizer_char": "TokenizerChar",
    "tokenizer_intl": "TokenizerV14International",
    "tokenizer_re": "TokenizerRegexp",
    "tokenizer_ter": "TercomTokenizer",
    "tokenizer_zh": "TokenizerZh",
}


@cache
def peers() -> dict[str, Any]:
    """Import sacreBLEU, and return its metrics."""
    # It advises about tokenized text and sentence scores, thousands of times.
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    metrics = import_module("sacrebleu.metrics")
    return {"bleu": metrics.BLEU, "chrf": metrics.CHRF, "ter": metrics.TER}


def peer_tokenizer(module: str) -> Any:
    """Return one of sacreBLEU's classes of tokenizers."""
    return getattr(import_module(f"sacrebleu.tokenizers.{module}"), TOKENIZERS[module])


class Pair(NamedTuple):
    """One metric in both tools."""

    name: str
    options: dict[str, Any]

    def ours(self) -> Metric:
        return CATALOGUE[self.name].load()(**self.options)

    def theirs(self, references: Sequence[Any] | None = None) -> Any:
        """Their metric; with references per segment it reads them once."""
        options = {NAMES.get(key, key): value for key, value in self.options.items()}
        streams = None if references is None else streams_of(references)
        return peers()[self.name](**options, references=streams)

    def __str__(self) -> str:
        return "-".join([self.name, *(f"{key}={value}" for key, value in self.options.items())])


def streams_of(references: Sequence[Any]) -> list[tuple[str | None, ...]]:
    """References per segment in sacreBLEU's transposed layout, None where one is absent."""
    lists = [[entry] if isinstance(entry, str) else list(entry) for entry in references]
    longest = max(map(len, lists))
    padded = [entry + [None] * (longest - len(entry)) for entry in lists]
    return list(zip(*padded, strict=True))


def their_rows(metric: Any, hypotheses: Sequence[str], references: Sequence[Any] | None) -> Any:
    """sacreBLEU's statistics, one list per segment."""
    streams = None if references is None else streams_of(references)
    return metric._extract_corpus_statistics(hypotheses, streams)


def rows_of(table: Table) -> list[list[int | float]]:
    """A table's rows in sacreBLEU's order of columns, which is ours."""
    columns = [table.column(name).tolist() for name in table.columns]
    return [list(row) for row in zip(*columns, strict=True)]


class Difference(NamedTuple):
    """A segment that the tools count or score in another way."""

    pair: Pair
    hypothesis: str
    references: Any
    ours: Any
    theirs: Any


def first_difference(
    pair: Pair,
    hypotheses: Sequence[str],
    references: Sequence[Any],
    theirs: Any = None,
) -> Difference | None:
    """Compare the statistics of every segment, and return the first segment that differs."""
    table = pair.ours().count(list(hypotheses), list(references))
    expected = (
        their_rows(pair.theirs(), hypotheses, references)
        if theirs is None
        else their_rows(theirs, hypotheses, None)
    )
    rows = rows_of(table)
    assert len(rows) == len(expected) == len(hypotheses)
    for segment in zip(hypotheses, references, rows, expected, strict=True):
        if segment[2] != segment[3]:
            return Difference(pair, *segment)
    return None


def forget() -> None:
    """Empty sacreBLEU's caches, which keep 65,536 lines of each tokenizer for ever."""
    for module in TOKENIZERS.keys() - {"tokenizer_none"}:
        peer_tokenizer(module).__call__.cache_clear()


# --- The settings that are compared on drawn texts ------------------------------------------------

SETTINGS = {
    "bleu": [
        Pair("bleu", {}),
        Pair("bleu", {"lowercase": True}),
        Pair("bleu", {"tokenize": "intl"}),
        Pair("bleu", {"tokenize": "intl", "lowercase": True}),
        Pair("bleu", {"tokenize": "zh"}),
        Pair("bleu", {"tokenize": "char", "lowercase": True}),
        Pair("bleu", {"tokenize": "none", "max_ngram_order": 2}),
        Pair("bleu", {"max_ngram_order": 7}),
    ],
    "smoothing": [
        *[
            Pair("bleu", {"smooth": smooth, "effective_order": effective, "max_ngram_order": order})
            for smooth in ("none", "floor", "add-k", "exp")
            for effective in (False, True)
            for order in (2, 4)
        ],
        Pair("bleu", {"smooth": "floor", "smooth_value": 0.7}),
        Pair("bleu", {"smooth": "floor", "smooth_value": 0.0}),
        Pair("bleu", {"smooth": "add-k", "smooth_value": 0.25, "effective_order": True}),
    ],
    "chrf": [
        Pair("chrf", {}),
        Pair("chrf", {"lowercase": True}),
        Pair("chrf", {"whitespace": True}),
        Pair("chrf", {"char_order": 2, "beta": 3, "eps_smoothing": True}),
        Pair("chrf", {"beta": 0}),
    ],
    "chrf++": [
        Pair("chrf", {"word_order": 2}),
        Pair("chrf", {"word_order": 2, "lowercase": True, "eps_smoothing": True}),
        Pair("chrf", {"word_order": 3, "whitespace": True, "char_order": 4}),
        Pair("chrf", {"word_order": 1, "beta": 1}),
        Pair("chrf", {"char_order": 0, "word_order": 2}),
    ],
    "ter": [
        Pair("ter", {}),
        Pair("ter", {"case_sensitive": True}),
        Pair("ter", {"normalized": True}),
        Pair("ter", {"no_punct": True}),
        Pair("ter", {"normalized": True, "asian_support": True}),
        Pair("ter", {"no_punct": True, "asian_support": True, "case_sensitive": True}),
        Pair("ter", {"normalized": True, "no_punct": True, "asian_support": True}),
    ],
}
