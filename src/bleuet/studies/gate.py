"""The gate: whether a system may take the place of another, or has become worse.

A drop is how much worse the new system is, in the metric's points: for TER, where less is better, a
rise. A drop is too large where it exceeds what is allowed, and significant where a paired test says
that chance would make such a difference more rarely than `alpha`.

>>> from bleuet import BLEU
>>> from bleuet.studies.significance import Systems
>>> references = ["The cat sat down.", "It rains today.", "We went home."]
>>> new = ["The cat sat.", "It rain.", "We home."]
>>> systems = Systems.count([BLEU()], {"old": references, "new": new}, references)
>>> result = gate_tables(systems, Limits(max_drop=0.3))
>>> result.passed, [check.too_large for check in result.checks]
(False, [True])
"""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.errors import InputTypeError, OptionError
from bleuet.messages import nearest
from bleuet.studies.significance import (
    paired_approximate_randomization,
    paired_bootstrap,
)
from bleuet.studies.significance.few_segments import TOO_OFTEN, are_few, describe_few

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bleuet.metrics.score import Score
    from bleuet.studies.significance import PairedResults, Systems


@dataclass(frozen=True, slots=True)
class Rule:
    """When a metric fails.

    Attributes:
        fails: from whether the drop is too large, and whether it is significant.
        asks_size: whether a largest drop must be given.
        asks_test: whether a paired test must be made.
        summary: the rule in words.
    """

    fails: Callable[[bool, bool], bool]
    asks_size: bool
    asks_test: bool
    summary: str

    @property
    def asks_for_size(self) -> bool:
        """Whether a drop can fail by its size."""
        return any(self.fails(True, sure) and not self.fails(False, sure) for sure in (True, False))


RULES = {
    "either": Rule(
        lambda large, sure: large or sure, False, False, "a drop too large or significant"
    ),
    "both": Rule(
        lambda large, sure: large and sure, True, True, "a drop too large and significant"
    ),
    "drop": Rule(lambda large, sure: large, True, False, "a drop too large"),
    "significance": Rule(lambda large, sure: sure, False, True, "a significant drop"),
}


def _randomization(systems: Systems, **options: Any) -> PairedResults:
    """Count ties, which changes of a few segments make."""
    return paired_approximate_randomization(systems, ties="count", **options)


# Behind a number of segments that are too few for a bootstrap.
RANDOMIZED = "so that the test is a randomization"
BOOTSTRAP, RANDOMIZATION = "bootstrap", "randomization"

# name: (what it is called, the test, its own number of draws)
TESTS: dict[str, tuple[str, Callable[..., PairedResults], str, int]] = {
    BOOTSTRAP: ("paired bootstrap", paired_bootstrap, "draws", 1000),
    RANDOMIZATION: (
        "paired approximate randomization (ties count)",
        _randomization,
        "trials",
        10_000,
    ),
}


