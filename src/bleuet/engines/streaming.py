"""Scoring in this process, batch after batch, so that memory does not grow with the corpus."""

from __future__ import annotations

from bleuet.statistics.counted import Counted
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.score import Score
    from bleuet.statistics.table import Totals
    from bleuet.text.segments import Segments

    # The hypotheses of each system, and the references they share.
    Batch: TypeAlias = tuple[Sequence[Segments], Segments]


def count_batches(
    metrics: Sequence[Metric], batches: Iterable[Batch], *, threads: int = 1
) -> Iterator[Counted]:
    """Count every batch with every metric.

    References are read once per batch and metric, however many systems there are.

    Args:
        metrics: the metrics.
        batches: pairs of one list of hypotheses per system and the references they share.
        threads: threads of the kernel, 0 for one per core.
    """
    first = 1
    for hypotheses, references in batches:
        by_metric = [_tables(metric, hypotheses, references, threads) for metric in metrics]
        tables = [list(of_system) for of_system in zip(*by_metric, strict=True)]
        segments = range(first, first + len(hypotheses[0]))
        yield Counted(hypotheses, tables, segments)
        first = segments.stop


def _tables(
    metric: Metric, hypotheses: Sequence[Segments], references: Any, threads: int
) -> list[Table]:
    if len(hypotheses) > 1:
        references = metric.prepare_references(references, threads=threads)
    return [metric.count(texts, references, threads=threads) for texts in hypotheses]


def score_batches(
    metrics: Sequence[Metric],
    batches: Iterable[Batch],
    *,
    threads: int = 1,
    after_batch: Callable[[Counted], None] | None = None,
) -> list[list[Score]]:
    """Score systems on a corpus that is read in batches.

    Rows are added in order onto the totals before them, so the scores are those of the corpus
    counted whole, to the last digit.

    Args:
        metrics: the metrics.
        batches: pairs of one list of hypotheses per system and the references they share.
        threads: threads of the kernel, 0 for one per core.
        after_batch: called with each counted batch, to show progress or keep its rows.

    Returns:
        scores[s][m], of system s by metric m.

    >>> from bleuet.metrics.ter import TER
    >>> from bleuet.text.segments import TEXT, Segments
    >>> texts = [Segments(TEXT, [text]) for text in ("a b", "a c")]
    >>> batches = [([text], texts[0]) for text in texts]
    >>> print(score_batches([TER()], batches)[0][0])
    TER = 25.00
    """
    return score_counted(metrics, count_batches(metrics, batches, threads=threads), after_batch)


def keep_counted(
    batches: Iterable[Counted], after_batch: Callable[[Counted], None] | None = None
) -> list[list[Table]]:
    """Put all batches together, where rows are needed again, so that memory grows with them.

    Args:
        batches: what was counted.
        after_batch: called with each counted batch.

    Returns:
        tables[s][m], of system s by metric m.
    """
    kept: list[list[list[Table]]] = []
    for counted in batches:
        if not kept:
            kept = [[[] for _ in tables] for tables in counted.tables]
        for parts, tables in zip(kept, counted.tables, strict=True):
            for portions, table in zip(parts, tables, strict=True):
                portions.append(table)
        if after_batch is not None:
            after_batch(counted)
    return [[_joined(portions) for portions in parts] for parts in kept]


def _joined(portions: list[Table]) -> Table:
    whole = Table.concatenate(portions)
    portions.clear()  # so that what is held twice is never more than one table
    return whole


def score_counted(
    metrics: Sequence[Metric],
    batches: Iterable[Counted],
    after_batch: Callable[[Counted], None] | None = None,
) -> list[list[Score]]:
    """Score systems whose rows have been counted; arguments and scores as `score_batches`."""
    totals: list[list[Totals | None]] = []
    for counted in batches:
        if not totals:
            totals = [[None] * len(metrics) for _ in counted.tables]
        for before, tables in zip(totals, counted.tables, strict=True):
            for m, table in enumerate(tables):
                before[m] = table.totals(after=before[m])
        if after_batch is not None:
            after_batch(counted)
    return [
        [metric.score(total) for metric, total in zip(metrics, system, strict=True) if total]
        for system in totals
    ]
