"""N-best lists from a random seed, whose best weights are known to be good."""

from __future__ import annotations

from random import Random
from typing import Any

from bleuet.tuning.list_scores import ListMetrics
from bleuet.tuning.nbest_lists import as_nbest
from bleuet.tuning.scored_lists import ScoredLists

WORDS = ["a", "the", "cat", "dog", "bird", "sat", "ran", "on", "under", "mat", "tree", "here"]


def generated(
    seed: int, segments: int = 8, hypotheses: int = 12, whole: bool = False
) -> tuple[list[Any], list[str]]:
    """Return n-best lists and references.

    Args:
        seed: a random seed.
        segments: the number of lists.
        hypotheses: the most hypotheses of a list; lists differ in length.
        whole: whether features are small whole numbers, so that many lines meet in one point.
    """
    random = Random(seed)
    references = [
        " ".join(random.choices(WORDS, k=random.randrange(5, 12))) for _ in range(segments)
    ]
    return [
        [_hypothesis(random, one, whole) for _ in range(random.randrange(2, hypotheses + 1))]
        for one in references
    ], references


def _hypothesis(random: Random, reference: str, whole: bool) -> tuple[str, dict[str, Any]]:
    words = reference.split()
    wrong = random.randrange(len(words))
    for _ in range(wrong):
        words[random.randrange(len(words))] = random.choice(WORDS)
    del words[len(words) - random.randrange(3) :]
    values = [-wrong + random.gauss(0, 1.5), random.gauss(0, 3), len(words)]
    if whole:
        values = [round(value) for value in values]
    return " ".join(words), {"lm": values[0], "tm": values[1:], "same": 2}


def counted(seed: int, metric: str = "bleu", **settings: Any) -> ScoredLists:
    """Return generated lists that a metric has counted."""
    lists, references = generated(seed, **settings)
    return ListMetrics.parse(metric).count(as_nbest(lists), references, 1)
