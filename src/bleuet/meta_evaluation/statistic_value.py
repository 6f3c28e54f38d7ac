"""The value of a statistic, and how many scores or judgments it was computed from."""

from __future__ import annotations

from bleuet.frozen import Value


class StatisticValue(Value):
    """The value of a statistic of agreement.

    Args:
        value: the statistic; NaN if it is undefined.
        used: the number of judgments, scores, groups, systems or pairs of systems it was computed
            from.
        left_out: the number of those that count neither for nor against the metric: human ties
            for tau, or groups without a defined value.
        missing: the number of judgments, scores, systems or segments without a score on one side.
        epsilon: the largest difference between metric scores that acc*eq counts as a tie,
            calibrated on these scores, or the median of those calibrated on other segments; None
            for other statistics.
        tied: the share of the pairs that the metric orders as the human scores do and that epsilon
            makes ties; None for other statistics.
        noise: the standard error that random exchanges leave in soft pairwise accuracy; None for
            other statistics.
    """

    value: float
    used: int
    left_out: int = 0
    missing: int = 0
    epsilon: float | None = None
    tied: float | None = None
    noise: float | None = None
