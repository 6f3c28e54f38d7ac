"""Scores of every text against the references of every segment."""

from __future__ import annotations

from array import array

from bleuet.errors import InputError, OptionError
from bleuet.messages import shown, wrong_type
from bleuet.metrics.base.counting import check_threads
from bleuet.metrics.base.prepared import PreparedReferences, check_prepared
from bleuet.statistics.backend import backend
from bleuet.statistics.table import Table
from bleuet.text.corpus import Corpus
from bleuet.text.segments import Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# The letters that memoryview and array have for the types of numbers, and their bytes.
_TYPES = {"float64": ("d", 8), "float32": ("f", 4)}
# Rows of pairs are counted and scored so many at a time: they stay in a core's cache.
_ROWS_IN_BLOCK = 1 << 14


def matrix_of(
    metric: Any, hypotheses: Any, references: Any, threads: int, dtype: str
) -> memoryview[float]:
    """Return the score of every hypothesis against every reference; see `Metric.matrix`."""
    if isinstance(hypotheses, Corpus):
        raise wrong_type("hypotheses", "a list of texts", hypotheses)
    texts = metric._as_counted(Segments.hypotheses(hypotheses, metric.counted_kind).decoded())
    if not len(texts):
        raise InputError("there is no hypothesis; expected at least one")
    if not isinstance(references, PreparedReferences):
        references = metric.prepare_references(references, threads=threads)
    check_prepared(metric, references)
    threads = check_threads(threads)
    if not isinstance(dtype, str) or dtype not in _TYPES:
        raise OptionError(f"dtype is {shown(dtype)}; expected float64 or float32")
    letter, size = _TYPES[dtype]
    shape = len(texts), len(references)
    scores: Any = memoryview(bytearray(shape[0] * shape[1] * size)).cast(letter)  # type: ignore[call-overload]
    references.metric._fill_matrix(texts, references, scores, threads)
    filled: memoryview[float] = scores.cast("B").cast(letter, shape)
    return filled.toreadonly()


def fill_from_tables(
    metric: Any, texts: Segments, references: Any, scores: memoryview[float], threads: int
) -> None:
    """Write the scores of texts against references, from tables with a row for each pair.

    Args:
        metric: the metric, after it has learned.
        texts: texts of the kind that the metric counts.
        references: those that the metric has prepared.
        scores: memory for the scores, row after row.
        threads: threads of the kernel, 0 for one per core.
    """
    done = 0
    for table in _tables(metric, texts, references, threads):
        end = done + table.rows
        block = metric.segment_scores(table).values
        scores[done:end] = block if scores.format == "d" else memoryview(array("f", block))
        done = end


def _tables(metric: Any, texts: Segments, references: Any, threads: int) -> Iterator[Table]:
    """Yield the rows of texts, some at a time, each against all references."""
    items, width = texts.tolist(), len(references)
    if not hasattr(metric._counter, "pairs"):
        for item in items:
            alike = Segments(texts.kind, [item] * width)
            yield metric._fill(alike, references.prepared, threads)
        return
    step = max(1, _ROWS_IN_BLOCK // width)
    for start in range(0, len(items), step):
        some = Segments(texts.kind, items[start : start + step])
        yield metric.table_from(_count_pairs(metric.counted_by, some, references, threads))


def _count_pairs(metric: Any, some: Segments, references: Any, threads: int) -> Table:
    names = metric.integer_columns, metric.real_columns
    rows = len(some) * len(references)
    integers, reals = (backend().unwritten(len(several) * rows) for several in names)
    metric._counter.pairs(
        some.kind, some.content, references.prepared, integers, reals, threads=threads
    )
    return Table(*names, rows, integers, reals, references.n_references)
