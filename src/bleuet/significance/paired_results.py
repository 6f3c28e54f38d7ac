"""The results of a paired test as a document: tables, notes and records."""

from __future__ import annotations

from functools import partial
from operator import attrgetter

from bleuet.evaluation.external import FEWEST_SCORES
from bleuet.frozen import checked
from bleuet.messages import plural
from bleuet.output.answer import Answer, names_or_number
from bleuet.output.document import Column, Document, DocumentTable, Estimate
from bleuet.output.plain_values import paths_of, plain_values
from bleuet.significance.correction import ALL
from bleuet.significance.few_segments import (
    DOCUMENT,
    RANDOMIZED_AND_NARROW,
    SEGMENT,
    TOO_NARROW,
    TOO_OFTEN,
    are_few,
    describe_few,
)
from bleuet.significance.human_agreement import EXPLANATION
from bleuet.significance.interval import in_percent
from bleuet.significance.paired_scores import PairedScores
from bleuet.significance.power import describe_power
from bleuet.significance.result_parts import the_baseline
from bleuet.significance.settings import (
    BOOTSTRAP,
    MULTEVAL_RANDOMIZATION,
    SACREBLEU_BOOTSTRAP,
    TESTS,
    WELCH,
    TestSettings,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from bleuet.output.document import Cell, Record
    from bleuet.significance.interval import Interval
    from bleuet.significance.result_parts import PairedComparison, SystemScore

# What a record has of a comparison.
_COMPARED = (
    *("baseline", "difference", "difference_low=low", "difference_high=high"),
    *("standard_error", "p_value", "corrected_p_value"),
)
BASELINE, NOT_SIGNIFICANT = "baseline", "n.s."
DAGGER = "†"
# A smaller error of p-values is not visible in their digits.
LEAST_ERROR = 0.5e-4
# Pairs that a note names.
MOST_NAMED = 3


class PairedResults(Answer, PairedScores):
    """The results of a paired test, with every format; `PairedScores` has the fields.

    >>> from bleuet.significance import Evaluation, paired_test
    >>> lines = ["The cat sat down.", "It rains today."] * 50
    >>> new = ["The cat sat.", "It rains today."] * 50
    >>> results = paired_test(Evaluation.count(["ter"], {"old": lines, "new": new}, lines))
    >>> print(results.to_csv(width=1).splitlines()[2].rpartition(",")[0])
    TER,new,28.6,23.5,33.3,old,28.6,23.5,33.3,2.5,0.0010,0.0010,old,
    """

    def document(self) -> Document:
        """Return the tables of scores and differences, one or two for each metric.

        The records are "systems", one for each system, or pair, and metric, with its score and its
        comparison, and "comparisons", one for each pair and metric.
        """
        return Document(
            self.describe_test(),
            [
                *(table for metric in self.metrics for table in self._tables(metric)),
                *self.power_tables(),
            ],
            self._notes(),
            self.signatures.items(),
            partial(PairedScores.to_dict, self),
            {
                "systems": self._records,
                "comparisons": lambda: self.to_dict()["comparisons"],
            },
            self._for_papers(),
        )

    def describe_test(self) -> str:
        """Return the test and its settings in one sentence."""
        test = TESTS.get(self.test, self.test)
        parts = [test[:1].upper() + test[1:]]
        if self.trials:
            parts.append(f"{self.trials:,} trials")
        elif self.draws:
            parts.append(f"{self.draws:,} draws")
        parts.append("no seed" if self.settings.seed is None else f"seed {self.settings.seed}")
        number = plural(self.segments, "segment")
        if self.test == WELCH:
            number += f", {self.runs} runs of each system"
        elif self.runs > 1 and self.test != MULTEVAL_RANDOMIZATION:
            number += f", the {self.runs} runs of each together"
        if self.documents is not None:
            number += f" in {plural(self.documents, 'document')}, drawn and exchanged whole"
        clauses = [", ".join(parts), number]
        if self.comparisons:
            against = "" if self.baseline is None else f" with {self.baseline}"
            pairs = f"{plural(self._pairs, 'comparison')}{against}"
            if self._pairs > 1 or self.settings.correct_over == ALL:
                pairs += f", {describe_correction(self.settings)}"
            clauses += [pairs, f"a difference is significant where p < {self.alpha:g}"]
        return f"{'; '.join(clauses)}."

    def short_test(self) -> str:
        """Return the test, alpha and the correction as part of a sentence."""
        trials = f", {self.trials:,} trials" if self.trials else ""
        test = f"{TESTS.get(self.test, self.test)}{trials}"
        correction = describe_correction(self.settings)
        return f"{test}, p < {self.alpha:g}, {correction}"

    def _tables(self, metric: str) -> Iterator[DocumentTable]:
        if metric in self.untested or not self.comparisons:
            yield self.score_table(metric)
        elif self.baseline is None:
            yield self.score_table(metric)
            yield self.difference_table(metric)
        else:
            yield self._baseline_table(metric)

    # --- For papers ---------------------------------------------------------------------------

    def _for_papers(self) -> Document:
        """Return one table with a row for each system and a column for each metric."""
        lettered = bool(self.comparisons) and self.baseline is None
        columns = [
            Column("system", value=str),
            *([Column("letter", value=lambda name: self.letters[name])] if lettered else []),
            *map(self._column_for_papers, self.metrics),
        ]
        rows = [[column.of(name) for column in columns] for name in self.systems]
        note = " ".join(self._caption())
        table = DocumentTable(
            "scores", "", columns, rows, note, rank_best=True, label="tab:significance"
        )
        return Document("", [table], self._warnings(), self.signatures.items())

    def _column_for_papers(self, metric: str) -> Column:
        def cell(system: str) -> Cell:
            one = self.score(system, metric)
            marks = self._marks_for_papers(system, metric)
            if self.runs > 1:
                mean, deviation = one.run_mean, one.run_deviation
                return Estimate(mean, mean - deviation, mean + deviation, marks)
            if one.interval is None:
                return Estimate(one.score, marks=marks)
            return Estimate(one.score, one.interval.low, one.interval.high, marks)

        return Column(
            metric,
            kind="score",
            extra_digits=self.extra_digits.get(metric, 0),
            lower_is_better=self._lower_is_better(metric),
            value=cell,
        )

    def _marks_for_papers(self, system: str, metric: str) -> str:
        if self.baseline is None:
            return self.marks(system, metric)
        tested = (one for one in self.comparisons_by(metric) if one.system == system)
        return DAGGER if any(one.is_significant(self.alpha) for one in tested) else ""

    def _lower_is_better(self, metric: str) -> bool:
        return not self.score(self.systems[0], metric).higher_is_better

    def _caption(self) -> Iterator[str]:
        """Yield the sentences that readers of a paper need below its table."""
        lower = " and ".join(filter(self._lower_is_better, self.metrics))
        yield f"Bold: the best score by each metric{f' (the lowest {lower})' if lower else ''}."
        if self.runs > 1:
            tested = "runs and segments" if self.test == WELCH else "all runs as one corpus"
            yield (
                f"Scores are means of {self.runs} runs ± their standard deviation; the test is of "
                f"{tested}."
            )
        else:
            yield from self.interval_notes()
        found = any(one.is_significant(self.alpha) for one in self.comparisons)
        test = f"({self.short_test()}; {plural(self.units, self._unit)})"
        against = "" if self.baseline is None else f" to {the_baseline(self.baseline)}"
        if self.comparisons and not found:
            yield f"No difference{against} is significant {test}."
        elif self.comparisons and self.baseline is None:
            yield f"Letters after a score: the systems that are significantly worse {test}."
        elif self.comparisons:
            yield f"{DAGGER}: the difference{against} is significant {test}."
        yield from map(str, self.missing)
        yield from self._untested_notes()

    def _warnings(self) -> Iterator[str]:
        """Yield what the author should know before publishing the table."""
        yield from self._few_notes()
        yield from self._draws_notes()

    # --- Tables of one metric -----------------------------------------------------------------

    @checked
    def score_table(self, metric: str) -> DocumentTable:
        """Return the scores of all systems by one metric, with letters where all pairs are tested.

        Args:
            metric: the label of the metric.
        """
        lettered = self.baseline is None and bool(self.comparisons_by(metric))
        letter = [Column("letter", value=lambda name: self.letters[name])] if lettered else []
        columns = [Column("system", value=str), *letter, *self._score_columns(metric, lettered)]
        return DocumentTable.of("scores", metric, columns, self.systems)

    @checked
    def difference_table(self, metric: str) -> DocumentTable:
        """Return the comparisons of all pairs by one metric.

        Args:
            metric: the label of the metric.
        """
        found = {f"{one.system} - {one.baseline}": one for one in self.comparisons_by(metric)}
        columns = [Column("systems", value=str), *self._difference_columns(metric, found)]
        return DocumentTable.of("differences", f"Differences in {metric}", columns, found)

    def power_tables(self) -> Iterator[DocumentTable]:
        """Yield how often a test finds differences that one may plan to find, by segments.

        Metrics that compare equally many segments have one table.
        """
        found: dict[tuple[int, ...], list[list[Cell]]] = {}
        for metric in self.metrics:
            planned = self.planned_power(metric)
            rows: dict[float, list[Cell]] = {}
            for one in planned:
                row = rows.setdefault(one.difference, [f"{one.difference:g} {metric}"])
                row.append(one.power)
            if planned:
                sizes = tuple(dict.fromkeys(one.units for one in planned))
                found.setdefault(sizes, []).extend(rows.values())
        for sizes, own in found.items():
            columns = [
                Column("difference", "true difference"),
                *(Column(f"{size}", f"{size:,} {self._unit}s", "share") for size in sizes),
            ]
            title = "Power: how often a test finds a true difference"
            yield DocumentTable("power", title, columns, own)

    def _baseline_table(self, metric: str) -> DocumentTable:
        compared = {one.system: one for one in self.comparisons_by(metric)}
        columns = [
            Column("system", value=str),
            *self._score_columns(metric),
            *self._difference_columns(metric, compared, "change"),
        ]
        return DocumentTable.of("scores", metric, columns, self.systems)

    def _score_columns(self, metric: str, lettered: bool = False) -> list[Column]:
        """Return the columns of scores; their rows are the names of systems.

        Args:
            metric: the label of the metric.
            lettered: whether scores have the letters of the systems that are significantly worse.
        """
        extra = self.extra_digits.get(metric, 0)
        lower = self._lower_is_better(metric)

        def column(key: str, title: str, of: Callable[[SystemScore], Cell]) -> Column:
            return Column(
                key,
                title,
                "score",
                extra_digits=extra,
                lower_is_better=lower,
                value=lambda name: of(self.score(name, metric)),
            )

        def estimate(one: SystemScore) -> Estimate:
            marks = self.marks(one.system, metric) if lettered else ""
            if one.interval is None:
                return Estimate(one.score, marks=marks)
            return Estimate(one.score, one.interval.low, one.interval.high, marks)

        if self.runs == 1:
            return [column("score", "", estimate)]
        if self.test == WELCH:
            deviation = column("run_deviation", "s", attrgetter("run_deviation"))
            return [column("score", "mean", estimate), deviation]
        return [
            column("run_mean", "mean", attrgetter("run_mean")),
            column("run_deviation", "s", attrgetter("run_deviation")),
            column("score", "all runs", estimate),
        ]

    def _difference_columns(
        self, metric: str, rows: dict[str, PairedComparison], title: str = "difference"
    ) -> list[Column]:
        """Return the columns of comparisons; one that would be empty is left out.

        Args:
            metric: the label of the metric.
            rows: the comparison of each row, by the value of the row; the baseline system has none.
            title: the title of the differences.
        """
        extra = self.extra_digits.get(metric, 0)
        level = next((in_percent(one.confidence) for one in self._intervals()), "")

        def column(key: str, title: str, kind: str, of: Callable[[Any], Cell]) -> Column:
            empty = BASELINE if key == "verdict" else None
            return Column(
                key,
                title,
                kind,
                extra_digits=extra if kind in ("difference", "interval") else 0,
                value=lambda row: of(rows[row]) if row in rows else empty,
            )

        columns = [
            column("difference", title, "difference", attrgetter("difference")),
            column("interval", f"{level} interval", "interval", attrgetter("interval")),
            column("p", "p", "p-value", attrgetter("p")),
            column("verdict", "", "text", self._verdict),
            column("human_agreement", "human agreement", "share", self.shown_agreement),
        ]
        return [one for one in columns if any(one.of(row) is not None for row in rows)]

    @property
    def _unit(self) -> str:
        return SEGMENT if self.documents is None else DOCUMENT

    def _verdict(self, one: PairedComparison) -> str:
        if not one.is_significant(self.alpha):
            return NOT_SIGNIFICANT
        return "better" if one.better == one.system else "worse"

    def _intervals(self) -> Iterator[Interval]:
        return (one.interval for one in self.scores if one.interval is not None)

    def _notes(self) -> Iterator[str]:
        yield from map(str, self.missing)
        yield from self.interval_notes()
        if self.runs > 1:
            rest = "; all runs is the score of all of them as one corpus, which is tested"
            yield (
                f"mean and s are the mean and the standard deviation of the scores of {self.runs} "
                f"runs{'' if self.test == WELCH else rest}."
            )
        if self.comparisons and self.baseline is None:
            yield "The letters after a score name the systems that are significantly worse."
        if any(not one.is_significant(self.alpha) for one in self.comparisons):
            yield f"{NOT_SIGNIFICANT}: not significant; this test set does not show a difference."
        if any(self.shown_agreement(one) is not None for one in self.comparisons):
            yield EXPLANATION
        yield from self.test_notes()

    def score_notes(self) -> Iterator[str]:
        """Yield what explains a table of scores: intervals, letters, and what is not tested."""
        yield from self.interval_notes()
        if self.comparisons:
            yield (
                "The letters after a score name the systems that are significantly worse "
                f"({self.short_test()})."
            )
        yield from self.test_notes()

    def interval_notes(self) -> Iterator[str]:
        """Yield what the intervals of the scores are."""
        interval = next(self._intervals(), None)
        if interval is not None:
            level = in_percent(interval.confidence)
            of = f"of {self.draws:,} bootstrap draws"
            if self.test == WELCH:
                of = f"for other runs and other {self._unit}s"
            yield f"± is half the {level} confidence interval {of}."

    def test_notes(self) -> Iterator[str]:
        """Yield what p is about, and what limits the test: power, few segments and draws."""
        yield from self._subject_notes()
        yield from self._power_notes()
        yield from self._error_notes()
        yield from self._few_notes()
        yield from self._draws_notes()
        yield from self._untested_notes()

    def _draws_notes(self) -> Iterator[str]:
        """Yield that no difference can be significant, where that is so."""
        if self.needs_more_draws:
            yield "No difference can be significant with so few draws: use more draws."

    def _subject_notes(self) -> Iterator[str]:
        """Yield what a small p-value speaks for: other segments only, or other runs too."""
        if not self.comparisons:
            return
        if self.test == WELCH:
            yield f"p is about other runs of these systems on other {self._unit}s."
        elif self.runs > 1:
            yield (
                f"p is about other {self._unit}s with these runs; the test {WELCH} is also about "
                "other runs."
            )
        else:
            yield f"p is about other {self._unit}s, not about other training runs of the systems."

    def _error_notes(self) -> Iterator[str]:
        """Yield how much p-values vary with the draws, and which draws may decide."""
        error = max((one.error for one in self.comparisons), default=0.0)
        if error < LEAST_ERROR:
            return
        made = f"{self.trials:,} trials" if self.trials else f"{self.draws:,} draws"
        yield f"The standard error of p, which is estimated from {made}, is at most {error:.1g}."
        found = [f"{one.system} and {one.baseline} by {one.metric}" for one in self.undecided]
        # With so few draws no seed makes a difference significant.
        if found and not self.needs_more_draws:
            more = plural(len(found) - MOST_NAMED, "other comparison")
            named = [*found[:MOST_NAMED], *([more] if len(found) > MOST_NAMED else [])]
            listed = " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))
            yield f"With another seed, p may be on the other side of {self.alpha:g} for {listed}."

    def _untested_notes(self) -> Iterator[str]:
        """Yield which metrics were not tested."""
        if self.untested:
            yield (
                f"Not tested: {', '.join(self.untested)}. A test needs at least {FEWEST_SCORES} "
                "segments that all systems have a score for: compare fewer systems at once."
            )

    def _power_notes(self) -> Iterator[str]:
        """Yield which differences the test set can show."""
        power = describe_power(
            (metric, self.detectable(metric), self.extra_digits.get(metric, 0))
            for metric in self.metrics
        )
        if power:
            yield power

    def _few_notes(self) -> Iterator[str]:
        """Yield what few segments or documents mean for the intervals and the test."""
        if self.test == WELCH:
            return
        bootstrap = bool(self.comparisons) and self.test in (BOOTSTRAP, SACREBLEU_BOOTSTRAP)
        if not bootstrap and not any(self._intervals()):
            return
        if are_few(self.units):
            effect = TOO_OFTEN if bootstrap else TOO_NARROW
            yield f"{describe_few(self.units, effect, self._unit)}."
            return
        # All segments are enough, but not those that have a score, or not by their sizes.
        effect = TOO_OFTEN if bootstrap else TOO_NARROW
        if self.comparisons and not bootstrap:
            effect = RANDOMIZED_AND_NARROW
        found = {
            metric: describe_few(units, effect, self._unit, effective)
            for metric, units in self.tested_units.items()
            for effective in [self.effective_units.get(metric)]
            if are_few(units, effective)
        }
        if len(found) == len(self.metrics) and len(set(found.values())) == 1:
            yield f"{found[self.metrics[0]]}."
            return
        for metric, sentence in found.items():
            yield f"{metric}: {sentence}."

    def _records(self) -> Iterator[Record]:
        for metric in self.metrics:
            for system in self.systems:
                own: list[PairedComparison | None] = [
                    one for one in self.comparisons_by(metric) if one.system == system
                ]
                for one in own or [None]:
                    yield self._record(self.score(system, metric), one)

    def _record(self, score: SystemScore, one: PairedComparison | None) -> Record:
        record = plain_values(score, ("metric", "system", "score"))
        if self.runs > 1:
            record |= {"runs": self.runs, **plain_values(score, ("run_mean", "run_deviation"))}
        return {
            **record,
            **_plain_or_empty(score.interval, ("low", "high")),
            **_plain_or_empty(one, _COMPARED),
            "significantly_better": one.better if one and one.is_significant(self.alpha) else None,
            "human_agreement": one and self.shown_agreement(one),
            "signature": str(self.signatures[score.metric]),
        }

    def _in_brief(self) -> str:
        systems = names_or_number(self.systems, "system")
        return f"of {systems} by {names_or_number(self.metrics, 'metric')}: {self.test}"


def _plain_or_empty(value: Any, fields: tuple[str, ...]) -> Record:
    return dict.fromkeys(paths_of(fields)) if value is None else plain_values(value, fields)


def describe_correction(settings: TestSettings) -> str:
    """Return the correction as part of a sentence.

    >>> describe_correction(TestSettings(correction="benjamini-hochberg"))
    'p-values corrected by Benjamini-Hochberg'
    >>> describe_correction(TestSettings(correction=None))
    'p-values not corrected'
    """
    if settings.correction is None:
        return "p-values not corrected"
    over = " over all metrics" if settings.correct_over == ALL else ""
    return f"p-values corrected by {settings.correction.title()}{over}"
