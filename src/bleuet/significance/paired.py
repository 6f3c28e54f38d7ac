"""Paired tests of N systems against a baseline or of all pairs, by several metrics at once."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.frozen import Value, checked
from bleuet.significance.human_agreement import human_agreement
from bleuet.significance.interval import (
    CONFIDENCE,
    DRAWS,
    check_draws,
    ends_of,
    interval_of,
    mean_of,
    standard_deviation,
    with_draws,
)
from bleuet.significance.paired_results import (
    BOOTSTRAP,
    MULTEVAL_RANDOMIZATION,
    RANDOMIZATION,
    SACREBLEU_BOOTSTRAP,
    SACREBLEU_RANDOMIZATION,
    PairedResults,
)
from bleuet.significance.result_parts import PairedComparison, SystemScore
from bleuet.statistics.backend import check_threads
from bleuet.statistics.resampling import Resampler, exchanged
from bleuet.statistics.seed import SEED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.statistics.table import Table

    # By the name of the system one sequence of scores per metric, one score per draw.
    DrawScores = dict[str, list[Sequence[float]]]
    # By the name of the system one score per metric.
    Scores = Mapping[str, Sequence[Score]]
    # The p-value of a pair by a metric: the two names, the place of the metric, the difference.
    PValueOf = Callable[[str, str, int, float], float]

TRIALS = 10000
STRICT, COUNT = TIES = ("strict", "count")
# Sums of the same rows in another order make scores that differ by less than this.
SAME = 1e-12


@checked
def paired_bootstrap(
    evaluation: Evaluation,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    draws: int = DRAWS,
    seed: int | None = SEED,
    confidence: float = CONFIDENCE,
    two_sided: bool = True,
    threads: int = 1,
) -> PairedResults:
    """Compare systems by the paired bootstrap (Koehn 2004): resample the segments of the test set.

    All systems and metrics share the draws. The p-value is the share of draws whose difference is
    at least as far from the mean of all, on either side, as that of the test set is from 0 (Efron
    and Tibshirani 1993, chapter 16). It is 1 where the scores are equal, and on a test set of one
    segment, which has one resample only.

    `two_sided=False` gives the p-value of sacreBLEU and Moses: the share of draws whose absolute
    difference exceeds their mean by more than the difference of the test set. It is half as large
    as it should be: at 0.05, it finds a difference between equal systems in one case of ten.

    Args:
        evaluation: the systems, counted. All runs of a segment, and all segments of a document, are
            drawn together.
        baseline: the name of the system that all others are compared with; default the first.
        all_pairs: compare every two systems.
        draws: the number of test sets to draw.
        seed: the random seed; None draws differently each time.
        confidence: the share of draws inside the intervals.
        two_sided: return two-sided p-values, as the signature then shows; False for sacreBLEU's.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has an invalid value.

    >>> from bleuet import CHRF
    >>> from bleuet.significance import Evaluation
    >>> hypotheses = {"old": ["A cat sat.", "It rain."], "new": ["The cat sat.", "It rains."]}
    >>> evaluation = Evaluation.count([CHRF()], hypotheses, ["The cat sat.", "It rains."])
    >>> found = paired_bootstrap(evaluation).comparison("old", "new")
    >>> round(found.difference, 2), found.better, round(found.p_value, 4)
    (37.57, 'new', 0.001)
    """
    evaluation.pairs(baseline, all_pairs)  # validates them before anything is drawn
    check_draws(draws, least=2)
    drawn = draw_scores(evaluation, draws, seed, threads)
    p_of = two_sided_bootstrap_p if two_sided else bootstrap_p

    def p_value(a: str, b: str, m: int, difference: float) -> float:
        if two_sided and evaluation.units == 1:
            return 1.0
        return p_of(drawn[a][m], drawn[b][m], difference)

    name = BOOTSTRAP if two_sided else SACREBLEU_BOOTSTRAP
    return PairedTest(name, evaluation, baseline, all_pairs, draws, None, seed, confidence).results(
        p_value, drawn
    )


@checked
def paired_approximate_randomization(
    evaluation: Evaluation,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    trials: int = TRIALS,
    seed: int | None = SEED,
    ties: str = COUNT,
    each_run: bool = False,
    interval_draws: int = 0,
    confidence: float = CONFIDENCE,
    threads: int = 1,
) -> PairedResults:
    """Compare systems by approximate randomization: exchange their segments at random.

    If two systems were equal, any of their segments could be exchanged (Noreen 1989, Riezler and
    Maxwell 2005). All pairs and metrics share the exchanges. The runs of a segment are exchanged
    together, because they depend on each other, and so are the segments of a document.

    `each_run` exchanges each run of a segment by itself, run r of a system with run r of another,
    as MultEval does (Clark et al. 2011). It finds a difference between equal systems too often.

    The p-value is the share of trials whose difference is at least as large as that of the test
    set, so that a true null hypothesis is not rejected more often than alpha (Phipson and Smyth
    2010, "Permutation P-values Should Never Be Zero"). sacreBLEU counts only larger differences.
    Where few segments differ, many trials make exactly the same difference, and p is too small: two
    systems that differ in one segment always seem significantly different.

    Args:
        evaluation: the systems, counted.
        baseline: the name of the system that all others are compared with; default the first.
        all_pairs: compare every two systems.
        trials: how many times segments are exchanged.
        seed: the random seed; None draws differently each time.
        ties: "count" to count equal differences, as the signature then shows, or "strict" as in
            sacreBLEU.
        each_run: exchange each run of a segment by itself, as MultEval does.
        interval_draws: draws of bootstrap intervals for the scores; 0 for no intervals.
        confidence: the share of draws inside the intervals.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has an invalid value, or `each_run` would break documents apart.

    >>> from bleuet import TER
    >>> from bleuet.significance import Evaluation
    >>> hypotheses = {"old": ["A cat sat.", "It rains."], "new": ["The cat sat.", "It rains."]}
    >>> evaluation = Evaluation.count([TER()], hypotheses, ["The cat sat.", "It rains."])
    >>> for ties in ("strict", "count"):
    ...     found = paired_approximate_randomization(evaluation, ties=ties).comparison("old", "new")
    ...     print(f"{found.p_value:.4f}")
    0.0001
    1.0000
    """
    evaluation.pairs(baseline, all_pairs)  # validates them before anything is drawn
    check_draws(trials, what="trials")
    check_draws(interval_draws, least=0, what="interval_draws")
    if ties not in TIES:
        raise OptionError(f"must be {' or '.join(TIES)}, not {ties!r}", option="ties")
    if each_run and evaluation.documents is not None:
        raise OptionError(
            "exchanges each run of a segment by itself, but documents are exchanged whole: remove "
            "the documents or each_run",
            option="each_run",
        )
    drawn = draw_scores(evaluation, interval_draws, seed, threads) if interval_draws else None
    exchanges = Exchanges(evaluation, trials, seed, threads, each_run=each_run)

    def p_value(a: str, b: str, m: int, difference: float) -> float:
        return exchanges.p_value(a, b, m, difference, ties=ties)

    name = RANDOMIZATION if ties == COUNT else SACREBLEU_RANDOMIZATION
    name = MULTEVAL_RANDOMIZATION if each_run else name
    draws = interval_draws or None
    return PairedTest(
        name, evaluation, baseline, all_pairs, draws, trials, seed, confidence
    ).results(p_value, drawn)


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

    So a p-value is never 0, since chance alone can produce the observed arrangement. Equal
    statistics do not count, as in sacreBLEU.

    >>> share_above([1.0, 2.0, 3.0], 2.0)
    0.5
    """
    return (sum(value > observed for value in statistics) + 1) / (len(statistics) + 1)


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

    def p_value(self, a: str, b: str, metric: int, difference: float, *, ties: str) -> float:
        """Return the share of trials in which two systems differ more, or as much.

        Args:
            a: the name of one system.
            b: the name of the other.
            metric: the place of the metric.
            difference: the difference on the test set.
            ties: whether equal differences count, one of `TIES`.
        """
        one, other = self._of[a][metric], self._of[b][metric]
        scores = [
            self._metrics[metric].segment_scores(exchanged(x, y)).values
            for x, y in ((one, other), (other, one))
        ]
        observed = _just_below(difference, *scores) if ties == COUNT else abs(difference)
        return share_above([abs(x - y) for x, y in zip(*scores, strict=True)], observed)


