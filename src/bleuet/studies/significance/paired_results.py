"""The result of a paired test: scores, comparisons, and the document that shows them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from bleuet.errors import OptionError
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, Estimate, Table
from bleuet.studies.significance.correction import find_correction
from bleuet.studies.significance.human_agreement import EXPLANATION
from bleuet.studies.significance.interval import in_percent
from bleuet.studies.significance.result_parts import (
    ALPHA,
    MissingScores,
    PairedComparison,
    SystemScore,
    check_alpha,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.metrics.signature import Signature
    from bleuet.output.document import Cell, Record
    from bleuet.studies.significance.interval import Interval

BOOTSTRAP, RANDOMIZATION = "bootstrap", "randomization"
SACREBLEU_BOOTSTRAP, SACREBLEU_RANDOMIZATION = "sacrebleu-bootstrap", "sacrebleu-randomization"

# name: what it is. sacreBLEU's tests reject a true null hypothesis more often than alpha, the
# others do not.
TESTS = {
    BOOTSTRAP: "two-sided paired bootstrap",
    RANDOMIZATION: "paired approximate randomization, ties count",
    SACREBLEU_BOOTSTRAP: "sacreBLEU's paired bootstrap",
    SACREBLEU_RANDOMIZATION: "sacreBLEU's paired approximate randomization",
}
NO_TEST = "intervals only"

BASELINE, NOT_SIGNIFICANT = "baseline", "n.s."
# A test of scores that some segments lack needs so many of each system: of k scores among many
# segments a draw contains none with probability e^-k.
FEWEST_SCORES = 20
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, repr=False)
class PairedResults(Answer):
    """The scores of systems by several metrics, and paired tests of their differences.

    Attributes:
        test: the name of the test, one of `TESTS`.
        systems: the names of the systems.
        metrics: the labels of the metrics.
        scores: system after system, one per metric.
        comparisons: pair after pair, one per metric.
        signatures: by the label of the metric, how to compute the results again.
        correction: the correction of the p-values, None for none.
        alpha: a difference is significant where its p-value is below this.
        baseline: the system that all others are compared with, None for all pairs.
        segments: the number of segments of the test set.
        runs: the number of runs of each system.
        draws: the number of bootstrap draws, None for none.
        trials: the number of trials of a randomization, None for none.
        seed: the random seed, None for none.
        extra_digits: by the label of the metric, the digits beyond those of scores in percent.
        missing: for each metric without a score of some segments, which segments have one.
    """

    test: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: tuple[SystemScore, ...]
    comparisons: tuple[PairedComparison, ...]
    signatures: dict[str, Signature]
    correction: str | None = None
    alpha: float = ALPHA
    baseline: str | None = None
    segments: int = 0
    runs: int = 1
    draws: int | None = None
    trials: int | None = None
    seed: int | None = None
    extra_digits: dict[str, int] = field(default_factory=dict)
    missing: tuple[MissingScores, ...] = ()

    def __post_init__(self) -> None:
        check_alpha(self.alpha)

    # --- Looking up ---------------------------------------------------------------------------

    def score(self, system: str, metric: str | None = None) -> SystemScore:
        """Return the score of a system.

        Args:
            system: the name of the system.
            metric: the label of the metric; default the first.

        Raises:
            OptionError: there is no such score.
        """
        wanted = self.metrics[0] if metric is None else metric
        for one in self.scores:
            if (one.system, one.metric) == (system, wanted):
                return one
        raise OptionError(
            f"there is no score of {system!r} by {wanted!r}; the systems are "
            f"{', '.join(self.systems)}, the metrics {', '.join(self.metrics)}"
        )

    def comparison(self, one: str, other: str, metric: str | None = None) -> PairedComparison:
        """Return the comparison of two systems, in either order.

        Args:
            one: the name of one system.
            other: the name of the other.
            metric: the label of the metric; default the first.

        Raises:
            OptionError: the two were not compared.
        """
        wanted = self.metrics[0] if metric is None else metric
        for found in self.comparisons:
            if found.metric == wanted and {found.baseline, found.system} == {one, other}:
                return found
        pairs = dict.fromkeys(f"{found.baseline} : {found.system}" for found in self.comparisons)
        raise OptionError(
            f"{one!r} and {other!r} were not compared by {wanted!r}; the pairs are "
            f"{', '.join(pairs)}, the metrics {', '.join(self.metrics)}"
        )

    def comparisons_by(self, metric: str) -> list[PairedComparison]:
        """Return the comparisons of all pairs by one metric."""
        return [one for one in self.comparisons if one.metric == metric]

    def significantly_worse(self, system: str, metric: str) -> tuple[str, ...]:
        """Return the systems that are significantly worse than a system.

        Args:
            system: the name of the system.
            metric: the label of the metric.
        """
        worse = {
            one.worse
            for one in self.comparisons_by(metric)
            if one.better == system and one.is_significant(self.alpha)
        }
        return tuple(name for name in self.systems if name in worse)

    @property
    def letters(self) -> dict[str, str]:
        """The letter of each system, by its name."""
        return dict(zip(self.systems, letters(len(self.systems)), strict=True))

    def marks(self, system: str, metric: str) -> str:
        """Return the letters of the systems that are significantly worse than a system.

        Args:
            system: the name of the system.
            metric: the label of the metric.
        """
        of_system = self.letters
        found = [of_system[name] for name in self.significantly_worse(system, metric)]
        return ("" if all(len(letter) == 1 for letter in found) else ",").join(found)

    def ranks(self, metric: str | None = None) -> dict[str, int]:
        """Return the rank of each system: 1 plus the number of significantly better systems.

        Only systems that were compared count, so compare all pairs.

        Args:
            metric: the label of the metric; default the first.

        Raises:
            OptionError: there is no such metric.
        """
        wanted = self.score(self.systems[0], metric).metric
        worse = [one.worse for one in self.comparisons_by(wanted) if one.is_significant(self.alpha)]
        return {name: 1 + worse.count(name) for name in self.systems}

    @property
    def untested(self) -> tuple[str, ...]:
        """The metrics with too few scores for a test."""
        tested = {one.metric for one in self.comparisons}
        if len(self.systems) == 1:
            return ()
        return tuple(name for name in self.metrics if name not in tested)

    @property
    def needs_more_draws(self) -> bool:
        """Whether even the smallest possible p-value, once corrected, is not significant."""
        drawn = self.trials or self.draws
        if not self.comparisons or drawn is None:
            return False
        pairs = self._pairs if self.correction in ("holm", "bonferroni") else 1
        return pairs / (drawn + 1) >= self.alpha

    @property
    def _pairs(self) -> int:
        return len({(one.baseline, one.system) for one in self.comparisons})

    # --- The same results in another way ------------------------------------------------------

    def corrected(self, correction: str | None) -> PairedResults:
        """Return the results with p-values corrected for the number of pairs, metric by metric.

        Args:
            correction: "bonferroni", "holm", "benjamini-hochberg" or None.

        Raises:
            OptionError: there is no such correction.
        """
        if correction is None or not self.comparisons:
            return self
        correct = find_correction(correction)
        p_of = {}
        for metric in self.metrics:
            found = self.comparisons_by(metric)
            p_of[metric] = iter(correct([one.p_value for one in found]))
        comparisons = tuple(
            replace(one, corrected_p_value=next(p_of[one.metric])) for one in self.comparisons
        )
        return replace(self, comparisons=comparisons, correction=correction)

    def renamed(self, names: Sequence[str]) -> PairedResults:
        """Return the results with other names for the first metrics, without the metrics after.

        Args:
            names: the new labels.
        """
        new = dict(zip(self.metrics, names, strict=False))
        return replace(
            self,
            metrics=tuple(names),
            scores=tuple(
                replace(one, metric=new[one.metric]) for one in self.scores if one.metric in new
            ),
            comparisons=tuple(
                replace(one, metric=new[one.metric])
                for one in self.comparisons
                if one.metric in new
            ),
            signatures={new[name]: one for name, one in self.signatures.items() if name in new},
            extra_digits={new[name]: n for name, n in self.extra_digits.items() if name in new},
            missing=tuple(
                replace(one, metric=new[one.metric]) for one in self.missing if one.metric in new
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        values: dict[str, Any] = {
            "test": self.test,
            "draws": self.draws,
            "trials": self.trials,
            "seed": self.seed,
            "segments": self.segments,
            "runs": self.runs,
            "correction": self.correction,
            "alpha": self.alpha,
            "baseline": self.baseline,
            "scores": [one.to_dict() for one in self.scores],
            "comparisons": [
                {**one.to_dict(), "significant": one.is_significant(self.alpha)}
                for one in self.comparisons
            ],
            "letters": self.letters,
            "significantly_worse": {
                system: {
                    metric: list(self.significantly_worse(system, metric))
                    for metric in self.metrics
                }
                for system in self.systems
            },
            "missing_scores": {
                one.metric: {"segments": one.segments, "scored": one.scored} for one in self.missing
            },
            "signatures": {name: str(signature) for name, signature in self.signatures.items()},
        }
        return values

    # --- The document -------------------------------------------------------------------------

    def document(self) -> Document:
        """Return the tables of scores and differences, one or two for each metric.

        The records are "systems", one for each system, or pair, and metric, with its score and its
        comparison, and "comparisons", one for each pair and metric.
        """
        return Document(
            self.describe_test(),
            [table for metric in self.metrics for table in self._tables(metric)],
            self._notes(),
            self.signatures.items(),
            self.to_dict,
            {
                "systems": self._records,
                "comparisons": lambda: self.to_dict()["comparisons"],
            },
        )

    def describe_test(self) -> str:
        """Return the test and its settings in one sentence."""
        test = TESTS.get(self.test, self.test)
        parts = [test[:1].upper() + test[1:]]
        if self.runs > 1:
            parts.append("stratified over runs")
        if self.trials:
            parts.append(f"{self.trials:,} trials")
        elif self.draws:
            parts.append(f"{self.draws:,} draws")
        parts.append("no seed" if self.seed is None else f"seed {self.seed}")
        told = [", ".join(parts), f"{self.segments:,} segments"]
        if self.comparisons:
            against = "" if self.baseline is None else f" with {self.baseline}"
            pairs = f"{self._pairs} comparison{'' if self._pairs == 1 else 's'}{against}"
            if self._pairs > 1:
                pairs += f", {describe_correction(self.correction)}"
            told += [pairs, f"a difference is significant where p < {self.alpha:g}"]
        return f"{'; '.join(told)}."

    def short_test(self) -> str:
        """Return the test, alpha and the correction as part of a sentence."""
        trials = f" of {self.trials:,} trials" if self.trials else ""
        test = f"{TESTS.get(self.test, self.test)}{trials}"
        return f"{test}, p < {self.alpha:g}, {describe_correction(self.correction)}"

    def _tables(self, metric: str) -> Iterator[Table]:
        if metric in self.untested or not self.comparisons:
            yield self.score_table(metric)
        elif self.baseline is None:
            yield self.score_table(metric)
            yield self.difference_table(metric)
        else:
            yield self._baseline_table(metric)

    def score_table(self, metric: str) -> Table:
        """Return the scores of all systems by one metric, with letters where all pairs are tested.

        Args:
            metric: the label of the metric.
        """
        with_letters = self.baseline is None and bool(self.comparisons_by(metric))
        letter = [Column("letter")] if with_letters else []
        rows = [
            (
                name,
                *([self.letters[name]] if with_letters else []),
                *self._score_cells(name, metric, self.marks(name, metric) if with_letters else ""),
            )
            for name in self.systems
        ]
        columns = [Column("system"), *letter, *self._score_columns(metric)]
        return Table("scores", metric, columns, rows)

    def difference_table(self, metric: str) -> Table:
        """Return the comparisons of all pairs by one metric.

        Args:
            metric: the label of the metric.
        """
        columns = [Column("systems"), *self._difference_columns(metric, "difference")]
        rows = [
            (f"{one.system} - {one.baseline}", *self._difference_cells(metric, one))
            for one in self.comparisons_by(metric)
        ]
        return Table("differences", f"Differences in {metric}", columns, rows)

    def _baseline_table(self, metric: str) -> Table:
        compared = {one.system: one for one in self.comparisons_by(metric)}
        rows = [
            (
                name,
                *self._score_cells(name, metric),
                *self._difference_cells(metric, compared.get(name)),
            )
            for name in self.systems
        ]
        columns = [
            Column("system"),
            *self._score_columns(metric),
            *self._difference_columns(metric, "change"),
        ]
        return Table("scores", metric, columns, rows)

    def _score_columns(self, metric: str) -> list[Column]:
        extra = self.extra_digits.get(metric, 0)
        lower = not self.score(self.systems[0], metric).higher_is_better

        def column(key: str, title: str = "", kind: str = "score") -> Column:
            return Column(key, title, kind, extra_digits=extra, lower_is_better=lower)

        if self.runs == 1:
            return [column("score")]
        return [
            column("run_mean", "mean"),
            column("run_deviation", "s"),
            column("score", "all runs"),
        ]

    def _score_cells(self, system: str, metric: str, marks: str = "") -> list[Cell]:
        one = self.score(system, metric)
        score = Estimate(one.score, marks=marks)
        if one.interval is not None:
            score = Estimate(one.score, one.interval.low, one.interval.high, marks)
        return [score] if self.runs == 1 else [one.run_mean, one.run_deviation, score]

    def _difference_columns(self, metric: str, difference: str) -> list[Column]:
        extra = self.extra_digits.get(metric, 0)
        columns = [Column("difference", difference, "difference", extra_digits=extra)]
        if self._has_intervals(metric):
            level = in_percent(next(self._intervals()).confidence)
            columns.append(Column("interval", f"{level} interval", "interval", extra_digits=extra))
        columns += [Column("p", "p", "p-value"), Column("verdict")]
        if self._has_human_agreement(metric):
            columns.append(Column("human_agreement", "human agreement", "share"))
        return columns

    def _difference_cells(self, metric: str, one: PairedComparison | None) -> list[Cell]:
        """Return the cells of a comparison, or the empty ones of the baseline system."""
        cells: list[Cell] = [None if one is None else one.difference]
        if self._has_intervals(metric):
            cells.append(None if one is None else one.interval)
        cells += [None, BASELINE] if one is None else [one.p, self._verdict(one)]
        if self._has_human_agreement(metric):
            cells.append(None if one is None else one.human_agreement)
        return cells

    def _has_intervals(self, metric: str) -> bool:
        return any(one.interval is not None for one in self.comparisons_by(metric))

    def _has_human_agreement(self, metric: str) -> bool:
        return any(one.human_agreement is not None for one in self.comparisons_by(metric))

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
            yield (
                f"mean and s are the mean and the standard deviation of the scores of {self.runs} "
                "runs; all runs is the score of all of them as one corpus, which is tested."
            )
        if self.comparisons and self.baseline is None:
            yield "The letters after a score name the systems that are significantly worse."
        if any(not one.is_significant(self.alpha) for one in self.comparisons):
            yield f"{NOT_SIGNIFICANT}: not significant; this test set does not show a difference."
        if any(self._has_human_agreement(metric) for metric in self.metrics):
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
            yield f"± is half the {level} confidence interval of {self.draws:,} bootstrap draws."

    def test_notes(self) -> Iterator[str]:
        """Yield why no difference can be significant, and which metrics were not tested."""
        if self.needs_more_draws:
            yield "No difference can be significant with so few draws: use more draws."
        if self.untested:
            yield (
                f"Not tested: {', '.join(self.untested)}. A test needs scores of the same segments "
                f"for all systems, or of at least {FEWEST_SCORES} segments for each."
            )

    def _records(self) -> Iterator[Record]:
        for metric in self.metrics:
            for system in self.systems:
                own: list[PairedComparison | None] = [
                    one for one in self.comparisons_by(metric) if one.system == system
                ]
                for one in own or [None]:
                    yield self._record(self.score(system, metric), one)

    def _record(self, score: SystemScore, one: PairedComparison | None) -> Record:
        interval = score.interval
        record: Record = {"metric": score.metric, "system": score.system, "score": score.score}
        if self.runs > 1:
            record["runs"] = self.runs
            record["run_mean"] = score.run_mean
            record["run_deviation"] = score.run_deviation
        else:
            record["low"] = None if interval is None else interval.low
            record["high"] = None if interval is None else interval.high
        return {
            **record,
            "baseline": one and one.baseline,
            "difference": one and one.difference,
            "difference_low": one and one.low,
            "difference_high": one and one.high,
            "p_value": one and one.p_value,
            "corrected_p_value": one and one.corrected_p_value,
            "significantly_better": one.better if one and one.is_significant(self.alpha) else None,
            "human_agreement": one and one.human_agreement,
            "signature": str(self.signatures[score.metric]),
        }

    def __repr__(self) -> str:
        return f"<{self.test} of {', '.join(self.systems)} by {', '.join(self.metrics)}>"

    def __str__(self) -> str:
        return self.to_text()


def describe_correction(correction: str | None) -> str:
    """Return a correction as part of a sentence.

    >>> describe_correction("benjamini-hochberg"), describe_correction(None)
    ('p-values corrected by Benjamini-Hochberg', 'p-values not corrected')
    """
    if correction is None:
        return "p-values not corrected"
    return f"p-values corrected by {correction.title()}"


def letters(systems: int) -> tuple[str, ...]:
    """Return a letter for each system; two letters after 26, as spreadsheets name columns.

    >>> letters(28)[0], letters(28)[25:]
    ('a', ('z', 'aa', 'ab'))
    """
    found = []
    for number in range(systems):
        name = ""
        number += 1
        while number:
            number, place = divmod(number - 1, len(_ALPHABET))
            name = _ALPHABET[place] + name
        found.append(name)
    return tuple(found)
