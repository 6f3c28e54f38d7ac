"""The settings of a paired test, and the names that they take."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.metrics.base.option import option
from bleuet.significance.correction import CORRECT_OVER, CORRECTIONS, PAIRS
from bleuet.study_settings import Between, IntervalSettings

BOOTSTRAP, RANDOMIZATION = "bootstrap", "randomization"
MULTEVAL_RANDOMIZATION = "multeval-randomization"
WELCH = "welch"
SACREBLEU_BOOTSTRAP, SACREBLEU_RANDOMIZATION = "sacrebleu-bootstrap", "sacrebleu-randomization"

# name: what it is. The first two reject a true null hypothesis as often as alpha says, or less, and
# so does Welch's where runs vary; the others more often.
TESTS = {
    BOOTSTRAP: "two-sided paired bootstrap",
    RANDOMIZATION: "paired approximate randomization, ties count",
    WELCH: "Welch's t-test over runs and segments",
    MULTEVAL_RANDOMIZATION: (
        "paired approximate randomization of each run by itself, as in MultEval"
    ),
    SACREBLEU_BOOTSTRAP: "sacreBLEU's paired bootstrap",
    SACREBLEU_RANDOMIZATION: "sacreBLEU's paired approximate randomization",
}
# The tests that exchange segments and do not draw them.
RANDOMIZATIONS = (RANDOMIZATION, MULTEVAL_RANDOMIZATION, SACREBLEU_RANDOMIZATION)
TESTS_OF_RUNS = (WELCH, RANDOMIZATION, MULTEVAL_RANDOMIZATION, BOOTSTRAP)
TESTS_OF_ONE_RUN = tuple(name for name in TESTS if name not in (WELCH, MULTEVAL_RANDOMIZATION))
# No number of draws decides at a smaller level.
ALPHA, LEAST_ALPHA = 0.05, 1e-12


class TestSettings(IntervalSettings, kw_only=True):
    """The settings of a paired test.

    The smallest possible p-value is 1 / (draws + 1), and a correction multiplies it by the number
    of pairs, so that there are at least 100 draws for each pair where `draws` is None. sacreBLEU's
    tests use sacreBLEU's numbers.

    >>> TestSettings(test="randomization").replace(draws=500).draws
    500
    """

    # No class of tests, although pytest finds its name.
    __test__ = False

    test: str | None = option(
        default=None,
        help="; ".join(f"{name}: {what}" for name, what in TESTS.items()),
        choices=TESTS,
    )
    baseline: str | None = option(
        default=None, help="the system that the others are compared with (default: the first)"
    )
    all_pairs: bool = option(
        default=False,
        help="compare every two systems, not only the baseline with each other system",
    )
    draws: int | None = option(
        default=None,
        help="bootstrap draws, or trials of a randomization test (default: 1000, or 10000)",
        like=IntervalSettings.declared["draws"],
    )
    correction: str | None = option(
        default="holm",
        help=f"for several comparisons: {', '.join(CORRECTIONS)}, none",
        choices=CORRECTIONS,
    )
    correct_over: str = option(
        default=PAIRS,
        help="correct for the number of pairs, metric by metric (pairs), or of pairs and metrics "
        "(all)",
        choices=CORRECT_OVER,
    )
    alpha: float = option(
        default=ALPHA,
        help="a difference is significant if its p-value is below this",
        check=Between(LEAST_ALPHA, 1, ALPHA),
    )


DEFAULTS = TestSettings()


def check_alpha(alpha: float) -> None:
    """Validate a level of significance.

    Raises:
        OptionError: it is not a number between 0 and 1.
    """
    TestSettings(alpha=alpha)


def check_runs(test: str, runs: int) -> None:
    """Check that a test takes systems with so many runs.

    Args:
        test: the name of the test.
        runs: the number of runs of each system.

    Raises:
        OptionError: the test does not take several runs, or needs them.
    """
    if runs == 1 and test == WELCH:
        raise OptionError(
            "welch needs several runs of each system, such as NAME=RUN,RUN: add runs, or use "
            f"{' or '.join(TESTS_OF_ONE_RUN[:2])}",
            option="test",
        )
    if runs > 1 and test not in TESTS_OF_RUNS:
        raise OptionError(
            f"must be {' or '.join(TESTS_OF_RUNS)} for several runs, not {test!r}", option="test"
        )
