"""The verdict of a gate: the score of each metric, its drop, and whether it fails.

A drop is how much worse the new system is, in points of the metric: for TER, where lower is better,
a rise of the score. A drop is too large if it exceeds the allowed drop, and significant if the
p-value of a paired test is below alpha, which planned changes share. A score can also have limits
of its own, which need no baseline: a minimum, or a maximum where lower scores are better.
"""

from __future__ import annotations

from bleuet.errors import InputTypeError, OptionError
from bleuet.frozen import Value, checked
from bleuet.gate.metric_limits import check_numbers, is_finite, limits_of
from bleuet.messages import nearest
from bleuet.output.answer import Answer
from bleuet.output.cells import p_value_clause
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.significance.correction import ALL, PAIRS, correct
from bleuet.significance.few_segments import (
    DOCUMENT,
    RANDOMIZED,
    SEGMENT,
    TOO_NARROW,
    TOO_OFTEN,
    are_few,
    describe_few,
    effective_rows,
)
from bleuet.significance.interval import in_percent
from bleuet.significance.paired_results import describe_correction
from bleuet.significance.power import describe_power
from bleuet.significance.result_parts import the_baseline
from bleuet.significance.settings import (
    ALPHA,
    BOOTSTRAP,
    DEFAULTS,
    RANDOMIZATIONS,
    SACREBLEU_BOOTSTRAP,
    TESTS,
    TestSettings,
    check_alpha,
)
from bleuet.significance.testing import paired_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.significance import PairedComparison

# What a command exits with where the new system is worse.
FAILED = 3
# More would need more draws than a test can have.
MOST_CHANGES = 10_000
# The changes of a gate that is used again and again, unless its users plan others.
PLANNED_CHANGES = 20


class Rule(Value):
    """When a metric fails.

    Attributes:
        fails: from whether the drop is too large, None where no drop is, whether it is significant,
            and whether it may be too large, whether it fails.
        needs_max_drop: whether the rule needs an allowed drop.
        needs_test: whether the rule needs a paired test.
        summary: the rule in words.
    """

    fails: Callable[[bool | None, bool, bool], bool]
    needs_max_drop: bool
    needs_test: bool
    summary: str


RULES = {
    "both": Rule(
        lambda large, sure, _: large is not False and sure,
        False,
        True,
        "a drop that is too large and significant",
    ),
    "either": Rule(
        lambda large, sure, _: bool(large) or sure,
        False,
        False,
        "a drop that is too large or significant",
    ),
    "possible": Rule(
        lambda _large, _sure, possible: possible,
        True,
        True,
        "a drop that may be too large, because its interval reaches beyond the allowed drop",
    ),
    "drop": Rule(lambda large, *_: bool(large), True, False, "a drop that is too large"),
    "significance": Rule(lambda _, sure, __: sure, False, True, "a significant drop"),
}
BOTH, POSSIBLE, DROP, SIGNIFICANCE = "both", "possible", "drop", "significance"


