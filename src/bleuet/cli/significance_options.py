"""The flags of paired tests, which several commands share, from the settings of a test."""

from __future__ import annotations

from bleuet.cli.options import SEED, flag_of
from bleuet.significance.settings import TESTS, TESTS_OF_ONE_RUN, TestSettings

BASELINE = flag_of(TestSettings, "baseline")
ALL_PAIRS = flag_of(TestSettings, "all_pairs")
TEST = flag_of(TestSettings, "test")
TEST_OF_ONE_RUN = TEST.but(
    choices=TESTS_OF_ONE_RUN, help="; ".join(f"{name}: {TESTS[name]}" for name in TESTS_OF_ONE_RUN)
)
CORRECTION = flag_of(TestSettings, "correction")
CORRECT_OVER = flag_of(TestSettings, "correct_over", metavar="TESTS")
ALPHA = flag_of(TestSettings, "alpha", metavar="P")
TEST_DRAWS = flag_of(TestSettings, "draws")
OPTIONS_OF_A_TEST = (CORRECTION, CORRECT_OVER, ALPHA, TEST_DRAWS, SEED)
