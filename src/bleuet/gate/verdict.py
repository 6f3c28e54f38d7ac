"""The verdict of a gate: the score of each metric, its drop, and whether it fails.

A drop is how much worse the new system is, in points of the metric: for TER, where lower is better,
a rise of the score. A drop is too large if it exceeds the allowed drop, and significant if the
p-value of a paired test is below alpha. A score can also have limits of its own, which need no
baseline: a minimum, or a maximum where lower scores are better.
"""

from __future__ import annotations

from bleuet.errors import InputTypeError, OptionError
from bleuet.frozen import Value, checked
from bleuet.gate.metric_limits import check_numbers, is_finite, limits_of
from bleuet.messages import nearest
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.significance.correction import ALL, find_correction
from bleuet.significance.few_segments import (
    DOCUMENT,
    RANDOMIZED,
    SEGMENT,
    TOO_OFTEN,
    are_few,
    describe_few,
)
from bleuet.significance.paired_results import describe_correction
from bleuet.significance.power import describe_power
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
from bleuet.significance.testing import default_draws, default_test, paired_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.significance import PairedComparison, PairedResults

# What a command exits with where the new system is worse.
FAILED = 3


class Rule(Value):
    """When a metric fails.

    Attributes:
        fails: from whether the drop is too large, None where no drop is, and whether it is
            significant, whether it fails.
        needs_max_drop: whether the rule needs an allowed drop.
        needs_test: whether the rule needs a paired test.
        summary: the rule in words.
    """

    fails: Callable[[bool | None, bool], bool]
    needs_max_drop: bool
    needs_test: bool
    summary: str

    @property
    def uses_max_drop(self) -> bool:
        """Whether a drop can fail because it is too large."""
        return any(self.fails(True, sure) and not self.fails(False, sure) for sure in (True, False))


