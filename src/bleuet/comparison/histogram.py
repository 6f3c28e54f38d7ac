"""The distribution of sentence scores."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from math import ceil
from operator import sub

from bleuet.comparison.by_system import BySystem
from bleuet.comparison.cutoffs import even_edges
from bleuet.frozen import Value
from bleuet.output.document import Column, DocumentTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.evaluation.evaluation import Evaluation

WIDTH = 5
# Scores end here, except for those of metrics that count errors.
FULL = 100
MOST = 200
BINS = FULL // WIDTH


class Histogram(Value, BySystem):
    """The number of sentences of each system with a score in each bin.

    Attributes:
        metric: the printed name of the metric.
        edges: where bins begin, and where the last one ends. A score at an edge belongs to the bin
            that begins there. The last bin also has all higher scores, the first all lower ones.
        counts: the number of sentences in each bin, `counts[system][bin]`.
    """

    metric: str
    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]
    plain_fields = ("metric", "edges", "systems=counts")

    def tables(self, evaluation: Evaluation) -> Iterator[DocumentTable]:
        """Yield the number of sentences in each bin.

        Args:
            evaluation: the systems.
        """
        rows = list(zip(_labels(self.edges), *self.counts, strict=True))
        counts = [Column(name, kind="count") for name in evaluation.systems]
        columns = [Column("bin", self.metric), *counts]
        yield DocumentTable("histogram", f"Sentences by their {self.metric}", columns, rows)


def _labels(edges: Sequence[float]) -> list[str]:
    """Return the labels of bins, all numbers with as many digits as the longest one needs."""
    shortest = [f"{edge:g}" for edge in edges]
    # Very large and very small numbers have an exponent.
    plain = [text for text in shortest if "e" not in text]
    digits = max((len(text.partition(".")[2]) for text in plain), default=0)
    texts = [
        text if "e" in text else f"{edge:.{digits}f}"
        for text, edge in zip(shortest, edges, strict=True)
    ]
    between = [f"[{low}, {high})" for low, high in pairwise(texts)]
    return [*between[:-1], f">={texts[-2]}"]


def histogram(
    metric: str, scores: Sequence[Sequence[float | None]], width: int = WIDTH
) -> Histogram:
    """Count sentence scores in bins of equal width.

    Args:
        metric: the printed name of the metric.
        scores: the sentence scores of each system, in percent.
        width: the width of a bin.

    Returns:
        A histogram from 0 to 100, or to at most 200 where scores are higher, as TER's can be.

    >>> histogram("TER", [[0.0, 50.0, 99.0, 100.0]], width=50)
    Histogram(metric='TER', edges=(0, 50, 100), counts=((1, 3),))
    """
    highest = max(_present(scores))
    # Rounding makes a perfect BLEU slightly higher than 100.
    beyond = highest > FULL + 1e-9
    end = width * min(ceil(highest / width), MOST // width) if beyond else FULL
    return _counted(metric, tuple(range(0, width * ceil(end / width) + 1, width)), scores)


def histogram_of_any_scale(metric: str, scores: Sequence[Sequence[float | None]]) -> Histogram:
    """Count scores of any scale in bins of equal width, about as many as for scores in percent.

    Args:
        metric: the name of the scores.
        scores: the scores of each system, None where a segment has no score; no bin counts it.

    >>> found = histogram_of_any_scale("COMET", [(0.0, None, 1.0), (0.52, 0.5, 0.5)])
    >>> len(found.edges), found.edges[10:12], [counts[10] for counts in found.counts]
    (21, (0.5, 0.55), [0, 3])
    """
    present = _present(scores)
    return _counted(metric, even_edges(min(present), max(present), BINS), scores)


def _present(scores: Sequence[Sequence[float | None]]) -> list[float]:
    return [score for own in scores for score in own if score is not None]


def _counted(
    metric: str, edges: tuple[float, ...], scores: Sequence[Sequence[float | None]]
) -> Histogram:
    counts = []
    for own in scores:
        ascending = sorted([score for score in own if score is not None])
        lower = [bisect_left(ascending, edge) for edge in edges[1:-1]]
        counts.append(tuple(map(sub, [*lower, len(ascending)], [0, *lower])))
    return Histogram(metric, edges, tuple(counts))
