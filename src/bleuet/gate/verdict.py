"""The verdict of a gate: the drop of each metric, and whether it fails.

A drop is how much worse the new system is, in points of the metric: for TER, where lower is better,
a rise of the score. A drop is too large if it exceeds the allowed drop, and significant if the
p-value of a paired test is below alpha.
"""

from __future__ import annotations

from bleuet.errors import InputTypeError, OptionError
from bleuet.frozen import Value
from bleuet.messages import nearest
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.significance.few_segments import (
    DOCUMENT,
    RANDOMIZED,
    SEGMENT,
    TOO_OFTEN,
    are_few,
    describe_few,
)
from bleuet.significance.paired_results import BOOTSTRAP, SACREBLEU_BOOTSTRAP, TESTS
from bleuet.significance.power import describe_power
from bleuet.significance.result_parts import ALPHA, check_alpha
from bleuet.significance.testing import RANDOMIZATIONS, default_test, paired_test
from bleuet.statistics.seed import SEED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.significance import PairedComparison, PairedResults

# What a command exits with where the new system is worse.
FAILED = 3


class Rule(Value):
    """When a metric fails.

    Attributes:
        fails: from whether the drop is too large and whether it is significant, whether it fails.
        needs_max_drop: whether the rule needs an allowed drop.
        needs_test: whether the rule needs a paired test.
        summary: the rule in words.
    """

    fails: Callable[[bool, bool], bool]
    needs_max_drop: bool
    needs_test: bool
    summary: str

    @property
    def uses_max_drop(self) -> bool:
        """Whether a drop can fail because it is too large."""
        return any(self.fails(True, sure) and not self.fails(False, sure) for sure in (True, False))


RULES = {
    "either": Rule(
        lambda large, sure: large or sure, False, False, "a drop that is too large or significant"
    ),
    "both": Rule(
        lambda large, sure: large and sure, True, True, "a drop that is too large and significant"
    ),
    "drop": Rule(lambda large, sure: large, True, False, "a drop that is too large"),
    "significance": Rule(lambda large, sure: sure, False, True, "a significant drop"),
}


class Limits(Value):
    """The limits of a gate.

    Args:
        max_drop: the largest allowed drop in points; None allows any.
        alpha: a drop is significant where its p-value is below this.
        fail_on: one of `RULES`.

    Raises:
        OptionError: a value is out of range, or the rule needs an allowed drop.
    """

    max_drop: float | None = None
    alpha: float = ALPHA
    fail_on: str = "either"

    def _complete(self) -> None:
        if self.fail_on not in RULES:
            raise OptionError(
                f"must be one of {', '.join(RULES)}, not {self.fail_on!r}"
                f"{nearest(str(self.fail_on), RULES)}",
                option="fail_on",
            )
        _check_max_drop(self.max_drop)
        check_alpha(self.alpha)
        if self.max_drop is None and self.rule.needs_max_drop:
            raise OptionError(
                f"must be set to fail on {self.rule.summary} ({self.fail_on})", option="max_drop"
            )

    @property
    def rule(self) -> Rule:
        """The rule by which a metric fails."""
        return RULES[self.fail_on]


def _check_max_drop(points: object) -> None:
    number = isinstance(points, int | float) and not isinstance(points, bool)
    if points is not None and not (number and 0 <= points < float("inf")):  # type: ignore[operator]
        raise OptionError(
            f"must be a number of points, 0 or more, not {points!r}", option="max_drop"
        )


class Check(Value, Plain):
    """The verdict of one metric.

    Attributes:
        metric: the printed name of the metric.
        signature: how to compute the new score again.
        baseline: the score of the baseline system.
        new: the score of the new system.
        drop: how much worse the new system is; negative if it is better.
        p_value: the p-value of the paired test, None without a test.
        too_large: whether the drop exceeds the allowed drop.
        significant: whether the score dropped and the p-value is below alpha.
        fails: the verdict.
        detectable: the smallest true difference that a test finds in 80% of cases, None without a
            test, and where segments are too few for the estimate.
        extra_digits: the digits that scores need beyond those of a score in percent.
    """

    metric: str
    signature: Signature
    baseline: float
    new: float
    drop: float
    p_value: float | None
    too_large: bool
    significant: bool
    fails: bool
    detectable: float | None = None
    extra_digits: int = 0
    plain_fields = (
        *("metric", "signature", "baseline", "new", "drop", "p_value"),
        *("too_large", "significant", "fails", "detectable"),
    )