class Limits(Value):
    """The limits of a gate.

    Args:
        max_drop: the largest allowed drop in points; None allows any.
        alpha: a drop is significant where its p-value is below this.
        fail_on: one of `RULES`; None for "both", and for "drop" where nothing can be tested. By
            "both", a metric without an allowed drop fails if its drop is significant.
        max_drops: the largest allowed drop of single metrics, by the name of the metric, instead of
            `max_drop`.
        min: the least allowed score of metrics where higher is better, by the name of the metric.
        max: the largest allowed score of metrics where lower is better, by the name of the metric.
        changes: the number of changes that are planned, with a check of each: each spends an equal
            share of alpha.

    Raises:
        OptionError: a value is out of range, or the rule needs an allowed drop.

    >>> Limits(0.5, max_drops={"chrf": 0.2}, min={"bleu": 30}).max_drop
    0.5
    """

    max_drop: float | None = None
    alpha: float = ALPHA
    fail_on: str | None = None
    max_drops: Mapping[str, float] = {}
    min: Mapping[str, float] = {}
    max: Mapping[str, float] = {}
    changes: int = 1

    def _complete(self) -> None:
        if self.fail_on is not None and self.fail_on not in RULES:
            raise OptionError(
                f"must be one of {', '.join(RULES)}, not {self.fail_on!r}"
                f"{nearest(str(self.fail_on), RULES)}",
                option="fail_on",
            )
        _check_max_drop(self.max_drop)
        check_numbers(self.max_drops, "max_drop", least=0)
        check_numbers(self.min, "min")
        check_numbers(self.max, "max")
        check_alpha(self.alpha)
        if type(self.changes) is not int or not 1 <= self.changes <= MOST_CHANGES:
            raise OptionError(
                f"must be a whole number from 1 to {MOST_CHANGES}, not {self.changes!r}",
                option="changes",
            )
        check_alpha(self.alpha_of_change)
        if self.rule.needs_max_drop and self.max_drop is None and not self.max_drops:
            raise OptionError(
                f"must be set to fail on {self.rule.summary} ({self.fail_on})", option="max_drop"
            )

    @property
    def rule(self) -> Rule:
        """The rule by which a metric fails."""
        return RULES[self.fail_on or BOTH]

    @property
    def alpha_of_change(self) -> float:
        """The share of alpha that the check of one change spends."""
        return self.alpha / self.changes

    @checked
    def of_metrics(self, metrics: Sequence[Metric[Any]]) -> list[MetricLimit]:
        """Return the limits of each metric.

        Args:
            metrics: the metrics.

        Raises:
            OptionError: a name is that of no metric or of several, a metric has two limits of one
                kind, a minimum although lower is better or the reverse, or no limit although the
                rule needs one.
        """
        drops = limits_of(self.max_drops, metrics, "max_drop")
        least, most = limits_of(self.min, metrics, "min"), limits_of(self.max, metrics, "max")
        found = [
            MetricLimit(self.max_drop if drop is None else drop, low, high)
            for drop, low, high in zip(drops, least, most, strict=True)
        ]
        for metric, limit in zip(metrics, found, strict=True):
            _check_direction(metric, limit)
            if self.rule.needs_max_drop:
                _check_drop_of(metric, limit, f"to fail on {self.rule.summary} ({self.fail_on})")
        return found

    @checked
    def check_untested(self, metrics: Sequence[Metric[Any]]) -> None:
        """Check that every metric can fail by the size of its drop, without a test.

        Args:
            metrics: the metrics.

        Raises:
            OptionError: the rule needs a test, or a metric has no allowed drop.
        """
        untested = "where the baseline has scores only, which cannot be tested"
        if self.fail_on is not None and self.rule.needs_test:
            raise OptionError(f"must be drop or either {untested}", option="fail_on")
        if self.max_drop is None and not self.max_drops:
            raise OptionError(f"must be set {untested}", option="max_drop")
        for metric, limit in zip(metrics, self.of_metrics(metrics), strict=True):
            _check_drop_of(metric, limit, untested)


class MetricLimit(Value):
    """The limits of one metric, None for none.

    Attributes:
        max_drop: the largest allowed drop.
        min: the least allowed score.
        max: the largest allowed score.
    """

    max_drop: float | None
    min: float | None
    max: float | None

    def excess(self, score: float) -> str:
        """Return how a score is beyond the limits, "" where it is not.

        >>> MetricLimit(None, 30, None).excess(29.5)
        'below 30'
        """
        if self.min is not None and score < self.min:
            return f"below {self.min:g}"
        if self.max is not None and score > self.max:
            return f"above {self.max:g}"
        return ""


_NO_LIMIT = MetricLimit(None, None, None)


def _check_direction(metric: Metric[Any], limit: MetricLimit) -> None:
    name, number = metric.name, limit.max if metric.higher_is_better else limit.min
    if number is None:
        return
    option, other = ("max", "min") if metric.higher_is_better else ("min", "max")
    better = "higher" if metric.higher_is_better else "lower"
    raise OptionError(
        f"is not for {name}, whose {better} scores are better: use {other}, as in --{other} "
        f"{name}={number:g}",
        option=option,
    )


