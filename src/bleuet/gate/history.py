"""The history of a gate: the scores of its runs over time, and where they cannot be compared.

A panel has the scores by one metric, in the order of time. Where the options of the metric or the
test set change, a new part begins: a score of one part differs from those of another part for
other reasons than quality.
"""

from __future__ import annotations

from bleuet.errors import BleuetError, OptionError
from bleuet.frozen import Value, cached_property, checked
from bleuet.gate.commit_label import short_label
from bleuet.gate.runs import GateRun, RunComparison, RunScore, shown_time
from bleuet.messages import plural
from bleuet.metrics.base.score import headings
from bleuet.metrics.base.signature import ParsedSignature, Signature
from bleuet.metrics.catalogue import metric_from_signature
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable, Estimate
from bleuet.output.plain_values import Plain
from bleuet.significance.few_segments import ENOUGH
from bleuet.significance.interval import in_percent
from bleuet.text.fingerprint import difference_between, same_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

VERSION = "version"
OPTIONS, TEST_SET = "options", "test set"


class HistoryPoint(Value):
    """One score of a panel.

    Attributes:
        step: its place from left to right, counted from 1. Systems with the same label share one.
        part: the number of its part among those of its system, counted from 1.
        run: the run.
        score: its score by the metric of the panel.
    """

    step: int
    part: int
    run: GateRun
    score: RunScore

    @property
    def label(self) -> str:
        """The label of the run as readers see it."""
        return short_label(self.run.label)

    @property
    def time(self) -> str:
        """The time of the run in UTC, without seconds."""
        return shown_time(self.run.time)

    @property
    def verdict(self) -> str:
        """Whether the gate failed by this score."""
        return "fails" if self.score.fails else "passes"


class HistoryBreak(Value, Plain):
    """Where scores cannot be compared with those before.

    Attributes:
        metric: the heading of the panel.
        system: the name of the system.
        label: the label of the first run of the new part.
        step: its place from left to right, counted from 1.
        reasons: "options", "test set" or both.
        text: what changed.
    """

    metric: str
    system: str
    label: str
    step: int
    reasons: tuple[str, ...]
    text: str


class HistoryPanel(Value):
    """The scores by one metric.

    Attributes:
        metric: the printed name of the metric, with a number if there are several of this name.
        points: the scores, in the order of time.
        breaks: where a new part begins.
    """

    metric: str
    points: tuple[HistoryPoint, ...]
    breaks: tuple[HistoryBreak, ...]

    @property
    def systems(self) -> list[str]:
        """The names of the systems, each once."""
        return list(dict.fromkeys(point.run.system for point in self.points))

    @property
    def extra_digits(self) -> int:
        """The digits that the scores need beyond those of a score in percent."""
        return max(point.score.extra_digits for point in self.points)


