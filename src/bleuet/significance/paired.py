"""Paired tests of N systems against a baseline or of all pairs, by several metrics at once."""

from __future__ import annotations

from functools import cached_property
from math import sqrt

from bleuet.errors import OptionError
from bleuet.frozen import Value
from bleuet.output.document import AtMost
from bleuet.significance.correction import PAIRS
from bleuet.significance.few_segments import effective_rows
from bleuet.significance.human_agreement import human_agreement
from bleuet.significance.interval import (
    DRAWS,
    ends_of,
    interval_of,
    mean_of,
    standard_deviation,
    with_draws,
)
from bleuet.significance.paired_results import PairedResults
from bleuet.significance.power import few_differ
from bleuet.significance.result_parts import PairedComparison, SystemScore
from bleuet.significance.settings import (
    BOOTSTRAP,
    MULTEVAL_RANDOMIZATION,
    RANDOMIZATION,
    RANDOMIZATIONS,
    SACREBLEU_RANDOMIZATION,
    WELCH,
    TestSettings,
)
from bleuet.statistics.backend import check_threads
from bleuet.statistics.resampling import Resampler, exchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.significance.interval import Interval
    from bleuet.statistics.table import Table

    # By the name of the system one sequence of scores per metric, one score per draw.
    DrawScores = dict[str, list[Sequence[float]]]
    # By the name of the system one score per metric.
    Scores = Mapping[str, Sequence[Score]]
    # The p-value of a pair by a metric: the two names, the place of the metric, the difference.
    PValueOf = Callable[[str, str, int, float], float]

TRIALS = 10000
# What signatures name the p-values of draws that are not sacreBLEU's.
P_VALUES = {BOOTSTRAP: "two-sided", WELCH: "welch"}
# Sums of the same rows in another order make scores that differ by less than this.
SAME = 1e-12


def paired_bootstrap(
    evaluation: Evaluation, settings: TestSettings, *, threads: int = 1
) -> PairedResults:
    """Compare systems by the paired bootstrap (Koehn 2004): resample the segments of the test set.

    All systems and metrics share the draws. The p-value is the share of draws whose difference is
    at least as far from the mean of all, on either side, as that of the test set is from 0 (Efron
    and Tibshirani 1993, chapter 16). It is 1 where the scores are equal, and on a test set of one
    segment, which has one resample only.

    The test "sacrebleu-bootstrap" gives the p-value of sacreBLEU and Moses: the share of draws
    whose absolute difference exceeds their mean by more than the difference of the test set. It is
    half as large as it should be: at 0.05, it finds a difference between equal systems in one case
    of ten.

    Args:
        evaluation: the systems, counted. All runs of a segment, and all segments of a document, are
            drawn together.
        settings: the settings of the test; p-values are not corrected.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: the settings do not fit the systems.

    >>> from bleuet import CHRF
    >>> from bleuet.significance import Evaluation
    >>> hypotheses = {"old": ["A cat sat.", "It rain."], "new": ["The cat sat.", "It rains."]}
    >>> evaluation = Evaluation.count([CHRF()], hypotheses, ["The cat sat.", "It rains."])
    >>> results = paired_bootstrap(evaluation, TestSettings(test="bootstrap"))
    >>> found = results.comparison("old", "new")
    >>> round(found.difference, 2), found.better, round(found.p_value, 4)
    (37.57, 'new', 0.001)
    """
    evaluation.pairs(settings.baseline, settings.all_pairs)  # validated before anything is drawn
    draws = DRAWS if settings.draws is None else settings.draws
    two_sided = settings.test == BOOTSTRAP
    drawn = draw_scores(evaluation, draws, settings.seed, threads)
    p_of = two_sided_bootstrap_p if two_sided else bootstrap_p

    def p_value(a: str, b: str, m: int, difference: float) -> float:
        if two_sided and evaluation.units == 1:
            return 1.0
        return p_of(drawn[a][m], drawn[b][m], difference)

    made = settings.replace(draws=draws, correction=None, correct_over=PAIRS)
    return PairedTest(evaluation, made, draws, drawn, p_value).results()


