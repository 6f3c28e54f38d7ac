"""A run of a gate as its history has it: the scores of a system, and what they are compared with.

A run is a line of JSON. Its keys are the fields of `GateRun`, in this order, after the number of
the format. Unknown keys are ignored, so that later versions can add some.
"""

from __future__ import annotations

import json
import re
import warnings
from datetime import UTC, datetime
from math import isfinite

from bleuet.errors import BleuetError, InputError, OptionError
from bleuet.frozen import Value, checked
from bleuet.messages import shown
from bleuet.metrics.base.signature import ParsedSignature
from bleuet.output.document import AtMost
from bleuet.output.plain_values import Plain
from bleuet.significance.few_segments import FewSegmentsWarning
from bleuet.significance.interval import INTERVALS, bootstrap_intervals
from bleuet.text.json_text import json_problem, unique_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn, TypeVar

    from bleuet.gate.verdict import Check, GateResult
    from bleuet.metrics.base.metric import Metric
    from bleuet.significance.interval import Interval
    from bleuet.study_settings import IntervalSettings
    from bleuet.tablefile.saved_tables import SavedTable

    Kind = TypeVar("Kind", bound=Value)

# The number of the format, which grows where an older version would misread a line.
FORMAT = 1
TIME = "%Y-%m-%dT%H:%M:%SZ"
LONGEST_LABEL = 200
WORSE, BETTER = "worse", "better"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


@checked
class RunComparison(Value, Plain):
    """How a score differs from that of one baseline.

    Attributes:
        baseline: the name of the baseline system.
        score: its score.
        drop: how much worse the new system is, in points; negative if it is better.
        low: the lower end of the interval of the drop, None without a test.
        high: the upper end.
        p_value: the p-value of the paired test, None without a test.
        corrected_p_value: the p-value after the correction, None without a correction.
        significant: "worse" or "better" if the difference is significant, else None.
        at_most: whether the p-value is the smallest that the draws of the test can give, so that
            the true one may be smaller.
    """

    baseline: str
    score: float
    drop: float
    low: float | None
    high: float | None
    p_value: float | None
    corrected_p_value: float | None
    significant: str | None
    at_most: bool = False

    def _complete(self) -> None:
        _check_finite(score=self.score, drop=self.drop)
        _check_ends(self.low, self.high)
        for name, p in (("p_value", self.p_value), ("corrected_p_value", self.corrected_p_value)):
            if p is not None and not 0 <= p <= 1:
                raise OptionError(f"must be from 0 to 1, not {p}", option=name)
        if self.significant not in (WORSE, BETTER, None):
            raise OptionError(
                f"must be {WORSE}, {BETTER} or null, not {shown(self.significant)}",
                option="significant",
            )

    @property
    def final_p_value(self) -> float | None:
        """The p-value that decides: the corrected one, if there is one."""
        p = self.p_value if self.corrected_p_value is None else self.corrected_p_value
        return AtMost(p) if self.at_most and p is not None else p


@checked
class RunScore(Value, Plain):
    """The score of a run by one metric.

    Attributes:
        metric: the printed name of the metric.
        signature: how to compute the score again.
        score: the score.
        low: the lower end of its bootstrap interval, None without one.
        high: the upper end.
        higher_is_better: whether higher scores are better.
        extra_digits: the digits that the score needs beyond those of a score in percent.
        fails: whether the gate failed by this metric.
        comparisons: the differences from the baseline, and from an older system; empty for a gate
            without a baseline.
    """

    metric: str
    signature: str
    score: float
    low: float | None
    high: float | None
    higher_is_better: bool
    extra_digits: int
    fails: bool
    comparisons: tuple[RunComparison, ...]

    def _complete(self) -> None:
        _check_finite(score=self.score)
        _check_ends(self.low, self.high)
        ParsedSignature(self.signature)
        if not 0 <= self.extra_digits <= 9:
            number = self.extra_digits
            raise OptionError(f"must be from 0 to 9, not {number}", option="extra_digits")

    @property
    def significant(self) -> str | None:
        """Whether it is significantly "worse" or "better" than the baseline, None for neither."""
        return self.comparisons[0].significant if self.comparisons else None


