"""Agreement on systems: correlation of their scores, and accuracy on pairs of systems."""

from __future__ import annotations

from functools import lru_cache

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.studies.meta_evaluation.arrays import row_means
from bleuet.studies.meta_evaluation.pair_counts import ACCURACY, count_members, ratio
from bleuet.studies.meta_evaluation.statistic_value import StatisticValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from bleuet.studies.meta_evaluation.arrays import Floats
    from bleuet.studies.meta_evaluation.grouping import Correlation
else:
    np = optional("numpy")

# The number of random permutations for each p-value of soft pairwise accuracy, as in the paper.
SWAPS = 1000


def measure_systems(correlation: Correlation, human: Floats, metric: Floats) -> StatisticValue:
    """Return a correlation of the mean scores of systems.

    Args:
        correlation: a function of `correlation`.
        human: human scores, one row per system; one column per segment, or a single column.
        metric: the metric's scores in the same layout.
    """
    human_means, metric_means = row_means(human), row_means(metric)
    value = float(correlation(human_means[None], metric_means[None])[0])
    missing = int(np.isnan(human_means + metric_means).sum())
    return StatisticValue(value, len(human_means) - missing, 0, missing)


def measure_accuracy(human: Floats, metric: Floats) -> StatisticValue:
    """Return pairwise accuracy: the share of system pairs with the same order on both sides.

    Kocmi et al. (2021), "To Ship or Not to Ship", WMT, section 5. A pair with equal scores
    has the same order only where both sides have equal scores.

    Args:
        human: human scores, one row per system; one column per segment, or a single column.
        metric: the metric's scores in the same layout.

    >>> measure_accuracy(np.array([[3.0], [2.0], [1.0]]), np.array([[0.3], [0.1], [0.2]])).used
    3
    """
    human_means, metric_means = row_means(human), row_means(metric)
    counts = count_members(human_means[None], metric_means[None])[0]
    missing = int(np.isnan(human_means + metric_means).sum())
    return StatisticValue(float(ratio(counts, ACCURACY)), int(counts.sum()), 0, missing)


def superiority(values: Floats, signs: Floats) -> Floats:
    """Return for each pair of systems the p-value that the first one is better.

    Each permutation swaps the scores of the two systems on the segments with the sign -1; p is the
    share of permutations with a difference at least as large as the real one.

    Args:
        values: one row per system, one column per segment.
        signs: one row per segment, one column per permutation, 1 or -1.

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
    reached = permuted[first] - permuted[second] >= least[:, None]
    p_values: Floats = reached.astype(np.float64).mean(axis=1)
    return p_values


@lru_cache(maxsize=2)
def random_signs(segments: int, seed: int, swaps: int = SWAPS) -> Floats:
    """Return random signs, one row per segment and one column per permutation; read-only."""
    drawn = np.random.default_rng(seed).integers(0, 2, size=(segments, swaps))
    signs: Floats = (2 * drawn - 1).astype(np.float64)
    signs.setflags(write=False)
    return signs


def measure_soft_accuracy(human: Floats, metric: Floats, seed: int) -> StatisticValue:
    """Return soft pairwise accuracy (SPA): the mean of 1 - |human p - metric p| over system pairs.

    Thompson, Mathur, Deutsch and Khayrallah (2024), "Improving Statistical Significance in Human
    Evaluation of Automatic Metrics via Soft Pairwise Accuracy", WMT. Both sides and all pairs use
    the same permutations. A segment without scores of all systems on both sides is left out.

    Args:
        human: human scores, one row per system, one column per segment.
        metric: the metric's scores in the same layout.
        seed: the random seed of the permutations.

    Raises:
        InputError: fewer than two segments have all scores.
    """
    complete = np.flatnonzero(~np.isnan(human + metric).any(axis=0))
    segments = len(complete)
    if segments < 2:
        raise InputError(
            "soft pairwise accuracy (spa) needs two segments or more with scores of all systems on "
            f"both sides, but there are {segments}: use system-accuracy, which needs scores of "
            "some segments only, or leave out systems with few scores"
        )
    signs = random_signs(segments, seed)
    differences = superiority(human[:, complete], signs) - superiority(metric[:, complete], signs)
    return StatisticValue(
        1.0 - float(np.abs(differences).mean()), len(differences), 0, human.shape[1] - segments
    )
