"""A paired test by its name, with intervals, a number of draws for the pairs, and a correction."""

from __future__ import annotations

from dataclasses import replace

from bleuet.errors import OptionError
from bleuet.frozen import checked
from bleuet.messages import nearest
from bleuet.statistics.seed import SEED
from bleuet.studies.significance.correction import find_correction
from bleuet.studies.significance.interval import CONFIDENCE, DRAWS, bootstrap_intervals
from bleuet.studies.significance.missing_scores import for_scored_segments
from bleuet.studies.significance.paired import (
    COUNT,
    STRICT,
    TRIALS,
    paired_approximate_randomization,
    paired_bootstrap,
)
from bleuet.studies.significance.paired_results import (
    BOOTSTRAP,
    NO_TEST,
    RANDOMIZATION,
    SACREBLEU_RANDOMIZATION,
    TESTS,
    PairedResults,
)
from bleuet.studies.significance.result_parts import ALPHA, SystemScore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.studies.significance.systems import Systems

CORRECTION = "holm"
DRAWS_FOR_A_PAIR = 100
# The tests of several runs, whose segments are exchanged and not drawn.
TESTS_OF_RUNS = (RANDOMIZATION, SACREBLEU_RANDOMIZATION)


@checked
def paired_test(
    systems: Systems,
    *,
    test: str | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    draws: int | None = None,
    seed: int | None = SEED,
    confidence: float = CONFIDENCE,
    correction: str | None = CORRECTION,
    alpha: float = ALPHA,
    threads: int = 1,
) -> PairedResults:
    """Compute an interval for every score, and test systems in pairs.

    Segments without an external score are left out of the test of these scores. Several runs have
    no intervals.

    Args:
        systems: the systems, counted.
        test: "bootstrap" (two-sided) or "randomization" (ties count), or sacreBLEU's tests,
            "sacrebleu-bootstrap" or "sacrebleu-randomization"; default the bootstrap, for several
            runs the randomization.
        baseline: the name of the system that all others are compared with; default the first.
        all_pairs: compare every two systems.
        draws: the number of test sets that a bootstrap draws, or of trials of a randomization,
            whose intervals are of 1,000 draws. Default 1,000 draws, or 10,000 trials, and at least
            100 for each pair: the smallest possible p-value is 1 / (draws + 1), and a correction
            multiplies it by the number of pairs. sacreBLEU's tests use sacreBLEU's numbers.
        seed: the random seed; None draws differently each time.
        confidence: the share of draws inside the intervals.
        correction: "holm", "bonferroni", "benjamini-hochberg" or None, over all pairs by a metric.
        alpha: a difference is significant where its p-value is below this.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has an invalid value.

    >>> from bleuet import CHRF
    >>> from bleuet.studies.significance import Systems
    >>> hypotheses = {"old": ["A cat sat.", "It rain."] * 4, "new": ["A cat sat.", "It rains."] * 4}
    >>> systems = Systems.count([CHRF()], hypotheses, ["The cat sat.", "It rains."] * 4)
    >>> found = paired_test(systems, test="randomization").comparison("old", "new")
    >>> found.better, round(found.difference, 2), round(found.p, 3)
    ('new', 15.23, 0.126)
    """
    name = default_test(systems.runs) if test is None else test
    check_test(name, correction, systems.runs)
    pairs = len(systems.pairs(baseline, all_pairs))
    options: dict[str, Any] = {
        "baseline": baseline,
        "all_pairs": all_pairs,
        "seed": seed,
        "confidence": confidence,
        "threads": threads,
    }
    made = default_draws(name, pairs) if draws is None else draws

    def run(part: Systems) -> PairedResults:
        if name in TESTS_OF_RUNS:
            ties = COUNT if name == RANDOMIZATION else STRICT
            interval_draws = DRAWS if part.runs == 1 else 0
            return paired_approximate_randomization(
                part, trials=made, ties=ties, interval_draws=interval_draws, **options
            )
        return paired_bootstrap(part, draws=made, two_sided=name == BOOTSTRAP, **options)

    results = replace(for_scored_segments(systems, run), alpha=alpha)
    return results.corrected(correction)


def score_intervals(
    systems: Systems,
    *,
    draws: int | None = None,
    seed: int | None = SEED,
    confidence: float = CONFIDENCE,
    threads: int = 1,
) -> PairedResults:
    """Compute an interval for every score, without a test.

    Args:
        systems: the systems, each of one run.
        draws: the number of test sets to draw; default 1,000.
        seed: the random seed; None draws differently each time.
        confidence: the share of draws inside the intervals.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: an option has an invalid value.
    """
    made = DRAWS if draws is None else draws

    def run(part: Systems) -> PairedResults:
        counted = [
            (metric, table)
            for row in part.tables.values()
            for metric, table in zip(part.metrics, row, strict=True)
        ]
        intervals = iter(
            bootstrap_intervals(
                counted, draws=made, seed=seed, confidence=confidence, threads=threads
            )
        )
        scores = tuple(
            SystemScore(name, label, (own := next(intervals)).score, own, metric.higher_is_better)
            for name in part.names
            for label, metric in zip(part.labels, part.metrics, strict=True)
        )
        of_first = scores[: len(part.metrics)]
        signatures = {one.metric: one.interval.signature for one in of_first if one.interval}
        return PairedResults(
            NO_TEST, part.names, part.labels, scores, (), signatures, draws=made, seed=seed
        )

    return for_scored_segments(systems, run)


def default_test(runs: int) -> str:
    """Return the default test of systems with a number of runs.

    >>> default_test(1), default_test(3)
    ('bootstrap', 'randomization')
    """
    return BOOTSTRAP if runs == 1 else RANDOMIZATION


def default_draws(test: str, pairs: int) -> int:
    """Return the default number of draws or trials of a test.

    Args:
        test: the name of the test.
        pairs: the number of pairs of systems.

    >>> default_draws("randomization", 4), default_draws("randomization", 190)
    (10000, 19000)
    >>> default_draws("sacrebleu-randomization", 190)
    10000
    """
    least = TRIALS if test in TESTS_OF_RUNS else DRAWS
    return max(least, DRAWS_FOR_A_PAIR * pairs) if test in (BOOTSTRAP, RANDOMIZATION) else least


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
