"""Agreement on systems: correlation of their scores, and accuracy on pairs of systems."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.meta_evaluation.arrays import row_means
from bleuet.meta_evaluation.pair_counts import ACCURACY, count_members, ratio
from bleuet.meta_evaluation.rounding import typical, without_rounding
from bleuet.meta_evaluation.statistic_options import StatisticOptions
from bleuet.meta_evaluation.statistic_value import StatisticValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.meta_evaluation.grouping import Correlation
else:
    np = deferred("numpy")

# Random permutations come in blocks of this number.
BLOCK = 1024


def measure_systems(
    correlation: Correlation, human: Floats, metric: Floats, options: StatisticOptions
) -> StatisticValue:
    """Return a correlation of the mean scores of systems.

    Args:
        correlation: a function of `correlation`.
        human: human scores, one row per system; one column per segment, or a single column.
        metric: the metric's scores in the same layout.
        options: which segments count, and what an undefined value counts as.
    """
    human_means, metric_means = system_means(human, metric, options)
    value = float(correlation(human_means[None], metric_means[None])[0])
    missing = int(np.isnan(human_means + metric_means).sum())
    if options.settings.undefined_as_zero and len(human_means) - missing > 1 and np.isnan(value):
        value = 0.0
    return StatisticValue(value, len(human_means) - missing, 0, missing)


def draw_correlations(
    correlation: Correlation,
    human: Floats,
    metric: Floats,
    drawn: Integers,
    options: StatisticOptions,
) -> Floats:
    """Return the correlation of the mean scores of drawn systems.

    Args:
        correlation: a function of `correlation`.
        human: as of `measure_systems`.
        metric: as of `measure_systems`.
        drawn: the systems of each draw, one row per draw.
        options: as of `measure_systems`.
    """
    human_means, metric_means = system_means(human, metric, options)
    values = correlation(human_means[drawn], metric_means[drawn])
    return np.nan_to_num(values, nan=0.0) if options.settings.undefined_as_zero else values


def measure_accuracy(human: Floats, metric: Floats, options: StatisticOptions) -> StatisticValue:
    """Return pairwise accuracy: the share of system pairs with the same order on both sides.

    Kocmi et al. (2021), "To Ship or Not to Ship", WMT, section 5. A pair with equal scores
    has the same order only where both sides have equal scores.

    Args:
        human: human scores, one row per system; one column per segment, or a single column.
        metric: the metric's scores in the same layout.
        options: which segments count.

    >>> human, metric = np.array([[3.0], [2.0], [1.0]]), np.array([[0.3], [0.1], [0.2]])
    >>> measure_accuracy(human, metric, StatisticOptions()).used
    3
    """
    human_means, metric_means = system_means(human, metric, options)
    counts = count_members(human_means[None], metric_means[None])[0]
    missing = int(np.isnan(human_means + metric_means).sum())
    return StatisticValue(float(ratio(counts, ACCURACY)), int(counts.sum()), 0, missing)


def draw_accuracies(
    human: Floats, metric: Floats, drawn: Integers, options: StatisticOptions
) -> Floats:
    """Return the pairwise accuracy of drawn systems; arguments as of `draw_correlations`."""
    human_means, metric_means = system_means(human, metric, options)
    orders = [np.sign(one[:, None] - one) for one in (human_means, metric_means)]
    same = np.where(np.isnan(orders[0] + orders[1]), np.nan, orders[0] == orders[1])
    return _means_of_pairs(same, drawn)


def _means_of_pairs(values: Floats, drawn: Integers) -> Floats:
    """Return the mean over the pairs of each draw.

    A system that is drawn twice is no pair with itself, on which both sides would always agree.

    Args:
        values: the value of each pair, one row and one column per system; NaN is left out.
        drawn: the systems of each draw, one row per draw.
    """
    times = np.zeros((len(drawn), len(values)))
    np.add.at(times, (np.arange(len(drawn))[:, None], drawn), 1)
    known = ~np.isnan(values) & ~np.eye(len(values), dtype=bool)
    sums, counts = (
        ((times @ matrix) * times).sum(axis=1)
        for matrix in (np.where(known, values, 0.0), known.astype(np.float64))
    )
    with np.errstate(invalid="ignore"):
        means: Floats = sums / np.where(counts > 0, counts, np.nan)
    return means


def system_means(human: Floats, metric: Floats, options: StatisticOptions) -> tuple[Floats, Floats]:
    """Return the mean scores of systems: by default over the segments with scores on both sides.

    Means that are equal up to rounding are equal.

    Args:
        human: human scores, one row per system; one column per segment, or a single column.
        metric: the metric's scores in the same layout.
        options: which segments count.

    >>> human, metric = np.array([[1.0, np.nan]]), np.array([[2.0, 4.0]])
    >>> [means.tolist() for means in system_means(human, metric, StatisticOptions())]
    [[1.0], [2.0]]
    """
    if human.shape == metric.shape and human.shape[1] > 1 and not options.settings.all_segments:
        present = ~np.isnan(human + metric)
        human, metric = np.where(present, human, np.nan), np.where(present, metric, np.nan)
    one, other = (without_rounding(row_means(side), typical(side)) for side in (human, metric))
    return one, other


def superiority(values: Floats, signs: Floats, *, opposite: bool = False) -> Floats:
    """Return for each pair of systems the p-value that the first one is better.

    Each permutation swaps the scores of the two systems on the segments with the sign -1; p is the
    share of permutations with a difference at least as large as the real one.

    Args:
        values: one row per system, one column per segment.
        signs: one row per segment, one column per permutation, 1 or -1.
        opposite: also use the permutations with the opposite signs.

    Returns:
        One p-value per pair of systems, in the order of `numpy.triu_indices`.

    >>> signs = np.array([[1, 1, -1, -1], [1, -1, 1, -1]])
    >>> superiority(np.array([[0.9, 0.8], [0.1, 0.5]]), signs).tolist()
    [0.25]
    """
    first, second = np.triu_indices(len(values), 1)
    permuted = values @ signs
    real = values.sum(axis=1)
    # Sums of the same numbers in another order differ by rounding, but count as equal.
    rounding = 1e-12 * np.abs(values).sum(axis=1)
    least = real[first] - real[second] - rounding[first] - rounding[second]
    differences = permuted[first] - permuted[second]
    reached = np.count_nonzero(differences >= least[:, None], axis=1)
    if opposite:
        reached += np.count_nonzero(differences <= -least[:, None], axis=1)
    p_values: Floats = reached / (signs.shape[1] * (1 + opposite))
    return p_values


def blocks_of_signs(segments: int, options: StatisticOptions) -> Iterator[Floats]:
    """Yield the signs of permutations: all of them for few segments, or else random ones.

    The permutations with the opposite signs belong to them.

    Args:
        segments: the number of segments.
        options: the random seed and the number of random permutations.
    """
    if 2**segments <= BLOCK:
        rest = product((1.0, -1.0), repeat=segments - 1)
        yield np.array([(1.0, *signs) for signs in rest]).T
        return
    for block in range(options.exchanges // BLOCK):
        yield random_signs(segments, options.settings.seed, block)


@lru_cache(maxsize=2)
def random_signs(segments: int, seed: int, block: int = 0) -> Floats:
    """Return the random signs of half a block of permutations, one row per segment, read-only.

    The other half has the opposite signs: it exchanges the other segments. Both are equally
    probable, and their p-values vary in opposite directions, so that the mean of both is the more
    exact one (antithetic variates).

    Args:
        segments: the number of segments.
        seed: the random seed.
        block: the number of the block; each has other signs.
    """
    rng = np.random.default_rng([seed, block])
    drawn = rng.integers(0, 2, size=(segments, BLOCK // 2), dtype=np.int8)
    signs: Floats = (2 * drawn - 1).astype(np.float64)
    signs.setflags(write=False)
    return signs


def measure_soft_accuracy(
    human: Floats, metric: Floats, options: StatisticOptions
) -> StatisticValue:
    """Return soft pairwise accuracy (SPA): the mean of 1 - |human p - metric p| over system pairs.

    Thompson, Mathur, Deutsch and Khayrallah (2024), "Improving Statistical Significance in Human
    Evaluation of Automatic Metrics via Soft Pairwise Accuracy", WMT. Both sides and all pairs use
    the same permutations. A segment without scores of all systems on both sides is left out.

    Args:
        human: human scores, one row per system, one column per segment.
        metric: the metric's scores in the same layout.
        options: the random seed and the number of permutations.

    Raises:
        InputError: fewer than two segments have all scores.
    """
    blocks, left = _p_differences(human, metric, options)
    differences = np.abs(blocks.mean(axis=0))
    return StatisticValue(
        1.0 - float(differences.mean()),
        len(differences),
        0,
        left,
        noise=_noise(blocks),
    )


def draw_soft_accuracies(
    human: Floats, metric: Floats, drawn: Integers, options: StatisticOptions
) -> Floats:
    """Return the soft pairwise accuracy of drawn systems; arguments as of `draw_correlations`."""
    blocks, _ = _p_differences(human, metric, options)
    pairs = np.zeros((len(human), len(human)))
    pairs[np.triu_indices(len(human), 1)] = np.abs(blocks.mean(axis=0))
    return 1.0 - _means_of_pairs(pairs + pairs.T, drawn)


def _p_differences(human: Floats, metric: Floats, options: StatisticOptions) -> tuple[Floats, int]:
    """Return human p minus metric p, and the number of segments that are left out.

    Arguments and errors as of `measure_soft_accuracy`.

    Returns:
        One row per block of permutations and one column per pair of systems.
    """
    complete = np.flatnonzero(~np.isnan(human + metric).any(axis=0))
    segments = len(complete)
    if segments < 2:
        raise InputError(
            "soft pairwise accuracy (spa) needs two segments or more with scores of all systems on "
            f"both sides, but there are {segments}: use system-accuracy, which needs scores of "
            "some segments only, or leave out systems with few scores"
        )
    left = human.shape[1] - segments
    human, metric = human[:, complete], metric[:, complete]
    blocks = [
        superiority(human, signs, opposite=True) - superiority(metric, signs, opposite=True)
        for signs in blocks_of_signs(segments, options)
    ]
    return np.array(blocks), left


def _noise(blocks: Floats) -> float | None:
    """Return the standard error of the mean distance between p-values, from blocks of permutations.

    Args:
        blocks: one row per block, one column per pair: human p minus metric p.
    """
    if len(blocks) < 2:
        return None
    # The sign of the whole difference, not of each block's, which is chance where p-values agree.
    distances = (blocks * np.sign(blocks.mean(axis=0))).mean(axis=1)
    return float(distances.std(ddof=1) / np.sqrt(len(blocks)))
