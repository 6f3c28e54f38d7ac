"""Meta-evaluation: the agreement of metrics with human scores, its confidence and significance."""

from bleuet.studies.meta_evaluation.agreement import Agreement, agreement
from bleuet.studies.meta_evaluation.confidence import RESAMPLED
from bleuet.studies.meta_evaluation.grouping import GROUPINGS
from bleuet.studies.meta_evaluation.human_scores import HumanScores
from bleuet.studies.meta_evaluation.leaderboard import Leaderboard, leaderboard
from bleuet.studies.meta_evaluation.metric_comparison import (
    TESTS,
    MetricComparison,
    compare_metrics,
)
from bleuet.studies.meta_evaluation.metric_ranking import AgreementSettings, MetricResult
from bleuet.studies.meta_evaluation.metric_scores import MetricScores, keep_common_segments
from bleuet.studies.meta_evaluation.metric_tests import williams
from bleuet.studies.meta_evaluation.pairwise_judgments import PairwiseJudgments
from bleuet.studies.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.studies.meta_evaluation.statistics import STATISTICS, Statistic, find_statistic

__all__ = [
    "GROUPINGS",
    "RESAMPLED",
    "STATISTICS",
    "TESTS",
    "Agreement",
    "AgreementSettings",
    "HumanScores",
    "Leaderboard",
    "MetricComparison",
    "MetricResult",
    "MetricScores",
    "PairwiseJudgments",
    "ScoreMatrix",
    "Statistic",
    "agreement",
    "compare_metrics",
    "find_statistic",
    "keep_common_segments",
    "leaderboard",
    "williams",
]
