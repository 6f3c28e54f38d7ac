"""Significance tests: whether one metric agrees with human scores better than another."""

from __future__ import annotations

from itertools import product
from math import sqrt

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.frozen import checked
from bleuet.meta_evaluation.rounding import without_rounding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers

    stats: Any
    Measure: TypeAlias = Callable[[Floats], float]
else:
    np = deferred("numpy")
    stats = deferred("scipy.stats")


def standardised(values: Floats) -> Floats:
    """Return scores with mean 0 and variance 1, so that scores of two metrics can be exchanged."""
    deviation = np.nanstd(values)
    scaled: Floats = (values - np.nanmean(values)) / (deviation if deviation > 0 else 1.0)
    return scaled


def perm_both(
    measure: Measure, first: Floats, second: Floats, trials: int, seed: int, units: Integers
) -> tuple[float, int]:
    """Return the p-value of PERM-BOTH: how often randomly exchanged scores differ as much.

    Deutsch, Dror and Roth (2021), "A Statistical Analysis of Summarization Evaluation Metrics
    Using Resampling Methods", TACL: the standardised scores of the two metrics for one
    system and segment are exchanged with probability one half. With documents, those for one
    system and document are exchanged together.

    Args:
        measure: the statistic of a matrix of metric scores.
        first: the scores of one metric, one row per system.
        second: the scores of the other metric, of the same shape.
        trials: the number of random permutations; where all permutations are no more than that,
            all are used.
        seed: the random seed of the permutations.
        units: the number of each segment's document, or of each segment.

    Returns:
        The one-sided p-value that the second metric agrees better, and the number of permutations.
    """
    # The difference that is shown; bringing the scores to one scale changes it by rounding at most.
    real = measure(second) - measure(first)
    if np.isnan(real):
        return float("nan"), 0
    one, other = without_rounding(np.stack([standardised(first), standardised(second)]))
    columns = int(units.max()) + 1
    exchanges = len(one) * columns

    def difference(swapped: Any) -> float:
        swap = swapped.reshape(len(one), columns)[:, units]
        return measure(np.where(swap, one, other)) - measure(np.where(swap, other, one))

    differences = (difference(swap) for swap in _swaps(exchanges, trials, seed))
    return _p_value(real, differences, exchanges, trials)


def perm_sums(
    measure: Measure, first: Any, second: Any, trials: int, seed: int, units: Integers
) -> tuple[float, int]:
    """Return the p-value of exchanging whole segments, or documents, between two metrics' counts.

    This is `perm_both` for judged pairs. The two scores of a pair are compared with each other, so
    exchanging single scores would compare scores of different metrics. All counts of a segment are
    exchanged together.

    Args:
        measure: the statistic of a table of counts, one row per segment.
        first: the counts of one metric.
        second: the counts of the other metric.
        trials: as in `perm_both`.
        seed: as in `perm_both`.
        units: as in `perm_both`.
    """
    # Exchanging equal counts changes nothing.
    different = np.unique(units[(first != second).any(axis=1)])
    real = measure(second) - measure(first)

    def difference(swapped: Any) -> float:
        chosen = np.zeros(int(units.max()) + 1, dtype=bool)
        chosen[different[swapped]] = True
        swap = chosen[units][:, None]
        return measure(np.where(swap, first, second)) - measure(np.where(swap, second, first))

    return _p_value(
        real,
        (difference(swap) for swap in _swaps(len(different), trials, seed)),
        len(different),
        trials,
    )


def perm_pairs(
    real: float, gains: Floats, times: Integers, trials: int, seed: int
) -> tuple[float, int]:
    """Return the p-value of exchanging the decisions of two metrics, pair by pair.

    This is the test of WMT's metrics tasks since 2023, `perm_test="pairs"` in mt-metrics-eval: each
    metric decides each pair once, with its own epsilon, and the decisions are exchanged with
    probability one half. An exchange turns the sign of what a pair adds to the difference.

    Args:
        real: the second metric's accuracy minus that of the first.
        gains: the sizes of what pairs add to this difference.
        times: how many pairs add each of them.
        trials: as in `perm_both`.
        seed: as in `perm_both`.
    """
    units = int(times.sum())
    if _is_small(units, trials):
        each = np.repeat(gains, times)
        drawn = np.array([np.where(swap, -1, 1) @ each for swap in _swaps(units, trials, seed)])
    else:
        rng = np.random.default_rng(seed)
        # The number of pairs with one sign is binomial, so that pairs need not be drawn one by one.
        drawn = (2 * rng.binomial(times, 0.5, size=(trials, len(times))) - times) @ gains
    return _p_value(real, iter(drawn), units, trials)


def _swaps(units: int, trials: int, seed: int) -> Iterator[Any]:
    if _is_small(units, trials):
        yield from (np.array(swap, dtype=bool) for swap in product((False, True), repeat=units))
        return
    rng = np.random.default_rng(seed)
    for _ in range(trials):
        yield rng.integers(0, 2, size=units, dtype=np.int8).astype(bool)


def _is_small(units: int, trials: int) -> bool:
    return units < 63 and 2**units <= trials


def _p_value(
    real: float, differences: Iterator[float], units: int, trials: int
) -> tuple[float, int]:
    if np.isnan(real):
        return float("nan"), 0
    # Equal up to rounding counts as reached, and so does an undefined permutation: both make the
    # p-value larger.
    reached = [not difference < real - 1e-12 for difference in differences]
    if _is_small(units, trials):
        return sum(reached) / len(reached), len(reached)
    # The real data are a permutation too, so that no p-value is 0 (Phipson and Smyth 2010).
    return (sum(reached) + 1) / (len(reached) + 1), len(reached)


@checked
def williams(first: float, second: float, between: float, items: int) -> tuple[float, float]:
    """Return Williams' test: whether two correlations with the same human scores differ.

    Williams (1959), "Regression Analysis", Wiley; Graham and Baldwin (2014), "Testing for
    Significance of Increased Correlation with Human Judgment", EMNLP, recommend it for metrics:
    t = (r2 - r1) sqrt((n - 1)(1 + r12)) / sqrt(2K (n - 1)/(n - 3) + ((r1 + r2)/2)^2 (1 - r12)^3)
    with K = 1 - r1^2 - r2^2 - r12^2 + 2 r1 r2 r12, which has n - 3 degrees of freedom.

    Args:
        first: Pearson's r of the first metric and the human scores.
        second: Pearson's r of the second metric and the human scores.
        between: Pearson's r of the two metrics.
        items: the number of systems.

    Returns:
        t and the one-sided p-value that the second metric correlates better; 0 and 0.5 where one
        metric is a linear function of the other.

    Raises:
        InputError: there are fewer than four systems.

    >>> t, p = williams(0.45, 0.20, 0.80, 100)
    >>> round(t, 2), round(1 - p, 6)
    (-4.56, 7e-06)
    """
    if items < 4:
        raise InputError(f"Williams' test needs four systems or more, but there are {items}")
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    spread = 2 * max(determinant, 0.0) * (items - 1) / (items - 3) + mean**2 * (1 - between) ** 3
    if spread <= 0 or between > 1 - 1e-12:
        return 0.0, 0.5
    t = (second - first) * sqrt((items - 1) * (1 + between)) / sqrt(spread)
    return t, float(stats.t.sf(t, items - 3))