def _check_drop_of(metric: Metric[Any], limit: MetricLimit, purpose: str) -> None:
    if limit.max_drop is None:
        raise OptionError(
            f"must be set for {metric.name}, too, {purpose}: add {metric.name}=POINTS, or a number "
            "for all other metrics",
            option="max_drop",
        )


def _check_max_drop(points: object) -> None:
    if points is not None and not (is_finite(points) and points >= 0):  # type: ignore[operator]
        raise OptionError(
            f"must be a number of points, 0 or more, not {points!r}", option="max_drop"
        )


class Check(Value, Plain):
    """The verdict of one metric, compared with one baseline.

    Attributes:
        metric: the printed name of the metric.
        signature: how to compute the new score again.
        baseline: the score of the baseline system, None without one.
        new: the score of the new system.
        drop: how much worse the new system is; negative if it is better, None without a baseline.
        p_value: the p-value of the paired test, None without a test.
        corrected_p_value: the p-value after the correction for the number of metrics, None without
            a correction.
        baseline_system: the name of the baseline system, None without one.
        low: the lower end of the interval of the drop, None without a test.
        high: the upper end.
        too_large: whether the drop exceeds the allowed drop.
        significant: whether the score dropped and the corrected p-value is below the alpha of
            the change.
        fails: the verdict.
        limit: the limits of the metric.
        detectable: the smallest true difference that a test finds in 80% of cases, None without a
            test, and where segments are too few for the estimate.
        extra_digits: the digits that scores need beyond those of a score in percent.
    """

    metric: str
    signature: Signature
    baseline: float | None
    new: float
    drop: float | None
    p_value: float | None
    too_large: bool
    significant: bool
    fails: bool
    limit: MetricLimit
    detectable: float | None = None
    extra_digits: int = 0
    corrected_p_value: float | None = None
    baseline_system: str | None = None
    low: float | None = None
    high: float | None = None
    plain_fields = (
        *("metric", "signature", "baseline_system", "baseline", "new", "drop", "low", "high"),
        *("p_value", "corrected_p_value", "too_large", "significant", "may_be_too_large"),
        *("fails", "detectable"),
        *("max_drop=limit.max_drop", "min=limit.min", "max=limit.max", "beyond_limit"),
    )

    @property
    def excess(self) -> str:
        """How the new score is beyond its limits, "" where it is not."""
        return self.limit.excess(self.new)

    @property
    def may_be_too_large(self) -> bool:
        """Whether the interval of the drop reaches beyond the allowed drop."""
        most = self.limit.max_drop
        return most is not None and self.high is not None and self.high > most

    def fails_by(self, rule: Rule) -> bool:
        """Return whether the drop fails by a rule.

        Args:
            rule: one of `RULES`.
        """
        too_large = None if self.limit.max_drop is None else self.too_large
        return rule.fails(too_large, self.significant, self.may_be_too_large)

    @property
    def beyond_limit(self) -> bool:
        """Whether the new score is below its minimum or above its maximum."""
        return bool(self.excess)


