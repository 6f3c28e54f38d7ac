"""Bootstrap intervals and paired significance tests for any metric whose statistics add up.

>>> from bleuet import BLEU
>>> from bleuet.significance import Evaluation, paired_test
>>> references = ["The cat sat down.", "It rains today.", "We went home."]
>>> old, new = ["The cat sat.", "It rain.", "We home."], references
>>> evaluation = Evaluation.count([BLEU()], {"old": old, "new": new}, references)
>>> paired_test(evaluation).comparison("old", "new").better
'new'
"""

from bleuet.evaluation.evaluation import Evaluation
from bleuet.evaluation.external import SegmentMean, SegmentMeanScore
from bleuet.significance.blocks import (
    BlockComparison,
    BlockScores,
    block_scores,
    compare_blocks,
)
from bleuet.significance.correction import benjamini_hochberg, bonferroni, holm
from bleuet.significance.few_segments import FewSegmentsWarning
from bleuet.significance.human_agreement import expected_agreement, is_covered
from bleuet.significance.interval import Interval, bootstrap_interval
from bleuet.significance.paired_results import PairedResults
from bleuet.significance.result_parts import PairedComparison, SystemScore
from bleuet.significance.settings import TestSettings
from bleuet.significance.testing import paired_test
from bleuet.study_settings import IntervalSettings

__all__ = [
    "BlockComparison",
    "BlockScores",
    "Evaluation",
    "FewSegmentsWarning",
    "Interval",
    "IntervalSettings",
    "PairedComparison",
    "PairedResults",
    "SegmentMean",
    "SegmentMeanScore",
    "SystemScore",
    "TestSettings",
    "benjamini_hochberg",
    "block_scores",
    "bonferroni",
    "bootstrap_interval",
    "compare_blocks",
    "expected_agreement",
    "holm",
    "is_covered",
    "paired_test",
]
