"""How sure the scores of a comparison are: an interval for each, and a test for every two."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import comb

from understudy.errors import InputError, OptionError
from understudy.statistics.resampling import DEFAULT_SEED
from understudy.studies.comparison.gaps import FEW, joined, testable
from understudy.studies.significance.correction import find_correction
from understudy.studies.significance.human_agreement import expected_agreement, is_covered
from understudy.studies.significance.interval import DRAWS, bootstrap_interval
from understudy.studies.significance.paired import (
    TRIALS,
    paired_approximate_randomization,
    paired_bootstrap,
)
from understudy.studies.significance.results import ALPHA, Estimate, PairedResults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from understudy.metrics.metric import Metric
    from understudy.studies.comparison.evaluation import Evaluation
    from understudy.studies.significance.interval import Interval
    from understudy.studies.significance.results import Comparison as Difference
    from understudy.studies.significance.systems import Systems

CORRECTION = "holm"
DRAWS_FOR_A_PAIR = 100
TOO_COARSE = (
    "With so few draws no difference can be significant after the correction: take more draws."
)
UNTESTED = (
    "That needs scores of the same segments for all systems, or of "
    f"{FEW} segments at least for each."
)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Significance:
    """Intervals of all scores, and the paired tests of all pairs of systems.

    Attributes:
        results: what the tests found; metrics have the comparison's names.
        alpha: a difference is significant where its p-value is below this.
        covered: by the metrics' names, those for which people's agreement can be estimated.
    """

    results: PairedResults
    alpha: float
    covered: dict[str, Metric[Any]]

    @property
    def draws(self) -> int | None:
        """How many test sets were drawn for the intervals, None where there are none."""
        return self._told("bs")

    @property
    def trials(self) -> int | None:
        """How often the systems changed places, None where the test was the bootstrap."""
        return self._told("ar")

    def _told(self, key: str) -> int | None:
        """Return a number that the signatures tell."""
        for signature in self.results.signatures.values():
            told = signature.to_dict().get(key)
            if told is not None:
                return int(told)
        return None

    @property
    def letters(self) -> dict[str, str]:
        """Each system's letter, by its name."""
        return dict(zip(self.results.systems, letters(len(self.results.systems)), strict=True))

    def interval(self, system: str, metric: str) -> Interval | None:
        """Return the interval of a system's score, None where the test made none."""
        for found in self.results.estimates:
            if (found.system, found.metric) == (system, metric):
                return found.interval
        return None

    def beaten(self, system: str, metric: str) -> tuple[str, ...]:
        """Return the systems that are significantly worse than one, by a metric."""
        found = [
            one.baseline if one.better == one.system else one.system
            for one in self.results.comparisons
            if (one.metric, one.better) == (metric, system) and one.is_significant(self.alpha)
        ]
        return tuple(name for name in self.results.systems if name in found)

    def marks(self, system: str, metric: str) -> str:
        """Return the letters of the systems that are significantly worse than one."""
        of = self.letters
        found = [of[name] for name in self.beaten(system, metric)]
        return ("" if all(len(letter) == 1 for letter in found) else ",").join(found)

    def agreement(self, difference: Difference) -> float | None:
        """Return the share of people expected to agree with a difference, where it is known.

        It is an estimate, of Kocmi et al. (2024); see
        `understudy.studies.significance.expected_agreement`, whose curves begin a little below
        half. Nobody found that people rather disagree with a small difference, so it is half there.
        """
        metric = self.covered.get(difference.metric)
        if metric is None:
            return None
        return max(0.5, expected_agreement(metric, difference.difference))

    def in_words(self) -> str:
        """Return how the intervals and marks came about, in a sentence or two."""
        interval = next((one.interval for one in self.results.estimates if one.interval), None)
        told = []
        if interval is not None:
            told.append(f"± is half the {interval.level:.0%} interval of {self.draws:,} draws.")
        if self.results.comparisons:
            told.append(
                "Letters behind a score name the systems that are significantly worse "
                f"({self.test_in_words()})."
            )
        if self.is_too_coarse:
            told.append(TOO_COARSE)
        if self.untested:
            told.append(self.untested_in_words())
        return " ".join(told)

    def untested_in_words(self) -> str:
        """Return which metrics were left out of the test, and why."""
        return f"Not tested: {', '.join(self.untested)}. {UNTESTED}"

    @property
    def untested(self) -> tuple[str, ...]:
        """The metrics by which the systems could not be tested."""
        tested = {one.metric for one in self.results.comparisons}
        if len(self.results.systems) == 1:
            return ()
        return tuple(name for name in self.results.metrics if name not in tested)

    @property
    def is_too_coarse(self) -> bool:
        """Whether not even the smallest p-value there can be is significant once corrected."""
        if not self.results.comparisons or self.results.correction not in ("holm", "bonferroni"):
            return False
        drawn = self.trials or self.draws
        pairs = len({(one.baseline, one.system) for one in self.results.comparisons})
        return drawn is not None and pairs / (drawn + 1) >= self.alpha

    def test_in_words(self) -> str:
        """Return what was tested and how, for a sentence."""
        trials = f" of {self.trials:,} trials" if self.trials else ""
        corrected = correction_in_words(self.results.correction)
        return f"{self.results.test}{trials}, p < {self.alpha:g}, {corrected}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            **self.results.to_dict(),
            "alpha": self.alpha,
            "letters": self.letters,
            "significantly_worse": {
                system: {
                    metric: list(self.beaten(system, metric)) for metric in self.results.metrics
                }
                for system in self.results.systems
            },
        }


