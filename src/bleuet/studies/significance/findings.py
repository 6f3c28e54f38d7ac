"""What paired tests say of each system: letters, who is better, and how it came about in words."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.studies.significance.gaps import FEW
from bleuet.studies.significance.human_agreement import expected_agreement, is_covered
from bleuet.studies.significance.interval import in_percent
from bleuet.studies.significance.results import ALPHA, check_alpha

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bleuet.metrics.metric import Metric
    from bleuet.studies.significance.interval import Interval
    from bleuet.studies.significance.results import Comparison, PairedResults

TOO_COARSE = "With so few draws no difference can be significant, whatever it is: take more draws."
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

    @classmethod
    def of(
        cls, results: PairedResults, metrics: Iterable[Metric[Any]], alpha: float = ALPHA
    ) -> Significance:
        """Return what tests found.

        Args:
            results: what they found.
            metrics: the metrics, in the order of their names in `results`.
            alpha: a difference is significant where its p-value is below this.

        Raises:
            OptionError: alpha is not between 0 and 1.
        """
        pairs = zip(results.metrics, metrics, strict=False)
        covered = {name: metric for name, metric in pairs if is_covered(metric)}
        return cls(results, check_alpha(alpha), covered)

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

    def is_significant(self, difference: Comparison) -> bool:
        """Return whether one of two systems is significantly better."""
        return difference.better is not None and difference.is_significant(self.alpha)

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

    def agreement(self, difference: Comparison) -> float | None:
        """Return the share of people expected to agree with a difference, where it is known.

        It is an estimate, of Kocmi et al. (2024); see
        `bleuet.studies.significance.expected_agreement`, whose curves begin a little below
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
            told.append(
                f"± is half the {in_percent(interval.level)} interval of {self.draws:,} draws."
            )
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
        drawn = self.trials or self.draws
        if not self.results.comparisons or drawn is None:
            return False
        pairs = 1
        if self.results.correction in ("holm", "bonferroni"):
            pairs = len({(one.baseline, one.system) for one in self.results.comparisons})
        return pairs / (drawn + 1) >= self.alpha

    def test_in_words(self) -> str:
        """Return what was tested and how, for a sentence."""
        trials = f" of {self.trials:,} trials" if self.trials else ""
        corrected = correction_in_words(self.results.correction)
        return f"{self.results.test}{trials}, p < {self.alpha:g}, {corrected}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        values = self.results.to_dict()
        for told, one in zip(values["comparisons"], self.results.comparisons, strict=True):
            told.update(significant=self.is_significant(one), people_agree=self.agreement(one))
        return {
            **values,
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