def paired_approximate_randomization(
    evaluation: Evaluation, settings: TestSettings, *, interval_draws: int = 0, threads: int = 1
) -> PairedResults:
    """Compare systems by approximate randomization: exchange their segments at random.

    If two systems were equal, any of their segments could be exchanged (Noreen 1989, Riezler and
    Maxwell 2005). All pairs and metrics share the exchanges. The runs of a segment are exchanged
    together, because they depend on each other, and so are the segments of a document.

    The test "multeval-randomization" exchanges each run of a segment by itself, run r of a system
    with run r of another, as MultEval does (Clark et al. 2011). It finds a difference between equal
    systems too often.

    The p-value is the share of trials whose difference is at least as large as that of the test
    set, so that a true null hypothesis is not rejected more often than alpha (Phipson and Smyth
    2010, "Permutation P-values Should Never Be Zero"). The test "sacrebleu-randomization" counts
    only larger differences. Where few segments differ, many trials make exactly the same
    difference, and p is too small: two systems that differ in one segment always seem significantly
    different.

    Args:
        evaluation: the systems, counted.
        settings: the settings of the test; p-values are not corrected.
        interval_draws: draws of bootstrap intervals for the scores; 0 for no intervals.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: the settings do not fit the systems, or exchanges of runs would break documents
            apart.

    >>> from bleuet import TER
    >>> from bleuet.significance import Evaluation
    >>> hypotheses = {"old": ["A cat sat.", "It rains."], "new": ["The cat sat.", "It rains."]}
    >>> evaluation = Evaluation.count([TER()], hypotheses, ["The cat sat.", "It rains."])
    >>> for test in (SACREBLEU_RANDOMIZATION, RANDOMIZATION):
    ...     results = paired_approximate_randomization(evaluation, TestSettings(test=test))
    ...     print(f"{results.comparison('old', 'new').p_value:.4f}")
    0.0001
    1.0000
    """
    evaluation.pairs(settings.baseline, settings.all_pairs)  # validated before anything is drawn
    each_run = settings.test == MULTEVAL_RANDOMIZATION
    if each_run and evaluation.documents is not None:
        raise OptionError(
            f"{MULTEVAL_RANDOMIZATION} exchanges each run of a segment by itself, but documents "
            f"are exchanged whole: use {RANDOMIZATION}, or remove the documents"
        )
    seed, trials = settings.seed, TRIALS if settings.draws is None else settings.draws
    drawn = draw_scores(evaluation, interval_draws, seed, threads) if interval_draws else None
    exchanges = Exchanges(evaluation, trials, seed, threads, each_run=each_run)
    count_ties = settings.test != SACREBLEU_RANDOMIZATION

    def p_value(a: str, b: str, m: int, difference: float) -> float:
        return exchanges.p_value(a, b, m, difference, count_ties=count_ties)

    made = settings.replace(draws=trials, correction=None, correct_over=PAIRS)
    return PairedTest(evaluation, made, interval_draws or None, drawn, p_value).results()


def bootstrap_p(one: Sequence[float], other: Sequence[float], difference: float) -> float:
    """Return sacreBLEU's p-value of the paired bootstrap.

    Args:
        one: the scores of the draws of one system.
        other: the scores of the same draws of another.
        difference: the difference on the test set.

    >>> bootstrap_p([1.0, 2.0, 3.0], [2.0, 4.0, 9.0], -1.0)
    0.5
    """
    differences = [abs(a - b) for a, b in zip(one, other, strict=True)]
    mean = mean_of(differences)
    return share_above([d - mean for d in differences], abs(difference))


def two_sided_bootstrap_p(one: Sequence[float], other: Sequence[float], difference: float) -> float:
    """Return the share of draws that differ as much from their mean as the test set does from 0.

    Arguments as of `bootstrap_p`.

    >>> two_sided_bootstrap_p([1.0, 2.0, 3.0], [2.0, 4.0, 9.0], -2.0)
    0.75
    >>> two_sided_bootstrap_p([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 0.0)
    1.0
    """
    differences = [a - b for a, b in zip(one, other, strict=True)]
    mean = mean_of(differences)
    return share_above([abs(d - mean) for d in differences], _just_below(difference, one, other))