def correction_in_words(correction: str | None) -> str:
    """Return a correction's name as a sentence has it.

    >>> correction_in_words("benjamini-hochberg"), correction_in_words(None)
    ('corrected for several tests as Benjamini-Hochberg do', 'not corrected for several tests')
    """
    if correction is None:
        return "not corrected for several tests"
    does = "do" if "-" in correction else "does"
    return f"corrected for several tests as {correction.title()} {does}"


def letters(systems: int) -> tuple[str, ...]:
    """Return a letter for each system; two after 26, as spreadsheets call their columns.

    >>> letters(28)[0], letters(28)[25:]
    ('a', ('z', 'aa', 'ab'))
    """
    found = []
    for number in range(systems):
        name = ""
        number += 1
        while number:
            number, place = divmod(number - 1, len(_ALPHABET))
            name = _ALPHABET[place] + name
        found.append(name)
    return tuple(found)


def run_test(
    evaluation: Evaluation,
    *,
    test: str = "bootstrap",
    draws: int | None = None,
    seed: int | None = DEFAULT_SEED,
    correction: str | None = CORRECTION,
    threads: int = 1,
) -> PairedResults:
    """Draw an interval for every score, and test every two systems.

    Scores that were given for some segments only are drawn from these.

    Args:
        evaluation: the systems, counted; their tables serve, and nothing is counted again.
        test: "bootstrap" (two-sided) or "randomization" (ties count), or sacreBLEU's own,
            "sacrebleu-bootstrap" or "sacrebleu-randomization".
        draws: how many test sets the bootstrap draws, or how often the systems change places in a
            randomization, whose intervals are of 1,000 draws; default 1,000, or 10,000 trials, and
            for many systems 100 for each pair: the smallest p-value is one in as many, and a
            correction multiplies it by the number of pairs.
        seed: what the draws begin from; None draws anew each time.
        correction: "holm", "bonferroni", "benjamini-hochberg" or None; for all pairs by one metric.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has a value it cannot take.
    """
    if test not in TESTS:
        raise OptionError(f"a test is one of {', '.join(TESTS)}, not {test!r}")
    if correction is not None:
        find_correction(correction)
    options: dict[str, Any] = {"seed": seed, "threads": threads}
    results = joined(
        evaluation,
        [_tested(systems, test, draws, options) for systems in testable(evaluation)],
    )
    if correction is None or not results.comparisons:
        return results
    return results.corrected(correction)


