"""Sentences ranked by how much better one system is than another."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.studies.comparison.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class SentenceDifference:
    """One segment as two systems have it.

    Attributes:
        row: the segment's number, from 0.
        scores: the sentence scores of the first and the second system.
        hypotheses: what both wrote.
        references: the segment's references.
    """

    row: int
    scores: tuple[float, float]
    hypotheses: tuple[str, str]
    references: tuple[str, ...]

    @property
    def difference(self) -> float:
        """The first system's score less the second's."""
        return self.scores[0] - self.scores[1]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; segments count from 1 here."""
        return {
            "segment": self.row + 1,
            "scores": list(self.scores),
            "difference": self.difference,
            "hypotheses": list(self.hypotheses),
            "references": list(self.references),
        }


@dataclass(frozen=True, slots=True)
class SentenceRanking:
    """Where each of two systems beats the other by one metric.

    Attributes:
        metric: the metric's printed name.
        wins: segments where the first system is better.
        losses: segments where the second is.
        ties: segments where both score the same; one that either has no score of counts nowhere.
        gained: those with the first system furthest ahead, the furthest first; a segment whose
            texts have been shown is not shown again.
        lost: those with the second system furthest ahead.
    """

    metric: str
    wins: int
    losses: int
    ties: int
    gained: tuple[SentenceDifference, ...]
    lost: tuple[SentenceDifference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "metric": self.metric,
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "gained": [sentence.to_dict() for sentence in self.gained],
            "lost": [sentence.to_dict() for sentence in self.lost],
        }


def rank_sentences(
    evaluation: Evaluation, left: int, right: int, metric: int, limit: int
) -> SentenceRanking:
    """Rank segments by the difference between two systems' sentence scores.

    Args:
        evaluation: the systems, counted.
        left: the first system's number.
        right: the second's.
        metric: the metric's number.
        limit: how many segments to show at most for each system.
    """
    sign = 1 if evaluation.metrics[metric].higher_is_better else -1
    pairs = zip(
        evaluation.sentence_scores[left][metric],
        evaluation.sentence_scores[right][metric],
        strict=True,
    )
    ahead = {
        row: sign * (one - other)
        for row, (one, other) in enumerate(pairs)
        if one is not None and other is not None
    }
    order = sorted(ahead, key=lambda row: (-ahead[row], row))
    wins = sum([lead > 0 for lead in ahead.values()])
    losses = sum([lead < 0 for lead in ahead.values()])
    best = order[:wins]
    worst = sorted(order[len(ahead) - losses :], key=lambda row: (ahead[row], row))
    return SentenceRanking(
        evaluation.names[metric],
        wins,
        losses,
        len(ahead) - wins - losses,
        _shown(evaluation, left, right, metric, best, limit),
        _shown(evaluation, left, right, metric, worst, limit),
    )


def _shown(
    evaluation: Evaluation, left: int, right: int, metric: int, rows: list[int], limit: int
) -> tuple[SentenceDifference, ...]:
    seen: set[Any] = set()
    found: list[SentenceDifference] = []
    for row in rows:
        if len(found) == limit:
            break
        texts = (evaluation.hypotheses[left][row], evaluation.hypotheses[right][row])
        references = evaluation.references[row]
        if (texts, references) in seen:
            continue
        seen.add((texts, references))
        one = evaluation.sentence_scores[left][metric][row]
        other = evaluation.sentence_scores[right][metric][row]
        assert one is not None
        assert other is not None
        found.append(SentenceDifference(row, (one, other), texts, references))
    return tuple(found)
