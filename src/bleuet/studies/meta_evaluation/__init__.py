"""How well a metric agrees with people: correlations, pairwise agreement, and their confidence."""

from bleuet.studies.meta_evaluation.agreement import TESTS, agreement, compare_metrics
from bleuet.studies.meta_evaluation.confidence import RESAMPLED
from bleuet.studies.meta_evaluation.grouping import GROUPINGS
from bleuet.studies.meta_evaluation.human_scores_check import Contender, People, on_common_ground
from bleuet.studies.meta_evaluation.judgments import PairwiseJudgments, ScoreMatrix
from bleuet.studies.meta_evaluation.leaderboard import (
    Leaderboard,
    Standing,
    Terms,
    leaderboard,
)
from bleuet.studies.meta_evaluation.metric_tests import williams
from bleuet.studies.meta_evaluation.results import Agreement, MetricComparison
from bleuet.studies.meta_evaluation.statistics import STATISTICS, Statistic, find_statistic

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
