"""Smoothing: what an n-gram precision is when nothing matched.

Every smoothing is a pure function from matches and totals of order 1..N to precisions in percent.
Numbers and order of operations are sacreBLEU's, which follow Chen and Cherry (2014, "A Systematic
Comparison of Smoothing Techniques for Sentence-Level BLEU"): their techniques 1 (floor), 2 (add-k)
and 3 (exp).
"""

from __future__ import annotations

from understudy.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def no_smoothing(matches: Sequence[float], totals: Sequence[float], value: float) -> list[float]:
    """Leave a precision without matches at zero (Papineni et al. 2002, section 2.1.1).

    >>> no_smoothing([2, 0], [4, 3], 0)
    [50.0, 0.0]
    """
    return [100.0 * m / t if m else 0.0 for m, t in _with_ngrams(matches, totals)]


def floor(matches: Sequence[float], totals: Sequence[float], value: float) -> list[float]:
    """Put a small number in place of zero matches (Chen and Cherry 2014, smoothing 1).

    >>> floor([2, 0], [4, 2], 0.1)
    [50.0, 5.0]
    """
    return [100.0 * m / t if m else 100.0 * value / t for m, t in _with_ngrams(matches, totals)]


def add_k(matches: Sequence[float], totals: Sequence[float], value: float) -> list[float]:
    """Add k to matches and totals of the orders above 1 (Chen and Cherry 2014, smoothing 2).

    An order without n-grams becomes k/k, which is 100 percent.

    >>> add_k([2, 0, 0], [4, 1, 0], 1)
    [50.0, 50.0, 100.0]
    """
    added = [0, *[value] * (len(matches) - 1)]
    pairs = _with_ngrams(
        [m + k for m, k in zip(matches, added, strict=True)],
        [t + k for t, k in zip(totals, added, strict=True)],
    )
    return [100.0 * m / t if m else 0.0 for m, t in pairs]


def exponential(matches: Sequence[float], totals: Sequence[float], value: float) -> list[float]:
    """Halve an imagined match at each order without one (Chen and Cherry 2014, smoothing 3).

    This is the smoothing of mteval-v13a.

    >>> exponential([2, 0, 0], [4, 4, 2], 0)
    [50.0, 12.5, 12.5]
    """
    precisions = []
    divisor = 1.0
    for m, t in zip(matches, totals, strict=True):
        if m:
            precisions.append(100.0 * m / t)
        elif t:
            divisor *= 2
            precisions.append(100.0 / (divisor * t))
        else:
            break
    return precisions


def _with_ngrams(matches: Sequence[float], totals: Sequence[float]) -> list[tuple[float, float]]:
    """Matches and totals up to the first order of which the hypothesis has no n-gram."""
    pairs = list(zip(matches, totals, strict=True))
    for n, (_, total) in enumerate(pairs):
        if total == 0:
            return pairs[:n]
    return pairs


class Smoothing(Frozen):
    """One smoothing of the catalogue.

    Args:
        precisions: precisions in percent of the orders that have n-grams.
        default: the default of `smooth_value`; None where the smoothing takes no value.
    """

    __slots__ = ("default", "precisions")
    _fields = ("precisions", "default")
    precisions: Callable[[Sequence[float], Sequence[float], float], list[float]]
    default: float | None

    def __init__(
        self,
        precisions: Callable[[Sequence[float], Sequence[float], float], list[float]],
        default: float | None,
    ) -> None:
        self._set(precisions=precisions, default=default)


SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(no_smoothing, None),
    "floor": Smoothing(floor, 0.1),
    "add-k": Smoothing(add_k, 1),
    "exp": Smoothing(exponential, None),
}
