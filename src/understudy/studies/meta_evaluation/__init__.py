"""How well a metric agrees with people: correlations, pairwise agreement, and their confidence."""

from understudy.studies.meta_evaluation.agreement import agreement, compare_metrics
from understudy.studies.meta_evaluation.judgments import (
    Agreement,
    Comparison,
    PairwiseJudgments,
    ScoreMatrix,
)

__all__ = [
    "Agreement",
    "Comparison",
    "PairwiseJudgments",
    "ScoreMatrix",
    "agreement",
    "compare_metrics",
]
