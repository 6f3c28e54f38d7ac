"""Paired tests of N systems against a baseline or of all pairs, by several metrics at once."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.metrics.metric import check_threads
from bleuet.statistics.resampling import DEFAULT_SEED, Resampler, exchanged
from bleuet.statistics.table import Table
from bleuet.studies.significance.few_segments import TOO_OFTEN, warn_of_few
from bleuet.studies.significance.interval import (
    DRAWS,
    LEVEL,
    check_draws,
    ends_of,
    interval_of,
    mean_of,
    with_draws,
)
from bleuet.studies.significance.results import Comparison, Estimate, PairedResults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.score import Score
    from bleuet.metrics.signature import Signature
    from bleuet.studies.significance.interval import Interval
    from bleuet.studies.significance.systems import Systems

    # For each system's name one sequence of scores per metric, one score per draw.
    DrawScores = dict[str, list[Sequence[float]]]
    # A p-value and the ends of the difference's interval.
    Verdict = tuple[float, float | None, float | None]

TRIALS = 10000
STRICT, COUNT = TIES = ("strict", "count")
# Two sums of the same rows, added in another order, make scores that differ by less than this.
SAME = 1e-12


def paired_bootstrap(
    systems: Systems,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    draws: int = DRAWS,
    seed: int | None = DEFAULT_SEED,
    level: float = LEVEL,
    two_sided: bool = False,
    threads: int = 1,
) -> PairedResults:
    """Draw test sets with repetition and ask how often the systems' difference would move so far.

    All systems and metrics share the draws (Koehn 2004). The p-value is sacreBLEU's and Moses', the
    share of draws whose difference, whoever is ahead, exceeds the mean of all such by more than the
    difference found. It comes out at half of what chance does: at 0.05 it finds a difference where
    there is none in one case of ten. `two_sided` gives the other half back: the share of draws that
    are as far from the mean of all, on either side, as the difference found, or farther (Efron and
    Tibshirani 1993, chapter 16). It is 1 where the systems score the same, and on a test set of one
    segment, which drawn again is itself and tells nothing of chance.

    Args:
        systems: the systems, counted.
        baseline: whom all others are compared with; by default the first.
        all_pairs: compare every system with every other.
        draws: how many test sets are drawn.
        seed: what the draws begin from; None draws anew each time.
        level: the share of draws that intervals hold.
        two_sided: give p-values their full size; the signature says so.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has a value it cannot take.

    >>> from bleuet import CHRF
    >>> from bleuet.studies.significance import Systems
    >>> hypotheses = {"old": ["A cat sat.", "It rain."], "new": ["The cat sat.", "It rains."]}
    >>> systems = Systems.count([CHRF()], hypotheses, ["The cat sat.", "It rains."])
    >>> found = paired_bootstrap(systems).comparison("old", "new")
    >>> round(found.difference, 2), found.better, round(found.p_value, 4)
    (37.57, 'new', 0.001)
    """
    pairs = systems.pairs(baseline, all_pairs)
    check_draws(draws, least=2)
    sums = Resampler(seed).draw(systems.all_tables(), draws, threads=check_threads(threads))
    warn_of_few(systems.segments, TOO_OFTEN)
    scored = scores_of_draws(systems, sums)
    found = systems.scores()
    signatures = _signatures(systems, found, bs=draws, seed=seed, two_sided=two_sided)
    intervals = _intervals(systems, found, scored, level, signatures)

    p_of = two_sided_bootstrap_p if two_sided else bootstrap_p

    def judge(a: str, b: str, m: int) -> Verdict:
        one, other = scored[a][m], scored[b][m]
        ends = ends_of([y - x for x, y in zip(one, other, strict=True)], level)
        if two_sided and systems.segments == 1:
            return 1.0, *ends
        return p_of(one, other, found[a][m].score - found[b][m].score), *ends

    comparisons = _compare(systems, found, pairs, judge)
    return _results("paired bootstrap", systems, found, intervals, comparisons, signatures)


def paired_approximate_randomization(
    systems: Systems,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    trials: int = TRIALS,
    seed: int | None = DEFAULT_SEED,
    ties: str = STRICT,
    interval_draws: int = 0,
    level: float = LEVEL,
    threads: int = 1,
) -> PairedResults:
    """Let the systems change places segment by segment and ask how often they differ as much.

    If they were the same, nobody could tell whose a sentence is (Riezler and Maxwell 2005, Noreen
    1989). All pairs and metrics share the exchanges.

    sacreBLEU counts the trials whose difference is larger than the one found. Where few segments
    differ, many trials make the very same difference, so that p comes out too small: two systems
    that differ in one segment always seem significantly different. `ties="count"` counts
    differences that are as large, too, so that a true null is never rejected more often than
    promised (Phipson and Smyth 2010, "Permutation P-values Should Never Be Zero").

    Args:
        systems: the systems, counted.
        baseline: whom all others are compared with; by default the first.
        all_pairs: compare every system with every other.
        trials: how many times they change places.
        seed: what the trials begin from; None draws anew each time.
        ties: "strict" as sacreBLEU, or "count" to count differences as large as the one found;
            the signature says so.
        interval_draws: draws of bootstrap intervals for the scores; 0 makes none.
        level: the share of draws that intervals hold.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has a value it cannot take.

    >>> from bleuet import TER
    >>> from bleuet.studies.significance import Systems
    >>> hypotheses = {"old": ["A cat sat.", "It rains."], "new": ["The cat sat.", "It rains."]}
    >>> systems = Systems.count([TER()], hypotheses, ["The cat sat.", "It rains."])
    >>> for ties in ("strict", "count"):
    ...     found = paired_approximate_randomization(systems, ties=ties).comparison("old", "new")
    ...     print(f"{found.p_value:.4f}")
    0.0001
    1.0000
    """
    pairs = systems.pairs(baseline, all_pairs)
    check_draws(trials, what="trials")
    if ties not in TIES:
        raise OptionError(f"ties must be {' or '.join(TIES)}, not {ties!r}")
    check_draws(interval_draws, least=0, what="interval_draws")
    threads = check_threads(threads)
    found = systems.scores()
    bs = interval_draws or None
    signatures = _signatures(systems, found, bs=bs, ar=trials, seed=seed, ties=ties == COUNT)
    intervals = None
    if bs:
        sums = Resampler(seed).draw(systems.all_tables(), bs, threads=threads)
        warn_of_few(systems.segments)
        intervals = _intervals(systems, found, scores_of_draws(systems, sums), level, signatures)
    chosen = Resampler(seed).choose(systems.all_tables(), trials, threads=threads)
    exchanges = Exchanges(systems, chosen)

    def judge(a: str, b: str, m: int) -> Verdict:
        difference = found[a][m].score - found[b][m].score
        return exchanges.p_value(a, b, m, difference, ties=ties), None, None

    comparisons = _compare(systems, found, pairs, judge)
    name = "paired approximate randomization"
    return _results(name, systems, found, intervals, comparisons, signatures)


def bootstrap_p(one: Sequence[float], other: Sequence[float], found: float) -> float:
    """Return the paired bootstrap's p-value of a difference from two systems' scores of draws.

    >>> bootstrap_p([1.0, 2.0, 3.0], [2.0, 4.0, 9.0], -1.0)
    0.5
    """
    differences = [abs(a - b) for a, b in zip(one, other, strict=True)]
    mean = mean_of(differences)
    return share_above([d - mean for d in differences], abs(found))


def two_sided_bootstrap_p(one: Sequence[float], other: Sequence[float], found: float) -> float:
    """Return the share of draws whose difference is as far from their mean as the one found.

    >>> two_sided_bootstrap_p([1.0, 2.0, 3.0], [2.0, 4.0, 9.0], -2.0)
    0.75
    >>> two_sided_bootstrap_p([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], 0.0)
    1.0
    """
    differences = [a - b for a, b in zip(one, other, strict=True)]
    mean = mean_of(differences)
    return share_above([abs(d - mean) for d in differences], _just_below(found, (*one, *other)))


def share_above(statistics: Sequence[float], found: float) -> float:
    """Return how many of some statistics exceed the one found, 1 being added to both counts.

    So a p-value is never 0, as the arrangement found is one that chance can make. Equal ones do
    not count, as in sacreBLEU.

    >>> share_above([1.0, 2.0, 3.0], 2.0)
    0.5
    """
    return (sum(value > found for value in statistics) + 1) / (len(statistics) + 1)


def _just_below(found: float, scores: Iterable[float]) -> float:
    """What differences must exceed to be as large as the one found, but for rounding."""
    # What rounding may do to a difference goes with the size of the scores, not with its own, which
    # may be a millionth of it. Scores that are all 0 differ by 0, which counts too.
    return abs(found) - SAME * max(SAME, *map(abs, scores))


def scores_of_draws(systems: Systems, sums: Sequence[Table]) -> DrawScores:
    """Return the scores of each system's draws from their sums, which lie system after system."""
    following = iter(sums)
    return {
        name: [metric.segment_scores(next(following)).values for metric in systems.metrics]
        for name in systems.names
    }


