"""Counting in this process: every text once for all metrics that share its rows, batch by batch."""

from __future__ import annotations

from bleuet.frozen import checked
from bleuet.messages import wrong_type
from bleuet.statistics.counted import Counted
from bleuet.statistics.table import Table
from bleuet.text.segments import LINES, TEXT, Segments
from bleuet.text.validation import check_lengths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.statistics.table import Totals

    # The hypotheses of each system, and the references they share.
    Batch: TypeAlias = tuple[Sequence[Segments], Segments]
    # The metric that counts, and the places of those whose rows follow from its tables.
    Groups: TypeAlias = list[tuple[Metric[Any], list[int]]]


# Segments of a batch of texts that are in memory.
BATCH = 10_000


def count_batches(
    metrics: Sequence[Metric[Any]],
    batches: Iterable[Batch],
    *,
    threads: int = 1,
    names: Sequence[str] = (),
) -> Iterator[Counted]:
    """Count every batch with every metric, so that memory does not grow with the corpus.

    Metrics that share rows are counted once; references are read once for all systems. Metrics
    that learn need all references first, so that with one of them all batches are kept.

    Args:
        metrics: the metrics.
        batches: pairs of the hypotheses of each system and the references they share.
        threads: threads of the kernel, 0 for one per core.
        names: the names of the systems, for warnings.
    """
    if any(metric.learns for metric in metrics):
        batches = list(batches)
    groups = [
        (_taught(counting, batches, threads), places)
        for counting, places in group_by_counting(metrics)
    ]
    first = 1
    # The sum of the rows of each system before the batch, for metrics that count in order.
    before: dict[tuple[int, int], Totals] = {}
    for hypotheses, references in batches:
        for segments, name in zip(hypotheses, names, strict=False):
            segments.of_system(name)
        tables: list[list[Any]] = [[None] * len(metrics) for _ in hypotheses]
        for counting, places in groups:
            shared: Any = references
            if len(hypotheses) > 1 and not counting.in_order:
                shared = counting.prepare_references(references, threads=threads)
            for system, (own, segments) in enumerate(zip(tables, hypotheses, strict=True)):
                last = before.get((places[0], system))
                counted = counting.following(last).count(segments, shared, threads=threads)
                if counting.in_order:
                    before[places[0], system] = counted.totals(after=last)
                for place in places:
                    own[place] = metrics[place].table_from(counted)
        rows = range(first, first + len(hypotheses[0]))
        yield Counted(tables, rows)
        first = rows.stop


def _taught(metric: Metric[Any], batches: Iterable[Batch], threads: int) -> Metric[Any]:
    """Return a metric after it has learned from the references of all batches."""
    if not metric.learns or metric.learned is not None:
        return metric
    parts = [metric.learn(references, threads=threads) for _, references in batches]
    return metric.with_learned(*parts)


def count_systems(
    metrics: Sequence[Metric[Any]],
    hypotheses: Sequence[Any],
    references: Any,
    *,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
    names: Sequence[str] = (),
) -> list[list[Table]]:
    """Count texts that are in memory, in batches, since references that are read take memory.

    Args:
        metrics: the metrics, all of text or all of token ids.
        hypotheses: for each system its segments, or one string or token sequence per segment.
        references: segments, or per segment one reference or a list of them.
        threads: threads of the kernel, 0 for one per core.
        progress: called after each batch with the segments counted so far and the number of all.
        names: the names of the systems, for warnings.

    Returns:
        tables[s][m], the rows of system s by metric m, with that metric's columns.

    Raises:
        InputError: the texts cannot be scored as they are.

    >>> from bleuet.metrics.bleu.metric import BLEU
    >>> metrics = [BLEU(smooth="floor"), BLEU(max_ngram_order=1)]
    >>> [table.columns[-1] for table in count_systems(metrics, [["a b"]], ["a c"])[0]]
    ['totals_4', 'totals_1']
    """
    kind = metrics[0].counted_kind if metrics else TEXT
    systems = [Segments.hypotheses(texts, kind) for texts in hypotheses]
    shared = Segments.references(references, kind)
    for segments in systems:
        # A batch has as many hypotheses as references, even where more hypotheses follow.
        if len(segments) != len(shared):
            check_lengths(segments, shared.tolist())
    batches = list(_in_batches(systems, shared))
    counted = count_batches(metrics, batches, threads=threads, names=names)
    if progress is not None:
        counted = _reported(counted, len(shared), progress)
    return keep_counted(counted) if len(batches) > 1 else next(counted).tables


