"""A paired test by its name, with intervals, as many draws as it needs, and a correction."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from bleuet.errors import OptionError
from bleuet.messages import nearest
from bleuet.statistics.resampling import DEFAULT_SEED
from bleuet.studies.significance.correction import find_correction
from bleuet.studies.significance.gaps import over_gaps
from bleuet.studies.significance.interval import DRAWS, LEVEL, bootstrap_intervals
from bleuet.studies.significance.paired import (
    COUNT,
    STRICT,
    TRIALS,
    paired_approximate_randomization,
    paired_bootstrap,
)
from bleuet.studies.significance.results import Estimate, PairedResults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bleuet.studies.significance.systems import Systems

TEST = "bootstrap"
RANDOMIZATION = "randomization"
STRICT_RANDOMIZATION = "sacrebleu-randomization"
CORRECTION = "holm"
DRAWS_FOR_A_PAIR = 100


def paired_test(
    systems: Systems,
    *,
    test: str = TEST,
    baseline: str | None = None,
    all_pairs: bool = False,
    draws: int | None = None,
    seed: int | None = DEFAULT_SEED,
    level: float = LEVEL,
    correction: str | None = CORRECTION,
    threads: int = 1,
) -> PairedResults:
    """Draw an interval for every score and test systems in pairs.

    Scores that some segments lack are drawn from those that have one, for some system.

    Args:
        systems: the systems, counted.
        test: "bootstrap" (two-sided) or "randomization" (ties count), or sacreBLEU's own,
            "sacrebleu-bootstrap" or "sacrebleu-randomization".
        baseline: whom all others are compared with; by default the first.
        all_pairs: compare every system with every other.
        draws: how many test sets the bootstrap draws, or how often the systems change places in a
            randomization, whose intervals are of 1,000 draws; default 1,000, or 10,000 trials, and
            for many pairs 100 for each: the smallest p-value is one in as many, and a correction
            multiplies it by the number of pairs. sacreBLEU's own take sacreBLEU's numbers.
        seed: what the draws begin from; None draws anew each time.
        level: the share of draws that intervals hold.
        correction: "holm", "bonferroni", "benjamini-hochberg" or None; for all pairs by one metric.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has a value it cannot take.

    >>> from bleuet import CHRF
    >>> from bleuet.studies.significance import Systems
    >>> hypotheses = {"old": ["A cat sat.", "It rain."] * 4, "new": ["A cat sat.", "It rains."] * 4}
    >>> systems = Systems.count([CHRF()], hypotheses, ["The cat sat.", "It rains."] * 4)
    >>> found = paired_test(systems, test="randomization").comparison("old", "new")
    >>> found.better, round(found.difference, 2), round(found.p, 3)
    ('new', 15.23, 0.126)
    """
    check_test(test, correction)
    pairs = len(systems.pairs(baseline, all_pairs))
    results = over_gaps(
        systems,
        lambda part: TESTS[test].run(
            part,
            draws,
            pairs,
            baseline=baseline,
            all_pairs=all_pairs,
            seed=seed,
            level=level,
            threads=threads,
        ),
    )
    if correction is None or not results.comparisons:
        return results
    return results.corrected(correction)


def intervals_alone(systems: Systems, *, draws: int | None = None, **options: Any) -> PairedResults:
    """Draw an interval for every score of systems that are not tested against each other.

    Args:
        systems: the systems.
        draws: how many test sets are drawn; default 1,000.
        **options: seed, level and threads, as for `paired_test`.

    Raises:
        OptionError: an option has a value it cannot take.
    """
    return over_gaps(
        systems, lambda part: _intervals(part, DRAWS if draws is None else draws, options)
    )


def _intervals(systems: Systems, draws: int, options: dict[str, Any]) -> PairedResults:
    counted = [
        (metric, table)
        for row in systems.tables.values()
        for metric, table in zip(systems.metrics, row, strict=True)
    ]
    drawn = iter(bootstrap_intervals(counted, draws=draws, **options))
    estimates = tuple(
        Estimate(name, label, (found := next(drawn)).score, found, metric.higher_is_better)
        for name in systems.names
        for label, metric in zip(systems.labels, systems.metrics, strict=True)
    )
    of_metrics = estimates[: len(systems.metrics)]
    signatures = {one.metric: one.interval.signature for one in of_metrics if one.interval}
    return PairedResults("no test", systems.names, systems.labels, estimates, (), signatures)


def check_test(test: str, correction: str | None) -> None:
    """Refuse names of tests and corrections that do not exist.

    Raises:
        OptionError: there is no such test, or no such correction.
    """
    if test not in TESTS:
        raise OptionError(
            f"a test is one of {', '.join(TESTS)}, not {test!r}{nearest(str(test), TESTS)}"
        )
    if correction is not None:
        find_correction(correction)


def _bootstrap(
    systems: Systems, draws: int | None, pairs: int, *, two_sided: bool = True, **options: Any
) -> PairedResults:
    usual = max(DRAWS, DRAWS_FOR_A_PAIR * pairs) if two_sided else DRAWS
    draws = usual if draws is None else draws
    return paired_bootstrap(systems, draws=draws, two_sided=two_sided, **options)


def _randomization(
    systems: Systems, trials: int | None, pairs: int, *, ties: str = COUNT, **options: Any
) -> PairedResults:
    return paired_approximate_randomization(
        systems,
        trials=usual_trials(pairs, ties) if trials is None else trials,
        interval_draws=DRAWS,
        ties=ties,
        **options,
    )


def usual_trials(pairs: int, ties: str) -> int:
    """Return how often systems change places where nobody says, for a number of pairs.

    >>> usual_trials(4, "count"), usual_trials(190, "count"), usual_trials(190, "strict")
    (10000, 19000, 10000)
    """
    return max(TRIALS, DRAWS_FOR_A_PAIR * pairs) if ties == COUNT else TRIALS


class Test(NamedTuple):
    """A paired test.

    Attributes:
        summary: what it is, in words.
        run: makes it of systems, draws (None for its own number) and the number of pairs.
    """

    summary: str
    run: Callable[..., PairedResults]


# sacreBLEU's own find a difference where there is none more often than they say; the others do not.
TESTS: dict[str, Test] = {
    TEST: Test("two-sided paired bootstrap", _bootstrap),
    RANDOMIZATION: Test("paired approximate randomization, ties count", _randomization),
    "sacrebleu-bootstrap": Test(
        "sacreBLEU's paired bootstrap", partial(_bootstrap, two_sided=False)
    ),
    STRICT_RANDOMIZATION: Test(
        "sacreBLEU's paired approximate randomization", partial(_randomization, ties=STRICT)
    ),
}
