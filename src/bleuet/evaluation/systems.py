"""The systems under test: a table for each system and metric, all of the same segments."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bleuet.engines.counting import count_systems
from bleuet.errors import InputTypeError, OptionError, TableError
from bleuet.evaluation.segment_mean import SegmentMean, digits_beyond_percent
from bleuet.frozen import checked
from bleuet.messages import nearest
from bleuet.metrics.catalogue import make_metric
from bleuet.metrics.metric import Metric
from bleuet.statistics.table import Table
from bleuet.tablefile.saved_tables import check_references, two_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias, TypeVar

    from bleuet.metrics.metric import Hypotheses, References
    from bleuet.metrics.score import Score
    from bleuet.tablefile.saved_tables import SavedTable

    # The hypotheses of each system, by its name.
    Texts = TypeVar("Texts")
    Outputs: TypeAlias = Mapping[str, Texts]


@checked
@dataclass(frozen=True)
class Systems:
    """Systems counted by several metrics on one test set.

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
    >>> systems = Systems.count([BLEU(), TER()], hypotheses, ["The cat sat.", "It rains."])
    >>> systems.names, systems.labels, systems.segments
    (('old', 'new'), ('BLEU', 'TER'), 2)
    """

    metrics: Sequence[Metric[Any]]
    tables: Mapping[str, Sequence[Table]]
    runs: int = 1
    documents: Sequence[Any] | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "metrics", tuple(self.metrics))
        set_field(self, "tables", {name: tuple(row) for name, row in self.tables.items()})
        _check_metrics(self.metrics)
        _check_tables(self.metrics, self.tables)
        if self.documents is not None:
            set_field(self, "documents", tuple(self.documents))
            _check_documents(self.documents, self.segments)

    @classmethod
    @checked
    def count(
        cls,
        metrics: str | Metric[Any] | Sequence[str | Metric[Any]],
        hypotheses: Outputs[Hypotheses],
        references: References,
        *,
        threads: int = 1,
    ) -> Systems:
        """Count all systems by all metrics; each metric prepares the references once.

        Args:
            metrics: metrics, or names of the catalogue.
            hypotheses: one string per segment, by the name of the system.
            references: per segment a string or a list of strings.
            threads: threads of the kernel, 0 for one per core.

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
        tables = count_systems(made, list(hypotheses.values()), references, threads=threads)
        return cls(made, dict(zip(hypotheses, tables, strict=True)))

    @classmethod
    @checked
    def of_runs(
        cls, metrics: Sequence[Metric[Any]], runs: Mapping[str, Sequence[Sequence[Table]]]
    ) -> Systems:
        """Return systems of several runs each (Clark et al. 2011).

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
        >>> Systems.of_runs([TER()], {"old": old, "new": new})
        <systems old, new of 2 runs on 2 segments, counted by TER>
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
    def from_saved(cls, saved: Iterable[SavedTable]) -> Systems:
        """Return systems from saved tables, without their texts.

        Args:
            saved: what `load_tables` returns, of one file or of several files with further systems
                on the same test set.

        Raises:
            TableError: the systems have different metrics or segments, a name is duplicate, or the
                files were counted against different references.

        >>> from bleuet.metrics.bleu import BLEU
        >>> from bleuet.tablefile.saved_tables import SavedTable
        >>> bleu, references = BLEU(), ["The cat sat down."]
        >>> old, new = (bleu.count([text], references) for text in ("A cat sat.", "The cat sat."))
        >>> saved = [SavedTable("old", bleu, old), SavedTable("new", bleu, new)]
        >>> Systems.from_saved(saved).names
        ('old', 'new')
        """
        listed = list(saved)
        _check_segments((one.system, one.table) for one in listed)
        check_references(listed)
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

    @checked
    def with_scores(
        self, mean: SegmentMean | str, scores: Mapping[str, Iterable[float | None]]
    ) -> Systems:
        """Return the systems with external scores of their segments as a further metric.

        Args:
            mean: the name of the scores; a `SegmentMean` also declares whether higher is better.
            scores: by the name of the system one number per segment, None for a missing score.

        Raises:
            TableError: a system has no scores, or not one (or None) for each segment.
        """
        mean = SegmentMean(mean) if isinstance(mean, str) else mean
        external = {name: mean.table_of(scores.get(name, ())) for name in self.names}
        for name, table in external.items():
            _check_scores(mean, name, table, self.segments * self.runs)
        tables = {name: (*row, external[name]) for name, row in self.tables.items()}
        return replace(self, metrics=(*self.metrics, mean), tables=tables)

    @property
    def names(self) -> tuple[str, ...]:
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
    def segments(self) -> int:
        """The number of segments of the test set."""
        return next(iter(self.tables.values()))[0].rows // self.runs

    @property
    def units(self) -> int:
        """The number of units that a draw selects from: the documents, or the segments."""
        return self.segments if self.documents is None else len(set(self.documents))

    @property
    def extra_digits(self) -> dict[str, int]:
        """By the label of the metric, the digits beyond those of scores in percent."""
        return {
            label: _extra_digits(metric, [row[m] for row in self.tables.values()])
            for m, (label, metric) in enumerate(zip(self.labels, self.metrics, strict=True))
        }

    def __repr__(self) -> str:
        names = ", ".join(metric.name for metric in self.metrics)
        runs = f" of {self.runs} runs" if self.runs > 1 else ""
        return (
            f"<systems {', '.join(self.names)}{runs} on {self.segments} segments, counted by "
            f"{names}>"
        )

    def all_tables(self) -> list[Table]:
        """Return all tables, system after system."""
        return [table for row in self.tables.values() for table in row]

    def unit_tables(self) -> list[Table]:
        """Return all tables with one row per unit: what depends on each other stays together.

        The row of a document is the sum of its segments, and the row of a segment with several
        runs is the sum of its runs.
        """
        units = range(self.segments) if self.documents is None else self.documents
        if self.runs == 1 and self.documents is None:
            return self.all_tables()
        return [table.add_groups([*units] * self.runs) for table in self.all_tables()]

    @checked
    def select(self, metrics: Sequence[int], segments: Sequence[int] | None = None) -> Systems:
        """Return the systems with some of the metrics, on some of the segments.

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
        return Systems([self.metrics[metric] for metric in metrics], tables, self.runs, documents)

    def scores(self) -> dict[str, tuple[Score, ...]]:
        """Return the scores of each system, one per metric."""
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
        names = self.names
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


