"""sacreBLEU as an oracle: the same options for both tools, and segment statistics to compare."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from bleuet.metrics.catalogue import CATALOGUE

pytest.importorskip("sacrebleu")

import sacrebleu.metrics as peer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.metrics.metric import Metric
    from bleuet.statistics.table import Table

# It advises about tokenized text and sentence scores, thousands of times.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)

PEERS: dict[str, Any] = {"bleu": peer.bleu.BLEU, "chrf": peer.chrf.CHRF, "ter": peer.ter.TER}
# sacreBLEU's name of an option of ours, where it is another.
NAMES = {"smooth": "smooth_method"}
CACHES = (
    Tokenizer13a.__call__,
    TokenizerChar.__call__,
    TokenizerV14International.__call__,
    TokenizerRegexp.__call__,
    TercomTokenizer.__call__,
    TokenizerZh.__call__,
)


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
        return PEERS[self.name](**options, references=streams)

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


def first_difference(
    pair: Pair,
    hypotheses: Sequence[str],
    references: Sequence[Any],
    theirs: Any = None,
) -> str:
    """Compare the statistics of every segment.

    Returns:
        The first segment where the tools differ, told in full, or nothing.
    """
    table = pair.ours().count(list(hypotheses), list(references))
    expected = (
        their_rows(pair.theirs(), hypotheses, references)
        if theirs is None
        else their_rows(theirs, hypotheses, None)
    )
    rows = rows_of(table)
    assert len(rows) == len(expected) == len(hypotheses)
    for i, (mine, other) in enumerate(zip(rows, expected, strict=True)):
        if mine != other:
            return (
                f"{pair} on segment {i}: {hypotheses[i]!r} against {references[i]!r}: "
                f"ours {mine}, sacreBLEU {other}"
            )
    return ""


def forget() -> None:
    """Empty sacreBLEU's caches, which keep 65,536 lines of each tokenizer for ever."""
    for cached in CACHES:
        cached.cache_clear()
