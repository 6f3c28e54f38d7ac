"""Corrections of p-values for several tests at once."""

from __future__ import annotations

from math import inf, sqrt
from statistics import NormalDist

from bleuet.errors import InputError, OptionError
from bleuet.extras import optional
from bleuet.frozen import checked
from bleuet.messages import nearest
from bleuet.output.document import AtMost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@checked
def bonferroni(p_values: Sequence[float]) -> list[float]:
    """Multiply each p-value by the number of tests (Dunn 1961).

    The probability of any false discovery is at most alpha.

    >>> bonferroni([0.01, 0.04, 0.5])
    [0.03, 0.12, 1.0]
    """
    checked = _checked(p_values)
    return [min(1.0, p * len(checked)) for p in checked]


@checked
def holm(p_values: Sequence[float]) -> list[float]:
    """Multiply the smallest p-value by n, the next by n - 1 and so on (Holm 1979).

    Corrected p-values never decrease. The guarantee is Bonferroni's, with more discoveries.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    checked = _checked(p_values)
    corrected = [0.0] * len(checked)
    largest = 0.0
    for rank, i in enumerate(sorted(range(len(checked)), key=checked.__getitem__)):
        largest = max(largest, min(1.0, checked[i] * (len(checked) - rank)))
        corrected[i] = largest
    return corrected


@checked
def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Bound the expected share of false discoveries (Benjamini and Hochberg 1995).

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    checked = _checked(p_values)
    if not checked:
        return []
    corrected: list[float] = optional("scipy.stats").false_discovery_control(checked).tolist()
    return corrected


CORRECTIONS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "bonferroni": bonferroni,
    "holm": holm,
    "benjamini-hochberg": benjamini_hochberg,
}


ONE_SIDED, TWO_SIDED = 1, 2


def some_difference(number: int, alpha: float, sides: int = TWO_SIDED) -> float:
    """Return how often uncorrected tests of all pairs of equal systems find a difference.

    The largest difference of two of several independent normal scores is the studentized range
    (Tukey 1953). Tests that reject less often than alpha find fewer.

    Args:
        number: the number of systems.
        alpha: the level of each test.
        sides: 1 for tests whose side is that of the higher score, 2 for two-sided ones.

    Raises:
        MissingExtraError: scipy, which computes the distribution, is not installed.

    >>> round(some_difference(2, 0.05), 6), round(some_difference(12, 0.05), 2)
    (0.05, 0.72)
    """
    limit = NormalDist().inv_cdf(1 - alpha / sides)
    studentized_range = optional("scipy.stats").studentized_range
    return float(studentized_range.sf(limit * sqrt(2), number, inf))


# Over which tests p-values are corrected: the pairs by each metric, or the pairs by all metrics.
PAIRS, ALL = CORRECT_OVER = ("pairs", "all")


def correct(p_values: Sequence[float], correction: str) -> list[float]:
    """Return p-values corrected for their number.

    A p-value that is only known as the largest that it can be stays one.

    Args:
        p_values: the p-values of all tests.
        correction: the name of the correction.

    Raises:
        OptionError: there is no such correction.

    >>> from bleuet.output.document import AtMost
    >>> [isinstance(p, AtMost) for p in correct([AtMost(0.001), 0.02], "holm")]
    [True, False]
    """
    if correction not in CORRECTIONS:
        raise OptionError(
            f"must be one of {', '.join(CORRECTIONS)}, not {correction!r}"
            f"{nearest(str(correction), CORRECTIONS)}",
            option="correction",
        )
    return [
        AtMost(corrected) if isinstance(p, AtMost) and corrected < 1 else corrected
        for p, corrected in zip(p_values, CORRECTIONS[correction](p_values), strict=True)
    ]


def _checked(p_values: Sequence[float]) -> list[float]:
    for p in p_values:
        if not 0 <= p <= 1:
            raise InputError(f"a p-value must be between 0 and 1, not {p!r}")
    return list(p_values)