class GateResult(Plain, Answer, Value):
    """The verdict of a gate, and of each metric.

    Attributes:
        baseline: the name of the baseline system, None without one.
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
        first_run: the file that a later run compares with, None where this is no first run.
        written: whether that file was written.
        correction: the correction of the p-values for the number of comparisons, None for none.
        release: the name of an older system that the new one is compared with, too, None for none.
        confidence: the level of the intervals of drops, None without a test.
    """

    baseline: str | None
    new: str
    checks: tuple[Check, ...]
    limits: Limits
    test: str | None = None
    draws: int | None = None
    seed: int | None = None
    segments: int | None = None
    note: str = ""
    documents: int | None = None
    first_run: str | None = None
    written: bool = False
    correction: str | None = None
    release: str | None = None
    confidence: float | None = None
    plain_fields = (
        *("passed", "baseline", "release", "new"),
        *(f"{name}=limits.{name}" for name in ("max_drop", "alpha", "changes", "fail_on")),
        *(
            "test",
            "draws",
            "seed",
            "correction",
            "confidence",
            "segments",
            "documents",
            "note",
            "checks",
        ),
        *(f"{name}=limits.{name}" for name in ("max_drops", "min", "max")),
        *("first_run", "written"),
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
            *([Column("baseline_system", "compared with")] if self.release else []),
            *(
                Column(key, kind="score", extra_digits=digits)
                for key in (("new",) if self.baseline is None else ("baseline", "new", "drop"))
            ),
            *(
                [
                    Column(
                        "interval",
                        f"{in_percent(self.confidence or 0)} interval",
                        "interval",
                        extra_digits=digits,
                        value=lambda check: (check.low, check.high),
                    )
                ]
                if self.limits.fail_on == POSSIBLE and self.confidence
                else []
            ),
            *([] if self.baseline is None else [Column("p_value", "p", "p-value")]),
            *(
                [Column("corrected_p_value", "corrected p", "p-value")]
                if any(check.corrected_p_value is not None for check in self.checks)
                else []
            ),
            Column("verdict", value=self._reason),
        ]
        title = f"Translation quality: {self._verdict()}"
        return Document(
            tables=[DocumentTable.of("checks", title, columns, self.checks)],
            notes=[
                self._compared(),
                *self._settings(),
                *self._notes(),
            ],
            signatures=[(check.metric, check.signature) for check in self._of_baseline],
            data=self.to_dict,
            records={"checks": self._records},
        )

    def _in_brief(self) -> str:
        return f"of {self.new} against {self.baseline}: {self._verdict()}"

    def _records(self) -> Iterator[dict[str, Any]]:
        for check in self.checks:
            yield {
                "baseline_system": check.baseline_system,
                "new_system": self.new,
                **check.to_dict(),
            }

    def _verdict(self) -> str:
        if self.passed:
            limited = any(check.limit != _NO_LIMIT for check in self.checks)
            return "no baseline yet" if self.first_run and not limited else "passed"
        failed = (
            f"{check.metric} (since {self.release})" if self._of_release(check) else check.metric
            for check in self.checks
            if check.fails
        )
        return f"failed by {', '.join(failed)}"

    def _of_release(self, check: Check) -> bool:
        return self.release is not None and check.baseline_system == self.release

    def _reason(self, check: Check) -> str:
        """Return the verdict of a metric with its reasons."""
        reasons = []
        if check.too_large:
            reasons.append(f"larger than {check.limit.max_drop:g}")
        if check.significant:
            p = "p" if check.corrected_p_value is None else "corrected p"
            reasons.append(f"significant ({p} < {self.limits.alpha_of_change:g})")
        if self.limits.fail_on == POSSIBLE and check.may_be_too_large and not check.too_large:
            reasons.append(f"possibly larger than {check.limit.max_drop:g}")
        drop = f"the drop is {' and '.join(reasons)}" if reasons else ""
        excess = f"the score is {check.excess}" if check.excess else ""
        if check.baseline is None and check.limit == _NO_LIMIT:
            return "no limit"
        if check.fails_by(self.limits.rule):
            return f"fails: {', and '.join(filter(None, (excess, drop)))}"
        verdict = f"fails: {excess}" if excess else "passes"
        if not drop or excess:
            return verdict
        return f"{verdict}, although {drop}{self._why_not_significant(check)}"

    @staticmethod
    def _why_not_significant(check: Check) -> str:
        if check.significant or check.p_value is None:
            return ""
        corrected = check.corrected_p_value
        p = check.p_value if corrected is None else corrected
        kind = "" if corrected is None else "corrected "
        return f", because it is not significant ({kind}{p_value_clause(p)})"

    def _compared(self) -> str:
        """Return in one sentence what the new system is compared with."""
        if self.first_run is not None:
            if self.written:
                return f"There was no baseline yet: {self.first_run} was written from {self.new}."
            return f"There is no baseline yet, and {self.first_run} was not written."
        if self.baseline is None:
            return f"{self.new} is scored without a baseline."
        release = "" if self.release is None else f" and the older {self.release}"
        return f"{self.new} is compared with {the_baseline(self.baseline)}{release}."

    def _settings(self) -> Iterator[str]:
        """Yield the limits of scores, and the limits of drops with the test, as sentences."""
        limited = " or ".join(
            f"{check.metric} {side} {number:g}"
            for check in self._of_baseline
            for side, number in (("below", check.limit.min), ("above", check.limit.max))
            if number is not None
        )
        if limited:
            yield f"Fails on {limited}."
        if self.baseline is not None:
            yield self._settings_of_drops()

    @property
    def _of_baseline(self) -> list[Check]:
        """One verdict of each metric."""
        return [check for check in self.checks if not self._of_release(check)]

    def _max_drops(self) -> str:
        """Return which drops are too large, "" for none."""
        drops = {check.limit.max_drop for check in self.checks}
        if not self.limits.max_drops:
            return "" if self.limits.max_drop is None else f"more than {self.limits.max_drop:g}"
        if len(drops) == 1:
            return f"more than {drops.pop():g}"
        limited = " or ".join(
            f"{check.limit.max_drop:g} {check.metric}"
            for check in self._of_baseline
            if check.limit.max_drop is not None
        )
        others = " or ".join(
            check.metric for check in self._of_baseline if check.limit.max_drop is None
        )
        any_other = f", or any of {others}," if others and self.limits.rule is RULES[BOTH] else ""
        return f"more than {limited}{any_other}"

    def _settings_of_drops(self) -> str:
        """Return the limits of drops and the test in one sentence."""
        limits = self.limits
        max_drops = self._max_drops()
        # Where no drop is too large, both fail on the same drops.
        vacuous = limits.rule is RULES[BOTH] and not max_drops
        parts = [f"Fails on {(RULES[SIGNIFICANCE] if vacuous else limits.rule).summary}"]
        if max_drops:
            reported = ", which is only reported"
            effect = reported if limits.rule is RULES[SIGNIFICANCE] else ""
            parts.append(f"a drop of {max_drops} is too large{effect}")
        if self.test is None:
            return f"{'; '.join([*parts, 'no test'])}."
        seed = "no seed" if self.seed is None else f"seed {self.seed}"
        count = "trials" if self.test in RANDOMIZATIONS else "draws"
        parts.append(f"{TESTS[self.test]}, {self.draws:,} {count}, {seed}, alpha {limits.alpha:g}")
        if limits.changes > 1:
            parts[-1] += f" for {limits.changes} changes, {limits.alpha_of_change:g} for each"
        if any(check.corrected_p_value is not None for check in self.checks):
            over = PAIRS if len(self._of_baseline) == 1 else ALL
            made = TestSettings(correction=self.correction, correct_over=over)
            parts.append(describe_correction(made))
        if self.documents is not None:
            parts.append(f"whole documents ({self.documents:,}) are drawn and exchanged")
        return f"{'; '.join(parts)}."

    def _notes(self) -> list[str]:
        power = describe_power(
            (check.metric, check.detectable, check.extra_digits) for check in self._of_baseline
        )
        return [note for note in (power, self.note) if note]