@checked
class GateRun(Value, Plain):
    """One run of a gate.

    Attributes:
        time: when it ran, in UTC, such as "2026-11-25T23:50:00Z".
        label: what readers know it by, such as a commit.
        system: the name of the new system.
        test_set: a fingerprint of the test set, "" if it is unknown.
        segments: the number of segments.
        documents: the number of documents, which are drawn whole; None where segments are.
        passed: the verdict.
        test: the name of the paired test, None without a test.
        alpha: the largest p-value of a significant difference.
        confidence: the level of the intervals of scores.
        scores: the scores, one by each metric.
    """

    time: str
    label: str
    system: str
    test_set: str
    segments: int
    documents: int | None
    passed: bool
    test: str | None
    alpha: float
    confidence: float
    scores: tuple[RunScore, ...]

    def _complete(self) -> None:
        check_label(self.label)
        try:
            datetime.strptime(self.time, TIME)
        except ValueError:
            found = False
        else:
            found = bool(_TIME.fullmatch(self.time))
        if not found:
            raise OptionError(
                f"must be a time such as 2026-11-25T23:50:00Z, not {shown(self.time)}",
                option="time",
            )
        for name in ("alpha", "confidence"):
            number = getattr(self, name)
            if not 0 < number < 1:
                raise OptionError(f"must be between 0 and 1, not {number}", option=name)
        if self.segments < 1:
            raise OptionError(f"must be 1 or more, not {self.segments}", option="segments")
        if not self.scores:
            raise OptionError("must have one score or more", option="scores")

    def line(self) -> str:
        """Return the run as a line of JSON, without the line's end."""
        data = {"format": FORMAT, **self.to_dict()}
        return json.dumps(data, ensure_ascii=False, allow_nan=False)


def now() -> str:
    """Return the time as a run has it."""
    return datetime.now(UTC).strftime(TIME)


def shown_time(time: str) -> str:
    """Return a time of a run as readers see it, without seconds.

    >>> shown_time("2026-11-25T23:50:00Z")
    '2026-11-25 23:50'
    """
    return time[:16].replace("T", " ")


def check_label(label: str) -> None:
    """Check the label of a run.

    Raises:
        OptionError: it is empty, too long, or has characters that are not printed.
    """
    if not label.strip():
        raise OptionError("must not be empty: is a shell variable empty?", option="label")
    if len(label) > LONGEST_LABEL:
        raise OptionError(
            f"must have at most {LONGEST_LABEL} characters, not {len(label)}", option="label"
        )
    if not label.isprintable():
        raise OptionError(f"must be one line of printed text, not {shown(label)}", option="label")


def _check_finite(**numbers: float) -> None:
    for name, number in numbers.items():
        if not isfinite(number):
            raise OptionError(f"must be a finite number, not {number}", option=name)


def _check_ends(low: float | None, high: float | None) -> None:
    if (low is None) != (high is None):
        raise OptionError("must be a number if high is one", option="low")
    if low is not None and high is not None and not -1e308 < low <= high < 1e308:
        raise OptionError(f"must be at most high, {high}, not {low}", option="low")


# --- From a gate ----------------------------------------------------------------------------------


@checked
def run_of(
    result: GateResult,
    tables: Sequence[SavedTable],
    *,
    label: str,
    time: str,
    system: str | None = None,
    settings: IntervalSettings = INTERVALS,
    documents: Sequence[Any] | None = None,
    threads: int = 1,
) -> GateRun:
    """Return what a history has of the result of a gate, with the intervals of the new scores.

    Args:
        result: the result.
        tables: the counts of the new system, one table by each metric in the order of the result.
        label: what readers know the run by, such as a commit.
        time: when it ran, as `now` returns it.
        system: the name of the new system in the history, which is the same in each run; default
            that in the result, which can depend on the name of the baseline.
        settings: the draws of the intervals, their seed and level.
        documents: the document of each segment, if whole documents are drawn.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        OptionError: the label is empty or too long, or a score is not a finite number.
    """
    check_label(label)
    counted = [(saved.metric, saved.own_columns()) for saved in tables]
    with warnings.catch_warnings():
        # The result has a note, and so has the history.
        warnings.simplefilter("ignore", FewSegmentsWarning)
        intervals = bootstrap_intervals(counted, settings, threads=threads, documents=documents)
    alpha = result.limits.alpha_of_change
    # The checks of the baseline come first, then those of the older system.
    scores = tuple(
        _score_of(saved.metric, result.checks[place :: len(tables)], interval, alpha)
        for place, (saved, interval) in enumerate(zip(tables, intervals, strict=True))
    )
    return GateRun(
        time=time,
        label=label,
        system=result.new if system is None else system,
        test_set=tables[0].references,
        segments=tables[0].table.rows,
        documents=None if documents is None else len(set(documents)),
        passed=result.passed,
        test=result.test,
        alpha=alpha,
        confidence=settings.confidence,
        scores=scores,
    )


