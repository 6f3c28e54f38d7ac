"""The scores and comparisons that a paired test returns, and how to look them up."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.frozen import Value, checked
from bleuet.output.plain_values import plain_values
from bleuet.significance.correction import ALL, PAIRS, correct
from bleuet.significance.few_segments import are_few
from bleuet.significance.power import (
    SIZES,
    PlannedPower,
    detectable_difference,
    planned_differences,
    power_of,
)
from bleuet.significance.result_parts import MissingScores, PairedComparison, SystemScore
from bleuet.significance.settings import RANDOMIZATIONS, WELCH, TestSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Self

    from bleuet.metrics.base.signature import Signature

NO_TEST = "intervals only"
# What `to_dict` shows as it is.
_SETTINGS = (
    *("test", "draws", "trials", "seed=settings.seed", "segments", "runs", "documents"),
    *(f"{name}=settings.{name}" for name in ("correction", "correct_over", "alpha")),
    *("baseline", "scores"),
)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class PairedScores(Value):
    """The scores of systems by several metrics, and paired tests of their differences.

    Attributes:
        settings: those of the test, with its name, its baseline, and the number of its draws or
            trials; without a name, there are intervals only.
        systems: the names of the systems.
        metrics: the labels of the metrics.
        scores: system after system, one per metric.
        comparisons: pair after pair, one per metric.
        signatures: by the label of the metric, how to compute the results again.
        segments: the number of segments of the test set.
        runs: the number of runs of each system.
        documents: the number of documents, which are drawn and exchanged whole; None where
            segments are.
        draws: the number of bootstrap draws, None for none.
        extra_digits: by the label of the metric, the digits beyond those of scores in percent.
        missing: for each metric without a score of some segments, which segments have one.
        effective_units: by the label of the metric, how many units of equal size say as much as the
            compared ones, which are of unequal size.
    """

    settings: TestSettings
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: tuple[SystemScore, ...]
    comparisons: tuple[PairedComparison, ...]
    signatures: dict[str, Signature]
    segments: int = 0
    runs: int = 1
    documents: int | None = None
    draws: int | None = None
    extra_digits: Mapping[str, int] = {}
    missing: tuple[MissingScores, ...] = ()
    effective_units: Mapping[str, float] = {}

    # --- The test -----------------------------------------------------------------------------

    @property
    def test(self) -> str:
        """The name of the test, or "intervals only"."""
        return self.settings.test or NO_TEST

    @property
    def trials(self) -> int | None:
        """The number of trials of a randomization, None for none."""
        return self.settings.draws if self.test in RANDOMIZATIONS else None

    @property
    def alpha(self) -> float:
        """A difference is significant where its p-value is below this."""
        return self.settings.alpha

    @property
    def baseline(self) -> str | None:
        """The system that all others are compared with, None for all pairs."""
        return self.settings.baseline

    # --- Looking up ---------------------------------------------------------------------------

    @checked
    def score(self, system: str, metric: str | None = None) -> SystemScore:
        """Return the score of a system.

        Args:
            system: the name of the system.
            metric: the label of the metric; default the first.

        Raises:
            OptionError: there is no such score.
        """
        wanted = self.metrics[0] if metric is None else metric
        for one in self.scores:
            if (one.system, one.metric) == (system, wanted):
                return one
        raise OptionError(
            f"there is no score of {system!r} by {wanted!r}; the systems are "
            f"{', '.join(self.systems)}, the metrics {', '.join(self.metrics)}"
        )

    @checked
    def comparison(self, one: str, other: str, metric: str | None = None) -> PairedComparison:
        """Return the comparison of two systems, in either order.

        Args:
            one: the name of one system.
            other: the name of the other.
            metric: the label of the metric; default the first.

        Raises:
            OptionError: the two were not compared.
        """
        wanted = self.metrics[0] if metric is None else metric
        for found in self.comparisons:
            if found.metric == wanted and {found.baseline, found.system} == {one, other}:
                return found
        pairs = dict.fromkeys(f"{found.baseline} : {found.system}" for found in self.comparisons)
        raise OptionError(
            f"{one!r} and {other!r} were not compared by {wanted!r}; the pairs are "
            f"{', '.join(pairs)}, the metrics {', '.join(self.metrics)}"
        )

    @checked
    def comparisons_by(self, metric: str) -> list[PairedComparison]:
        """Return the comparisons of all pairs by one metric."""
        return [one for one in self.comparisons if one.metric == metric]

    @checked
    def significantly_worse(self, system: str, metric: str) -> tuple[str, ...]:
        """Return the systems that are significantly worse than a system.

        Args:
            system: the name of the system.
            metric: the label of the metric.
        """
        worse = {
            one.worse
            for one in self.comparisons_by(metric)
            if one.better == system and one.is_significant(self.alpha)
        }
        return tuple(name for name in self.systems if name in worse)

    @property
    def letters(self) -> dict[str, str]:
        """The letter of each system, by its name."""
        return dict(zip(self.systems, letters(len(self.systems)), strict=True))

    @checked
    def marks(self, system: str, metric: str) -> str:
        """Return the letters of the systems that are significantly worse than a system.

        Args:
            system: the name of the system.
            metric: the label of the metric.
        """
        of_system = self.letters
        found = [of_system[name] for name in self.significantly_worse(system, metric)]
        return ("" if all(len(letter) == 1 for letter in found) else ",").join(found)

    @checked
    def ranks(self, metric: str | None = None) -> dict[str, int]:
        """Return the rank of each system: 1 plus the number of significantly better systems.

        Only systems that were compared count, so compare all pairs.

        Args:
            metric: the label of the metric; default the first.

        Raises:
            OptionError: there is no such metric.
        """
        wanted = self.score(self.systems[0], metric).metric
        worse = [one.worse for one in self.comparisons_by(wanted) if one.is_significant(self.alpha)]
        return {name: 1 + worse.count(name) for name in self.systems}

    @property
    def untested(self) -> tuple[str, ...]:
        """The metrics with too few scores for a test, or for intervals if there is no test."""
        tested = {one.metric for one in self.comparisons}
        if len(self.systems) == 1:
            return ()
        tested = tested or {one.metric for one in self.scores if one.interval is not None}
        return tuple(name for name in self.metrics if name not in tested)

    @property
    def needs_more_draws(self) -> bool:
        """Whether even the smallest possible p-value, once corrected, is not significant."""
        drawn = self.trials or self.draws
        if not self.comparisons or drawn is None or self.test == WELCH:
            return False
        tests = self._pairs if self.settings.correction in ("holm", "bonferroni") else 1
        if tests > 1 and self.settings.correct_over == ALL:
            tests = len(self.comparisons)
        return tests / (drawn + 1) >= self.alpha

    @property
    def undecided(self) -> tuple[PairedComparison, ...]:
        """The comparisons that other draws may decide in another way."""
        return tuple(one for one in self.comparisons if one.is_undecided(self.alpha))

    @property
    def _pairs(self) -> int:
        return len({(one.baseline, one.system) for one in self.comparisons})

    # --- The same results in another way ------------------------------------------------------

    @checked
    def shown_agreement(self, one: PairedComparison) -> float | None:
        """Return the human agreement with a difference, None if it is not significant.

        Args:
            one: a comparison of these results.
        """
        return one.human_agreement if one.is_significant(self.alpha) else None

    @property
    def units(self) -> int:
        """The number of segments, or of documents, that a draw selects from."""
        return self.segments if self.documents is None else self.documents

    @property
    def tested_units(self) -> dict[str, int]:
        """By the label of the metric, the number of segments, or of documents, that it compares.

        They are fewer than `units` where segments lack a score.
        """
        compared = {one.metric: one.units for one in self.comparisons}
        return {name: compared.get(name, self.units) for name in self.metrics}

    @checked
    def detectable(self, metric: str) -> float | None:
        """Return the smallest true difference that this test set shows in 80% of cases.

        Of several pairs it is that of the pair in the middle, before a correction of p-values.

        Args:
            metric: the label of the metric.

        Returns:
            The difference in points; None where the test made no draws, where segments are too few
            for a bootstrap, where fewer than 10 differ, and in Welch's test of several runs.
        """
        error = self._standard_error(metric)
        return None if error is None else detectable_difference(error, self.alpha)

    @checked
    def power(self, metric: str, difference: float, units: int | None = None) -> float | None:
        """Return how often a test finds a true difference, before a correction of p-values.

        Args:
            metric: the label of the metric.
            difference: the true difference, in points.
            units: the number of segments, or of documents, of the test set; default as many as the
                metric compares here.

        Returns:
            The share of test sets of this size; None where `detectable` is None.
        """
        error = self._standard_error(metric)
        if error is None:
            return None
        here = self.tested_units[metric]
        return power_of(difference, error * (here / (units or here)) ** 0.5, self.alpha)

    @checked
    def planned_power(self, metric: str) -> tuple[PlannedPower, ...]:
        """Return the power of round differences on test sets of this size, twice and 4 times it.

        Args:
            metric: the label of the metric.

        Returns:
            Three differences by three sizes; nothing where `detectable` is None.
        """
        detectable = self.detectable(metric)
        return tuple(
            PlannedPower(metric, difference, units, self.power(metric, difference, units) or 0.0)
            for difference in ([] if detectable is None else planned_differences(detectable))
            for units in [size * self.tested_units[metric] for size in SIZES]
        )

    def _standard_error(self, metric: str) -> float | None:
        """Return the standard error of the pair in the middle, None where it says nothing.

        It says nothing of several runs, which longer test sets do not make more.
        """
        if self.test == WELCH:
            return None
        known = sorted(
            one.standard_error
            for one in self.comparisons_by(metric)
            if one.standard_error
            and not one.few_differ
            and not are_few(one.units, self.effective_units.get(metric))
        )
        return known[len(known) // 2] if known else None

    @checked
    def corrected(self, correction: str | None, over: str = PAIRS) -> Self:
        """Return the results with p-values corrected for the number of tests.

        Args:
            correction: "bonferroni", "holm", "benjamini-hochberg" or None.
            over: "pairs" corrects for the number of pairs, metric by metric; "all" for the number
                of pairs and metrics.

        Raises:
            OptionError: there is no such correction.
        """
        settings = self.settings.replace(correction=correction, correct_over=over)
        if correction is None or not self.comparisons:
            return self
        families: dict[str, list[PairedComparison]] = {}
        for one in self.comparisons:
            families.setdefault("" if over == ALL else one.metric, []).append(one)
        p_of = {
            family: iter(correct([one.p_value for one in tests], correction))
            for family, tests in families.items()
        }
        comparisons = tuple(
            one.replace(corrected_p_value=next(p_of["" if over == ALL else one.metric]))
            for one in self.comparisons
        )
        return self.replace(comparisons=comparisons, settings=settings)

    @checked
    def renamed(self, names: Sequence[str]) -> Self:
        """Return the results with other names for the first metrics, without the metrics after.

        Args:
            names: the new labels.
        """
        new = dict(zip(self.metrics, names, strict=False))
        return self.replace(
            metrics=tuple(names),
            scores=tuple(
                one.replace(metric=new[one.metric]) for one in self.scores if one.metric in new
            ),
            comparisons=tuple(
                one.replace(metric=new[one.metric]) for one in self.comparisons if one.metric in new
            ),
            signatures={new[name]: one for name, one in self.signatures.items() if name in new},
            extra_digits={new[name]: n for name, n in self.extra_digits.items() if name in new},
            effective_units={
                new[name]: n for name, n in self.effective_units.items() if name in new
            },
            missing=tuple(
                one.replace(metric=new[one.metric]) for one in self.missing if one.metric in new
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            **plain_values(self, _SETTINGS),
            "comparisons": [
                {
                    **one.to_dict(),
                    "human_agreement": self.shown_agreement(one),
                    "significant": one.is_significant(self.alpha),
                }
                for one in self.comparisons
            ],
            "letters": self.letters,
            "significantly_worse": {
                system: {
                    metric: list(self.significantly_worse(system, metric))
                    for metric in self.metrics
                }
                for system in self.systems
            },
            "detectable": {metric: self.detectable(metric) for metric in self.metrics},
            "power": [
                one.to_dict() for metric in self.metrics for one in self.planned_power(metric)
            ],
            "missing_scores": {one.metric: one.to_dict() for one in self.missing},
            "signatures": {name: str(signature) for name, signature in self.signatures.items()},
        }


def letters(systems: int) -> tuple[str, ...]:
    """Return a letter for each system; two letters after 26, as spreadsheets name columns.

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