def gate_systems(
    evaluation: Evaluation,
    limits: Limits,
    settings: TestSettings = DEFAULTS,
    *,
    threads: int = 1,
) -> GateResult:
    """Compare a new system with its baseline, with a paired test unless only the size counts.

    Args:
        evaluation: the baseline system, then the new system. With three systems, the second is an
            older one, such as the last release, which the new system is compared with, too.
        limits: the limits; with fail_on="drop" there is no test.
        settings: the test of `bleuet.significance.paired_test`, its draws, their seed and the
            correction, which is over all metrics and baselines. The limits have the alpha, which
            is also that of the intervals.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: there are not two or three systems, or an option has an invalid value.
        InputTypeError: the limits are of another type.
    """
    _check_limits(limits)
    if len(evaluation.systems) not in (2, 3):
        raise OptionError(
            "a gate compares two systems, or three with an older one, but there are "
            f"{len(evaluation.systems)}"
        )
    *baselines, new = evaluation.systems
    release = baselines[1] if len(baselines) > 1 else None
    scores = evaluation.scores
    if limits.fail_on == DROP:
        checks = [
            check
            for old in baselines
            for check in gate_scores(old, new, scores[old], scores[new], limits).checks
        ]
        return GateResult(baselines[0], new, tuple(checks), limits, release=release)
    limits = limits.replace(fail_on=limits.fail_on or BOTH)
    tests = len(baselines) * len(evaluation.metrics)
    multiplied = tests if settings.correction in ("holm", "bonferroni") else 1
    alpha = limits.alpha_of_change
    if settings.draws is not None:
        _check_draws(settings.draws, multiplied, limits)
    made = settings.replace(
        baseline=None,
        all_pairs=False,
        alpha=alpha,
        confidence=1 - alpha,
        correct_over=ALL,
    )
    checks, draws = [], 0
    for old in baselines:
        pair = {name: evaluation.tables[name] for name in (old, new)}
        results = paired_test(evaluation.replace(tables=pair), made, threads=threads)
        draws = max(draws, results.settings.draws or 0)
        if results.undecided:
            _check_draws(draws, multiplied, limits)
        checks += [
            check.replace(detectable=results.detectable(label))
            for check, label in zip(
                _checks(old, scores[old], scores[new], results.comparisons, limits),
                results.metrics,
                strict=True,
            )
        ]
    return GateResult(
        baselines[0],
        new,
        tuple(_corrected(checks, settings.correction, limits)),
        limits,
        results.test,
        draws,
        made.seed,
        evaluation.segments,
        _note(results.test, settings.test, evaluation, limits, multiplied),
        results.documents,
        correction=settings.correction,
        release=release,
        confidence=made.confidence,
    )


