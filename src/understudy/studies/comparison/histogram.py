"""How the scores of sentences are distributed."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

WIDTH = 5
# Scores end here, except for those of metrics that count errors.
FULL = 100
MOST = 200


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
    edges: tuple[int, ...]
    counts: tuple[tuple[int, ...], ...]

    def to_dict(self, systems: Sequence[str]) -> dict[str, Any]:
        """Return plain values, with the systems by name."""
        counts = {name: list(own) for name, own in zip(systems, self.counts, strict=True)}
        return {"metric": self.metric, "edges": list(self.edges), "systems": counts}


def histogram(metric: str, scores: Sequence[Sequence[float]], width: int = WIDTH) -> Histogram:
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
    highest = max(map(max, scores))
    # A perfect BLEU is a hair above 100.
    beyond = highest > FULL + 1e-9
    end = width * min(ceil(highest / width), MOST // width) if beyond else FULL
    bins = ceil(end / width)
    counts = []
    for own in scores:
        found = [0] * bins
        for score in own:
            found[min(max(int(score // width), 0), bins - 1)] += 1
        counts.append(tuple(found))
    return Histogram(metric, tuple(range(0, width * bins + 1, width)), tuple(counts))
