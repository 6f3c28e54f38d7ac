"""Power: how often a test finds a true difference, on test sets like this one or larger.

A test has a power of 80% if it finds a true difference in 80% of test sets. The estimate is that of
the two-sided z-test (Cohen 1988, "Statistical Power Analysis for the Behavioral Sciences"; for
machine translation Card et al. 2020, "With Little Power Comes Great Responsibility"), with the
standard error of the bootstrap. The difference is one that readers plan to find. The observed one
is no substitute: it varies as much as its standard error says, so that the power that it promises
is often wrong (Hoenig and Heisey 2001, "The Abuse of Power").
"""

from __future__ import annotations

from math import floor, log10
from statistics import NormalDist

from bleuet.frozen import Value
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bleuet.statistics.table import Table

POWER = 0.8
# Test sets whose power is shown, in sizes of this one.
SIZES = (1, 2, 4)
# A bootstrap of segments of which fewer differ has a standard error that is far too uncertain.
FEWEST_DIFFERENT = 10


class PlannedPower(Value, Plain):
    """How often a test finds a planned difference.

    Attributes:
        metric: the label of the metric.
        difference: the true difference, in points.
        units: the number of segments, or of documents.
        power: the share of test sets of this size that show the difference.
    """

    metric: str
    difference: float
    units: int
    power: float


def power_of(difference: float, standard_error: float, alpha: float) -> float:
    """Return the share of test sets that show a true difference, with the right sign.

    Args:
        difference: the true difference, in points.
        standard_error: the standard error of the difference on test sets of this size.
        alpha: a difference is significant where its p-value is below this.

    >>> round(power_of(1.4, 0.5, 0.05), 2)
    0.8
    """
    normal = NormalDist()
    return normal.cdf(abs(difference) / standard_error - normal.inv_cdf(1 - alpha / 2))


def planned_differences(detectable: float) -> tuple[float, ...]:
    """Return three round differences around the one that is found in 80% of cases.

    >>> planned_differences(1.23), planned_differences(0.5), planned_differences(0.021)
    ((0.5, 1.0, 2.0), (0.2, 0.5, 1.0), (0.01, 0.02, 0.05))
    """
    power = floor(log10(detectable))
    series = [
        float(f"{digit}e{tens}") for tens in (power - 1, power, power + 1) for digit in (1, 2, 5)
    ]
    below = sum(one <= detectable for one in series)
    return tuple(series[below - 2 : below + 1])


def few_differ(one: Table, other: Table) -> bool:
    """Return whether two systems differ in so few segments that their power is unknown.

    Args:
        one: the statistics of one system, a row for each segment or document.
        other: those of another.
    """
    found: set[int] = set()
    for name in one.columns:
        for row, (a, b) in enumerate(zip(one.column(name), other.column(name), strict=True)):
            if a != b:
                found.add(row)
                if len(found) >= FEWEST_DIFFERENT:
                    return False
    return True


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

    >>> describe_power([("BLEU", 1.234, 0), ("TER", 0.04321, 0)])[-50:]
    'fference of 1.2 BLEU or 0.043 TER in 80% of cases.'
    """
    parts = [f"{_rounded(value, 1 + more)} {name}" for name, value, more in found if value]
    if not parts:
        return ""
    return (
        "Power: on test sets like this one, between systems that differ in as many segments as "
        "these, a test finds a true difference of "
        f"{' or '.join(parts)} in {100 * POWER:g}% of cases."
    )


def _rounded(value: float, digits: int) -> str:
    """Return a difference with so many digits, and two that are not 0."""
    return f"{value:.{max(digits, 1 - floor(log10(value)))}f}"