def _check_draws(draws: int, multiplied: int, limits: Limits) -> None:
    """Check that a drop can be significant with a number of draws.

    Args:
        draws: the number of draws.
        multiplied: the number of tests that the smallest p-value is multiplied by.
        limits: when a metric fails.

    Raises:
        OptionError: it cannot.
    """
    alpha = limits.alpha_of_change
    if multiplied / (draws + 1) >= alpha:
        shared = f", alpha shared by {limits.changes} changes," if limits.changes > 1 else ""
        raise OptionError(
            f"no drop can be significant at {alpha:g}{shared} with {draws} draws: use "
            f"{int(multiplied / alpha)} or more"
        )


def _corrected(checks: Sequence[Check], correction: str | None, limits: Limits) -> list[Check]:
    """Return the verdicts with p-values corrected for their number.

    Args:
        checks: the verdicts by p-values that are not corrected.
        correction: the name of the correction, None for none.
        limits: when a metric fails.
    """
    if correction is None or len(checks) == 1:
        return list(checks)
    p_values = [1.0 if check.p_value is None else check.p_value for check in checks]
    return [
        _judged(
            check.replace(
                corrected_p_value=p,
                significant=check.significant and p < limits.alpha_of_change,
            ),
            limits,
        )
        for check, p in zip(checks, correct(p_values, correction), strict=True)
    ]