@checked
class History(Answer, Value):
    """The runs of a gate, in the order of time.

    Args:
        runs: the runs; they are sorted by their time.
        left_out: how many older runs `newest` has left out.

    >>> History(()).panels
    []
    """

    runs: tuple[GateRun, ...]
    left_out: int = 0

    def _complete(self) -> None:
        # Runs of the same second stay as they are; branches that were merged are sorted.
        self._set(runs=tuple(sorted(self.runs, key=lambda run: run.time)))

    @checked
    def newest(self, last: int) -> History:
        """Return the history of the newest labels only.

        Args:
            last: how many labels; the systems of one label count once.

        Raises:
            OptionError: the number is below 1.
        """
        if last < 1:
            raise OptionError(f"must be 1 or more, not {last}", option="last")
        first = max([*self.steps, 0]) - last
        kept = [run for run, step in zip(self.runs, self.steps, strict=True) if step > first]
        return History(tuple(kept), self.left_out + len(self.runs) - len(kept))

    @cached_property
    def steps(self) -> list[int]:
        """The place of each run from left to right, counted from 1."""
        steps: list[int] = []
        label, systems = "", set[str]()
        for run in self.runs:
            if run.label == label and run.system not in systems:
                steps.append(steps[-1])
            else:
                steps.append(steps[-1] + 1 if steps else 1)
                label, systems = run.label, set()
            systems.add(run.system)
        return steps

    @cached_property
    def panels(self) -> list[HistoryPanel]:
        """The scores by each metric."""
        names = [[score.metric for score in run.scores] for run in self.runs]
        # Two metrics of one name differ in their options, which then are no change over time.
        several = {name for own in names for name in own if own.count(name) > 1}
        found: dict[tuple[str, str], list[tuple[int, GateRun, RunScore]]] = {}
        for step, run in zip(self.steps, self.runs, strict=True):
            for score in run.scores:
                options = _options(score) if score.metric in several else {}
                key = (score.metric, str(options))
                found.setdefault(key, []).append((step, run, score))
        titles = headings([metric for metric, _ in found])
        return [_panel(title, own) for title, own in zip(titles, found.values(), strict=True)]

    @property
    def breaks(self) -> list[HistoryBreak]:
        """Where scores cannot be compared with those before."""
        return [one for panel in self.panels for one in panel.breaks]

    def document(self) -> Document:
        """Return a table for each metric, with a row for each run."""
        return Document(
            tables=[_table(panel) for panel in self.panels],
            notes=list(self._notes()),
            signatures=[(panel.metric, _signature(panel)) for panel in self.panels],
            data=self.to_dict,
            records={"runs": self._records},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as JSON has them."""
        return {
            "runs": [run.to_dict() for run in self.runs],
            "breaks": [one.to_dict() for one in self.breaks],
            "left_out": self.left_out,
        }

    def _in_brief(self) -> str:
        return f"of {plural(len(self.runs), 'run')}"

    def _notes(self) -> Iterator[str]:
        yield from self._changes()
        yield from self._versions()
        points = [point for panel in self.panels for point in panel.points]
        levels = sorted({run.confidence for run in self.runs})
        if levels:
            yield f"After ± is half of the {' or '.join(map(in_percent, levels))} interval."
        if any(point.score.comparisons for point in points):
            yield (
                "A difference is the score less that of the baseline of the run; it is worse or "
                "better if it is significant."
            )
        if any(one.corrected_p_value is not None for one in _comparisons(points)):
            yield "A p-value is corrected for the number of comparisons of its run."
        few = [run for run in self.runs if (run.documents or run.segments) < ENOUGH]
        if few:
            yield (
                f"{plural(len(few), 'run')} of fewer than {ENOUGH} segments or documents: such "
                "intervals are too narrow."
            )
        if self.left_out:
            older = plural(self.left_out, "older run is", "older runs are")
            yield f"{older} left out."

    def _changes(self) -> Iterator[str]:
        """Yield where parts begin, once for all metrics and systems with the same change."""
        every = {run.system for run in self.runs}
        changes: dict[str, list[HistoryBreak]] = {}
        for one in self.breaks:
            changes.setdefault(one.text, []).append(one)
        for text, same in changes.items():
            metrics = ", ".join(dict.fromkeys(one.metric for one in same))
            systems = list(dict.fromkeys(one.system for one in same))
            whose = "" if set(systems) == every else f" of {', '.join(systems)}"
            yield f"{metrics}{whose}: {text}"

    def _versions(self) -> Iterator[str]:
        """Yield where another version of bleuet computed the scores, which need not change them."""
        before = ""
        for run in self.runs:
            found = ParsedSignature(run.scores[0].signature).pairs.get(VERSION, "")
            version = found.partition("=")[0]
            if before not in ("", version):
                label = short_label(run.label)
                yield f"From {label} on, {version} computed the scores, before it {before}."
            before = version

    def _records(self) -> Iterator[dict[str, Any]]:
        for panel in self.panels:
            for point in panel.points:
                for one in point.score.comparisons or (None,):
                    yield _record(panel, point, one)


def _record(panel: HistoryPanel, point: HistoryPoint, one: RunComparison | None) -> dict[str, Any]:
    run, score = point.run, point.score
    return {
        "label": run.label,
        "time": run.time,
        "system": run.system,
        "metric": panel.metric,
        "signature": score.signature,
        "test_set": run.test_set,
        "part": point.part,
        "score": score.score,
        "low": score.low,
        "high": score.high,
        "baseline": None if one is None else one.baseline,
        "baseline_score": None if one is None else one.score,
        "difference": None if one is None else difference_of(score, one),
        "p_value": None if one is None else one.p_value,
        "corrected_p_value": None if one is None else one.corrected_p_value,
        "significant": None if one is None else one.significant,
        "fails": score.fails,
        "passed": run.passed,
    }


def difference_of(score: RunScore, one: RunComparison) -> float:
    """Return the score less that of the baseline.

    Args:
        score: the score.
        one: its comparison with the baseline.
    """
    # Adding 0 makes 0 of -0.
    return (-one.drop if score.higher_is_better else one.drop) + 0.0


def _comparisons(points: Sequence[HistoryPoint]) -> list[RunComparison]:
    return [one for point in points for one in point.score.comparisons]


# --- Panels ---------------------------------------------------------------------------------------


def _panel(title: str, found: Sequence[tuple[int, GateRun, RunScore]]) -> HistoryPanel:
    """Return a panel with the parts of each system.

    Args:
        title: its heading.
        found: the step, the run and the score of each point.
    """
    points: list[HistoryPoint] = []
    breaks: list[HistoryBreak] = []
    last: dict[str, HistoryPoint] = {}
    for step, run, score in found:
        before = last.get(run.system)
        reasons = () if before is None else _reasons(before, run, score)
        part = 1 if before is None else before.part + bool(reasons)
        point = HistoryPoint(step, part, run, score)
        if before is not None and reasons:
            text = _explain(before, point, reasons)
            breaks.append(HistoryBreak(title, run.system, run.label, step, reasons, text))
        points.append(point)
        last[run.system] = point
    return HistoryPanel(title, tuple(points), tuple(breaks))


def _options(score: RunScore) -> dict[str, str]:
    """Return the signature of a score without the version, which is not an option."""
    pairs = ParsedSignature(score.signature).pairs
    return {key: value for key, value in pairs.items() if key != VERSION}


def _reasons(before: HistoryPoint, run: GateRun, score: RunScore) -> tuple[str, ...]:
    """Return why a score cannot be compared with the one before; empty if it can."""
    old, now = before.run.test_set, run.test_set
    # A fingerprint of another form, or none, may be of the same test set, but nobody knows.
    is_other = old != now and bool(difference_between(old, now) or not same_form(old, now))
    changed = {
        OPTIONS: _options(before.score) != _options(score),
        TEST_SET: is_other or before.run.segments != run.segments,
    }
    return tuple(reason for reason, is_other in changed.items() if is_other)


def _explain(before: HistoryPoint, point: HistoryPoint, reasons: Sequence[str]) -> str:
    """Return in one sentence what changed.

    Args:
        before: the last point of the part before.
        point: the first point of the new part.
        reasons: what changed.
    """
    changes = []
    if OPTIONS in reasons:
        old, new = _options(before.score), _options(point.score)
        keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
        changes += [f"{_pair(key, new)} (before {_pair(key, old)})" for key in keys]
    if TEST_SET in reasons:
        numbers = [f"{one.run.segments:,}" for one in (point, before)]
        sizes = f"{numbers[0]} segments, before {numbers[1]}"
        if numbers[0] == numbers[1]:
            sizes = f"{numbers[0]} segments"
        changes.append(f"another test set ({sizes})")
    return (
        f"{point.label} has {' and '.join(changes)}, so scores from there on cannot be "
        "compared with those before."
    )


def _pair(key: str, pairs: dict[str, str]) -> str:
    return f"{key}:{pairs[key]}" if key in pairs else f"no {key}"


# --- The table ------------------------------------------------------------------------------------


class _HistoryRow(Value):
    """A row of a table: a point, and one of the baselines that its score is compared with."""

    point: HistoryPoint
    compared: RunComparison | None

    @property
    def estimate(self) -> Estimate:
        score = self.point.score
        return Estimate(score.score, score.low, score.high)

    @property
    def baseline(self) -> str | None:
        return None if self.compared is None else self.compared.baseline

    @property
    def difference(self) -> float | None:
        return None if self.compared is None else difference_of(self.point.score, self.compared)

    @property
    def p_value(self) -> float | None:
        return None if self.compared is None else self.compared.final_p_value

    @property
    def significant(self) -> str | None:
        return None if self.compared is None else self.compared.significant


def _table(panel: HistoryPanel) -> DocumentTable:
    """Return the table of a panel, with a row for each run and baseline."""
    points, digits = panel.points, panel.extra_digits
    rows = [
        _HistoryRow(point, one) for point in points for one in point.score.comparisons or (None,)
    ]
    columns = [Column("label", "run", value="point.label")]
    if any(point.label != point.time for point in points):
        columns.append(Column("time", value="point.time"))
    if len(panel.systems) > 1:
        columns.append(Column("system", value="point.run.system"))
    if panel.breaks:
        columns.append(Column("part", kind="count", value="point.part"))
    columns.append(Column("score", panel.metric, "score", digits, value="estimate"))
    if any(row.compared is not None for row in rows):
        columns += [
            Column("baseline", "compared with"),
            Column("difference", kind="difference", extra_digits=digits),
            Column("p_value", "p", "p-value"),
            Column("significant", "change"),
        ]
    columns.append(Column("verdict", value="point.verdict"))
    return DocumentTable.of("runs", "", columns, rows)


def _signature(panel: HistoryPanel) -> Signature:
    """Return the signature of the newest score."""
    newest = panel.points[-1].score
    pairs = ParsedSignature(newest.signature).pairs
    try:
        short_keys = metric_from_signature(f"{newest.metric}|{newest.signature}").short_keys
    except BleuetError:  # another version's
        short_keys = {}
    return Signature(newest.metric, list(pairs.items()), short_keys)