def _score_of(
    metric: Metric[Any], checks: Sequence[Check], interval: Interval, alpha: float
) -> RunScore:
    known = isfinite(interval.low) and isfinite(interval.high)
    return RunScore(
        metric=metric.name,
        signature=str(checks[0].signature),
        score=checks[0].new,
        low=interval.low if known else None,
        high=interval.high if known else None,
        higher_is_better=metric.higher_is_better,
        extra_digits=metric.extra_digits,
        fails=any(check.fails for check in checks),
        comparisons=tuple(_comparison(check, alpha) for check in checks if check.drop is not None),
    )


def _comparison(check: Check, alpha: float) -> RunComparison:
    assert check.baseline is not None
    assert check.drop is not None
    p = check.p_value if check.corrected_p_value is None else check.corrected_p_value
    better = check.drop < 0 and p is not None and p < alpha
    return RunComparison(
        baseline=check.baseline_system or "",
        score=check.baseline,
        drop=check.drop,
        low=check.low,
        high=check.high,
        p_value=check.p_value,
        corrected_p_value=check.corrected_p_value,
        significant=WORSE if check.significant else BETTER if better else None,
        at_most=isinstance(p, AtMost),
    )


# --- From a line ----------------------------------------------------------------------------------


@checked
def parse_run(line: str) -> GateRun:
    """Return the run of a line that `GateRun.line` wrote.

    Args:
        line: the line, without its end.

    Raises:
        InputError: it is not such a line, or one of a later format. The message has no subject.
    """
    if line.startswith(_CONFLICT):
        raise InputError(
            "is a mark of a merge conflict of git: keep the runs of both sides, and remove the "
            "marks"
        )
    try:
        data = json.loads(line, object_pairs_hook=unique_keys, parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        what = f"character {error.pos + 1}: {error.msg}" if line.strip() else "it is empty"
        raise _not_a_run(what) from None
    except BleuetError as error:
        raise _not_a_run(error) from None
    except (ValueError, RecursionError) as error:
        raise _not_a_run(json_problem(error)) from None
    number = data.get("format") if isinstance(data, dict) else None
    if type(number) is int and number > FORMAT:
        raise InputError(
            f"has the format {number}, but this version of bleuet reads up to {FORMAT}: install a "
            "newer version"
        )
    try:
        return _run(data)
    except BleuetError as error:
        raise _not_a_run(error) from None


def _not_a_run(why: object) -> InputError:
    return InputError(
        f"is not a run of a gate ({why}); expected a line that `bleuet gate --history` wrote: "
        "restore the file, or remove the line"
    )


def _reject_constant(name: str) -> NoReturn:
    raise InputError(f"{name} is not a number of JSON")


def _run(data: object) -> GateRun:
    found = _object(data, "it")
    if type(found.get("format")) is not int or found["format"] < 1:
        raise InputError("it has no number of a format")
    scores = tuple(map(_score, _list(found, "scores")))
    return _made(GateRun, found, scores=scores)


def _score(data: object) -> RunScore:
    found = _object(data, "a score")
    listed = _list(found, "comparisons")
    comparisons = tuple(_made(RunComparison, _object(one, "a comparison")) for one in listed)
    return _made(RunScore, found, comparisons=comparisons)


def _object(data: object, what: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"{what} is not an object")
    return data


def _list(data: dict[str, Any], key: str) -> list[Any]:
    if not isinstance(data.get(key), list):
        raise InputError(f"it has no list of {key}")
    found: list[Any] = data[key]
    return found


def _made(kind: type[Kind], data: dict[str, Any], **known: object) -> Kind:
    """Return a value of the keys of an object.

    Args:
        kind: the class, whose fields must be there, except those with a default: other versions of
            bleuet did not write them.
        data: the object.
        **known: fields that are made already.
    """
    there = [name for name in kind._arguments if name in data or name not in kind._defaults]
    missing = [name for name in there if name not in data]
    if missing:
        raise InputError(f"it has no {missing[0]}")
    return kind(**{**{name: data[name] for name in there}, **known})
