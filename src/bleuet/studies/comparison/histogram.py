"""How the scores of sentences are distributed."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import ceil

from bleuet.studies.comparison.buckets import even_edges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

WIDTH = 5
# Scores end here, except for those of metrics that count errors.
FULL = 100
MOST = 200
BINS = FULL // WIDTH


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many sentences of each system have a score in each bin.

    Attributes:
        metric: the metric's printed name.
        edges: where bins begin, and where the last ends. A score at an edge belongs to the bin
            that begins there; the last bin takes all that are higher, too, and
            the first all that are lower.
        counts: the sentences in each bin for each system, `counts[system][bin]`.
    """

    metric: str
    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]

    def to_dict(self, systems: Sequence[str]) -> dict[str, Any]:
        """Return plain values, with the systems by name."""
        counts = {name: list(own) for name, own in zip(systems, self.counts, strict=True)}
        return {"metric": self.metric, "edges": list(self.edges), "systems": counts}


def histogram(
    metric: str, scores: Sequence[Sequence[float | None]], width: int = WIDTH
) -> Histogram:
    """Count sentence scores in bins of equal width.

    Args:
        metric: the metric's printed name.
        scores: each system's sentence scores, in percent.
        width: the width of a bin.

    Returns:
        A histogram from 0 to 100; to 200 at most where scores are higher, as TER's can be.

    >>> histogram("TER", [[0.0, 50.0, 99.0, 100.0]], width=50)
    Histogram(metric='TER', edges=(0, 50, 100), counts=((1, 3),))
    """
    highest = max(_known(scores))
    # A perfect BLEU is a hair above 100.
    beyond = highest > FULL + 1e-9
    end = width * min(ceil(highest / width), MOST // width) if beyond else FULL
    return _counted(metric, tuple(range(0, width * ceil(end / width) + 1, width)), scores)


def histogram_of_known(metric: str, scores: Sequence[Sequence[float | None]]) -> Histogram:
    """Count scores of any size in bins of equal width, about as many as of scores in percent.

    Args:
        metric: what the scores are called.
        scores: each system's scores, None where a segment has none, which no bin counts.

    >>> found = histogram_of_known("COMET", [(0.0, None, 1.0), (0.52, 0.5, 0.5)])
    >>> len(found.edges), found.edges[10:12], [counts[10] for counts in found.counts]
    (21, (0.5, 0.55), [0, 3])
    """
    known = _known(scores)
    return _counted(metric, even_edges(min(known), max(known), BINS), scores)


def _known(scores: Sequence[Sequence[float | None]]) -> list[float]:
    return [score for own in scores for score in own if score is not None]


def _counted(
    metric: str, edges: tuple[float, ...], scores: Sequence[Sequence[float | None]]
) -> Histogram:
    counts = []
    for own in scores:
        found = [0] * (len(edges) - 1)
        for score in own:
            if score is not None:
                found[min(max(bisect_right(edges, score), 1), len(found)) - 1] += 1
        counts.append(tuple(found))
    return Histogram(metric, edges, tuple(counts))
