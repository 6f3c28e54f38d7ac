"""A paired test by its name, with intervals, a number of draws for the pairs, and a correction."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.frozen import checked
from bleuet.messages import nearest
from bleuet.significance.correction import ALL, PAIRS, check_correct_over, find_correction
from bleuet.significance.few_segments import are_few
from bleuet.significance.interval import CONFIDENCE, DRAWS, check_draws
from bleuet.significance.missing_scores import for_scored_segments
from bleuet.significance.paired import (
    COUNT,
    STRICT,
    TRIALS,
    PairedTest,
    draw_scores,
    paired_approximate_randomization,
    paired_bootstrap,
)
from bleuet.significance.paired_results import (
    BOOTSTRAP,
    MULTEVAL_RANDOMIZATION,
    NO_TEST,
    RANDOMIZATION,
    SACREBLEU_RANDOMIZATION,
    TESTS,
    PairedResults,
)
from bleuet.significance.result_parts import ALPHA
from bleuet.statistics.seed import SEED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.evaluation.evaluation import Evaluation

CORRECTION = "holm"
DRAWS_FOR_A_TEST = 100
# The tests that exchange segments and do not draw them.
RANDOMIZATIONS = (RANDOMIZATION, MULTEVAL_RANDOMIZATION, SACREBLEU_RANDOMIZATION)
TESTS_OF_ONE_RUN = tuple(name for name in TESTS if name != MULTEVAL_RANDOMIZATION)
TESTS_OF_RUNS = (RANDOMIZATION, MULTEVAL_RANDOMIZATION, BOOTSTRAP)


@checked
def paired_test(
    evaluation: Evaluation,
    *,
    test: str | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    draws: int | None = None,
    seed: int | None = SEED,
    confidence: float = CONFIDENCE,
    correction: str | None = CORRECTION,
    correct_over: str = PAIRS,
    alpha: float = ALPHA,
    threads: int = 1,
) -> PairedResults:
    """Compute an interval for every score, and test systems in pairs.

    External scores are tested on the segments that all systems have a score for. If the systems
    have documents, whole documents are drawn and exchanged.

    Args:
        evaluation: the systems, counted.
        test: "bootstrap" (two-sided) or "randomization" (ties count); sacreBLEU's tests,
            "sacrebleu-bootstrap" or "sacrebleu-randomization", for one run; or MultEval's for
            several runs, "multeval-randomization". Default the bootstrap; the randomization for
            several runs, and below 100 segments or documents.
        baseline: the name of the system that all others are compared with; default the first.
        all_pairs: compare every two systems.
        draws: the number of test sets that a bootstrap draws, or of trials of a randomization,
            whose intervals are of 1,000 draws. Default 1,000 draws, or 10,000 trials, and at least
            100 for each pair: the smallest possible p-value is 1 / (draws + 1), and a correction
            multiplies it by the number of pairs. sacreBLEU's tests use sacreBLEU's numbers.
        seed: the random seed; None draws differently each time.
        confidence: the share of draws inside the intervals.
        correction: "holm", "bonferroni", "benjamini-hochberg" or None.
        correct_over: "pairs" corrects for the number of pairs, metric by metric; "all" for the
            number of pairs and metrics.
        alpha: a difference is significant where its p-value is below this.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has an invalid value.

    >>> from bleuet import CHRF
    >>> from bleuet.significance import Evaluation
    >>> hypotheses = {"old": ["A cat sat.", "It rain."] * 4, "new": ["A cat sat.", "It rains."] * 4}
    >>> evaluation = Evaluation.count([CHRF()], hypotheses, ["The cat sat.", "It rains."] * 4)
    >>> found = paired_test(evaluation, test="randomization").comparison("old", "new")
    >>> found.better, round(found.difference, 2), round(found.p, 3)
    ('new', 15.23, 0.126)
    """
    name = default_test(evaluation) if test is None else test
    check_test(name, correction, evaluation.runs)
    check_correct_over(correct_over)
    pairs = len(evaluation.pairs(baseline, all_pairs))
    options: dict[str, Any] = {
        "baseline": baseline,
        "all_pairs": all_pairs,
        "seed": seed,
        "confidence": confidence,
        "threads": threads,
    }
    tests = pairs * len(evaluation.metrics) if correct_over == ALL else pairs
    made = default_draws(name, tests) if draws is None else draws

    def run(part: Evaluation) -> PairedResults:
        if name in RANDOMIZATIONS:
            return paired_approximate_randomization(
                part,
                trials=made,
                ties=STRICT if name == SACREBLEU_RANDOMIZATION else COUNT,
                each_run=name == MULTEVAL_RANDOMIZATION,
                interval_draws=DRAWS,
                **options,
            )
        return paired_bootstrap(part, draws=made, two_sided=name == BOOTSTRAP, **options)

    results = for_scored_segments(evaluation, run).replace(alpha=alpha)
    return results.corrected(correction, correct_over)


def score_intervals(
    evaluation: Evaluation,
    *,
    draws: int | None = None,
    seed: int | None = SEED,
    confidence: float = CONFIDENCE,
    threads: int = 1,
) -> PairedResults:
    """Compute an interval for every score, without a test.

    Args:
        evaluation: the systems.
        draws: the number of test sets to draw; default 1,000.
        seed: the random seed; None draws differently each time.
        confidence: the share of draws inside the intervals.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: an option has an invalid value.
    """
    made = DRAWS if draws is None else draws
    check_draws(made, least=2)

    def run(part: Evaluation) -> PairedResults:
        drawn = draw_scores(part, made, seed, threads)
        settings = PairedTest(NO_TEST, part, None, True, made, None, seed, confidence)
        return settings.results(None, drawn)

    return for_scored_segments(evaluation, run)


def default_test(evaluation: Evaluation) -> str:
    """Return the default test: a randomization for several runs, and for few segments.

    >>> from bleuet.significance import Evaluation
    >>> lines = ["The cat sat."] * 100
    >>> default_test(Evaluation.count(["ter"], {"old": lines, "new": lines}, lines))
    'bootstrap'
    """
    return RANDOMIZATION if evaluation.runs > 1 or are_few(evaluation.units) else BOOTSTRAP


def default_draws(test: str, tests: int) -> int:
    """Return the default number of draws or trials of a test.

    Args:
        test: the name of the test.
        tests: the number of tests that p-values are corrected for.

    >>> default_draws("randomization", 4), default_draws("randomization", 190)
    (10000, 19000)
    >>> default_draws("sacrebleu-randomization", 190)
    10000
    """
    least = TRIALS if test in RANDOMIZATIONS else DRAWS
    return least if test.startswith("sacrebleu") else max(least, DRAWS_FOR_A_TEST * tests)


def check_test(test: str, correction: str | None, runs: int = 1) -> None:
    """Validate the name of a test and of a correction.

    Args:
        test: the name of the test.
        correction: the name of the correction, None for none.
        runs: the number of runs of each system.

    Raises:
        OptionError: there is no such test or correction, or the test does not take several runs.
    """
    if test not in TESTS:
        raise OptionError(
            f"must be one of {', '.join(TESTS)}, not {test!r}{nearest(str(test), TESTS)}",
            option="test",
        )
    if runs > 1 and test not in TESTS_OF_RUNS:
        raise OptionError(
            f"must be {' or '.join(TESTS_OF_RUNS)} for several runs, not {test!r}", option="test"
        )
    if correction is not None:
        find_correction(correction)
