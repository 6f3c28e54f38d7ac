"""Bootstrap intervals and paired significance tests for any metric whose statistics add up.

>>> from bleuet import BLEU
>>> from bleuet.studies.significance import Systems, paired_bootstrap
>>> references = ["The cat sat down.", "It rains today.", "We went home."]
>>> old, new = ["The cat sat.", "It rain.", "We home."], references
>>> systems = Systems.count([BLEU()], {"old": old, "new": new}, references)
>>> paired_bootstrap(systems).comparison("old", "new").better
'new'
"""

from bleuet.studies.significance.blocks import (
    BlockComparison,
    BlockScores,
    block_scores,
    compare_blocks,
)
from bleuet.studies.significance.correction import benjamini_hochberg, bonferroni, holm
from bleuet.studies.significance.few_segments import FewSegmentsWarning
from bleuet.studies.significance.human_agreement import expected_agreement, is_covered
from bleuet.studies.significance.interval import Interval, bootstrap_interval
from bleuet.studies.significance.paired import (
    paired_approximate_randomization,
    paired_bootstrap,
)
from bleuet.studies.significance.paired_results import PairedResults
from bleuet.studies.significance.result_parts import PairedComparison, SystemScore
from bleuet.studies.significance.segment_mean import SegmentMean, SegmentMeanScore
from bleuet.studies.significance.systems import Systems
from bleuet.studies.significance.testing import paired_test

__all__ = [
    "BlockComparison",
    "BlockScores",
    "FewSegmentsWarning",
    "Interval",
    "PairedComparison",
    "PairedResults",
    "SegmentMean",
    "SegmentMeanScore",
    "SystemScore",
    "Systems",
    "benjamini_hochberg",
    "block_scores",
    "bonferroni",
    "bootstrap_interval",
    "compare_blocks",
    "expected_agreement",
    "holm",
    "is_covered",
    "paired_approximate_randomization",
    "paired_bootstrap",
    "paired_test",
]
