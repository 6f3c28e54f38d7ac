"""Meta-evaluation: the agreement of metrics with human scores, its confidence and significance."""

from bleuet.meta_evaluation.agreement import Agreement, agreement
from bleuet.meta_evaluation.human_scores import HumanScores
from bleuet.meta_evaluation.leaderboard import Leaderboard, leaderboard
from bleuet.meta_evaluation.metric_comparison import MetricComparison, compare_metrics
from bleuet.meta_evaluation.metric_ranking import MetricResult
from bleuet.meta_evaluation.metric_scores import MetricScores, keep_common_segments
from bleuet.meta_evaluation.metric_tests import williams
from bleuet.meta_evaluation.mqm import MqmWeights, mqm_scores
from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments
from bleuet.meta_evaluation.rater_agreement import RaterAgreement, rater_agreement
from bleuet.meta_evaluation.rater_scores import RATER_SCORES, RaterScores
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.sentinels import length_sentinels
from bleuet.meta_evaluation.settings import (
    GROUPINGS,
    RESAMPLED,
    SCALES,
    SYSTEM_TESTS,
    TESTS,
    AgreementSettings,
)
from bleuet.meta_evaluation.statistics import STATISTICS, Statistic, find_statistic
from bleuet.meta_evaluation.system_ranking import SystemRank, SystemRanking, rank_systems

__all__ = [
    "GROUPINGS",
    "RATER_SCORES",
    "RESAMPLED",
    "SCALES",
    "STATISTICS",
    "SYSTEM_TESTS",
    "TESTS",
    "Agreement",
    "AgreementSettings",
    "HumanScores",
    "Leaderboard",
    "MetricComparison",
    "MetricResult",
    "MetricScores",
    "MqmWeights",
    "PairwiseJudgments",
    "RaterAgreement",
    "RaterScores",
    "ScoreMatrix",
    "Statistic",
    "SystemRank",
    "SystemRanking",
    "agreement",
    "compare_metrics",
    "find_statistic",
    "keep_common_segments",
    "leaderboard",
    "length_sentinels",
    "mqm_scores",
    "rank_systems",
    "rater_agreement",
    "williams",
]
