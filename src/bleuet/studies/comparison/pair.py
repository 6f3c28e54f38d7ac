"""Two systems side by side: the sentences and n-grams that set them apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from bleuet.errors import OptionError
from bleuet.studies.comparison.ngrams import group_ngrams, match_ngrams, ngram_differences
from bleuet.studies.comparison.sentences import rank_sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bleuet.studies.comparison.evaluation import Evaluation
    from bleuet.studies.comparison.ngrams import NgramDifference
    from bleuet.studies.comparison.sentences import SentenceRanking


@dataclass(frozen=True, slots=True)
class Pair:
    """What sets two systems apart.

    Attributes:
        left: the first system's name.
        right: the second's.
        sentences: the sentences where either is ahead, one ranking per metric.
        gained: n-grams that the first system gets more often.
        lost: n-grams that the second gets more often.
    """

    left: str
    right: str
    sentences: tuple[SentenceRanking, ...]
    gained: tuple[NgramDifference, ...]
    lost: tuple[NgramDifference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "left": self.left,
            "right": self.right,
            "sentences": [ranking.to_dict() for ranking in self.sentences],
            "ngrams": {
                "gained": [difference.to_dict() for difference in self.gained],
                "lost": [difference.to_dict() for difference in self.lost],
            },
        }


def pairs_of(systems: int, which: str) -> Iterator[tuple[int, int]]:
    """Return which systems are held against each other, by number.

    Args:
        systems: how many there are.
        which: "first", the first against each other one, or "all".

    Raises:
        OptionError: it is neither.

    >>> list(pairs_of(3, "first")), len(list(pairs_of(3, "all")))
    ([(0, 1), (0, 2)], 3)
    """
    if which not in ("first", "all"):
        raise OptionError(f"pairs must be 'first' or 'all', not {which!r}")
    return iter([pair for pair in combinations(range(systems), 2) if which == "all" or not pair[0]])


def compare_pairs(evaluation: Evaluation, which: str, limit: int) -> tuple[Pair, ...]:
    """Hold systems against each other, two at a time.

    Args:
        evaluation: the systems, counted.
        which: "first", the first against each other one, or "all".
        limit: how many sentences and n-grams to show at most on each side.
    """
    chosen = list(pairs_of(len(evaluation.systems), which))
    groups = group_ngrams(match_ngrams(evaluation.words)) if chosen else {}
    pairs = []
    for left, right in chosen:
        gained, lost = ngram_differences(groups, left, right, limit)
        rankings = [
            rank_sentences(evaluation, left, right, metric, limit)
            for metric in range(len(evaluation.metrics))
        ]
        names = evaluation.systems[left], evaluation.systems[right]
        pairs.append(Pair(*names, tuple(rankings), gained, lost))
    return tuple(pairs)
