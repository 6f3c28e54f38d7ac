"""The best choices that n-best lists allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.extras import deferred

if TYPE_CHECKING:
    import numpy as np

    from bleuet.meta_evaluation.arrays import Integers
    from bleuet.tuning.scored_lists import ScoredLists
else:
    np = deferred("numpy")

_LEAST_GAIN = 1e-9


def sentence_oracle(lists: ScoredLists) -> Integers:
    """Return for each segment the hypothesis with the best sentence score, the first of equals."""
    chosen: Integers = lists.gains.argmax(axis=1)
    return chosen


def corpus_oracle(lists: ScoredLists) -> Integers:
    """Return a choice whose corpus score no change of one segment improves.

    It begins with the sentence oracle or the first hypotheses, whichever score better, and takes
    for one segment after another what is best beside all others. A better choice may exist.
    """
    firsts = np.zeros_like(lists.sizes)
    chosen = max(sentence_oracle(lists), firsts, key=lists.value_of).copy()
    best = lists.value_of(chosen)
    improved = True
    while improved:
        improved = False
        for segment in range(len(chosen)):
            sums = [
                total - block[segment, chosen[segment]] + block[segment]
                for total, block in zip(lists.totals_of(chosen), lists.statistics, strict=True)
            ]
            values = lists.scores_of_sums(sums)
            at = int(values.argmax())
            if values[at] > best + _LEAST_GAIN:
                chosen[segment], best, improved = at, float(values[at]), True
    return chosen
