"""Sentences ranked by the difference between the scores of two systems."""

from __future__ import annotations

from heapq import nlargest, nsmallest
from operator import gt, lt
from typing import NamedTuple

from bleuet.frozen import Value
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from bleuet.comparison.texts import ComparedTexts
    from bleuet.evaluation.evaluation import Evaluation


class SentenceDifference(Value, Plain):
    """One segment of two systems.

    Attributes:
        row: the segment, from 0.
        scores: the sentence scores of the first and the second system.
        hypotheses: the hypotheses of both.
        references: the references of the segment.
    """

    row: int
    scores: tuple[float, float]
    hypotheses: tuple[str, str]
    references: tuple[str, ...]
    plain_fields = ("segment", "scores", "difference", "hypotheses", "references")

    @property
    def segment(self) -> int:
        """The number of the segment, from 1."""
        return self.row + 1

    @property
    def difference(self) -> float:
        """The score of the first system minus the score of the second."""
        return self.scores[0] - self.scores[1]


class SentenceRanking(Value, Plain):
    """The segments in which one of two systems is better than the other by a metric.

    Attributes:
        metric: the printed name of the metric.
        wins: the number of segments where the first system is better.
        losses: the number where the second system is better.
        ties: the number where both have the same score. A segment without a score of both systems
            counts nowhere.
        gained: the segments where the first system is better, the largest difference first;
            segments with the same texts are listed once.
        lost: the segments where the second system is better.
    """

    metric: str
    wins: int
    losses: int
    ties: int
    gained: tuple[SentenceDifference, ...]
    lost: tuple[SentenceDifference, ...]


class Leads(NamedTuple):
    """In how many segments each of two systems is better.

    Attributes:
        wins: the segments where the first system is better.
        losses: those where the second is.
        ties: those where both have the same score. A segment without a score of both counts
            nowhere.
    """

    wins: int
    losses: int
    ties: int


def count_leads(evaluation: Evaluation, pair: tuple[int, int], metric: int) -> Leads:
    """Count the segments in which each of two systems is better by a metric.

    Args:
        evaluation: the systems, counted.
        pair: the indices of the two systems.
        metric: the index of the metric.
    """
    left, right = (evaluation.sentence_scores[system][metric] for system in pair)
    scores: list[Any] = [left, right]
    if evaluation.common_segments(metric) is not None:
        both = [same for same in zip(left, right, strict=True) if None not in same]
        scores = list(zip(*both, strict=True)) or [(), ()]
    more, less = sum(map(gt, *scores)), sum(map(lt, *scores))
    if not evaluation.metrics[metric].higher_is_better:
        more, less = less, more
    return Leads(more, less, len(scores[0]) - more - less)


def rank_sentences(
    texts: ComparedTexts, pair: tuple[int, int], metric: int, limit: int
) -> SentenceRanking:
    """Rank segments by the difference between the sentence scores of two systems.

    Args:
        texts: the texts of the systems, and their scores.
        pair: the indices of the two systems.
        metric: the index of the metric.
        limit: the largest number of segments for each system.
    """
    evaluation = texts.evaluation
    left, right = pair if evaluation.metrics[metric].higher_is_better else pair[::-1]
    columns = [evaluation.sentence_scores[system][metric] for system in (left, right)]
    leads = [
        0.0 if one is None or other is None else one - other
        for one, other in zip(*columns, strict=True)
    ]
    counts = count_leads(evaluation, pair, metric)
    best = _ranked(leads, nlargest, counts.wins, limit)
    worst = _ranked(leads, nsmallest, counts.losses, limit)
    return SentenceRanking(
        evaluation.headings[metric],
        *counts,
        _listed(texts, pair, metric, best, limit),
        _listed(texts, pair, metric, worst, limit),
    )


def _ranked(
    leads: Sequence[float], extreme: Callable[..., list[int]], count: int, limit: int
) -> Iterator[int]:
    """Yield the segments in which one system is better, the largest difference first.

    Args:
        leads: the difference of each segment.
        extreme: `nlargest` or `nsmallest`, which keep the order of equal segments.
        count: how many segments there are to yield.
        limit: how many of them are first looked for.
    """
    # Sorting all takes longer, and few are read: more than the limit if texts are repeated.
    found = 0
    size = 2 * limit
    while found < count:
        rows = extreme(min(size, count), range(len(leads)), key=leads.__getitem__)
        yield from rows[found:]
        found, size = len(rows), 8 * size + 8


def _listed(
    texts: ComparedTexts, pair: tuple[int, int], metric: int, rows: Iterator[int], limit: int
) -> tuple[SentenceDifference, ...]:
    """Return the first segments of a ranking, without repeated texts.

    Args:
        texts: the texts of the systems, and their scores.
        pair: the indices of the two systems.
        metric: the index of the metric.
        rows: the segments in their order; all have scores of both systems.
        limit: the largest number of segments.
    """
    left, right = pair
    scores = texts.evaluation.sentence_scores
    seen: set[Any] = set()
    found: list[SentenceDifference] = []
    for row in rows if limit else ():
        hypotheses = (texts.hypotheses[left][row], texts.hypotheses[right][row])
        references = texts.references[row]
        if (hypotheses, references) in seen:
            continue
        seen.add((hypotheses, references))
        one, other = scores[left][metric][row], scores[right][metric][row]
        assert one is not None
        assert other is not None
        found.append(SentenceDifference(row, (one, other), hypotheses, references))
        if len(found) == limit:
            break
    return tuple(found)
