"""Counting once what several metrics are functions of, such as one BLEU in eight smoothings."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.metric import Metric
    from bleuet.statistics.table import Table

    # The metric that counts, and those that take its tables, by their place in the list.
    Groups: TypeAlias = list[tuple[Metric[Any], list[int]]]


def group_by_counting(metrics: Sequence[Metric[Any]]) -> Groups:
    """Group metrics whose rows are columns of one table.

    They are of one class and differ in nothing but `Metric.scoring_options`; the one with the
    most columns counts.

    Returns:
        For each group the metric that counts, and the places of all its metrics in the list.

    >>> from bleuet.metrics.bleu import BLEU
    >>> from bleuet.metrics.ter import TER
    >>> metrics = [BLEU(max_ngram_order=2), TER(), BLEU(smooth="floor")]
    >>> [(counting.columns[-1], places) for counting, places in group_by_counting(metrics)]
    [('totals_4', [0, 2]), ('ref_length', [1])]
    """
    groups: dict[object, list[list[int]]] = {}
    widest_first = sorted(range(len(metrics)), key=lambda i: -len(metrics[i].columns))
    for place in widest_first:
        metric = metrics[place]
        alike = groups.setdefault(metric.counting, [])
        for places in alike:
            if set(metric.columns) <= set(metrics[places[0]].columns):
                places.append(place)
                break
        else:
            alike.append([place])
    found = [(metrics[places[0]], sorted(places)) for alike in groups.values() for places in alike]
    return sorted(found, key=lambda group: group[1])


def count_once(
    metrics: Sequence[Metric[Any]],
    hypotheses: Sequence[Sequence[str]],
    references: Any,
    *,
    threads: int = 1,
) -> list[list[Table]]:
    """Count several systems with several metrics, each distinct counting done once.

    Args:
        metrics: the metrics.
        hypotheses: one list of texts per system.
        references: per segment a string or a list of strings.
        threads: threads of the kernel, 0 for one per core.

    Returns:
        tables[s][m], the rows of system s by metric m, with that metric's columns.

    >>> from bleuet.metrics.bleu import BLEU
    >>> metrics = [BLEU(smooth="floor"), BLEU(max_ngram_order=1)]
    >>> [table.columns[-1] for table in count_once(metrics, [["a b"]], ["a c"])[0]]
    ['totals_4', 'totals_1']
    """
    tables: list[list[Any]] = [[None] * len(metrics) for _ in hypotheses]
    for counting, places in group_by_counting(metrics):
        prepared = counting.prepare_references(references, threads=threads)
        for of_system, texts in zip(tables, hypotheses, strict=True):
            counted = counting.count(texts, prepared, threads=threads)
            for place in places:
                metric = metrics[place]
                of_system[place] = counted.take_columns(metric.integer_columns, metric.real_columns)
    return tables
