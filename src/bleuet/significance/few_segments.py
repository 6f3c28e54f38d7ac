"""Warnings about a bootstrap of few segments, which is unreliable.

With fewer than a hundred segments, a resampled test set resembles the test set too much. In
simulations with 10 segments, the 95% interval of a score contains the true score in 90 of 100
cases, and the two-sided bootstrap finds a difference between equal systems in 12 of 100; with 2
segments in 44 of 100. Randomization tests are correct for any number of segments. The figures are
in the guide to significance.
"""

from __future__ import annotations

from bleuet.errors import BleuetWarning, warn_caller
from bleuet.messages import plural

# From this number on, intervals contain the truth in 93 to 97 of 100 cases, and tests at 0.05
# reject a true null hypothesis in 4 to 6 (tests/significance/test_coverage.py).
ENOUGH = 100

SEGMENT, DOCUMENT = "segment", "document"

TOO_NARROW = "whose intervals are too narrow: use {enough} or more"
TOO_OFTEN = "which finds differences too often: use {enough} or more, or a randomization test"
RANDOMIZED = "so the test is a randomization"
RANDOMIZED_AND_NARROW = f"{RANDOMIZED}, and intervals are too narrow"


class FewSegmentsWarning(BleuetWarning):
    """A warning that a test set has too few segments for a bootstrap.

    The results of paired tests have a note instead, which nothing hides.
    """


def are_few(segments: int) -> bool:
    """Return whether there are too few segments for a bootstrap.

    >>> are_few(99), are_few(100)
    (True, False)
    """
    return segments < ENOUGH


def warn_of_few(units: int, unit: str = SEGMENT) -> None:
    """Warn the caller of this package if there are too few segments for a bootstrap interval.

    Args:
        units: the number of segments, or of documents.
        unit: `SEGMENT` or `DOCUMENT`.
    """
    if are_few(units):
        warn_caller(describe_few(units, TOO_NARROW, unit), FewSegmentsWarning)


def describe_few(units: int, effect: str, unit: str = SEGMENT) -> str:
    """Return the text of the warning.

    Args:
        units: the number of segments, or of documents.
        effect: the effect and how to fix it: `TOO_NARROW`, `TOO_OFTEN`, `RANDOMIZED` or
            `RANDOMIZED_AND_NARROW`.
        unit: `SEGMENT` or `DOCUMENT`.

    >>> describe_few(1, TOO_NARROW)
    '1 segment is too few for a bootstrap, whose intervals are too narrow: use 100 or more'
    """
    number = plural(units, f"{unit} is", f"{unit}s are")
    return f"{number} too few for a bootstrap, {effect.format(enough=ENOUGH)}"