def _reported(
    counted: Iterable[Counted], segments: int, progress: Callable[[int, int], None]
) -> Iterator[Counted]:
    """Yield each batch after its last segment has been reported."""
    for one in counted:
        progress(one.segments[-1], segments)
        yield one


def _in_batches(systems: Sequence[Segments], references: Segments) -> Iterator[Batch]:
    """Yield batches of segments; lines of files, which are not decoded here, are one batch."""
    sides = (*systems, references)
    if len(references) <= BATCH or any(side.kind == LINES for side in sides):
        yield systems, references
        return
    listed = [(side.kind, side.tolist()) for side in sides]
    for first in range(0, len(references), BATCH):
        *own, shared = [Segments(kind, items[first : first + BATCH]) for kind, items in listed]
        yield own, shared


def group_by_counting(metrics: Sequence[Metric[Any]]) -> Groups:
    """Group metrics whose rows follow from one table.

    The metrics that count for them (`Metric.counted_by`) are of one class and differ only in
    options that choose or reduce columns; the one with the most columns counts.

    Returns:
        For each group the metric that counts, and the places of all its metrics in the list.

    >>> from bleuet.metrics.bleu.metric import BLEU
    >>> from bleuet.metrics.ter.metric import TER
    >>> metrics = [BLEU(max_ngram_order=2), TER(), BLEU(smooth="floor")]
    >>> [(counting.columns[-1], places) for counting, places in group_by_counting(metrics)]
    [('totals_4', [0, 2]), ('ref_length', [1])]
    """
    counting = [metric.counted_by for metric in metrics]
    groups: dict[object, Groups] = {}
    for place in sorted(range(len(metrics)), key=lambda i: -len(counting[i].columns)):
        metric = counting[place]
        alike = groups.setdefault(metric.counting, [])
        for widest, places in alike:
            if set(metric.columns) <= set(widest.columns):
                places.append(place)
                break
        else:
            alike.append((metric, [place]))
    found = [(widest, sorted(places)) for alike in groups.values() for widest, places in alike]
    return sorted(found, key=lambda group: group[1])


def keep_counted(batches: Iterable[Counted]) -> list[list[Table]]:
    """Join the rows of all batches, where they are needed again; memory grows with them.

    Args:
        batches: what was counted.

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
    return [[_joined(portions) for portions in parts] for parts in kept]


def _joined(portions: list[Table]) -> Table:
    whole = Table.concatenate(portions)
    portions.clear()  # so that never more than one table is in memory twice
    return whole


def score_counted(metrics: Sequence[Metric], batches: Iterable[Counted]) -> list[list[Score]]:
    """Score systems whose rows have been counted.

    Rows are added in order onto the totals before them, so the scores are those of the corpus
    counted whole, to the last digit.

    Args:
        metrics: the metrics.
        batches: what was counted with them.

    Returns:
        scores[s][m], of system s by metric m.

    >>> from bleuet.metrics.ter.metric import TER
    >>> texts = [Segments(TEXT, [text]) for text in ("a b", "a c")]
    >>> batches = [([text], texts[0]) for text in texts]
    >>> print(score_counted([TER()], count_batches([TER()], batches))[0][0])
    TER = 25.00
    """
    totals: list[list[Totals | None]] = []
    for counted in batches:
        if not totals:
            totals = [[None] * len(metrics) for _ in counted.tables]
        for before, tables in zip(totals, counted.tables, strict=True):
            for m, table in enumerate(tables):
                before[m] = table.totals(after=before[m])
    return [
        [metric.score(total) for metric, total in zip(metrics, system, strict=True) if total]
        for system in totals
    ]


@checked
def score_batches(
    metrics: Sequence[Metric], batches: Iterable[Batch], *, threads: int = 1
) -> list[list[Score]]:
    """Count and score systems on a corpus that is read in batches.

    Args:
        metrics: the metrics.
        batches: pairs of the hypotheses of each system and the references they share, such as
            `bleuet.text.parallel.Parallel`.
        threads: threads of the kernel, 0 for one per core.

    Returns:
        scores[s][m], of system s by metric m.
    """
    return score_counted(metrics, count_batches(metrics, map(_pair, batches), threads=threads))


def _pair(batch: Any) -> Batch:
    if not (isinstance(batch, tuple) and len(batch) == 2):
        raise wrong_type("each batch", "a tuple of hypotheses and references", batch)
    hypotheses, references = batch
    return hypotheses, references