@dataclass(frozen=True, slots=True)
class Limits:
    """What is allowed.

    Args:
        max_drop: the largest drop in points that is not too large; None allows any.
        alpha: a drop is significant where its p-value is below this.
        fail_on: one of `RULES`.

    Raises:
        OptionError: a value is out of range, or the rule needs a largest drop.
    """

    max_drop: float | None = None
    alpha: float = 0.05
    fail_on: str = "either"

    def __post_init__(self) -> None:
        if self.fail_on not in RULES:
            raise OptionError(
                f"fail_on must be one of {', '.join(RULES)}, not {self.fail_on!r}"
                f"{nearest(str(self.fail_on), RULES)}"
            )
        if self.max_drop is not None and not (
            _is_number(self.max_drop) and 0 <= self.max_drop < float("inf")
        ):
            raise OptionError(f"max_drop must be a number of points from 0, not {self.max_drop!r}")
        if not (_is_number(self.alpha) and 0 < self.alpha < 1):
            raise OptionError(f"alpha must lie between 0 and 1, such as 0.05, not {self.alpha!r}")
        if self.max_drop is None and self.rule.asks_size:
            raise OptionError(
                f"fail_on={self.fail_on!r} asks how large a drop is too large: give max_drop"
            )

    @property
    def rule(self) -> Rule:
        """The rule by which a metric fails."""
        return RULES[self.fail_on]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Check:
    """One metric's verdict.

    Attributes:
        metric: its printed name.
        signature: how to compute the new score again.
        baseline: the old score.
        new: the new score.
        drop: how much worse the new one is; negative where it is better.
        p_value: of the paired test, or None where there was none.
        too_large: whether the drop exceeds what is allowed.
        significant: whether it is a drop and chance makes one more rarely than alpha.
        fails: the verdict.
    """

    metric: str
    signature: str
    baseline: float
    new: float
    drop: float
    p_value: float | None
    too_large: bool
    significant: bool
    fails: bool

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class GateResult:
    """The verdicts of all metrics.

    Attributes:
        baseline: the old system's name.
        new: the new system's name.
        checks: one per metric.
        limits: what was allowed.
        test: the name of the paired test, or None where there was none.
        draws: how many draws or trials the test made.
        seed: what they began from.
        segments: how many segments they were made of.
        note: what is to be said of so few segments, "" where they are enough.
    """

    baseline: str
    new: str
    checks: tuple[Check, ...]
    limits: Limits
    test: str | None = None
    draws: int | None = None
    seed: int | None = None
    segments: int | None = None
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether no metric fails."""
        return not any(check.fails for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "passed": self.passed,
            "baseline": self.baseline,
            "new": self.new,
            "max_drop": self.limits.max_drop,
            "alpha": self.limits.alpha,
            "fail_on": self.limits.fail_on,
            "test": self.test,
            "draws": self.draws,
            "seed": self.seed,
            "segments": self.segments,
            "note": self.note,
            "checks": [check.to_dict() for check in self.checks],
        }


def gate_tables(
    systems: Systems,
    limits: Limits,
    *,
    test: str | None = None,
    draws: int | None = None,
    seed: int | None = 12345,
    threads: int = 1,
) -> GateResult:
    """Hold a system's rows against those of its baseline, with a paired test where it is asked.

    Args:
        systems: the baseline, then the new system.
        limits: what is allowed; by `fail_on="drop"` no test is made.
        test: one of `TESTS`; by default the bootstrap, or where there are too few segments for it
            the randomization, which does not find more on few segments than there is.
        draws: how many draws or trials; by default 1,000 of the bootstrap, 10,000 of the other.
        seed: what they begin from.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: there are not two systems, or an option has a value it cannot take.
        InputTypeError: the limits are none.
    """
    _check_limits(limits)
    if len(systems.names) != 2:
        raise OptionError(f"a gate needs a baseline and a new system, not {len(systems.names)}")
    old, new = systems.names
    scores = systems.scores()
    if limits.fail_on == "drop":
        return gate_scores(old, new, scores[old], scores[new], limits)
    chosen = test or (RANDOMIZATION if are_few(systems.segments) else BOOTSTRAP)
    if chosen not in TESTS:
        raise OptionError(f"test must be one of {', '.join(TESTS)}, not {test!r}")
    name, run, count, usual = TESTS[chosen]
    made = usual if draws is None else draws
    _check_fine(made, limits.alpha)
    found = run(systems, seed=seed, threads=threads, **{count: made})
    # Counting only greater differences, the bootstrap finds none the rarest of all.
    p_values = [one.p_value if one.difference else 1.0 for one in found.comparisons]
    checks = _checks(scores[old], scores[new], p_values, limits)
    segments = systems.segments
    note = _note(chosen, test, segments, limits.alpha)
    return GateResult(old, new, checks, limits, name, made, seed, segments, note)


def _check_fine(draws: int, alpha: float) -> None:
    """Refuse so few draws that no p-value, the least of which is 1 in draws + 1, is below alpha."""
    if isinstance(draws, int) and draws > 0 and 1 / (draws + 1) >= alpha:
        enough = int(1 / alpha)
        raise OptionError(
            f"no drop can be significant at {alpha:g} with {draws} draws: give draws={enough} or "
            "more"
        )


def _note(chosen: str, asked: str | None, segments: int, alpha: float) -> str:
    """What few segments make of a test."""
    if not are_few(segments):
        return ""
    if chosen == BOOTSTRAP:
        return f"{describe_few(segments, TOO_OFTEN)}."
    told = [] if asked else [f"{describe_few(segments, RANDOMIZED)}."]
    # Of two systems that are the same, chance makes either of two in 2**segments exchanges.
    if 2.0 ** (1 - segments) >= alpha:
        told.append(f"No drop can be significant at {alpha:g} on so few.")
    return " ".join(told)


def _check_limits(limits: object) -> None:
    if not isinstance(limits, Limits):
        raise InputTypeError(f"limits are given as Limits(max_drop=0.3), not as {limits!r}")


def gate_scores(
    baseline: str,
    new: str,
    old_scores: Sequence[Score | float],
    new_scores: Sequence[Score],
    limits: Limits,
) -> GateResult:
    """Hold scores against those of the baseline, by the size of the drop alone.

    Args:
        baseline: the old system's name.
        new: the new system's name.
        old_scores: one per metric; mere numbers will do.
        new_scores: one per metric.
        limits: what is allowed.

    Raises:
        OptionError: the limits ask for a test, or allow any drop.
        InputTypeError: the limits are none.
    """
    _check_limits(limits)
    if limits.rule.asks_test or limits.max_drop is None:
        raise OptionError(
            "scores alone tell how large a drop is and not whether it is significant: give "
            "max_drop, with fail_on='either' or 'drop'"
        )
    checks = _checks(old_scores, new_scores, [None] * len(new_scores), limits)
    return GateResult(baseline, new, checks, limits)


def _checks(
    old: Sequence[Score | float],
    new: Sequence[Score],
    p_values: Sequence[float | None],
    limits: Limits,
) -> tuple[Check, ...]:
    return tuple(
        _check(float(before), after, p_value, limits)
        for before, after, p_value in zip(old, new, p_values, strict=True)
    )


def _check(before: float, after: Score, p_value: float | None, limits: Limits) -> Check:
    drop = before - after.score if after.metric.higher_is_better else after.score - before
    too_large = limits.max_drop is not None and drop > limits.max_drop
    significant = p_value is not None and drop > 0 and p_value < limits.alpha
    return Check(
        after.name,
        str(after.signature),
        before,
        after.score,
        drop,
        p_value,
        too_large,
        significant,
        limits.rule.fails(too_large, significant),
    )
