"""The systems under test: for each of them one table per metric, all of the same segments."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.errors import InputTypeError, OptionError, TableError
from bleuet.metrics.catalogue import make_metric
from bleuet.metrics.metric import Metric
from bleuet.studies.significance.segment_mean import SegmentMean
from bleuet.tablefile.saved_tables import check_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from bleuet.metrics.metric import Hypotheses, References
    from bleuet.metrics.score import Score
    from bleuet.statistics.table import Table
    from bleuet.tablefile.saved_tables import SavedTable


@dataclass(frozen=True)
class Systems:
    """Systems counted by some metrics on one test set.

    Args:
        metrics: the metrics.
        tables: for each system's name one table per metric, in the order of the metrics; the
            first system is the baseline unless a test is told another.

    Raises:
        OptionError: there is no metric, or one comes twice.
        TableError: a system lacks a table, its columns are not its metric's, or the tables are not
            of the same segments.

    >>> from bleuet import BLEU, TER
    >>> hypotheses = {"old": ["A cat sat.", "It rain."], "new": ["The cat sat.", "It rains."]}
    >>> systems = Systems.count([BLEU(), TER()], hypotheses, ["The cat sat.", "It rains."])
    >>> systems.names, systems.labels, systems.segments
    (('old', 'new'), ('BLEU', 'TER'), 2)
    """

    metrics: Sequence[Metric[Any]]
    tables: Mapping[str, Sequence[Table]]

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "metrics", tuple(self.metrics))
        set_field(self, "tables", {name: tuple(row) for name, row in self.tables.items()})
        _check_metrics(self.metrics)
        _check_tables(self.metrics, self.tables)

    @classmethod
    def count(
        cls,
        metrics: Sequence[str | Metric[Any]],
        hypotheses: Mapping[str, Hypotheses],
        references: References,
        *,
        threads: int = 1,
    ) -> Systems:
        """Count all systems by all metrics, reading the references once for each metric.

        Args:
            metrics: metrics, or names of the catalogue.
            hypotheses: one string per segment, for each system's name.
            references: per segment a string or a list of strings.
            threads: threads of the kernel, 0 for one per core.

        Raises:
            InputError: the texts cannot be scored as they are.
            OptionError: there is no metric, or none of a name.
        """
        listed = [metrics] if isinstance(metrics, str | Metric) else metrics
        made = tuple(make_metric(one) if isinstance(one, str) else one for one in listed)
        _check_metrics(made)
        if not hasattr(hypotheses, "items"):
            raise InputTypeError("systems are given by name: {'a': [...], 'b': [...]}")
        prepared = [metric.prepare_references(references, threads=threads) for metric in made]
        tables = {
            name: tuple(
                metric.count(texts, ready, threads=threads)
                for metric, ready in zip(made, prepared, strict=True)
            )
            for name, texts in hypotheses.items()
        }
        return cls(made, tables)

    @classmethod
    def from_saved(cls, saved: Iterable[SavedTable]) -> Systems:
        """Return systems whose tables were kept in files, so that no text is needed.

        Args:
            saved: what `load_tables` returns, of one file or of several that hold further systems
                on the same test set.

        Raises:
            TableError: the systems do not have the same metrics and as many segments, one name
                comes twice, or the files are known to be counted against different references.

        >>> from bleuet.metrics.bleu import BLEU
        >>> from bleuet.tablefile.saved_tables import SavedTable
        >>> bleu, references = BLEU(), ["The cat sat down."]
        >>> old, new = (bleu.count([text], references) for text in ("A cat sat.", "The cat sat."))
        >>> saved = [SavedTable("old", bleu, old), SavedTable("new", bleu, new)]
        >>> Systems.from_saved(saved).names
        ('old', 'new')
        """
        given = list(saved)
        check_references(given)
        systems: dict[str, dict[Metric[Any], Table]] = {}
        for one in given:
            tables = systems.setdefault(one.system, {})
            if one.metric in tables:
                raise TableError(
                    f"two tables are {one.metric.name} of {one.system}; give each once"
                )
            tables[one.metric] = one.own_columns()
        metrics = tuple(next(iter(systems.values()), ()))
        for name, tables in systems.items():
            if set(tables) != set(metrics):
                raise TableError(f"{name} was not counted by the metrics of {next(iter(systems))}")
        _check_numbers_of_references(systems)
        return cls(metrics, {name: [row[m] for m in metrics] for name, row in systems.items()})

    def with_scores(
        self, mean: SegmentMean | str, scores: Mapping[str, Iterable[float | None]]
    ) -> Systems:
        """Return the same systems with scores of their segments as a further metric.

        Args:
            mean: what the scores are called; a `SegmentMean` says besides what is better.
            scores: for each system's name one number per segment, None where there is none.

        Raises:
            TableError: a system has no scores, or not one, or None, for each segment.
        """
        mean = SegmentMean(mean) if isinstance(mean, str) else mean
        given_scores = {name: mean.table_of(scores.get(name, ())) for name in self.names}
        for name, table in given_scores.items():
            _check_scores(mean, name, table, self.segments)
        tables = {name: (*row, given_scores[name]) for name, row in self.tables.items()}
        return Systems((*self.metrics, mean), tables)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems, in order."""
        return tuple(self.tables)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the metrics, with their options where two have one name."""
        names = [metric.name for metric in self.metrics]
        return tuple(
            repr(metric) if names.count(metric.name) > 1 else metric.name for metric in self.metrics
        )

    @property
    def segments(self) -> int:
        """The number of segments."""
        return next(iter(self.tables.values()))[0].rows

    def __repr__(self) -> str:
        names = ", ".join(metric.name for metric in self.metrics)
        return f"<systems {', '.join(self.names)} on {self.segments} segments, counted by {names}>"

    def all_tables(self) -> list[Table]:
        """Return all tables, system after system."""
        return [table for row in self.tables.values() for table in row]

    def scores(self) -> dict[str, tuple[Score, ...]]:
        """Return each system's scores, one per metric."""
        return {
            name: tuple(
                metric.score(table.totals())
                for metric, table in zip(self.metrics, row, strict=True)
            )
            for name, row in self.tables.items()
        }

    def pairs(self, baseline: str | None = None, all_pairs: bool = False) -> list[tuple[str, str]]:
        """Return who is compared with whom: each system with the baseline, or all with all.

        Raises:
            OptionError: there is no such system, or only one.
        """
        if len(self.tables) < 2:
            raise OptionError("a paired test compares two systems or more, but one was given")
        names = self.names
        if all_pairs:
            if baseline is not None:
                raise OptionError("all pairs have no baseline: leave out one of the two")
            return [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        chosen = names[0] if baseline is None else baseline
        if chosen not in self.tables:
            raise OptionError(f"there is no system {chosen!r}; there are {', '.join(names)}")
        return [(chosen, name) for name in names if name != chosen]


def _check_numbers_of_references(systems: Mapping[str, Mapping[Metric[Any], Table]]) -> None:
    """Refuse what a fingerprint would tell, too, where there is one."""
    (first, expected), *others = systems.items() or [("", {})]
    for name, tables in others:
        if any(tables[m].n_references != expected[m].n_references for m in expected):
            raise TableError(
                f"{first} and {name} were counted against different numbers of references, so "
                "their scores do not compare: count the texts of one again"
            )


def _check_scores(mean: SegmentMean, name: str, table: Table, segments: int) -> None:
    if not table.rows or not table.totals()["segments"]:
        raise TableError(f"the system {name} has no {mean.label} scores; give some for all")
    if table.rows != segments:
        raise TableError(
            f"the system {name} has {segments} segments, but {table.rows} {mean.label} scores; "
            "give one for each, None where a segment was not judged"
        )


def _check_metrics(metrics: Sequence[Any]) -> None:
    if not metrics or not all(isinstance(metric, Metric) for metric in metrics):
        raise OptionError("a test needs a list of metrics, such as [BLEU(), CHRF()]")
    if len(set(metrics)) < len(metrics):
        raise OptionError("one metric was given twice; give each once")


def _check_tables(metrics: Sequence[Metric[Any]], tables: Mapping[str, Sequence[Table]]) -> None:
    if not tables:
        raise TableError("there is no system; give at least one")
    counts: dict[int, str] = {}
    for name, row in tables.items():
        if len(row) != len(metrics):
            raise TableError(
                f"the system {name} has {len(row)} tables for {len(metrics)} metrics; give one each"
            )
        for metric, table in zip(metrics, row, strict=True):
            if table.columns != metric.columns:
                raise TableError(
                    f"{metric.name} counts {', '.join(metric.columns)}, but the table of the "
                    f"system {name} holds {', '.join(table.columns)}"
                )
            counts.setdefault(table.rows, name)
    if len(counts) > 1:
        (few, one), (many, other) = sorted(counts.items())[:2]
        raise TableError(
            "systems are compared segment by segment, but "
            f"{one} has {few} segments and {other} {many}"
        )
    if 0 in counts:
        raise TableError("the test set is empty; give at least one segment")