def _check_documents(documents: Sequence[Any], segments: int) -> None:
    if len(documents) != segments:
        raise TableError(
            f"there are {segments} segments, but {len(documents)} documents: pass the document of "
            "each segment"
        )


def _extra_digits(metric: Metric[Any], tables: Sequence[Table]) -> int:
    if not isinstance(metric, SegmentMean):
        return metric.extra_digits
    return digits_beyond_percent(score for table in tables for score in table.column("sum"))


def _check_numbers_of_references(systems: Mapping[str, Mapping[Metric[Any], Table]]) -> None:
    """Check that all systems have as many references; without fingerprints, no more is known."""
    (first, expected), *others = systems.items() or [("", {})]
    for name, tables in others:
        if any(tables[m].n_references != expected[m].n_references for m in expected):
            raise TableError(
                f"{first} and {name} were counted against different numbers of references, so "
                "their scores are not comparable: count one of them again"
            )


def _check_scores(mean: SegmentMean, name: str, table: Table, segments: int) -> None:
    if not table.rows or not table.totals()["segments"]:
        raise TableError(f"the system {name} has no {mean.label} scores: add scores for it")
    if table.rows != segments:
        raise TableError(
            f"the system {name} has {segments} segments, but {table.rows} {mean.label} scores: "
            "pass one for each segment, None for a segment without a score"
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
