"""Batch MIRA: separate the hypothesis to hope for from the one to fear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.extras import deferred
from bleuet.metrics.base.option import option
from bleuet.tuning.method import Method, weighted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
    from bleuet.tuning.scored_lists import ScoredLists
else:
    np = deferred("numpy")


class MIRA(Method):
    """Batch k-best MIRA (Cherry and Foster 2012, Batch Tuning Strategies, NAACL, section 3.1).

    The score of a hypothesis is that of a pseudo-corpus and the hypothesis. The pseudo-corpus
    decays, and gets what the model chooses in each segment.
    """

    rounds: int = option(default=30, help="passes over the segments", least=1, most=10_000)
    c: float = option(
        default=0.01, help="the longest step; a smaller one is more cautious", least=0, most=1000
    )
    decay: float = option(
        default=0.999,
        help="what the pseudo-corpus keeps after each segment; 0 scores hypotheses alone",
        least=0,
        most=1,
    )

    def search(self, lists: ScoredLists, start: Floats, random: Any) -> Iterator[Floats]:
        """Yield the average of all weights so far after each pass."""
        weights = _as_wide_as_gains(lists, start * lists.spreads)
        total, steps = np.zeros_like(weights), 0
        background = _Background(lists, self.decay)
        for _ in range(self.rounds):
            for segment in random.permutation(len(lists.sizes)).tolist():
                weights = self._step(lists, segment, weights, background)
                total, steps = total + weights, steps + 1
            yield total / steps / lists.spreads

    def _step(
        self, lists: ScoredLists, segment: int, weights: Floats, background: _Background
    ) -> Floats:
        size = int(lists.sizes[segment])
        features = lists.scaled[segment, :size]
        model = features @ weights
        gains = background.gains(segment, size)
        hope, fear = int((model + gains).argmax()), int((model - gains).argmax())
        background.add(segment, int(model.argmax()))
        difference = features[hope] - features[fear]
        loss = gains[hope] - gains[fear] - difference @ weights
        length = float(difference @ difference)
        if loss <= 0 or not length:
            return weights
        changed: Floats = weights + min(self.c, loss / length) * difference
        return changed


def _as_wide_as_gains(lists: ScoredLists, weights: Floats) -> Floats:
    """Return weights whose model scores differ as much as gains do.

    With larger ones hope and fear would both be what the model chooses, and nothing would change.
    """
    model, gains = weighted(lists.scaled, weights), np.where(lists.blank, 0.0, lists.gains)
    width = float(model.std(axis=1).mean())
    return weights * (float(gains.std(axis=1).mean()) / width) if width else weights


class _Background:
    """The pseudo-corpus.

    A hypothesis changes the score of n segments by about 1/n of its own, so that its gain is n
    times the score of all (Chiang, Marton and Resnik 2008, EMNLP, section 3).
    """

    def __init__(self, lists: ScoredLists, decay: float) -> None:
        self._lists = lists
        self._decay = decay
        self._segments = 0.0
        self._sums = [np.zeros(block.shape[2]) for block in lists.statistics]

    def gains(self, segment: int, size: int) -> Floats:
        """Return the gain of each hypothesis of a segment, the higher the better."""
        sums = [
            # Counts are whole numbers; the same is lost for all hypotheses of a segment.
            np.rint(total).astype(block.dtype) + block[segment, :size]
            for total, block in zip(self._sums, self._lists.statistics, strict=True)
        ]
        scores = self._lists.scores_of_sums(sums, self._lists.sentence_metric)
        return scores * ((self._segments + 1) / self._lists.scale)

    def add(self, segment: int, chosen: int) -> None:
        """Add the hypothesis that the model chooses, and forget some of what was there."""
        for at, block in enumerate(self._lists.statistics):
            self._sums[at] = self._decay * (self._sums[at] + block[segment, chosen])
        self._segments = self._decay * (self._segments + 1)