RULES = {
    "both": Rule(
        lambda large, sure: large is not False and sure,
        False,
        True,
        "a drop that is too large and significant",
    ),
    "either": Rule(
        lambda large, sure: bool(large) or sure,
        False,
        False,
        "a drop that is too large or significant",
    ),
    "drop": Rule(lambda large, sure: bool(large), True, False, "a drop that is too large"),
    "significance": Rule(lambda large, sure: sure, False, True, "a significant drop"),
}
BOTH, DROP, SIGNIFICANCE = "both", "drop", "significance"


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
        if self.rule.needs_max_drop and self.max_drop is None and not self.max_drops:
            raise OptionError(
                f"must be set to fail on {self.rule.summary} ({self.fail_on})", option="max_drop"
            )

    @property
    def rule(self) -> Rule:
        """The rule by which a metric fails."""
        return RULES[self.fail_on or BOTH]

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
    """The verdict of one metric.

    Attributes:
        metric: the printed name of the metric.
        signature: how to compute the new score again.
        baseline: the score of the baseline system, None without one.
        new: the score of the new system.
        drop: how much worse the new system is; negative if it is better, None without a baseline.
        p_value: the p-value of the paired test, None without a test.
        corrected_p_value: the p-value after the correction for the number of metrics, None without
            a correction.
        too_large: whether the drop exceeds the allowed drop.
        significant: whether the score dropped and the corrected p-value is below alpha.
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
    plain_fields = (
        *("metric", "signature", "baseline", "new", "drop", "p_value", "corrected_p_value"),
        *("too_large", "significant", "fails", "detectable"),
        *("max_drop=limit.max_drop", "min=limit.min", "max=limit.max", "beyond_limit"),
    )

    @property
    def excess(self) -> str:
        """How the new score is beyond its limits, "" where it is not."""
        return self.limit.excess(self.new)

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
        correction: the correction of the p-values for the number of metrics, None for none.
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
    plain_fields = (
        *("passed", "baseline", "new"),
        *(f"{name}=limits.{name}" for name in ("max_drop", "alpha", "fail_on")),
        *("test", "draws", "seed", "correction", "segments", "documents", "note", "checks"),
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
            *(
                Column(key, kind="score", extra_digits=digits)
                for key in (("new",) if self.baseline is None else ("baseline", "new", "drop"))
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
            limited = any(check.limit != _NO_LIMIT for check in self.checks)
            return "no baseline yet" if self.first_run and not limited else "passed"
        return f"failed by {', '.join(check.metric for check in self.checks if check.fails)}"

    def _reason(self, check: Check) -> str:
        """Return the verdict of a metric with its reasons."""
        reasons = []
        if check.too_large:
            reasons.append(f"larger than {check.limit.max_drop:g}")
        if check.significant:
            p = "p" if check.corrected_p_value is None else "corrected p"
            reasons.append(f"significant ({p} < {self.limits.alpha:g})")
        drop = f"the drop is {' and '.join(reasons)}" if reasons else ""
        excess = f"the score is {check.excess}" if check.excess else ""
        if check.baseline is None and check.limit == _NO_LIMIT:
            return "no limit"
        if _fails_by_drop(self.limits, check.limit, check.too_large, check.significant):
            return f"fails: {', and '.join(filter(None, (excess, drop)))}"
        verdict = f"fails: {excess}" if excess else "passes"
        return f"{verdict}, although {drop}" if drop and not excess else verdict

    def _compared(self) -> str:
        """Return in one sentence what the new system is compared with."""
        if self.first_run is not None:
            if self.written:
                return f"There was no baseline yet: {self.first_run} was written from {self.new}."
            return f"There is no baseline yet, and {self.first_run} was not written."
        if self.baseline is None:
            return f"{self.new} is scored without a baseline."
        return f"{self.new} is compared with the baseline {self.baseline}."

    def _settings(self) -> Iterator[str]:
        """Yield the limits of scores, and the limits of drops with the test, as sentences."""
        limited = " or ".join(
            f"{check.metric} {side} {number:g}"
            for check in self.checks
            for side, number in (("below", check.limit.min), ("above", check.limit.max))
            if number is not None
        )
        if limited:
            yield f"Fails on {limited}."
        if self.baseline is not None:
            yield self._settings_of_drops()

    def _max_drops(self) -> str:
        """Return which drops are too large, "" for none."""
        drops = {check.limit.max_drop for check in self.checks}
        if not self.limits.max_drops:
            return "" if self.limits.max_drop is None else f"more than {self.limits.max_drop:g}"
        if len(drops) == 1:
            return f"more than {drops.pop():g}"
        limited = " or ".join(
            f"{check.limit.max_drop:g} {check.metric}"
            for check in self.checks
            if check.limit.max_drop is not None
        )
        others = " or ".join(check.metric for check in self.checks if check.limit.max_drop is None)
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
            effect = "" if limits.rule.uses_max_drop else ", which is only reported"
            parts.append(f"a drop of {max_drops} is too large{effect}")
        if self.test is None:
            return f"{'; '.join([*parts, 'no test'])}."
        seed = "no seed" if self.seed is None else f"seed {self.seed}"
        count = "trials" if self.test in RANDOMIZATIONS else "draws"
        parts.append(f"{TESTS[self.test]}, {self.draws:,} {count}, {seed}, alpha {limits.alpha:g}")
        if any(check.corrected_p_value is not None for check in self.checks):
            made = TestSettings(correction=self.correction, correct_over=ALL)
            parts.append(describe_correction(made))
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
    settings: TestSettings = DEFAULTS,
    *,
    threads: int = 1,
) -> GateResult:
    """Compare a new system with its baseline, with a paired test unless only the size counts.

    Args:
        evaluation: the baseline system, then the new system.
        limits: the limits; with fail_on="drop" there is no test.
        settings: the test of `bleuet.significance.paired_test`, its draws, their seed and the
            correction, which is over all metrics. The limits have the alpha.
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
    if limits.fail_on == DROP:
        return gate_scores(old, new, scores[old], scores[new], limits)
    limits = limits.replace(fail_on=limits.fail_on or BOTH)
    results = _tested(evaluation, settings, limits.alpha, threads)
    made = results.settings
    tests = _corrected_tests(evaluation, settings)
    note = _note(results.test, settings.test, evaluation, limits.alpha, tests)
    comparisons = _corrected(results.comparisons, settings.correction)
    checks = tuple(
        check.replace(detectable=results.detectable(label))
        for check, label in zip(
            _checks(scores[old], scores[new], comparisons, limits), results.metrics, strict=True
        )
    )
    return GateResult(
        old,
        new,
        checks,
        limits,
        made.test,
        made.draws,
        made.seed,
        evaluation.segments,
        note,
        results.documents,
        correction=settings.correction,
    )


