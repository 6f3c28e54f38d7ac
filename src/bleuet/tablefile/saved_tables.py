"""Tables with their metrics, kept in a file: scored again, or in another way, without the texts."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from bleuet.errors import (
    BleuetError,
    InputError,
    InputTypeError,
    OptionError,
    SignatureError,
    TableError,
)
from bleuet.metrics.catalogue import metric_from_signature
from bleuet.metrics.metric import Metric
from bleuet.metrics.score import Score
from bleuet.metrics.signature import ParsedSignature, number_of_references
from bleuet.output.destination import Destination
from bleuet.statistics.table import Table
from bleuet.tablefile.reader import TableReader
from bleuet.tablefile.rescoring import rescoring
from bleuet.tablefile.schema import MetricColumns, damaged
from bleuet.tablefile.writer import TableWriter
from bleuet.text.fingerprint import Fingerprint
from bleuet.text.tokenizers import SIGNED_PREFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


class _Row(NamedTuple):
    system: str
    metric: Metric[Any]
    table: Table


class SavedTable(_Row):
    """A system's table and the metric that counted it: a tuple of three.

    Args:
        system: the system's name.
        metric: the metric, with its options.
        table: one row per segment.
        references: a fingerprint of the references it was counted against, "" where it is not
            known; no part of the tuple.
    """

    def __new__(
        cls, system: str, metric: Metric[Any], table: Table, references: str = ""
    ) -> SavedTable:
        """Make the tuple, and note the references beside it."""
        saved = super().__new__(cls, system, metric, table)
        vars(saved)["_references"] = references
        return saved

    @property
    def references(self) -> str:
        """A fingerprint of the references, "" where it is not known."""
        return str(vars(self).get("_references", ""))

    def score(self) -> Score:
        """Return the score of the whole table."""
        score: Score = self.metric.score(self.table.totals())
        return score

    def own_columns(self) -> Table:
        """Return the table without columns that the metric does not need."""
        if self.table.columns == self.metric.columns:
            return self.table
        return self.table.take_columns(self.metric.integer_columns, self.metric.real_columns)

    def rescored(self, **options: Any) -> SavedTable:
        """Return the table with a metric that scores the same rows in another way.

        Args:
            **options: such as `smooth="floor"`, or a lower `max_ngram_order`.

        Raises:
            TableError: the option changes what is counted, or the table lacks columns for it.

        >>> from bleuet.metrics.bleu import BLEU
        >>> bleu = BLEU()
        >>> saved = SavedTable("a", bleu, bleu.count(["The cat sat."], ["The cat sat down."]))
        >>> print(saved.rescored(max_ngram_order=2, smooth="none").score())
        BLEU = 63.59 100.0/66.7 (BP = 0.779 ratio = 0.800 hyp_len = 4 ref_len = 5)
        """
        columns = self.table.columns
        metric = rescoring(self.metric, columns, self.table.n_references, options)
        return SavedTable(self.system, metric, self.table, self.references)


def save_tables(
    path: str | os.PathLike[str],
    tables: Iterable[SavedTable | tuple[str, Metric[Any], Table]],
    references: Iterable[Any] | None = None,
) -> None:
    """Keep tables in a Parquet file, which appears, or is replaced, only when it is whole.

    Args:
        path: the file.
        tables: name of the system, metric and table; every system with the same metrics and as
            many segments.
        references: those that were counted against; given, `bleuet score --from-table`
            refuses to put the file beside one that was counted against others. Tables that were
            loaded bring what is known of theirs.

    Raises:
        TableError: systems differ in their metrics, their number of segments or, as far as they
            are known, their references.
        InputError: the file cannot be written.
        MissingExtraError: the library for Parquet is not installed.

    >>> from bleuet.metrics.ter import TER
    >>> table = TER().count(["The cat sat."], ["The cat sat down."])
    >>> save_tables("tables.parquet", [("mine", TER(), table)])  # doctest: +SKIP
    >>> for system, metric, table in load_tables("tables.parquet"):  # doctest: +SKIP
    ...     print(system, metric.score(table.totals()))
    mine TER = 25.00
    """
    systems = _by_system(tables)
    metrics = [saved.metric for saved in next(iter(systems.values()))]
    fingerprint = _fingerprint(systems, references)
    counts = [
        {saved[m].table.n_references for saved in systems.values()} for m in range(len(metrics))
    ]
    n_references = [found.pop() if len(found) == 1 else None for found in counts]
    with (
        Destination(os.fspath(path), binary=True) as out,
        TableWriter(out, list(systems), columns_in_file(metrics)) as writer,
    ):
        for number, saved in enumerate(systems.values()):
            writer.write(number, [one.own_columns() for one in saved])
        writer.finish(signatures(metrics, n_references), n_references, fingerprint)


def _fingerprint(systems: Mapping[str, list[SavedTable]], references: Iterable[Any] | None) -> str:
    """What the file says of the references: those given, or those of tables that were loaded."""
    if references is not None:
        given = Fingerprint()
        given.update(references)
        return str(given)
    saved = [one for row in systems.values() for one in row]
    check_references(saved)
    known = {one.references for one in saved}
    return known.pop() if len(known) == 1 else ""


def check_references(saved: Iterable[SavedTable]) -> None:
    """Refuse tables that are known to be counted against different references.

    Raises:
        TableError: two tables are.
    """
    known: dict[str, str] = {}
    for one in saved:
        if one.references:
            known.setdefault(one.references, one.system)
    if len(known) > 1:
        (_, first), (_, other), *_ = known.items()
        of = f"{first} and {other}" if first != other else f"tables of {first}"
        raise TableError(
            f"{of} were counted against different references, so their scores do not compare: "
            "count the texts of one again"
        )


def _by_system(
    tables: Iterable[SavedTable | tuple[str, Metric[Any], Table]],
) -> dict[str, list[SavedTable]]:
    systems: dict[str, list[SavedTable]] = {}
    for one in tables:
        saved = _checked(one)
        systems.setdefault(saved.system, []).append(saved)
    if not systems:
        raise TableError("no table was given; a file needs at least one")
    (first, expected), *others = systems.items()
    for name, found in others:
        if [saved.metric for saved in found] != [saved.metric for saved in expected]:
            raise TableError(
                f"all systems of one file need the same metrics in the same order, but {first} has "
                f"{_names(expected)} and {name} has {_names(found)}: count what is missing"
            )
    return systems


def _names(saved: Sequence[SavedTable]) -> str:
    return ", ".join(repr(one.metric) for one in saved)


def _checked(one: object) -> SavedTable:
    kinds = (str, Metric, Table)
    if isinstance(one, tuple) and len(one) == 3 and all(map(isinstance, one, kinds)):
        saved = one if isinstance(one, SavedTable) else SavedTable(*one)
        if not saved.system or saved.system != saved.system.encode("utf-8", "replace").decode():
            raise InputError(f"a system's name must be text, not {saved.system!r}: give another")
        return saved
    raise InputTypeError(
        "each table to save must come as (name of the system, metric, table), not "
        f"{type(one).__name__}"
    )


def columns_in_file(metrics: Sequence[Metric[Any]]) -> list[MetricColumns]:
    """Return the columns of metrics as a file has them, behind names that tell them apart.

    >>> from bleuet.metrics.bleu import BLEU
    >>> [one.prefix for one in columns_in_file([BLEU(), BLEU(lowercase=True)])]
    ['BLEU', 'BLEU-2']
    """
    found: list[MetricColumns] = []
    for i, metric in enumerate(metrics):
        before = [other.name for other in metrics[:i]].count(metric.name)
        prefix = f"{metric.name}-{before + 1}" if before else metric.name
        found.append(MetricColumns(prefix, "", metric.integer_columns, metric.real_columns, 1))
    return found


def signatures(metrics: Sequence[Metric[Any]], n_references: Sequence[int | None]) -> list[str]:
    """Return the signatures of metrics with their names, as a file holds them."""
    pairs = zip(metrics, n_references, strict=True)
    return [metric.signature(number).full() for metric, number in pairs]


def load_tables(path: str | os.PathLike[str]) -> list[SavedTable]:
    """Read the tables of a file that `save_tables` or `bleuet score --save-table` wrote.

    Args:
        path: the file; nothing in it is believed before it is checked.

    Returns:
        System, metric and table, system after system.

    Raises:
        InputError: there is no such file, or it is no file of saved tables, of a later version,
            or damaged.
        SignatureError: a metric's signature is not understood.
        MissingExtraError: the library for Parquet is not installed.
    """
    file = SavedFile(os.fspath(path))
    return [
        SavedTable(system, metric, table, file.references)
        for number, system in enumerate(file.systems)
        for metric, table in zip(file.metrics, file.tables(number), strict=True)
    ]


class SavedFile:
    """A file of saved tables with its metrics made again from their signatures.

    Args:
        path: the file.

    Raises:
        InputError: as `load_tables`, and the other errors.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.reader = TableReader(path)
        described = self.reader.description
        self.systems = described.systems
        self.segments = described.segments
        self.references = described.references
        self.columns = described.metrics
        self.metrics = [self._metric(columns) for columns in described.metrics]

    def _metric(self, columns: MetricColumns) -> Metric[Any]:
        metric = _metric_to_score_with(self.path, columns.signature)
        named = number_of_references(columns.n_references)
        if ParsedSignature(columns.signature).take("nrefs", optional=True) != named:
            raise InputError(
                damaged(self.path, f"{columns.prefix} has not {named} references per segment")
            )
        found = (columns.integer_columns, columns.real_columns)
        if found != (metric.integer_columns, metric.real_columns):
            raise InputError(
                damaged(self.path, f"{columns.prefix} has not the columns its signature asks for")
            )
        return metric

    def tables(self, system: int) -> list[Table]:
        """Return the whole table of every metric for a system, given by its place."""
        portions = list(self.reader.stream(system, self.columns))
        return [Table.concatenate(tables) for tables in zip(*portions, strict=True)]

    def wanted(self, number: int, metric: Metric[Any]) -> MetricColumns:
        """Return of a metric's columns, by its place, those that another metric needs."""
        there = self.columns[number]
        return MetricColumns(
            there.prefix,
            there.signature,
            metric.integer_columns,
            metric.real_columns,
            there.n_references,
        )

    def find(
        self, kind: type[Metric[Any]], options: dict[str, Any], preset: dict[str, Any]
    ) -> tuple[int, Metric[Any]]:
        """Return the place of a metric, and that metric with the options asked for.

        Args:
            kind: the metric's class.
            options: options to score with.
            preset: options as a metric's name asks for them, such as those of chrf++; they choose
                among several, and are options like the others where none has them.

        Raises:
            TableError: there is none, none that fits, or more than one.
        """
        there = [i for i, metric in enumerate(self.metrics) if type(metric) is kind]
        same = [i for i in there if _has(self.metrics[i], {**preset, **options})]
        named = [i for i in there if _has(self.metrics[i], preset)]
        if not there:
            names = ", ".join(columns.prefix for columns in self.columns)
            raise TableError(f"{self.path} has no table of {kind.__name__}; it has {names}")
        found: list[tuple[int, Metric[Any]]] = []
        problem: BleuetError | None = None
        for i in same or named or there:
            try:
                found.append((i, self.rescoring(i, {**preset, **options})))
            except (TableError, OptionError) as error:
                problem = problem or error
        if problem is not None and not found:
            raise problem
        if len(found) > 1:
            several = " and ".join(
                self.metrics[i].signature(self.columns[i].n_references).full() for i, _ in found
            )
            raise TableError(f"{self.path} has {several}: name the options of the one you mean")
        return found[0]

    def rescoring(self, number: int, options: dict[str, Any]) -> Metric[Any]:
        """Return a metric, by its place, with other options; errors as of `rescoring`."""
        there = self.columns[number]
        columns = (*there.integer_columns, *there.real_columns)
        n_references = there.n_references
        return rescoring(self.metrics[number], columns, n_references, options, source=self.path)


def _metric_to_score_with(path: str, signature: str) -> Metric[Any]:
    """The metric that a signature describes, its tokenizer perhaps by name alone."""
    try:
        return metric_from_signature(signature)
    except BleuetError as error:
        signed = re.sub(r"\|tok:(?!signed:)", f"|tok:{SIGNED_PREFIX}", signature, count=1)
        try:
            return metric_from_signature(signed)
        except BleuetError:
            raise SignatureError(f"{path}: {error}") from None


def _has(metric: Metric[Any], options: dict[str, Any]) -> bool:
    return all(getattr(metric, name) == value for name, value in options.items())