class PairedTest(Value):
    """A test of pairs of systems, and the settings that its signatures name.

    Attributes:
        name: the name of the test.
        evaluation: the systems.
        baseline: the name of the baseline system, None for the first.
        all_pairs: whether every two systems are compared.
        draws: the number of bootstrap draws, None for none.
        trials: the number of trials of a randomization, None for none.
        seed: the random seed, None for none.
        confidence: the share of draws inside the intervals.
    """

    name: str
    evaluation: Evaluation
    baseline: str | None
    all_pairs: bool
    draws: int | None
    trials: int | None
    seed: int | None
    confidence: float

    def results(self, p_value: PValueOf | None, drawn: DrawScores | None) -> PairedResults:
        """Return the scores of all systems, and the comparison of every pair by every metric.

        Args:
            p_value: returns the p-value of a pair by a metric; None for no comparisons.
            drawn: scores of draws, of which the intervals are made.
        """
        evaluation, scores = self.evaluation, self.evaluation.scores
        return PairedResults(
            self.name,
            evaluation.systems,
            evaluation.labels,
            tuple(self._scores(scores, drawn)),
            () if p_value is None else tuple(self._comparisons(scores, p_value, drawn)),
            self._signatures(scores),
            baseline=None if self.all_pairs else self.baseline or evaluation.systems[0],
            segments=evaluation.segments,
            runs=evaluation.runs,
            documents=None if evaluation.documents is None else evaluation.units,
            draws=self.draws,
            trials=self.trials,
            seed=self.seed,
            extra_digits=dict(zip(evaluation.labels, evaluation.extra_digits, strict=True)),
        )

    def _signatures(self, scores: Scores) -> dict[str, Signature]:
        return {
            label: with_draws(
                score.signature,
                bs=self.draws,
                ar=self.trials,
                seed=self.seed,
                two_sided=self.name == BOOTSTRAP,
                ties=self.name in (RANDOMIZATION, MULTEVAL_RANDOMIZATION),
                docs=None if self.evaluation.documents is None else self.evaluation.units,
            )
            for label, score in zip(
                self.evaluation.labels, next(iter(scores.values())), strict=True
            )
        }

    def _scores(self, scores: Scores, drawn: DrawScores | None) -> Iterator[SystemScore]:
        evaluation, signatures = self.evaluation, self._signatures(scores)
        for name in evaluation.systems:
            for m, (label, metric) in enumerate(
                zip(evaluation.labels, evaluation.metrics, strict=True)
            ):
                score = scores[name][m].score
                interval = drawn and interval_of(
                    score, drawn[name][m], self.confidence, signatures[label]
                )
                higher, runs = metric.higher_is_better, evaluation.run_scores(name, m)
                yield SystemScore(name, label, score, interval or None, higher, runs)

    def _comparisons(
        self, scores: Scores, p_value: PValueOf, drawn: DrawScores | None
    ) -> Iterator[PairedComparison]:
        evaluation = self.evaluation
        for a, b in evaluation.pairs(self.baseline, self.all_pairs):
            for m, (label, metric) in enumerate(
                zip(evaluation.labels, evaluation.metrics, strict=True)
            ):
                difference = scores[b][m].score - scores[a][m].score
                low = high = standard_error = None
                if drawn is not None:
                    draws = [y - x for x, y in zip(drawn[a][m], drawn[b][m], strict=True)]
                    low, high = ends_of(draws, self.confidence)
                    standard_error = standard_deviation(draws)
                yield PairedComparison(
                    a,
                    b,
                    label,
                    difference,
                    _better(metric, a, b, difference),
                    p_value(a, b, m, difference),
                    low=low,
                    high=high,
                    units=evaluation.units,
                    standard_error=standard_error,
                    human_agreement=human_agreement(metric, difference),
                )


def _better(metric: Metric[Any], a: str, b: str, difference: float) -> str | None:
    if difference == 0:
        return None
    return b if (difference > 0) == metric.higher_is_better else a
