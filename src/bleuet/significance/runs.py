"""Welch's t-test of systems with several runs: what other runs and other segments would show.

A test that takes the runs as they are finds the luck of a training run on any test set, and calls
it a difference between the systems. Here a run is drawn from the runs that its system could have,
and a segment from the segments that the test set could have. The variance of the difference of two
systems, each the mean of R runs, is the sum of three parts (a crossed design of runs and segments;
Searle, Casella and McCulloch 1992, "Variance Components", chapter 4):

- of the runs: the variance of the scores of each system's runs, divided by R;
- of the segments: the variance of the difference over draws of segments, with the runs as they are;
- less what both contain: that segments differ from run to run.

The degrees of freedom are Welch's (1947) in the form of Satterthwaite (1946).
"""

from __future__ import annotations

from math import fsum, inf, isclose, sqrt

from bleuet.extras import optional
from bleuet.frozen import Value, cached_property
from bleuet.output.document import AtMost
from bleuet.significance.correction import PAIRS
from bleuet.significance.few_segments import effective_rows
from bleuet.significance.interval import DRAWS, Interval, mean_of, standard_deviation
from bleuet.significance.paired import SAME, Difference, PairedTest
from bleuet.statistics.backend import check_threads
from bleuet.statistics.resampling import Resampler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.significance.paired_results import PairedResults
    from bleuet.significance.settings import TestSettings

    # By the name of the system one list per metric: of each run the scores of all draws.
    RunDraws = dict[str, list[list[Sequence[float]]]]


def welch_test(
    evaluation: Evaluation, settings: TestSettings, *, threads: int = 1
) -> PairedResults:
    """Compare systems of several runs by Welch's t-test over runs and segments.

    The score of a system is the mean of the scores of its runs. The p-value is never smaller than
    that of the segments alone.

    Args:
        evaluation: the systems, counted, with several runs each. All runs of a segment, and all
            segments of a document, are drawn together.
        settings: the settings of the test; p-values are not corrected.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: the settings do not fit the systems.
        MissingExtraError: scipy, which computes Student's distribution, is not installed.

    >>> from bleuet import CHRF
    >>> from bleuet.significance import Evaluation, TestSettings
    >>> def run(*texts):
    ...     return [CHRF().count(texts, ["The cat sat.", "It rains."])]
    >>> old = [run("A cat sat.", "It rain."), run("The cat sat.", "It rains.")]
    >>> new = [run("The cat sat.", "It rain."), run("The cat sat.", "It rains.")]
    >>> evaluation = Evaluation.of_runs([CHRF()], {"old": old, "new": new})
    >>> found = welch_test(evaluation, TestSettings(test="welch")).comparison("old", "new")
    >>> round(found.difference, 2), round(found.p_value, 2)
    (11.65, 0.65)
    """
    evaluation.pairs(settings.baseline, settings.all_pairs)  # validated before anything is drawn
    draws = DRAWS if settings.draws is None else settings.draws
    drawn = draw_runs(evaluation, draws, settings.seed, threads)
    made = settings.replace(draws=draws, correction=None, correct_over=PAIRS)
    return WelchTest(evaluation, made, draws, of_runs=drawn).results()


def draw_runs(evaluation: Evaluation, draws: int, seed: int | None, threads: int) -> RunDraws:
    """Return the scores of each run on each draw of segments, the same draws for all of them.

    Args:
        evaluation: the systems.
        draws: the number of draws.
        seed: the random seed, None for none.
        threads: threads of the kernel, 0 for one per core.
    """
    tables = evaluation.run_tables()
    sums = iter(Resampler(seed).draw(tables, draws, threads=check_threads(threads)))
    return {
        name: [
            [metric.segment_scores(next(sums)).values for _ in range(evaluation.runs)]
            for metric in evaluation.metrics
        ]
        for name in evaluation.systems
    }