def _note(name: str, test: str | None, evaluation: Evaluation, limits: Limits, tests: int) -> str:
    """Return what few segments or documents mean for a test.

    Args:
        name: the name of the test.
        test: the name of the requested test, None for the default.
        evaluation: the systems.
        limits: the limits.
        tests: the number of tests that the smallest p-value is multiplied by.
    """
    units, unit = evaluation.units, SEGMENT if evaluation.documents is None else DOCUMENT
    effective = effective_rows(evaluation.unit_tables())
    if not are_few(units, effective):
        return ""
    if limits.fail_on == POSSIBLE:
        return f"{describe_few(units, TOO_NARROW, unit, effective)}."
    if name in (BOOTSTRAP, SACREBLEU_BOOTSTRAP):
        return f"{describe_few(units, TOO_OFTEN, unit, effective)}."
    notes = [] if test else [f"{describe_few(units, RANDOMIZED, unit, effective)}."]
    # The segments of two systems can be exchanged in 2**segments ways, two of which make the
    # difference of the test set.
    alpha = limits.alpha_of_change
    if tests * 2.0 ** (1 - units) >= alpha:
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
    limits = limits.replace(fail_on=limits.fail_on or DROP)
    limits.check_untested([score.metric for score in new_scores])
    checks = _checks(baseline, baseline_scores, new_scores, [None] * len(new_scores), limits)
    return GateResult(baseline, new, checks, limits)


def gate_limits(
    new: str, scores: Sequence[Score], limits: Limits, *, first_run: str | None = None
) -> GateResult:
    """Compare the scores of a system with their minimum and maximum, without a baseline.

    Args:
        new: the name of the system.
        scores: one score per metric.
        limits: the limits; only `min` and `max` matter.
        first_run: the file that a later run compares with, None where this is no first run.

    Raises:
        OptionError: there is no minimum and no maximum, and this is no first run; or as of
            `Limits.of_metrics`.
        InputTypeError: the limits are of another type.

    >>> from bleuet import BLEU
    >>> score = BLEU().corpus_score(["The cat sat down."], ["The cat sat down."])
    >>> gate_limits("mine", [score], Limits(min={"bleu": 30})).passed
    True
    """
    _check_limits(limits)
    if first_run is None and not (limits.min or limits.max):
        raise OptionError("must be set, or max, where there is no baseline", option="min")
    of_metrics = limits.of_metrics([score.metric for score in scores])
    checks = tuple(
        Check(
            score.name,
            score.signature,
            None,
            score.score,
            None,
            None,
            too_large=False,
            significant=False,
            fails=bool(limit.excess(score.score)),
            limit=limit.replace(max_drop=None),
            extra_digits=score.metric.extra_digits,
        )
        for score, limit in zip(scores, of_metrics, strict=True)
    )
    return GateResult(None, new, checks, limits, first_run=first_run)


def _checks(
    name: str,
    baseline: Sequence[Score | float],
    new: Sequence[Score],
    comparisons: Sequence[PairedComparison | None],
    limits: Limits,
) -> tuple[Check, ...]:
    of_metrics = limits.of_metrics([score.metric for score in new])
    return tuple(
        _check(name, float(before), after, comparison, limits, limit)
        for before, after, comparison, limit in zip(
            baseline, new, comparisons, of_metrics, strict=True
        )
    )


def _check(
    name: str,
    before: float,
    after: Score,
    comparison: PairedComparison | None,
    limits: Limits,
    limit: MetricLimit,
) -> Check:
    """Return the verdict of one metric, by a p-value that is not corrected.

    Args:
        name: the name of the baseline system.
        before: its score.
        after: the score of the new system.
        comparison: the paired test of both, None without a test.
        limits: when a metric fails.
        limit: the limits of this metric.
    """
    alpha, higher_is_better = limits.alpha_of_change, after.metric.higher_is_better
    drop = before - after.score if higher_is_better else after.score - before
    too_large = limit.max_drop is not None and drop > limit.max_drop
    significant = comparison is not None and drop > 0 and comparison.p_value < alpha
    low, high = (comparison.interval if comparison else None) or (None, None)
    if higher_is_better and low is not None and high is not None:
        low, high = -high, -low
    check = Check(
        after.name,
        after.signature,
        before,
        after.score,
        drop,
        None if comparison is None else comparison.p_value,
        too_large,
        significant,
        fails=False,
        limit=limit,
        extra_digits=after.metric.extra_digits,
        baseline_system=name,
        low=low,
        high=high,
    )
    return _judged(check, limits)


def _judged(check: Check, limits: Limits) -> Check:
    return check.replace(fails=check.fails_by(limits.rule) or check.beyond_limit)
