"""Warnings about a bootstrap of few segments or documents, which is unreliable.

With fewer than a hundred segments, a resampled test set resembles the test set too much. In
simulations with 10 segments, the 95% interval of a score contains the true score in 90 of 100
cases, and the two-sided bootstrap finds a difference between equal systems in 12 of 100; with 2
segments in 44 of 100. Randomization tests are correct for any number of segments. The figures are
in the guide to significance.

Where units are of unequal size, a few large ones decide. Their effective number is that of equal
units whose mean varies as much: the square of the sum of the sizes by the sum of their squares
(Kish 1965, "Survey Sampling", section 11.7).
"""

from __future__ import annotations

from operator import mul

from bleuet.errors import BleuetWarning, warn_caller
from bleuet.messages import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuet.statistics.table import Table

# From this number on, intervals contain the truth in 93 to 97 of 100 cases, and tests at 0.05
# reject a true null hypothesis in 4 to 6 (tests/significance/test_coverage.py).
ENOUGH = 100
# 100 sentences of usual lengths count as 70 to 85. With fewer, rates are those of few segments
# (tests/significance/test_unequal_documents.py).
ENOUGH_EFFECTIVE = 70

SEGMENT, DOCUMENT = "segment", "document"

TOO_NARROW = "whose intervals are too narrow: use {enough}"
TOO_OFTEN = "which finds differences too often: use {enough}, or a randomization test"
RANDOMIZED = "so the test is a randomization"
RANDOMIZED_AND_NARROW = f"{RANDOMIZED}, and intervals are too narrow"


class FewSegmentsWarning(BleuetWarning):
    """A warning that a test set has too few segments for a bootstrap.

    The results of paired tests have a note instead, which nothing hides.
    """


def effective_number(sizes: Sequence[float]) -> float:
    """Return how many equal units say as much as units of these sizes.

    >>> effective_number([2, 2, 2]), effective_number([300, *[3] * 99])
    (3.0, 3.9212793345875827)
    """
    squares = sum(map(mul, sizes, sizes))
    return sum(sizes) ** 2 / squares if squares else 0.0


def effective_rows(tables: Iterable[Table]) -> float:
    """Return the effective number of the rows of tables, the smallest of several tables.

    A metric divides by a size of a row, such as its words or, for a mean of segments, their number.
    No other column is as even, so the size is the column with the largest effective number.

    Args:
        tables: tables with one row per segment or document, one at least.
    """
    return min(
        max((effective_number(table.column(name).tolist()) for name in table.columns), default=0)
        for table in tables
    )


def are_few(units: int, effective: float | None = None) -> bool:
    """Return whether there are too few segments or documents for a bootstrap.

    Args:
        units: their number.
        effective: their effective number; None if they are of equal size.

    >>> are_few(99), are_few(100), are_few(100, 3.9)
    (True, False, True)
    """
    return units < ENOUGH or (effective is not None and effective < ENOUGH_EFFECTIVE)


def warn_of_few(units: int, unit: str = SEGMENT, effective: float | None = None) -> None:
    """Warn the caller of this package if there are too few segments for a bootstrap interval.

    Args:
        units: the number of segments, or of documents.
        unit: `SEGMENT` or `DOCUMENT`.
        effective: their effective number; None if they are of equal size.
    """
    if are_few(units, effective):
        warn_caller(describe_few(units, TOO_NARROW, unit, effective), FewSegmentsWarning)


def describe_few(
    units: int, effect: str, unit: str = SEGMENT, effective: float | None = None
) -> str:
    """Return the text of the warning.

    Args:
        units: the number of segments, or of documents.
        effect: the effect and how to fix it: `TOO_NARROW`, `TOO_OFTEN`, `RANDOMIZED` or
            `RANDOMIZED_AND_NARROW`.
        unit: `SEGMENT` or `DOCUMENT`.
        effective: their effective number; None if they are of equal size.

    >>> describe_few(1, TOO_NARROW)
    '1 segment is too few for a bootstrap, whose intervals are too narrow: use 100 or more'
    >>> describe_few(100, "so ...", DOCUMENT, 3.9)
    '100 documents of unequal size count as 4, too few for a bootstrap, so ...'
    """
    if units < ENOUGH or effective is None:
        number = plural(units, f"{unit} is", f"{unit}s are")
        return f"{number} too few for a bootstrap, {effect.format(enough=f'{ENOUGH} or more')}"
    enough = f"{ENOUGH} or more of similar size"
    return (
        f"{units:,} {unit}s of unequal size count as {effective:.0f}, too few for a bootstrap, "
        f"{effect.format(enough=enough)}"
    )
