"""Meta-evaluation: the agreement of metrics with human scores, its confidence and significance."""

from bleuet.meta_evaluation.agreement import Agreement, agreement
from bleuet.meta_evaluation.human_scores import HumanScores
from bleuet.meta_evaluation.leaderboard import Leaderboard, leaderboard
from bleuet.meta_evaluation.metric_comparison import MetricComparison, compare_metrics
from bleuet.meta_evaluation.metric_ranking import MetricResult
from bleuet.meta_evaluation.metric_scores import MetricScores, keep_common_segments
from bleuet.meta_evaluation.metric_tests import williams
from bleuet.meta_evaluation.mqm import mqm_scores
from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.settings import GROUPINGS, RESAMPLED, TESTS, AgreementSettings
from bleuet.meta_evaluation.statistics import STATISTICS, Statistic, find_statistic

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
    "mqm_scores",
    "williams",
]
