"""A paired test by its name, with intervals, a number of draws for the pairs, and a correction."""

from __future__ import annotations

from bleuet.frozen import checked
from bleuet.significance.correction import ALL
from bleuet.significance.few_segments import are_few, effective_rows
from bleuet.significance.interval import DRAWS, INTERVALS
from bleuet.significance.missing_scores import for_scored_segments, scored_parts
from bleuet.significance.paired import (
    TRIALS,
    PairedTest,
    draw_scores,
    paired_approximate_randomization,
    paired_bootstrap,
)
from bleuet.significance.paired_results import PairedResults
from bleuet.significance.runs import welch_test
from bleuet.significance.settings import (
    BOOTSTRAP,
    DEFAULTS,
    RANDOMIZATION,
    RANDOMIZATIONS,
    WELCH,
    TestSettings,
    check_runs,
)
from bleuet.study_settings import IntervalSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.evaluation.evaluation import Evaluation

DRAWS_FOR_A_TEST = 100
# Where draws decide whether a difference is significant, so many times as many are made.
MORE, MOST_DRAWS = 4, 100_000


@checked
def paired_test(
    evaluation: Evaluation, settings: TestSettings = DEFAULTS, *, threads: int = 1
) -> PairedResults:
    """Compute an interval for every score, and test systems in pairs.

    External scores are tested on the segments that all systems have a score for. If the systems
    have documents, whole documents are drawn and exchanged.

    Args:
        evaluation: the systems, counted.
        settings: the test and its settings. Without a test, the bootstrap; Welch's for several
            runs; the randomization where a metric compares fewer than 100 segments or documents,
            or documents of so unequal size that they count as fewer than 70. Without a number of
            draws, 1,000 draws, or 10,000 trials, and at least 100 for each pair; and where a
            p-value is within two standard errors of alpha, 4 times as many until none is,
            up to 100,000. 1,000 draws for the intervals beside a randomization. sacreBLEU's tests
            make as many draws as sacreBLEU.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: the settings do not fit the systems.

    >>> from bleuet import CHRF
    >>> from bleuet.significance import Evaluation, TestSettings
    >>> hypotheses = {"old": ["A cat sat.", "It rain."] * 4, "new": ["A cat sat.", "It rains."] * 4}
    >>> evaluation = Evaluation.count([CHRF()], hypotheses, ["The cat sat.", "It rains."] * 4)
    >>> results = paired_test(evaluation, TestSettings(test="randomization"))
    >>> found = results.comparison("old", "new")
    >>> found.better, round(found.difference, 2), round(found.p, 3)
    ('new', 15.23, 0.126)
    """
    test = settings.test or default_test(evaluation)
    check_runs(test, evaluation.runs)
    tests = len(evaluation.pairs(settings.baseline, settings.all_pairs))
    if settings.correct_over == ALL:
        tests *= len(evaluation.metrics)
    draws = default_draws(test, tests) if settings.draws is None else settings.draws
    results = _tested(evaluation, settings.replace(test=test, draws=draws), threads)
    adds_draws = settings.draws is None and test in (BOOTSTRAP, RANDOMIZATION, WELCH)
    while adds_draws and results.undecided and (draws := MORE * draws) <= MOST_DRAWS:
        results = _tested(evaluation, settings.replace(test=test, draws=draws), threads)
    return results


def _tested(evaluation: Evaluation, settings: TestSettings, threads: int) -> PairedResults:
    """Return the results of a test whose name and number of draws are set."""

    def run(part: Evaluation) -> PairedResults:
        if settings.test in RANDOMIZATIONS:
            return paired_approximate_randomization(
                part, settings, interval_draws=DRAWS, threads=threads
            )
        if settings.test == WELCH:
            return welch_test(part, settings, threads=threads)
        return paired_bootstrap(part, settings, threads=threads)

    results = for_scored_segments(evaluation, run)
    return results.corrected(settings.correction, settings.correct_over)


def score_intervals(
    evaluation: Evaluation, settings: IntervalSettings = INTERVALS, *, threads: int = 1
) -> PairedResults:
    """Compute an interval for every score, without a test.

    Args:
        evaluation: the systems.
        settings: the draws, their seed and the confidence level.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: an option has an invalid value.
    """
    draws = DRAWS if settings.draws is None else settings.draws
    made = TestSettings(
        draws=draws,
        seed=settings.seed,
        confidence=settings.confidence,
        all_pairs=True,
        correction=None,
    )

    def run(part: Evaluation) -> PairedResults:
        drawn = draw_scores(part, draws, made.seed, threads)
        return PairedTest(part, made, draws, drawn).results()

    return for_scored_segments(evaluation, run)


def default_test(evaluation: Evaluation) -> str:
    """Return the default test: Welch's for several runs, a randomization for few segments.

    Segments without a score do not count, and documents of unequal size count as fewer. All metrics
    have the same test.

    >>> from bleuet.significance import Evaluation
    >>> lines = ["The cat sat."] * 100
    >>> default_test(Evaluation.count(["ter"], {"old": lines, "new": lines}, lines))
    'bootstrap'
    """
    if evaluation.runs > 1:
        return WELCH
    parts = [part for _, part in scored_parts(evaluation)] or [evaluation]
    few = any(
        are_few(part.units) or are_few(part.units, effective_rows(part.unit_tables()))
        for part in parts
    )
    return RANDOMIZATION if few else BOOTSTRAP


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
