"""What measuring and testing agreement gives: values with an account of what they are made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well a metric agrees with people, by one statistic.

    Args:
        statistic: its name in the catalogue, such as "tau" or "spa".
        grouping: which scores were compared with each other: "none", "item" or "system"; None
            for system-level statistics.
        value: the statistic; NaN where it is not defined.
        pairs_or_items: how many judgments, scores, groups, systems or pairs of systems it is
            made of.
        low, high: the ends of the confidence interval, None where none was asked for.
        left_out: judgments that count neither way, as ties of people do for tau; or groups without
            a defined value.
        missing: judgments, scores, systems or segments that one side has no score for.
        epsilon: the difference of metric scores up to which acc*eq counts a tie, calibrated on
            these very scores; None for other statistics.
    """

    statistic: str
    grouping: str | None
    value: float
    pairs_or_items: int
    low: float | None = None
    high: float | None = None
    left_out: int = 0
    missing: int = 0
    epsilon: float | None = None


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """Whether one metric agrees with people better than another.

    Args:
        statistic: its name in the catalogue.
        grouping: as in `Agreement`.
        test: "perm-both" or "williams".
        first, second: the statistic of the two metrics.
        p_value: one-sided, for the hypothesis that the second agrees better than the first; near
            1 speaks for the first.
        trials: the permutations drawn, None where the test draws none.
    """

    statistic: str
    grouping: str | None
    test: str
    first: float
    second: float
    p_value: float
    trials: int | None = None

    @property
    def difference(self) -> float:
        """The second metric's statistic minus the first's."""
        return self.second - self.first