def _tested(
    evaluation: Evaluation, settings: TestSettings, alpha: float, threads: int
) -> PairedResults:
    """Return the results of the paired test, with p-values that are not corrected."""
    test, metrics = settings.test or default_test(evaluation), len(evaluation.metrics)
    draws = default_draws(test, metrics) if settings.draws is None else settings.draws
    tests = _corrected_tests(evaluation, settings)
    if tests / (draws + 1) >= alpha:
        raise OptionError(
            f"no drop can be significant at {alpha:g} with {draws} draws: use "
            f"{int(tests / alpha)} or more"
        )
    wanted = settings.replace(
        draws=draws, baseline=None, all_pairs=False, alpha=alpha, correction=None
    )
    return paired_test(evaluation, wanted, threads=threads)


def _corrected_tests(evaluation: Evaluation, settings: TestSettings) -> int:
    """Return the number of tests that the smallest p-value is multiplied by."""
    return len(evaluation.metrics) if settings.correction in ("holm", "bonferroni") else 1


def _corrected(
    comparisons: Sequence[PairedComparison], correction: str | None
) -> list[PairedComparison]:
    """Return the comparisons by several metrics with p-values corrected for their number."""
    if correction is None or len(comparisons) == 1:
        return list(comparisons)
    p_values = find_correction(correction)([one.p_value for one in comparisons])
    return [one.replace(corrected_p_value=p) for one, p in zip(comparisons, p_values, strict=True)]


def _note(name: str, test: str | None, evaluation: Evaluation, alpha: float, tests: int) -> str:
    """Return what few segments or documents mean for a test.

    Args:
        name: the name of the test.
        test: the name of the requested test, None for the default.
        evaluation: the systems.
        alpha: a drop is significant where its corrected p-value is below this.
        tests: the number of tests that the smallest p-value is multiplied by.
    """
    units, unit = evaluation.units, SEGMENT if evaluation.documents is None else DOCUMENT
    if not are_few(units):
        return ""
    if name in (BOOTSTRAP, SACREBLEU_BOOTSTRAP):
        return f"{describe_few(units, TOO_OFTEN, unit)}."
    notes = [] if test else [f"{describe_few(units, RANDOMIZED, unit)}."]
    # The segments of two systems can be exchanged in 2**segments ways, two of which make the
    # difference of the test set.
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
    checks = _checks(baseline_scores, new_scores, [None] * len(new_scores), limits)
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
    baseline: Sequence[Score | float],
    new: Sequence[Score],
    comparisons: Sequence[PairedComparison | None],
    limits: Limits,
) -> tuple[Check, ...]:
    of_metrics = limits.of_metrics([score.metric for score in new])
    return tuple(
        _check(float(before), after, comparison, limits, limit)
        for before, after, comparison, limit in zip(
            baseline, new, comparisons, of_metrics, strict=True
        )
    )


def _check(
    before: float,
    after: Score,
    comparison: PairedComparison | None,
    limits: Limits,
    limit: MetricLimit,
) -> Check:
    """Return the verdict of one metric.

    Args:
        before: the score of the baseline system.
        after: the score of the new system.
        comparison: the paired test of both, None without a test.
        limits: when a metric fails.
        limit: the limits of this metric.
    """
    drop = before - after.score if after.metric.higher_is_better else after.score - before
    too_large = limit.max_drop is not None and drop > limit.max_drop
    significant = comparison is not None and drop > 0 and comparison.is_significant(limits.alpha)
    by_drop = _fails_by_drop(limits, limit, too_large, significant)
    return Check(
        after.name,
        after.signature,
        before,
        after.score,
        drop,
        None if comparison is None else comparison.p_value,
        too_large,
        significant,
        by_drop or bool(limit.excess(after.score)),
        limit,
        extra_digits=after.metric.extra_digits,
        corrected_p_value=None if comparison is None else comparison.corrected_p_value,
    )


def _fails_by_drop(limits: Limits, limit: MetricLimit, too_large: bool, significant: bool) -> bool:
    return limits.rule.fails(None if limit.max_drop is None else too_large, significant)