class Exchanges:
    """Sums of what two systems hold when chance has let them change places.

    Args:
        systems: the systems.
        chosen: for each of their tables, system after system, the sums of the rows chosen.
    """

    def __init__(self, systems: Systems, chosen: Sequence[Table]) -> None:
        self._metrics = systems.metrics
        width = len(systems.metrics)
        self._of = {
            name: [(systems.tables[name][m], chosen[i * width + m]) for m in range(width)]
            for i, name in enumerate(systems.names)
        }

    def p_value(self, one: str, other: str, metric: int, found: float, *, ties: str) -> float:
        """Return the share of trials in which the two differ more than was found, or as much."""
        a, b = self._of[one][metric], self._of[other][metric]
        scores = [
            self._metrics[metric].segment_scores(exchanged(x, y)).values
            for x, y in ((a, b), (b, a))
        ]
        least = _just_below(found, (*scores[0], *scores[1])) if ties == COUNT else abs(found)
        return share_above([abs(x - y) for x, y in zip(*scores, strict=True)], least)


def _signatures(
    systems: Systems, found: Mapping[str, tuple[Score, ...]], **draws: Any
) -> dict[str, Signature]:
    first = next(iter(found.values()))
    return {
        label: with_draws(score.signature, **draws)
        for label, score in zip(systems.labels, first, strict=True)
    }


