"""The options of paired tests, which several commands share; their choices come from the study."""

from __future__ import annotations

from bleuet.cli.options import ALPHA, DRAWS, SEED, Flag
from bleuet.significance.correction import CORRECT_OVER, CORRECTIONS, PAIRS
from bleuet.significance.paired_results import TESTS
from bleuet.significance.testing import CORRECTION as DEFAULT_CORRECTION
from bleuet.significance.testing import TESTS_OF_ONE_RUN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from bleuet.cli.options import Arguments

NO_CORRECTION = "none"

BASELINE = Flag(
    "--baseline", metavar="NAME",
    help="the system that the others are compared with (default: the first)",
)  # fmt: skip
ALL_PAIRS = Flag(
    "--all-pairs", kind="switch",
    help="compare every two systems, not only the baseline with each other system",
)  # fmt: skip


def _test(names: Collection[str]) -> Flag:
    return Flag(
        "--test", metavar="NAME", choices=tuple(names),
        help="; ".join(f"{name}: {TESTS[name]}" for name in names),
    )  # fmt: skip


TEST, TEST_OF_ONE_RUN = _test(TESTS), _test(TESTS_OF_ONE_RUN)
CORRECTION = Flag(
    "--correction", metavar="NAME", default=DEFAULT_CORRECTION,
    choices=(*CORRECTIONS, NO_CORRECTION),
    help=f"for several comparisons: {', '.join((*CORRECTIONS, NO_CORRECTION))} "
    "(default: {default})",
)  # fmt: skip
CORRECT_OVER_FLAG = Flag(
    "--correct-over", metavar="TESTS", default=PAIRS, choices=CORRECT_OVER,
    help="correct for the number of pairs, metric by metric (pairs), or of pairs and metrics "
    "(all) (default: {default})",
)  # fmt: skip
OPTIONS_OF_A_TEST = (CORRECTION, CORRECT_OVER_FLAG, ALPHA, DRAWS, SEED)


def correction_of(args: Arguments) -> str | None:
    """Return the correction to apply, None for none."""
    correction: str = args.correction
    return None if correction == NO_CORRECTION else correction
