"""Power: which difference a test set can show, and how many segments would show a difference.

A test has a power of 80% if it finds a true difference in 80% of test sets. The estimate is that of
the two-sided z-test (Cohen 1988, "Statistical Power Analysis for the Behavioral Sciences"; for
machine translation Card et al. 2020, "With Little Power Comes Great Responsibility"), with the
standard error of the bootstrap.
"""

from __future__ import annotations

from math import ceil
from statistics import NormalDist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

POWER = 0.8


def detectable_difference(standard_error: float, alpha: float, power: float = POWER) -> float:
    """Return the smallest difference that test sets of this size show with this power.

    Args:
        standard_error: the standard error of the difference, in points.
        alpha: a difference is significant where its p-value is below this.
        power: the share of test sets that show the difference.

    >>> round(detectable_difference(0.5, 0.05), 2)
    1.4
    """
    normal = NormalDist()
    return (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * standard_error


def describe_power(found: Iterable[tuple[str, float | None, int]]) -> str:
    """Return which differences a test finds, in one sentence; "" if it is unknown.

    Args:
        found: of each metric its name, the smallest difference that test sets of this size show,
            None if it is unknown, and the digits beyond those of scores in percent.

    >>> describe_power([("BLEU", 1.234, 0)])
    'Power: on test sets like this one, a test finds a true difference of 1.2 BLEU in 80% of cases.'
    """
    parts = [f"{value:.{1 + more}f} {name}" for name, value, more in found if value is not None]
    if not parts:
        return ""
    return (
        "Power: on test sets like this one, a test finds a true difference of "
        f"{' or '.join(parts)} in {100 * POWER:g}% of cases."
    )


def units_needed(
    difference: float, standard_error: float, units: int, alpha: float, power: float = POWER
) -> int | None:
    """Return how many segments would show a difference with this power.

    The standard error falls with the square root of their number.

    Args:
        difference: the difference to show, in points.
        standard_error: its standard error on this test set.
        units: the number of segments of this test set, or of its documents.
        alpha: a difference is significant where its p-value is below this.
        power: the share of test sets that show the difference.

    Returns:
        The number of segments, or of documents; None if there is no difference.

    >>> units_needed(0.7, 0.5, 1000, 0.05)
    4005
    """
    if difference == 0:
        return None
    return ceil(units * (detectable_difference(standard_error, alpha, power) / difference) ** 2)