def _intervals(
    systems: Systems,
    found: Mapping[str, tuple[Score, ...]],
    scored: DrawScores,
    level: float,
    signatures: Mapping[str, Signature],
) -> dict[str, list[Interval]]:
    return {
        name: [
            interval_of(found[name][m].score, scored[name][m], level, signatures[label])
            for m, label in enumerate(systems.labels)
        ]
        for name in systems.names
    }


def _compare(
    systems: Systems,
    found: Mapping[str, tuple[Score, ...]],
    pairs: Sequence[tuple[str, str]],
    judge: Callable[[str, str, int], Verdict],
) -> tuple[Comparison, ...]:
    comparisons = []
    for a, b in pairs:
        for m, (label, metric) in enumerate(zip(systems.labels, systems.metrics, strict=True)):
            difference = found[b][m].score - found[a][m].score
            p, low, high = judge(a, b, m)
            better = _better(metric, a, b, difference)
            comparisons.append(Comparison(a, b, label, difference, better, p, low=low, high=high))
    return tuple(comparisons)


def _better(metric: Metric[Any], a: str, b: str, difference: float) -> str | None:
    if difference == 0:
        return None
    return b if (difference > 0) == metric.higher_is_better else a


def _results(
    test: str,
    systems: Systems,
    found: Mapping[str, tuple[Score, ...]],
    intervals: Mapping[str, Sequence[Interval]] | None,
    comparisons: tuple[Comparison, ...],
    signatures: dict[str, Signature],
) -> PairedResults:
    estimates = tuple(
        Estimate(
            name,
            label,
            found[name][m].score,
            intervals[name][m] if intervals else None,
            systems.metrics[m].higher_is_better,
        )
        for name in systems.names
        for m, label in enumerate(systems.labels)
    )
    return PairedResults(test, systems.names, systems.labels, estimates, comparisons, signatures)
