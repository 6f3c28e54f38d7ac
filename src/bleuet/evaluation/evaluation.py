"""An evaluation: systems and metrics, with a table for each of both, all of the same segments."""

from __future__ import annotations

from array import array
from functools import cached_property

from bleuet.engines.counting import count_systems
from bleuet.errors import InputError, InputTypeError, OptionError, TableError
from bleuet.evaluation.external import FEWEST_SCORES, SegmentMean, scored_rows, tables_of_scores
from bleuet.frozen import Value, checked
from bleuet.messages import nearest, plural
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import headings
from bleuet.metrics.base.text_checks import warn_of_texts
from bleuet.metrics.catalogue import make_metric
from bleuet.output.answer import names_or_number
from bleuet.output.document import Column as TableColumn
from bleuet.statistics.resampling import without_each
from bleuet.statistics.table import Table
from bleuet.tablefile.saved_tables import check_references, two_tables
from bleuet.text.row_index import shared_index
from bleuet.text.segments import Segments
from bleuet.text.validation import check_lengths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias, TypeVar

    from bleuet.evaluation.external import Scores
    from bleuet.metrics.base.counting import Hypotheses, References
    from bleuet.metrics.base.score import Score
    from bleuet.tablefile.saved_tables import SavedTable

    # The hypotheses of each system, by its name.
    Texts = TypeVar("Texts")
    Outputs: TypeAlias = Mapping[str, Texts]
    # The scores of segments, None where external scores have none.
    Column: TypeAlias = Sequence[float | None]


