"""The settings of agreement with human scores, and the names that they take."""

from __future__ import annotations

from bleuet.metrics.base.option import option
from bleuet.significance.correction import CORRECTIONS
from bleuet.statistics.seed import SEED
from bleuet.study_settings import IntervalSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

GROUPINGS = ("none", "item", "system")
RESAMPLED = ("segments", "systems", "both")
WILLIAMS = "williams"
PERM_BOTH, PERM_SEGMENTS, PERM_PAIRS = "perm-both", "perm-segments", "perm-pairs"
TESTS = (PERM_BOTH, PERM_SEGMENTS, WILLIAMS, PERM_PAIRS)
# Scales of human scores.
INTERVAL, ORDINAL, NOMINAL = SCALES = ("interval", "ordinal", "nominal")
# Tests of systems by their human scores.
SIGNED_RANK, RANK_SUM, MIXED_EFFECTS = SYSTEM_TESTS = ("signed-rank", "rank-sum", "mixed-effects")


class AgreementSettings(IntervalSettings, kw_only=True):
    """The settings of agreement with human scores, and of tests of metrics.

    The test "perm-both" permutes the scores of two metrics; "williams" is for the statistic
    "system-pearson" only; "perm-segments", for "acc-eq" only, permutes the metrics' decisions on
    whole segments, and "perm-pairs" those on pairs, as WMT does since 2023, which finds differences
    of equal metrics too often. Where all permutations are no more than the trials, all are used,
    and the p-value is exact.

    `documents` are the document of each segment, any value such as its name; whole documents are
    then drawn and exchanged.
    """

    draws: int = option(
        default=0, help="bootstrap draws for confidence intervals; 0 for no intervals", least=0
    )
    seed: int = option(
        default=SEED,
        help="the random seed of draws and permutations, and of soft pairwise accuracy",
        least=0,
    )
    grouping: str | None = option(
        default=None,
        help="which scores of segments are compared with each other: none (all), item (those of "
        "one segment) or system (those of one system)",
        choices=GROUPINGS,
    )
    all_segments: bool = option(
        default=False,
        help="metrics' scores of systems cover all segments, also those without human scores",
    )
    margin: float = option(
        default=0.0,
        help="the smallest difference between human scores that makes a judgment, such as 25 in "
        "WMT's daRR (default: any difference)",
        least=0,
    )
    undefined_as_zero: bool = option(
        default=False,
        help="a segment or system with an undefined correlation counts as 0 (default: is left out)",
    )
    held_out_epsilon: bool = option(
        default=False,
        help="select the threshold of acc-eq on other segments than it is used on",
    )
    resample: str = option(
        default=RESAMPLED[0],
        help=f"what is drawn for an interval of a statistic of segments: {', '.join(RESAMPLED)} "
        "(of whole systems: always systems)",
        choices=RESAMPLED,
    )
    test: str | None = option(
        default=None,
        help=f"rank metrics by significance: {', '.join(TESTS)} (default test: {TESTS[0]})",
        choices=TESTS,
    )
    trials: int = option(default=1000, help="the permutations of a test", least=1)
    correction: str | None = option(
        default=None,
        help=f"for the comparisons of all metrics: {', '.join(CORRECTIONS)}, none (default: none)",
        choices=CORRECTIONS,
    )
    rater_scale: str = option(
        default=INTERVAL,
        help="the scale of human scores in the agreement of raters with each other: "
        f"{', '.join(SCALES)}",
        choices=SCALES,
    )
    rank_systems: str | None = option(
        default=None,
        help="rank systems by human scores, in clusters that differ significantly by a test: "
        f"{', '.join(SYSTEM_TESTS)} (default test: {SYSTEM_TESTS[0]})",
        choices=SYSTEM_TESTS,
    )
    documents: Sequence[Hashable] | None = None


AGREEMENT = AgreementSettings()