def _tested(
    systems: Systems, test: str, draws: int | None, options: dict[str, Any]
) -> PairedResults:
    if len(systems.names) == 1:
        return _intervals(systems, DRAWS if draws is None else draws, options)
    return TESTS[test](systems, draws, **options)


def _bootstrap(
    systems: Systems, draws: int | None, *, two_sided: bool = True, **options: Any
) -> PairedResults:
    draws = max(DRAWS, _for_pairs(systems)) if draws is None else draws
    return paired_bootstrap(systems, all_pairs=True, draws=draws, two_sided=two_sided, **options)


def _randomization(
    systems: Systems, trials: int | None, *, ties: str = "count", **options: Any
) -> PairedResults:
    trials = max(TRIALS, _for_pairs(systems)) if trials is None else trials
    return paired_approximate_randomization(
        systems, all_pairs=True, trials=trials, interval_draws=DRAWS, ties=ties, **options
    )


def _for_pairs(systems: Systems) -> int:
    return DRAWS_FOR_A_PAIR * comb(len(systems.names), 2)


# sacreBLEU's own find a difference where there is none more often than they say; the others do not.
TESTS: dict[str, Callable[..., PairedResults]] = {
    "bootstrap": _bootstrap,
    "randomization": _randomization,
    "sacrebleu-bootstrap": partial(_bootstrap, two_sided=False),
    "sacrebleu-randomization": partial(_randomization, ties="strict"),
}


def _intervals(systems: Systems, draws: int, options: dict[str, Any]) -> PairedResults:
    """Return the intervals of one system, which has nobody to be tested against."""
    ((name, tables),) = systems.tables.items()
    found = [
        Estimate(
            name,
            label,
            (interval := bootstrap_interval(metric, table, draws=draws, **options)).score,
            interval,
            metric.higher_is_better,
        )
        for label, metric, table in zip(systems.labels, systems.metrics, tables, strict=True)
    ]
    signatures = {one.metric: one.interval.signature for one in found if one.interval is not None}
    return PairedResults("no test", systems.names, systems.labels, tuple(found), (), signatures)


def significance_of(
    evaluation: Evaluation, results: PairedResults, alpha: float = ALPHA
) -> Significance:
    """Return what a test found in terms of the systems it was made of.

    Args:
        evaluation: the systems.
        results: what was found, with the metrics in the same order, and perhaps more behind them.
        alpha: a difference is significant where its p-value is below this.

    Raises:
        OptionError: alpha is not between 0 and 1.
        InputError: a metric was not tested.
    """
    if len(results.metrics) < len(evaluation.names):
        raise InputError(
            f"the test was of {', '.join(results.metrics)}, but the comparison is by "
            f"{', '.join(evaluation.names)}; test all of them, in this order"
        )
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < 1:
        raise OptionError(f"alpha must be between 0 and 1, not {alpha!r}")
    covered = {
        name: metric
        for name, metric in zip(evaluation.names, evaluation.metrics, strict=True)
        if is_covered(metric)
    }
    return Significance(_named(results, evaluation.names), alpha, covered)


def _named(results: PairedResults, names: Sequence[str]) -> PairedResults:
    """Return results with other names for the first metrics, and without those behind them."""
    new = dict(zip(results.metrics, names, strict=False))
    estimates = [one for one in results.estimates if one.metric in new]
    comparisons = [one for one in results.comparisons if one.metric in new]
    signatures = results.signatures.items()
    return replace(
        results,
        metrics=tuple(names),
        estimates=tuple(replace(one, metric=new[one.metric]) for one in estimates),
        comparisons=tuple(replace(one, metric=new[one.metric]) for one in comparisons),
        signatures={new[name]: found for name, found in signatures if name in new},
    )