class GateResult(Plain, Answer, Value):
    """The verdict of a gate, and of each metric.

    Attributes:
        baseline: the name of the baseline system.
        new: the name of the new system.
        checks: the verdicts of the metrics.
        limits: the limits.
        test: the name of the paired test, None without a test.
        draws: the number of draws or trials of the test.
        seed: the random seed.
        segments: the number of segments.
        note: a warning about few segments, "" for enough.
        documents: the number of documents, which are drawn and exchanged whole; None where
            segments are.
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
    documents: int | None = None
    plain_fields = (
        *("passed", "baseline", "new"),
        *(f"{name}=limits.{name}" for name in ("max_drop", "alpha", "fail_on")),
        *("test", "draws", "seed", "segments", "documents", "note", "checks"),
    )

    @property
    def passed(self) -> bool:
        """Whether no metric fails."""
        return not any(check.fails for check in self.checks)

    @property
    def exit_code(self) -> int:
        """What a command exits with: 0 if the new system passes, else 3."""
        return 0 if self.passed else FAILED

    def document(self) -> Document:
        """Return one table with a row for each metric, under the verdict."""
        # One column has the scores of all metrics.
        digits = max([check.extra_digits for check in self.checks], default=0)
        columns = [
            Column("metric"),
            *(
                Column(key, kind="score", extra_digits=digits)
                for key in ("baseline", "new", "drop")
            ),
            Column("p_value", "p", "p-value"),
            Column("verdict", value=self._reason),
        ]
        title = f"Translation quality: {self._verdict()}"
        return Document(
            tables=[DocumentTable.of("checks", title, columns, self.checks)],
            notes=[
                f"{self.new} is compared with the baseline {self.baseline}.",
                self._settings(),
                *self._notes(),
            ],
            signatures=[(check.metric, check.signature) for check in self.checks],
            data=self.to_dict,
            records={"checks": self._records},
        )

    def _in_brief(self) -> str:
        return f"of {self.new} against {self.baseline}: {self._verdict()}"

    def _records(self) -> Iterator[dict[str, Any]]:
        for check in self.checks:
            yield {"baseline_system": self.baseline, "new_system": self.new, **check.to_dict()}

    def _verdict(self) -> str:
        if self.passed:
            return "passed"
        return f"failed by {', '.join(check.metric for check in self.checks if check.fails)}"

    def _reason(self, check: Check) -> str:
        """Return the verdict of a metric with its reasons."""
        reasons = []
        if check.too_large:
            reasons.append(f"larger than {self.limits.max_drop:g}")
        if check.significant:
            reasons.append(f"significant (p < {self.limits.alpha:g})")
        if not reasons:
            return "passes"
        drop = f"the drop is {' and '.join(reasons)}"
        return f"fails: {drop}" if check.fails else f"passes, although {drop}"

    def _settings(self) -> str:
        """Return the limits and the test in one sentence."""
        limits = self.limits
        parts = [f"Fails on {limits.rule.summary}"]
        if limits.max_drop is not None:
            effect = "" if limits.rule.uses_max_drop else ", which is only reported"
            parts.append(f"a drop of more than {limits.max_drop:g} is too large{effect}")
        if self.test is None:
            return f"{'; '.join([*parts, 'no test'])}."
        seed = "no seed" if self.seed is None else f"seed {self.seed}"
        count = "trials" if self.test in RANDOMIZATIONS else "draws"
        parts.append(f"{TESTS[self.test]}, {self.draws:,} {count}, {seed}, alpha {limits.alpha:g}")
        if self.documents is not None:
            parts.append(f"whole documents ({self.documents:,}) are drawn and exchanged")
        return f"{'; '.join(parts)}."

    def _notes(self) -> list[str]:
        power = describe_power(
            (check.metric, check.detectable, check.extra_digits) for check in self.checks
        )
        return [note for note in (power, self.note) if note]


def gate_systems(
    evaluation: Evaluation,
    limits: Limits,
    *,
    test: str | None = None,
    draws: int | None = None,
    seed: int | None = SEED,
    threads: int = 1,
) -> GateResult:
    """Compare a new system with its baseline, with a paired test unless only the size counts.

    Args:
        evaluation: the baseline system, then the new system.
        limits: the limits; with fail_on="drop" there is no test.
        test: one of the tests of `bleuet.significance.paired_test`; default the bootstrap,
            or the randomization where there are too few segments for a bootstrap.
        draws: the number of draws or trials; default 1,000 draws or 10,000 trials.
        seed: the random seed; None draws differently each time.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: there are not two systems, or an option has an invalid value.
        InputTypeError: the limits are of another type.
    """
    _check_limits(limits)
    if len(evaluation.systems) != 2:
        raise OptionError(f"a gate compares two systems, but there are {len(evaluation.systems)}")
    old, new = evaluation.systems
    scores = evaluation.scores
    if limits.fail_on == "drop":
        return gate_scores(old, new, scores[old], scores[new], limits)
    name = test or default_test(evaluation)
    results = _tested(evaluation, limits.alpha, test=name, draws=draws, seed=seed, threads=threads)
    made = results.trials or results.draws
    note = _note(name, test, evaluation, limits.alpha)
    checks = tuple(
        check.replace(detectable=results.detectable(label))
        for check, label in zip(
            _checks(scores[old], scores[new], results.comparisons, limits),
            results.metrics,
            strict=True,
        )
    )
    return GateResult(
        old,
        new,
        checks,
        limits,
        name,
        made,
        seed,
        evaluation.segments,
        note,
        results.documents,
    )


def _tested(evaluation: Evaluation, alpha: float, **options: Any) -> PairedResults:
    results = paired_test(evaluation, alpha=alpha, correction=None, **options)
    if results.needs_more_draws:
        raise OptionError(
            f"no drop can be significant at {alpha:g} with {results.trials or results.draws} draws:"
            f" use {int(1 / alpha)} or more"
        )
    return results


def _note(name: str, test: str | None, evaluation: Evaluation, alpha: float) -> str:
    """Return what few segments or documents mean for a test.

    Args:
        name: the name of the test.
        test: the name of the requested test, None for the default.
        evaluation: the systems.
        alpha: a drop is significant where its p-value is below this.
    """
    units, unit = evaluation.units, SEGMENT if evaluation.documents is None else DOCUMENT
    if not are_few(units):
        return ""
    if name in (BOOTSTRAP, SACREBLEU_BOOTSTRAP):
        return f"{describe_few(units, TOO_OFTEN, unit)}."
    notes = [] if test else [f"{describe_few(units, RANDOMIZED, unit)}."]
    # The segments of two systems can be exchanged in 2**segments ways, two of which make the
    # difference of the test set.
    if 2.0 ** (1 - units) >= alpha:
        notes.append(f"No drop can be significant at {alpha:g} with so few.")
    return " ".join(notes)


def _check_limits(limits: object) -> None:
    if not isinstance(limits, Limits):
        raise InputTypeError(
            f"limits must be of the class Limits, as in Limits(max_drop=0.3), not {limits!r}"
        )


def gate_scores(
    baseline: str,
    new: str,
    baseline_scores: Sequence[Score | float],
    new_scores: Sequence[Score],
    limits: Limits,
) -> GateResult:
    """Compare scores with those of the baseline by the size of the drop, without a test.

    Args:
        baseline: the name of the baseline system.
        new: the name of the new system.
        baseline_scores: one score or number per metric.
        new_scores: one score per metric.
        limits: the limits.

    Raises:
        OptionError: the limits need a test, or allow any drop.
        InputTypeError: the limits are of another type.
    """
    _check_limits(limits)
    if limits.rule.needs_test:
        raise OptionError(
            "must be either or drop where the baseline has scores only, which cannot be tested",
            option="fail_on",
        )
    if limits.max_drop is None:
        raise OptionError(
            "must be set where the baseline has scores only, which cannot be tested",
            option="max_drop",
        )
    checks = _checks(baseline_scores, new_scores, [None] * len(new_scores), limits)
    return GateResult(baseline, new, checks, limits)


def _checks(
    baseline: Sequence[Score | float],
    new: Sequence[Score],
    comparisons: Sequence[PairedComparison | None],
    limits: Limits,
) -> tuple[Check, ...]:
    return tuple(
        _check(float(before), after, comparison, limits)
        for before, after, comparison in zip(baseline, new, comparisons, strict=True)
    )


def _check(
    before: float, after: Score, comparison: PairedComparison | None, limits: Limits
) -> Check:
    drop = before - after.score if after.metric.higher_is_better else after.score - before
    too_large = limits.max_drop is not None and drop > limits.max_drop
    significant = comparison is not None and drop > 0 and comparison.is_significant(limits.alpha)
    return Check(
        after.name,
        after.signature,
        before,
        after.score,
        drop,
        None if comparison is None else comparison.p_value,
        too_large,
        significant,
        limits.rule.fails(too_large, significant),
        extra_digits=after.metric.extra_digits,
    )