def share_above(statistics: Sequence[float], observed: float) -> float:
    """Return the share of statistics above the observed one, with 1 added to both counts.

    So a p-value is never 0, since chance alone can produce the observed arrangement. Without a
    statistic above the observed one, more of them might make the share smaller: it is `AtMost`.
    Equal statistics do not count, as in sacreBLEU.

    >>> share_above([1.0, 2.0, 3.0], 2.0)
    0.5
    """
    reached = sum(value > observed for value in statistics)
    smallest = AtMost(1 / (len(statistics) + 1))
    return (reached + 1) / (len(statistics) + 1) if reached else smallest


def _just_below(difference: float, *scores: Sequence[float]) -> float:
    """Return what a difference must exceed to be as large as another, except for rounding."""
    # A rounding error depends on the size of the scores, not on that of their difference, which
    # may be a millionth of it. Scores that are all 0 differ by 0, which counts too.
    largest = max(SAME, *(max(map(abs, one)) for one in scores))
    return abs(difference) - SAME * largest


def draw_scores(evaluation: Evaluation, draws: int, seed: int | None, threads: int) -> DrawScores:
    """Return the scores of each draw of segments, the same draws for all systems and metrics.

    Args:
        evaluation: the systems.
        draws: the number of draws.
        seed: the random seed, None for none.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: an option has an invalid value.
    """
    sums = iter(
        Resampler(seed).draw(evaluation.unit_tables(), draws, threads=check_threads(threads))
    )
    return {
        name: [metric.segment_scores(next(sums)).values for metric in evaluation.metrics]
        for name in evaluation.systems
    }


