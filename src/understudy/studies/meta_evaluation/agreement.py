"""The one way in: how well a metric agrees with people, by a statistic of the catalogue."""

from __future__ import annotations

from understudy.studies.meta_evaluation.judgments import (
    Agreement,
    Comparison,
    PairwiseJudgments,
    ScoreMatrix,
)


def agreement(
    statistic: str,
    human: ScoreMatrix | PairwiseJudgments,
    metric: ScoreMatrix,
    *,
    grouping: str | None = None,
    draws: int = 0,
    confidence: float = 0.95,
    resample: str = "segments",
    seed: int = 12345,
) -> Agreement:
    """Say how well a metric agrees with people.

    Args:
        statistic: a name of `STATISTICS`.
        human: people's scores, or their pairwise judgments where the statistic takes those.
        metric: the metric's scores, higher is better; the systems people judged, in any order.
        grouping: "none", "item" or "system"; None takes the statistic's usual one.
        draws: how many bootstrap draws make the confidence interval; 0 makes none.
        confidence: what part of the draws the interval covers.
        resample: what is drawn: "segments", "systems" or "both".
        seed: of the draws, and of the permutations of soft pairwise accuracy.
    """
    raise NotImplementedError


def compare_metrics(
    statistic: str,
    human: ScoreMatrix | PairwiseJudgments,
    first: ScoreMatrix,
    second: ScoreMatrix,
    *,
    grouping: str | None = None,
    test: str = "perm-both",
    trials: int = 1000,
    seed: int = 12345,
) -> Comparison:
    """Say whether the second metric agrees with people better than the first."""
    raise NotImplementedError
