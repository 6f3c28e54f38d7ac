"""The statistics from their definitions, in loops over pairs: slow, plain, and the oracle."""

from __future__ import annotations

from itertools import combinations
from math import isnan, nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def sign(number: float) -> int:
    return int(number > 0) - int(number < 0)


def complete(human: Sequence[float], metric: Sequence[float]) -> list[tuple[float, float]]:
    return [(h, m) for h, m in zip(human, metric, strict=True) if not (isnan(h) or isnan(m))]


def chen_cherry_tau(judged: Iterable[tuple[int, float, float]]) -> float:
    """Equation 12, from (preference, score of the first, score of the second)."""
    concordant = discordant = 0.0
    for preference, first, second in judged:
        if preference == 0 or isnan(first) or isnan(second):
            continue
        if first == second:
            concordant += 0.5
            discordant += 0.5
        elif sign(first - second) == preference:
            concordant += 1
        else:
            discordant += 1
    pairs = concordant + discordant
    return (concordant - discordant) / pairs if pairs else nan


def wmt_tau(judged: Iterable[tuple[int, float, float]], ties: str) -> float:
    """Tau with metric ties "discordant" (WMT12), "excluded" (WMT13) or "counted" (WMT14)."""
    above = below = 0
    for preference, first, second in judged:
        if preference == 0 or isnan(first) or isnan(second):
            continue
        if first == second:
            above -= ties == "discordant"
            below += ties != "excluded"
        else:
            above += 1 if sign(first - second) == preference else -1
            below += 1
    return above / below if below else nan


def tau_a(human: Sequence[float], metric: Sequence[float]) -> float:
    pairs = list(combinations(complete(human, metric), 2))
    if not pairs:
        return nan
    return sum(sign(a[0] - b[0]) * sign(a[1] - b[1]) for a, b in pairs) / len(pairs)


def accuracy(human: Sequence[float], metric: Sequence[float], epsilon: float) -> float:
    pairs = list(combinations(complete(human, metric), 2))
    if not pairs:
        return nan
    agreed = 0
    for a, b in pairs:
        called = 0 if abs(a[1] - b[1]) <= epsilon else sign(a[1] - b[1])
        agreed += called == sign(a[0] - b[0])
    return agreed / len(pairs)


def calibrated(
    human: Sequence[Sequence[float]], metric: Sequence[Sequence[float]]
) -> tuple[float, float]:
    """The best mean accuracy over groups, trying 0 and every difference there is."""
    differences = {0.0}
    for row in metric:
        differences |= {abs(a - b) for a, b in combinations(row, 2) if not isnan(a + b)}
    best = (nan, nan)
    for epsilon in sorted(differences):
        values = [accuracy(h, m, epsilon) for h, m in zip(human, metric, strict=True)]
        defined = [value for value in values if not isnan(value)]
        mean = sum(defined) / len(defined) if defined else nan
        if isnan(best[0]) or mean > best[0] + 1e-12:
            best = (mean, epsilon)
    return best


def mean_defined(values: Iterable[float]) -> float:
    defined = [value for value in values if not isnan(value)]
    return sum(defined) / len(defined) if defined else nan
