"""The parts of a paired test's result: scores of systems, comparisons of pairs, missing scores."""

from __future__ import annotations

from bleuet.frozen import Value, checked
from bleuet.output.plain_values import Plain, plain_values
from bleuet.significance.interval import mean_of, standard_deviation
from bleuet.significance.settings import ALPHA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.significance.interval import Interval


def the_baseline(system: str) -> str:
    """Return how a sentence names the baseline system.

    >>> the_baseline("old"), the_baseline("Baseline")
    ('the baseline old', 'the baseline')
    """
    return "the baseline" if system.lower() == "baseline" else f"the baseline {system}"


class SystemScore(Value, Plain):
    """The score of one system by one metric.

    Attributes:
        system: the name of the system.
        metric: the label of the metric.
        score: the score on the test set; of several runs the mean of their scores in Welch's test,
            and the score of all of them as one corpus in others.
        interval: the interval of the score, None where the test draws none.
        higher_is_better: whether larger scores are better.
        run_scores: the score of each run, empty for a system with one run.
    """

    system: str
    metric: str
    score: float
    interval: Interval | None
    higher_is_better: bool
    run_scores: tuple[float, ...] = ()

    @property
    def run_mean(self) -> float:
        """The mean of the scores of the runs."""
        return mean_of(self.run_scores)

    @property
    def run_deviation(self) -> float:
        """The standard deviation of the scores of the runs, with Bessel's correction."""
        return standard_deviation(self.run_scores)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; those of an interval or of runs only where there are any."""
        values = plain_values(self, ("system", "metric", "score", "higher_is_better"))
        if self.interval is not None:
            of_interval = ("mean", "low", "high", "half_width", "confidence")
            values |= plain_values(self.interval, of_interval)
        if self.run_scores:
            values |= plain_values(self, ("run_scores", "run_mean", "run_deviation"))
        return values


class PairedComparison(Value, Plain):
    """The comparison of two systems by one metric.

    Attributes:
        baseline: the name of the first system.
        system: the name of the second system.
        metric: the label of the metric.
        difference: the score of the second system minus the score of the first.
        better: the name of the better system, None where the scores are equal.
        p_value: how often chance alone makes such a difference between equal systems.
        corrected_p_value: the p-value after a correction for several tests, None without one.
        low: the lower end of the interval of the difference, None without one.
        high: the upper end.
        units: the number of segments, or of documents, of the test.
        standard_error: the standard error of the difference: over draws, or over runs and segments
            in Welch's test; None without draws.
        few_differ: whether fewer than 10 segments, or documents, differ: too few to estimate power.
        human_agreement: how often humans agree with the metric about which of two systems is
            better, for a difference of this size; an estimate, None for a metric without figures.
        p_error: the standard error of `p_value`, which is estimated from draws; None if unknown.
    """

    baseline: str
    system: str
    metric: str
    difference: float
    better: str | None
    p_value: float
    corrected_p_value: float | None = None
    low: float | None = None
    high: float | None = None
    units: int = 0
    standard_error: float | None = None
    few_differ: bool = False
    human_agreement: float | None = None
    p_error: float | None = None

    @property
    def p(self) -> float:
        """The corrected p-value, or the p-value itself without a correction."""
        return self.p_value if self.corrected_p_value is None else self.corrected_p_value

    @property
    def error(self) -> float:
        """The standard error of `p`, 0 if it is unknown."""
        return self.p_error * self.p / self.p_value if self.p_error and self.p_value else 0.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the bootstrap interval of the difference, None without one."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def worse(self) -> str | None:
        """The name of the worse system, None where the scores are equal."""
        if self.better is None:
            return None
        return self.baseline if self.better == self.system else self.system

    @checked
    def is_significant(self, alpha: float = ALPHA) -> bool:
        """Return whether the systems differ and `p` is below alpha."""
        return self.better is not None and self.p < alpha

    @checked
    def is_undecided(self, alpha: float = ALPHA) -> bool:
        """Return whether `p` is within two standard errors of alpha, so that draws decide."""
        return self.better is not None and abs(self.p - alpha) < 2 * self.error


class MissingScores(Value, Plain):
    """Which segments have a score by a metric that does not score all of them.

    Attributes:
        metric: the label of the metric.
        segments: the number of segments of the test set.
        scored: the number of segments with a score, by the name of the system.
        common: the number of segments that all systems have a score for.
        compared: whether systems are compared on these, and not each on its own segments.

    >>> print(MissingScores.of("COMET", ["old", "new"], [[0, 2], [0, 2]], 3))
    COMET is the mean over the segments that have a score: 2 of 3.
    """

    metric: str
    segments: int
    scored: dict[str, int]
    common: int
    compared: bool = True
    plain_fields = ("segments", "scored", "common")

    @classmethod
    def of(
        cls, metric: str, systems: Sequence[str], rows: Sequence[Sequence[int]], segments: int
    ) -> MissingScores:
        """Return which segments have a score.

        Args:
            metric: the label of the metric.
            systems: the names of the systems.
            rows: for each system, the segments with a score.
            segments: the number of segments of the test set.
        """
        scored = {name: len(own) for name, own in zip(systems, rows, strict=True)}
        return cls(metric, segments, scored, len(set(rows[0]).intersection(*rows[1:])))

    def __str__(self) -> str:
        where = f"{self.common:,} of {self.segments:,}"
        if all(number == self.common for number in self.scored.values()):
            return f"{self.metric} is the mean over the segments that have a score: {where}."
        own = ", ".join(f"{name} has {number:,}" for name, number in self.scored.items())
        if not self.compared:
            return (
                f"{self.metric} is the mean over each system's own segments with a score ({own}, "
                f"of {self.segments:,}): only {self.common:,} have a score of all systems."
            )
        return (
            f"{self.metric} is compared on the segments that all systems have a score for: "
            f"{where} ({own})."
        )
