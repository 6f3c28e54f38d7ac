"""What a statistic gives: its value, and an account of what it was made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """The value of a statistic on some scores, with what went into it.

    Args:
        value: the statistic; NaN where it is not defined.
        used: judgments, scores, groups or pairs of systems it was made of.
        left_out: those that count neither way, such as groups whose scores are all equal.
        missing: scores or judgments that could not be used, for want of one side's score.
        epsilon: the calibrated tie threshold of acc*eq; None for other statistics.
    """

    value: float
    used: int
    left_out: int = 0
    missing: int = 0
    epsilon: float | None = None
