"""Agreement on systems: how their scores correlate, which of two is better, and how surely."""

from __future__ import annotations

from functools import lru_cache

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.studies.meta_evaluation.measured import Measured
from bleuet.studies.meta_evaluation.pairs import ACCURACY, count_members, ratio
from bleuet.studies.meta_evaluation.rows import row_means

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from bleuet.studies.meta_evaluation.grouping import Correlation
    from bleuet.studies.meta_evaluation.rows import Floats
else:
    np = optional("numpy")

# Random sign swaps behind each p-value of soft pairwise accuracy, as in the paper.
SWAPS = 1000


def measure_systems(correlation: Correlation, human: Floats, metric: Floats) -> Measured:
    """Return a correlation of the systems' mean scores.

    Args:
        correlation: as those of `correlation`.
        human: people's scores, one row per system; one column per segment, or one in all.
        metric: the metric's scores, alike.
    """
    people, scores = row_means(human), row_means(metric)
    value = float(correlation(people[None], scores[None])[0])
    missing = int(np.isnan(people + scores).sum())
    return Measured(value, len(people) - missing, 0, missing)


def measure_accuracy(human: Floats, metric: Floats) -> Measured:
    """Return pairwise accuracy: the part of system pairs that metric and people order alike.

    Kocmi et al. (2021), "To Ship or Not to Ship", WMT, section 5. Two systems with equal scores are
    ordered alike where both sides have them equal.

    Args:
        human: people's scores, one row per system; one column per segment, or one in all.
        metric: the metric's scores, alike.

    >>> measure_accuracy(np.array([[3.0], [2.0], [1.0]]), np.array([[0.3], [0.1], [0.2]])).used
    3
    """
    people, scores = row_means(human), row_means(metric)
    counts = count_members(people[None], scores[None])[0]
    missing = int(np.isnan(people + scores).sum())
    return Measured(float(ratio(counts, ACCURACY)), int(counts.sum()), 0, missing)


def superiority(values: Floats, signs: Floats) -> Floats:
    """Return the p-value that the first of two systems is better, for each pair of systems.

    Each permutation swaps the two systems' scores on the segments whose sign is -1; p is the part
    of permutations with a difference at least as great as the real one.

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
    # Sums of the same numbers in another order differ by rounding, and are equal all the same.
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


def measure_soft_accuracy(human: Floats, metric: Floats, seed: int) -> Measured:
    """Return soft pairwise accuracy (SPA): 1 - |p of people - p of the metric|, over system pairs.

    Thompson, Mathur, Deutsch and Khayrallah (2024), "Improving Statistical Significance in Human
    Evaluation of Automatic Metrics via Soft Pairwise Accuracy", WMT. Both sides and all pairs see
    the same permutations. Segments that some system lacks a score for on either side are left out.

    Args:
        human: people's scores, one row per system, one column per segment.
        metric: the metric's scores, alike.
        seed: of the permutations.

    Raises:
        InputError: fewer than two segments have all scores.
    """
    whole = np.flatnonzero(~np.isnan(human + metric).any(axis=0))
    segments = len(whole)
    if segments < 2:
        raise InputError(
            "soft pairwise accuracy needs two segments or more with a score of every system on "
            f"both sides, but there are {segments}"
        )
    signs = random_signs(segments, seed)
    apart = superiority(human[:, whole], signs) - superiority(metric[:, whole], signs)
    return Measured(1.0 - float(np.abs(apart).mean()), len(apart), 0, human.shape[1] - segments)