@checked
class Evaluation(Value):
    """Systems scored by several metrics on one test set.

    All studies of scores take an evaluation: from texts (`count`), saved tables (`from_saved`) or
    scores of another program (`from_scores`). External scores are metrics like others, whose tables
    users pass instead of having them counted.

    Args:
        metrics: the metrics.
        tables: by the name of the system, one table per metric, in the order of the metrics; the
            first system is the default baseline. The rows of several runs follow each other.
        runs: the number of runs of each system.
        documents: the document of each segment, any value such as its name; None where segments
            do not depend on each other. Tests and intervals then draw and exchange whole documents.

    Raises:
        OptionError: there is no metric, or a duplicate one.
        TableError: a system lacks a table, a table does not fit its metric or the other tables, or
            there is not one document for each segment.

    >>> from bleuet import BLEU, TER
    >>> hypotheses = {"old": ["A cat sat.", "It rain."], "new": ["The cat sat.", "It rains."]}
    >>> found = Evaluation.count([BLEU(), TER()], hypotheses, ["The cat sat.", "It rains."])
    >>> found.systems, found.labels, found.segments
    (('old', 'new'), ('BLEU', 'TER'), 2)
    """

    metrics: Sequence[Metric[Any]]
    tables: Mapping[str, Sequence[Table]]
    runs: int = 1
    documents: Sequence[Any] | None = None

    def _complete(self) -> None:
        set_field = object.__setattr__
        set_field(self, "metrics", tuple(self.metrics))
        set_field(self, "tables", {name: tuple(row) for name, row in self.tables.items()})
        _check_metrics(self.metrics)
        _check_tables(self.metrics, self.tables)
        if self.documents is not None:
            set_field(self, "documents", tuple(self.documents))
            _check_documents(self.documents, self.segments)

    # --- Kinds of input -----------------------------------------------------------------------

    @classmethod
    @checked
    def count(
        cls,
        metrics: str | Metric[Any] | Sequence[str | Metric[Any]],
        hypotheses: Outputs[Hypotheses],
        references: References,
        *,
        threads: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> Evaluation:
        """Count all systems by all metrics; each metric prepares the references once.

        Args:
            metrics: metrics, or names of the catalogue.
            hypotheses: one string per segment, by the name of the system.
            references: per segment a string or a list of strings.
            threads: threads of the kernel, 0 for one per core.
            progress: called after each batch with the segments counted so far and the number of
                all.

        Raises:
            InputError: the texts are invalid.
            OptionError: there is no metric, or no metric of a name.
        """
        listed = [metrics] if isinstance(metrics, str | Metric) else metrics
        made = tuple(make_metric(one) if isinstance(one, str) else one for one in listed)
        _check_metrics(made)
        if not hasattr(hypotheses, "items"):
            raise InputTypeError(
                "hypotheses must be a dictionary from names of systems to lists of strings, not "
                f"{type(hypotheses).__name__}: {{'a': [...], 'b': [...]}}"
            )
        if not hypotheses:
            raise TableError("there is no system: pass at least one")
        shared_index(hypotheses=hypotheses, references=references)
        kind = made[0].counted_kind
        shared = Segments.references(references, kind)
        texts = [_segments(own, name, shared) for name, own in hypotheses.items()]
        names = list(hypotheses)
        tables = count_systems(made, texts, shared, threads=threads, progress=progress, names=names)
        warn_of_texts(made, list(zip(names, texts, strict=True)), shared)
        return cls(made, dict(zip(hypotheses, tables, strict=True)))

    @classmethod
    @checked
    def from_saved(cls, saved: Iterable[SavedTable], *, allow_mismatch: bool = False) -> Evaluation:
        """Return the evaluation of saved tables, without their texts.

        Args:
            saved: what `load_tables` returns, of one file or of several files with further systems
                on the same test set.
            allow_mismatch: whether to warn only where the files were counted against different
                references or sources.

        Raises:
            MismatchError: the files were counted against different references or sources.
            TableError: the systems have different metrics or segments, or a name is duplicate.

        >>> from bleuet.metrics.bleu.metric import BLEU
        >>> from bleuet.tablefile.saved_tables import SavedTable
        >>> bleu, references = BLEU(), ["The cat sat down."]
        >>> old, new = (bleu.count([text], references) for text in ("A cat sat.", "The cat sat."))
        >>> saved = [SavedTable("old", bleu, old), SavedTable("new", bleu, new)]
        >>> Evaluation.from_saved(saved).systems
        ('old', 'new')
        """
        listed = list(saved)
        _check_segments((one.system, one.table) for one in listed)
        check_references(listed, allow_mismatch=allow_mismatch)
        systems: dict[str, dict[Metric[Any], Table]] = {}
        for one in listed:
            tables = systems.setdefault(one.system, {})
            if one.metric in tables:
                raise TableError(two_tables(one))
            tables[one.metric] = one.own_columns()
        metrics = tuple(next(iter(systems.values()), ()))
        for name, tables in systems.items():
            if set(tables) != set(metrics):
                first = next(iter(systems))
                raise TableError(f"{name} was not counted by the same metrics as {first}")
        _check_numbers_of_references(systems)
        return cls(metrics, {name: [row[m] for m in metrics] for name, row in systems.items()})

    @classmethod
    @checked
    def from_scores(cls, scores: Scores, systems: Sequence[str], segments: int) -> Evaluation:
        """Return the evaluation of external scores: of another program, or of human raters.

        Args:
            scores: by metric and system, one number per segment, None where a segment has no
                score. A metric is a name; a `SegmentMean` also declares whether higher is better.
            systems: the names of the systems.
            segments: the number of segments.

        Raises:
            InputError: scores of a system are missing, too few or too many, or not numbers.
            OptionError: there is no metric, two have the same name, or a name cannot be used.

        >>> scores = {"COMET": {"mine": [0.8, None, 0.6]}}
        >>> print(Evaluation.from_scores(scores, ["mine"], 3).scores["mine"][0])
        COMET = 0.70
        """
        shared_index(scores=scores)
        given = tables_of_scores(scores, systems, segments)
        tables = {
            name: [own[place] for own in given.values()] for place, name in enumerate(systems)
        }
        return cls(tuple(given), tables)

    @classmethod
    @checked
    def of_runs(
        cls, metrics: Sequence[Metric[Any]], runs: Mapping[str, Sequence[Sequence[Table]]]
    ) -> Evaluation:
        """Return the evaluation of systems of several runs each (Clark et al. 2011).

        A system that is trained several times differs from run to run. The score of a system is
        the score of all its runs as one corpus, as in MultEval; the order of the runs means
        nothing.

        Args:
            metrics: the metrics.
            runs: by the name of the system its runs, each one table per metric in their order.

        Raises:
            OptionError: a system has no run, or not as many as the others.
            TableError: a table does not fit its metric or the other tables.

        >>> from bleuet import TER
        >>> def count(*hypotheses):
        ...     return [TER().count(list(hypotheses), ["The cat sat down.", "It rains today."])]
        >>> old = [count("A cat sat down.", "It rain."), count("The cat down.", "It rain today.")]
        >>> new = [count("The cat sat.", "It rains."), count("The cat sat.", "It rains today.")]
        >>> Evaluation.of_runs([TER()], {"old": old, "new": new})
        <Evaluation of old, new with 2 runs on 2 segments by TER>
        """
        counts = {name: len(own) for name, own in runs.items()}
        if len(set(counts.values())) > 1 or 0 in counts.values():
            listed = ", ".join(f"{name} has {number}" for name, number in counts.items())
            raise OptionError(f"all systems must have the same number of runs, but {listed}")
        number = max(counts.values(), default=1)
        of_run = [
            cls(metrics, {name: own[run] for name, own in runs.items()}) for run in range(number)
        ]
        if len({one.segments for one in of_run}) > 1:
            raise TableError("all runs must have the same segments: score runs of one test set")
        if number == 1:
            return of_run[0]
        tables = {
            name: tuple(Table.concatenate(same) for same in zip(*own, strict=True))
            for name, own in runs.items()
        }
        return cls(metrics, tables, number)

    @classmethod
    @checked
    def joined(
        cls, parts: Iterable[Evaluation], metrics: Sequence[Metric[Any]] | None = None
    ) -> Evaluation:
        """Return the evaluation of the same systems by the metrics of several evaluations.

        Args:
            parts: the evaluations.
            metrics: the metrics in the order of the result; default in the order of the parts.

        Raises:
            OptionError: two parts have a metric, or none has a metric.
            TableError: there is no part, or the parts have other systems or segments.
        """
        listed = list(parts)
        names = {part.systems: ", ".join(part.systems) for part in listed}
        if len(names) != 1:
            found = " and ".join(names.values()) or "no part"
            raise TableError(f"all parts must have the same systems, not {found}")
        every = [metric for part in listed for metric in part.metrics]
        tables = {
            name: [table for part in listed for table in part.tables[name]]
            for name in listed[0].systems
        }
        whole = listed[0].replace(metrics=every, tables=tables)
        for metric in metrics or ():
            if metric not in every:
                raise OptionError(f"no part has the metric {metric!r}: pass the part that has it")
        return whole if metrics is None else whole.select([every.index(one) for one in metrics])

    def with_scores(self, scores: Scores) -> Evaluation:
        """Return the evaluation with external scores as further metrics.

        Args:
            scores: as of `from_scores`; the scores of several runs follow each other.

        Raises:
            InputError: a system has no scores, or not one (or None) for each segment.
            OptionError: two metrics have the same name, or a name cannot be used.
        """
        given = Evaluation.from_scores(scores, self.systems, self.segments * self.runs)
        return Evaluation.joined([self, given.replace(runs=self.runs)])

    # --- What there is ------------------------------------------------------------------------

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems, in order."""
        return tuple(self.tables)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the metrics, with their options where two have the same name."""
        names = [metric.name for metric in self.metrics]
        return tuple(
            repr(metric) if names.count(metric.name) > 1 else metric.name for metric in self.metrics
        )

    @property
    def headings(self) -> tuple[str, ...]:
        """The names of the metrics in tables, with numbers where two have the same name."""
        return tuple(headings([metric.name for metric in self.metrics]))

    @property
    def segments(self) -> int:
        """The number of segments of the test set."""
        return self._first[0].rows // self.runs

    @property
    def units(self) -> int:
        """The number of units that a draw selects from: the documents, or the segments."""
        return self.segments if self.documents is None else len(set(self.documents))

    @property
    def n_references(self) -> tuple[int | None, ...]:
        """By metric, the number of references of each segment, None where they differ."""
        return tuple(table.n_references for table in self._first)

    @cached_property
    def extra_digits(self) -> tuple[int, ...]:
        """By metric, the digits beyond those of scores in percent."""
        return tuple(
            metric.digits_of(own[place] for own in self.tables.values())
            if isinstance(metric, SegmentMean)
            else metric.extra_digits
            for place, metric in enumerate(self.metrics)
        )

    @property
    def _first(self) -> Sequence[Table]:
        return next(iter(self.tables.values()))

    def __repr__(self) -> str:
        systems = names_or_number(self.systems, "system")
        runs = f" with {self.runs} runs" if self.runs > 1 else ""
        metrics = names_or_number([metric.name for metric in self.metrics], "metric")
        return f"<Evaluation of {systems}{runs} on {plural(self.segments, 'segment')} by {metrics}>"

    # --- Scores -------------------------------------------------------------------------------

    @cached_property
    def scores(self) -> dict[str, tuple[Score, ...]]:
        """The scores of each system, one per metric."""
        return {
            name: tuple(
                metric.score(table.totals())
                for metric, table in zip(self.metrics, row, strict=True)
            )
            for name, row in self.tables.items()
        }

    @checked
    def run_scores(self, system: str, metric: int) -> tuple[float, ...]:
        """Return the score of each run of a system by one metric; none for a single run.

        Args:
            system: the name of the system.
            metric: the place of the metric.
        """
        if self.runs == 1:
            return ()
        table, n = self.tables[system][metric], self.segments
        parts = (table.select(range(run * n, (run + 1) * n)) for run in range(self.runs))
        return tuple(self.metrics[metric].score(part.totals()).score for part in parts)

    def scores_of(self, system: str, rows: Sequence[int]) -> tuple[Score | None, ...]:
        """Return the scores of a system on some segments, one per metric.

        Args:
            system: the name of the system.
            rows: the segments, from 0.

        Returns:
            The scores; None where no segment has one.
        """
        return tuple(
            metric.score(part.totals()) if _has_score(metric, part) else None
            for metric, table in zip(self.metrics, self.tables[system], strict=True)
            for part in [table.select(rows)]
        )

    @cached_property
    def sentence_metrics(self) -> tuple[Metric[Any], ...]:
        """The metrics with the options that suit sentences; they count the same statistics.

        BLEU has the effective order, without which short sentences would score 0.
        """
        return tuple(map(for_sentences, self.metrics))

    @cached_property
    def sentence_scores(self) -> tuple[tuple[Column, ...], ...]:
        """The score of each segment, `sentence_scores[system][metric][segment]`.

        None where external scores have none for a segment.
        """
        return tuple(
            tuple(map(_segment_scores, self.sentence_metrics, own)) for own in self.tables.values()
        )

    @cached_property
    def contributions(self) -> tuple[tuple[Column, ...], ...]:
        """What each segment adds to a system's score, `contributions[system][metric][segment]`.

        It is the score of all segments minus the score without the segment, so that a sentence that
        is long, or bad where others are good, has a large one. None where external scores have
        none for a segment, and for all where there is only one segment.
        """
        return tuple(tuple(map(_contributions, self.metrics, own)) for own in self.tables.values())

    def range_of(self, metric: int) -> tuple[float, float]:
        """Return the smallest and the largest score of a segment by a metric."""
        columns = [own[metric] for own in self.sentence_scores]
        scores = [score for own in columns for score in own if score is not None]
        return min(scores), max(scores)

    def score_column(self, metric: int, key: str, title: str = "") -> TableColumn:
        """Return a column of a table for scores of a metric.

        Args:
            metric: the place of the metric.
            key: the name of the column for programs.
            title: its heading; default the key.
        """
        return TableColumn(
            key,
            title,
            "score",
            extra_digits=self.extra_digits[metric],
            lower_is_better=not self.metrics[metric].higher_is_better,
        )

    # --- Segments without a score -------------------------------------------------------------

    def has_any_scale(self, metric: int) -> bool:
        """Return whether scores by a metric can be any numbers: external scores and ratings."""
        return isinstance(self.metrics[metric], SegmentMean) or self.metrics[metric].rates

    @cached_property
    def scored_segments(self) -> tuple[tuple[list[int], ...], ...]:
        """By metric and system, the segments that have a score in every run.

        There are none for a metric that scores all segments, `scored_segments[metric][system]`.
        """
        every = range(self.segments)
        return tuple(
            tuple(
                [row for row in every if all(there[row :: self.segments])]
                for own in self.tables.values()
                for there in [scored_rows(metric, own[place])]
                if there is not None
            )
            for place, metric in enumerate(self.metrics)
        )

    def common_segments(self, metric: int) -> tuple[int, ...] | None:
        """Return the segments with a score of every system by a metric, None for all."""
        scored = self.scored_segments[metric]
        if not scored:
            return None
        rows = tuple(sorted(set(scored[0]).intersection(*scored[1:])))
        return rows if len(rows) < self.segments else None

    def is_comparable(self, metric: int) -> bool:
        """Return whether enough segments have a score of every system by a metric."""
        common = self.common_segments(metric)
        scored = () if common is None else set().union(*self.scored_segments[metric])
        return common is None or len(common) >= min(FEWEST_SCORES, len(scored))

    @cached_property
    def compared(self) -> Evaluation:
        """The evaluation with external scores only of the segments that all systems have one for.

        Each system keeps its own segments where too few have a score of every system.
        """
        kept: dict[Metric[Any], set[int]] = {
            metric: {run * self.segments + row for run in range(self.runs) for row in rows}
            for place, metric in enumerate(self.metrics)
            for rows in [self.common_segments(place)]
            if rows is not None and self.is_comparable(place)
        }
        tables = {
            name: [
                metric.only(table, kept[metric])
                if isinstance(metric, SegmentMean) and metric in kept
                else table
                for metric, table in zip(self.metrics, own, strict=True)
            ]
            for name, own in self.tables.items()
        }
        return self.replace(tables=tables) if kept else self

    # --- Parts and other arrangements ---------------------------------------------------------

    def all_tables(self) -> list[Table]:
        """Return all tables, system after system."""
        return [table for row in self.tables.values() for table in row]

    def unit_tables(self) -> list[Table]:
        """Return all tables with one row per unit: what depends on each other stays together.

        The row of a document is the sum of its segments, and the row of a segment with several
        runs is the sum of its runs.
        """
        if self.runs == 1 and self.documents is None:
            return self.all_tables()
        return list(self._added)

    @cached_property
    def _added(self) -> tuple[Table, ...]:
        """The tables with one row per document, or per segment of all runs; they are small."""
        units = range(self.segments) if self.documents is None else self.documents
        return tuple(table.add_groups([*units] * self.runs) for table in self.all_tables())

    def run_tables(self) -> list[Table]:
        """Return the table of each run with one row per segment, or per document.

        System after system, and metric after metric, the runs follow each other.
        """
        starts = [run * self.segments for run in range(self.runs)]
        tables = [
            table.select(range(start, start + self.segments))
            for table in self.all_tables()
            for start in starts
        ]
        if self.documents is None:
            return tables
        return [table.add_groups(self.documents) for table in tables]

    @checked
    def select(self, metrics: Sequence[int], segments: Sequence[int] | None = None) -> Evaluation:
        """Return the evaluation by some of the metrics, on some of the segments.

        Args:
            metrics: the places of the metrics.
            segments: the numbers of the segments, from 0; None for all.

        Raises:
            OptionError: there is no metric of a place.
            TableError: there is no segment of a number.
        """
        for place in metrics:
            if not 0 <= place < len(self.metrics):
                raise OptionError(
                    f"must be places from 0 to {len(self.metrics) - 1}, not {place!r}",
                    option="metrics",
                )
        rows, documents = None, self.documents
        if segments is not None:
            rows = [run * self.segments + one for run in range(self.runs) for one in segments]
            documents = documents and [documents[one] for one in segments]
        tables = {
            name: [own[metric] if rows is None else own[metric].select(rows) for metric in metrics]
            for name, own in self.tables.items()
        }
        return Evaluation(
            [self.metrics[metric] for metric in metrics], tables, self.runs, documents
        )

    @checked
    def pairs(self, baseline: str | None = None, all_pairs: bool = False) -> list[tuple[str, str]]:
        """Return the pairs to compare: each system with the baseline, or every two systems.

        Args:
            baseline: the name of the baseline system; default the first.
            all_pairs: compare every two systems.

        Raises:
            OptionError: there is no such system, or only one.
        """
        if len(self.tables) < 2:
            raise OptionError("a paired test compares two systems or more, but there is only one")
        names = self.systems
        if all_pairs:
            if baseline is not None:
                raise OptionError("baseline and all_pairs exclude each other: remove one of them")
            return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        chosen = names[0] if baseline is None else baseline
        if chosen not in self.tables:
            raise OptionError(
                f"must be one of {', '.join(names)}, not {chosen!r}{nearest(str(chosen), names)}",
                option="baseline",
            )
        return [(chosen, name) for name in names if name != chosen]


def _has_score(metric: Metric[Any], table: Table) -> bool:
    there = scored_rows(metric, table)
    return table.rows > 0 if there is None else any(there)


def _segment_scores(metric: Metric[Any], table: Table) -> Column:
    """Return the score of each row, None for a row without one."""
    scores, there = array("d", metric.segment_scores(table).values), scored_rows(metric, table)
    if there is None:
        return scores
    return tuple(score if one else None for one, score in zip(there, scores, strict=True))


def _contributions(metric: Metric[Any], table: Table) -> Column:
    """Return what each row adds to the score of all, None for a row without a score."""
    there = scored_rows(metric, table)
    if (table.rows if there is None else sum(there)) < 2:
        return (None,) * table.rows
    whole = metric.score(table.totals()).score
    parts = array("d", [whole - one for one in metric.segment_scores(without_each(table)).values])
    if there is None:
        return parts
    return tuple(part if one else None for one, part in zip(there, parts, strict=True))


def for_sentences(metric: Metric[Any]) -> Metric[Any]:
    """Return a metric with the options that suit sentences; it counts the same statistics."""
    usual = metric.suited_to(language="", sentences=False)
    suited = metric.suited_to(language="", sentences=True)
    changed = {name: value for name, value in suited.items() if usual.get(name) != value}
    return metric.with_options(**changed)


# --- Checks ---------------------------------------------------------------------------------------


def _check_documents(documents: Sequence[Any], segments: int) -> None:
    if len(documents) != segments:
        raise TableError(
            f"there are {segments} segments, but {len(documents)} documents: pass the document of "
            "each segment"
        )


def _check_numbers_of_references(systems: Mapping[str, Mapping[Metric[Any], Table]]) -> None:
    """Check that all systems have as many references; without fingerprints, no more is known."""
    (first, expected), *others = systems.items() or [("", {})]
    for name, tables in others:
        if any(tables[m].n_references != expected[m].n_references for m in expected):
            raise TableError(
                f"{first} and {name} were counted against different numbers of references, so "
                "their scores are not comparable: count one of them again"
            )


def _check_metrics(metrics: Sequence[Any]) -> None:
    if not metrics or not all(isinstance(metric, Metric) for metric in metrics):
        raise OptionError("metrics must be a list of metrics, such as [BLEU(), CHRF()]")
    if len(set(metrics)) < len(metrics):
        raise OptionError("metrics has a duplicate: remove it")


def _check_tables(metrics: Sequence[Metric[Any]], tables: Mapping[str, Sequence[Table]]) -> None:
    if not tables:
        raise TableError("there is no system: pass at least one")
    for name, row in tables.items():
        if len(row) != len(metrics):
            raise TableError(
                f"the system {name} has {len(row)} tables for {len(metrics)} metrics: pass one for "
                "each"
            )
        for metric, table in zip(metrics, row, strict=True):
            if table.columns != metric.columns:
                raise TableError(
                    f"{metric.name} needs the columns {', '.join(metric.columns)}, but the table "
                    f"of the system {name} has {', '.join(table.columns)}"
                )
    _check_segments((name, table) for name, row in tables.items() for table in row)


def _segments(texts: Any, name: str, references: Segments) -> Segments:
    """Return the hypotheses of a system, which errors name if it has a name."""
    try:
        segments = Segments.hypotheses(texts, references.kind)
        if len(segments) != len(references):
            check_lengths(segments, references.tolist())
    except InputError as error:
        if not name:
            raise
        raise type(error)(f"system {name}: {error}") from error
    return segments


def _check_segments(tables: Iterable[tuple[str, Table]]) -> None:
    counts: dict[int, str] = {}
    for name, table in tables:
        counts.setdefault(table.rows, name)
    if len(counts) > 1:
        (few, one), (many, other) = sorted(counts.items())[:2]
        raise TableError(
            "all systems must have the same segments, but "
            f"{one} has {few} segments and {other} {many}"
        )
    if 0 in counts:
        raise TableError("the test set is empty: pass at least one segment")