class Exchanges:
    """Random exchanges of segments between systems, the same for all systems and metrics.

    Args:
        evaluation: the systems.
        trials: how many times segments are exchanged.
        seed: the random seed, None for none.
        threads: threads of the kernel, 0 for one per core.
        each_run: exchange each run of a segment by itself.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        trials: int,
        seed: int | None,
        threads: int,
        *,
        each_run: bool = False,
    ) -> None:
        self._metrics = evaluation.metrics
        tables = evaluation.all_tables() if each_run else evaluation.unit_tables()
        chosen = Resampler(seed).choose(tables, trials, threads=check_threads(threads))
        pairs = iter(zip(tables, chosen, strict=True))
        # By the name of the system one pair per metric: its table, and the sums of the rows chosen.
        self._of: dict[str, list[tuple[Table, Table]]] = {
            name: [next(pairs) for _ in evaluation.metrics] for name in evaluation.systems
        }

    def p_value(self, a: str, b: str, metric: int, difference: float, *, count_ties: bool) -> float:
        """Return the share of trials in which two systems differ more, or as much.

        Args:
            a: the name of one system.
            b: the name of the other.
            metric: the place of the metric.
            difference: the difference on the test set.
            count_ties: whether equal differences count.
        """
        one, other = self._of[a][metric], self._of[b][metric]
        scores = [
            self._metrics[metric].segment_scores(exchanged(x, y)).values
            for x, y in ((one, other), (other, one))
        ]
        observed = _just_below(difference, *scores) if count_ties else abs(difference)
        return share_above([abs(x - y) for x, y in zip(*scores, strict=True)], observed)


class Difference(Value):
    """The difference of a pair of systems by a metric; attributes as of `PairedComparison`."""

    difference: float
    p_value: float
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    p_error: float | None = None


class PairedTest(Value):
    """A test of pairs of systems, or intervals only.

    Attributes:
        evaluation: the systems.
        settings: the settings, which signatures name; without a test for intervals only.
        draws: the number of bootstrap draws, None for none.
        drawn: scores of draws, of which the intervals are made.
        p_value: returns the p-value of a pair by a metric; None without a test.
    """

    evaluation: Evaluation
    settings: TestSettings
    draws: int | None
    drawn: DrawScores | None = None
    p_value: PValueOf | None = None

    def results(self) -> PairedResults:
        """Return the scores of all systems, and the comparison of every pair by every metric."""
        evaluation = self.evaluation
        by_metric = zip(*[iter(evaluation.unit_tables())] * len(evaluation.metrics), strict=True)
        sizes = map(effective_rows, zip(*by_metric, strict=True))
        first = None if self.settings.all_pairs else evaluation.systems[0]
        return PairedResults(
            self.settings.replace(baseline=self.settings.baseline or first),
            evaluation.systems,
            evaluation.labels,
            tuple(self._scores()),
            tuple(self._comparisons()) if self.settings.test else (),
            self._signatures,
            segments=evaluation.segments,
            runs=evaluation.runs,
            documents=None if evaluation.documents is None else evaluation.units,
            draws=self.draws,
            extra_digits=dict(zip(evaluation.labels, evaluation.extra_digits, strict=True)),
            effective_units=dict(zip(evaluation.labels, sizes, strict=True)),
        )

    # --- What tests of runs compute in another way --------------------------------------------

    def _score(self, system: str, metric: int) -> tuple[float, Interval | None]:
        """Return the score of a system by a metric, and its interval if there are draws."""
        score = self.evaluation.scores[system][metric].score
        if self.drawn is None:
            return score, None
        signature = self._signatures[self.evaluation.labels[metric]]
        draws = self.drawn[system][metric]
        return score, interval_of(score, draws, self.settings.confidence, signature)

    def _difference(self, a: str, b: str, metric: int) -> Difference:
        """Return the difference of the second system to the first by a metric."""
        assert self.p_value is not None
        scores = self.evaluation.scores
        difference = scores[b][metric].score - scores[a][metric].score
        p = self.p_value(a, b, metric, difference)
        found = Difference(difference, p, p_error=sqrt(p * (1 - p) / (self.settings.draws or 1)))
        if self.drawn is None:
            return found
        pairs = zip(self.drawn[a][metric], self.drawn[b][metric], strict=True)
        draws = [y - x for x, y in pairs]
        low, high = ends_of(draws, self.settings.confidence)
        return found.replace(low=low, high=high, standard_error=standard_deviation(draws))

    # --- The same for all tests ---------------------------------------------------------------

    @cached_property
    def _signatures(self) -> dict[str, Signature]:
        settings = self.settings
        first = next(iter(self.evaluation.scores.values()))
        return {
            label: with_draws(
                score.signature,
                bs=self.draws,
                ar=settings.draws if settings.test in RANDOMIZATIONS else None,
                seed=settings.seed,
                p=P_VALUES.get(settings.test or ""),
                ties=settings.test in (RANDOMIZATION, MULTEVAL_RANDOMIZATION),
                docs=None if self.evaluation.documents is None else self.evaluation.units,
            )
            for label, score in zip(self.evaluation.labels, first, strict=True)
        }

    def _scores(self) -> Iterator[SystemScore]:
        evaluation = self.evaluation
        for name in evaluation.systems:
            for m, (label, metric) in enumerate(
                zip(evaluation.labels, evaluation.metrics, strict=True)
            ):
                score, interval = self._score(name, m)
                higher, runs = metric.higher_is_better, evaluation.run_scores(name, m)
                yield SystemScore(name, label, score, interval, higher, runs)

    def _comparisons(self) -> Iterator[PairedComparison]:
        evaluation = self.evaluation
        tables = iter(evaluation.unit_tables())
        units = {name: [next(tables) for _ in evaluation.metrics] for name in evaluation.systems}
        for a, b in evaluation.pairs(self.settings.baseline, self.settings.all_pairs):
            for m, (label, metric) in enumerate(
                zip(evaluation.labels, evaluation.metrics, strict=True)
            ):
                found = self._difference(a, b, m)
                yield PairedComparison(
                    a,
                    b,
                    label,
                    found.difference,
                    _better(metric, a, b, found.difference),
                    found.p_value,
                    low=found.low,
                    high=found.high,
                    units=evaluation.units,
                    standard_error=found.standard_error,
                    few_differ=few_differ(units[a][m], units[b][m]),
                    human_agreement=human_agreement(metric, found.difference),
                    p_error=found.p_error,
                )


def _better(metric: Metric[Any], a: str, b: str, difference: float) -> str | None:
    if difference == 0:
        return None
    return b if (difference > 0) == metric.higher_is_better else a
