"""Correlations of two score vectors, for many groups at once; NaN marks a missing score.

Every function takes human and metric scores as arrays (groups, members), compares the members that
have both scores, and returns one value per group: NaN where fewer than two members have both, or
where all scores of one side are equal, since no correlation is defined then. Tau-a is defined
there, and is 0.
"""

from __future__ import annotations

from bleuet.extras import deferred
from bleuet.meta_evaluation.pair_counts import count_members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats

    stats: Any
else:
    np = deferred("numpy")
    stats = deferred("scipy.stats")

# Up to this many members, counting the pairs of all groups at once is faster than SciPy, which
# sorts one group after another.
_FEW = 64


def pearson(human: Floats, metric: Floats) -> Floats:
    """Return Pearson's r of each group.

    >>> pearson(np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 2.0, 5.0]])).round(3).tolist()
    [0.866]
    """
    human, metric = _both(human, metric)
    present = ~np.isnan(human)
    products = _unit(human, present) * _unit(metric, present)
    value: Floats = np.clip(products.sum(axis=-1), -1.0, 1.0)
    return np.where(_varies(human) & _varies(metric), value, np.nan)


def spearman(human: Floats, metric: Floats) -> Floats:
    """Return Spearman's rho of each group: Pearson's r of ranks; tied scores have their mean rank.

    >>> spearman(np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 90.0, 4.0]])).round(3).tolist()
    [0.5]
    """
    return pearson(*(_ranks(scores) for scores in _both(human, metric)))


def tau_a(human: Floats, metric: Floats) -> Floats:
    """Return Kendall's tau-a of each group: (C - D) / all pairs, with ties.

    Kendall (1938), "A New Measure of Rank Correlation", Biometrika 30.

    >>> tau_a(np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 2.0, 5.0]])).round(3).tolist()
    [0.667]
    """
    human, metric = _both(human, metric)
    if human.shape[-1] > _FEW:
        tau = _one_by_one(human, metric, "b") * _untied(human) * _untied(metric)
        constant = ~(_varies(human) & _varies(metric)) & _has_pairs(human)
        return np.where(constant, 0.0, tau)
    counts = count_members(human, metric)
    with np.errstate(invalid="ignore"):
        value: Floats = (counts[:, 0] - counts[:, 1]) / counts.sum(axis=1)
    return value


def tau_b(human: Floats, metric: Floats) -> Floats:
    """Return Kendall's tau-b of each group: (C - D) / sqrt((all - Th)(all - Tm)).

    Kendall (1945), "The Treatment of Ties in Ranking Problems", Biometrika 33.

    >>> tau_b(np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 2.0, 5.0]])).round(3).tolist()
    [0.816]
    """
    human, metric = _both(human, metric)
    if human.shape[-1] > _FEW:
        return _one_by_one(human, metric, "b")
    concordant, discordant, by_metric, by_human, _ = count_members(human, metric).T
    strict = concordant + discordant
    with np.errstate(invalid="ignore"):
        value: Floats = (concordant - discordant) / np.sqrt(
            (strict + by_metric).astype(np.float64) * (strict + by_human)
        )
    return value


def tau_c(human: Floats, metric: Floats) -> Floats:
    """Return Stuart's tau-c of each group: 2m(C - D) / (n^2 (m - 1)).

    m is the smaller number of distinct scores of the two sides.

    Stuart (1953), "The Estimation and Comparison of Strengths of Association in Contingency
    Tables", Biometrika 40.

    >>> tau_c(np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 2.0, 5.0]])).round(3).tolist()
    [0.889]
    """
    human, metric = _both(human, metric)
    if human.shape[-1] > _FEW:
        return _one_by_one(human, metric, "c")
    concordant, discordant, *_ = count_members(human, metric).T
    members = (~np.isnan(human)).sum(axis=-1)
    classes = np.minimum(_distinct(human), _distinct(metric))
    with np.errstate(invalid="ignore", divide="ignore"):
        value: Floats = 2 * classes * (concordant - discordant) / (members**2 * (classes - 1.0))
    return np.where(classes > 1, value, np.nan)


def _both(human: Floats, metric: Floats) -> tuple[Floats, Floats]:
    """Replace the scores of members without a score on the other side by NaN."""
    present = ~np.isnan(human + metric)
    return np.where(present, human, np.nan), np.where(present, metric, np.nan)


def _varies(scores: Floats) -> Any:
    """Return which groups have two different scores: exactly, not up to rounding."""
    present = ~np.isnan(scores)
    least = np.where(present, scores, np.inf).min(axis=-1, initial=np.inf)
    most = np.where(present, scores, -np.inf).max(axis=-1, initial=-np.inf)
    return least < most


def _has_pairs(scores: Floats) -> Any:
    """Return which groups have two members or more."""
    return (~np.isnan(scores)).sum(axis=-1) > 1


def _unit(scores: Floats, present: Any) -> Floats:
    """Return each group's scores centred and scaled to length 1, with 0 for missing ones."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(present, scores, 0.0).sum(axis=-1, keepdims=True) / present.sum(
            axis=-1, keepdims=True
        )
        centred = np.where(present, scores - means, 0.0)
        # Divided by the largest value first, so that squares neither overflow nor underflow.
        centred /= np.abs(centred).max(axis=-1, keepdims=True, initial=0.0)
        unit: Floats = centred / np.linalg.norm(centred, axis=-1, keepdims=True)
    return unit


def _ranks(scores: Floats) -> Floats:
    ranks: Floats = stats.rankdata(scores, axis=-1, nan_policy="omit")
    return ranks


def _distinct(scores: Floats) -> Any:
    """Return the number of different scores of each group."""
    ordered = np.sort(scores, axis=-1)  # NaN sorts last
    steps = (ordered[:, 1:] > ordered[:, :-1]).sum(axis=-1)
    return steps + (~np.isnan(scores)).any(axis=-1)


def _untied(scores: Floats) -> Floats:
    """Return the square root of the share of untied pairs: tau-a is tau-b times both roots."""
    parts = []
    for row in scores:
        _, times = np.unique(row[~np.isnan(row)], return_counts=True)
        members = times.sum()
        pairs = members * (members - 1)
        parts.append(1.0 - (times * (times - 1)).sum() / pairs if pairs else np.nan)
    root: Floats = np.sqrt(np.array(parts))
    return root


def _one_by_one(human: Floats, metric: Floats, variant: str) -> Floats:
    values = []
    for human_row, metric_row in zip(human, metric, strict=True):
        present = ~np.isnan(human_row)
        found = stats.kendalltau(
            human_row[present], metric_row[present], method="asymptotic", variant=variant
        )
        values.append(float(found.statistic))
    return np.array(values)
