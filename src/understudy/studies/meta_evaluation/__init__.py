"""How well a metric agrees with people: correlations, pairwise agreement, and their confidence."""

from understudy.studies.meta_evaluation.agreement import TESTS, agreement, compare_metrics
from understudy.studies.meta_evaluation.catalogue import STATISTICS, Statistic, find_statistic
from understudy.studies.meta_evaluation.confidence import RESAMPLED
from understudy.studies.meta_evaluation.evidence import Contender, People, on_common_ground
from understudy.studies.meta_evaluation.grouping import GROUPINGS
from understudy.studies.meta_evaluation.judgments import PairwiseJudgments, ScoreMatrix
from understudy.studies.meta_evaluation.leaderboard import (
    Leaderboard,
    Standing,
    Terms,
    leaderboard,
)
from understudy.studies.meta_evaluation.results import Agreement, MetricComparison
from understudy.studies.meta_evaluation.significance import williams

__all__ = [
    "GROUPINGS",
    "RESAMPLED",
    "STATISTICS",
    "TESTS",
    "Agreement",
    "Contender",
    "Leaderboard",
    "MetricComparison",
    "PairwiseJudgments",
    "People",
    "ScoreMatrix",
    "Standing",
    "Statistic",
    "Terms",
    "agreement",
    "compare_metrics",
    "find_statistic",
    "leaderboard",
    "on_common_ground",
    "williams",
]