class Spread(Value):
    """The variance of an estimate, by what varies.

    Attributes:
        runs: of each system, the variance of the mean of its runs.
        segments: the variance over draws of segments.
        both: what `runs` and `segments` both contain.
        n_runs: the number of runs of a system.
        units: the number of segments, or the effective number of documents, whose sizes differ.
        draws: the number of draws that `segments` is estimated from.
    """

    runs: tuple[float, ...]
    segments: float
    both: float
    n_runs: int
    units: float
    draws: int

    @cached_property
    def variance(self) -> float:
        """The variance over runs and segments."""
        return max(fsum(self.runs) + self._segments_alone, self.segments)

    @cached_property
    def degrees(self) -> float:
        """The degrees of freedom of the variance, those of Satterthwaite."""
        parts = [one**2 / (self.n_runs - 1) for one in self.runs]
        if self._segments_alone:
            parts.append(self._segments_alone**2 / (self.units - 1))
        return self.variance**2 / fsum(parts) if any(parts) else inf

    @cached_property
    def _segments_alone(self) -> float:
        return max(self.segments - self.both, 0.0)

    def p_value(self, difference: float) -> tuple[float, float]:
        """Return the p-value of a difference, and its standard error over draws.

        One segment says nothing about others: p is 1.

        Args:
            difference: the difference, in points.
        """
        if self.units <= 1:
            return 1.0, 0.0
        if not self.variance:
            return (AtMost(1 / (self.draws + 1)) if difference else 1.0), 0.0
        student = optional("scipy.stats").t(self.degrees)
        t = abs(difference) / sqrt(self.variance)
        # The variance of draws has a relative standard error of the root of 2 / draws.
        share = self.segments / self.variance * sqrt(2 / self.draws)
        return 2 * float(student.sf(t)), float(student.pdf(t)) * t * share

    def half_width(self, confidence: float) -> float:
        """Return half the width of the confidence interval.

        Args:
            confidence: the confidence level.
        """
        if not self.variance:
            return 0.0
        quantile = optional("scipy.stats").t(self.degrees).ppf((1 + confidence) / 2)
        return float(quantile) * sqrt(self.variance)


class WelchTest(PairedTest):
    """The test of `welch_test`.

    Attributes:
        of_runs: the scores of each run on draws of segments.
    """

    of_runs: Mapping[str, list[list[Sequence[float]]]] = {}

    def _score(self, system: str, metric: int) -> tuple[float, Interval | None]:
        score, draws = self._mean(system, metric), self._means(system, metric)
        half = self._spread(metric, system).half_width(self.settings.confidence)
        signature = self._signatures[self.evaluation.labels[metric]]
        ends = score - half, score + half
        return score, Interval(score, mean_of(draws), *ends, self.settings.confidence, signature)

    def _difference(self, a: str, b: str, metric: int) -> Difference:
        one, other = self._mean(a, metric), self._mean(b, metric)
        same = isclose(one, other, rel_tol=SAME, abs_tol=SAME)
        difference = 0.0 if same else other - one
        spread = self._spread(metric, a, b)
        p, error = spread.p_value(difference)
        half = spread.half_width(self.settings.confidence)
        return Difference(
            difference,
            p,
            low=difference - half,
            high=difference + half,
            standard_error=sqrt(spread.variance),
            p_error=error,
        )

    def _spread(self, metric: int, *systems: str) -> Spread:
        """Return the variance of a system's score, or of the difference of the second to the first.

        Args:
            metric: the place of the metric.
            systems: the names of one system, or of two.
        """
        runs, units = self.evaluation.runs, self._units(metric)
        # The variance of a sample of n is too small by the factor (n - 1) / n in a bootstrap.
        factor = units / (units - 1) if units > 1 else 0.0
        columns = [self._means(name, metric) for name in systems]
        draws = columns[0]
        if len(systems) > 1:
            draws = [y - x for x, y in zip(*columns, strict=True)]
        both = [
            standard_deviation([score - mean for score, mean in zip(run, means, strict=True)]) ** 2
            for name, means in zip(systems, columns, strict=True)
            for run in self.of_runs[name][metric]
        ]
        return Spread(
            tuple(
                standard_deviation(self.evaluation.run_scores(name, metric)) ** 2 / runs
                for name in systems
            ),
            factor * standard_deviation(draws) ** 2,
            factor * fsum(both) / (runs * (runs - 1)),
            runs,
            units,
            len(draws),
        )

    def _units(self, metric: int) -> float:
        """Return the number of segments, or the effective number of documents."""
        if self.evaluation.documents is None:
            return self.evaluation.units
        tables = self.evaluation.unit_tables()
        return effective_rows(tables[metric :: len(self.evaluation.metrics)])

    def _mean(self, system: str, metric: int) -> float:
        return mean_of(self.evaluation.run_scores(system, metric))

    def _means(self, system: str, metric: int) -> list[float]:
        """Return the mean score of the runs of each draw."""
        return [mean_of(scores) for scores in zip(*self.of_runs[system][metric], strict=True)]
