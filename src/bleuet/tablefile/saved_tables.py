"""Tables with their metrics, saved in a file and scored again without the texts."""

from __future__ import annotations

import os
from typing import NamedTuple

from bleuet.errors import InputError, InputTypeError, TableError
from bleuet.frozen import checked
from bleuet.messages import plural
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import Score
from bleuet.output.answer import Answer, names_or_number
from bleuet.output.destination import Destination
from bleuet.statistics.table import Table, same_learned
from bleuet.tablefile.rescoring import rescoring
from bleuet.tablefile.saved_files import SavedFile
from bleuet.tablefile.writer import TableWriter
from bleuet.text.fingerprint import (
    Fingerprint,
    difference_between,
    of_read_texts,
    reject_mismatch,
)
from bleuet.text.segments import Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from bleuet.output.document import Document, Record


class _Row(NamedTuple):
    system: str
    metric: Metric[Any]
    table: Table


class SavedTable(_Row):
    """The table of a system and the metric that counted it: a tuple of three.

    Args:
        system: the system's name.
        metric: the metric, with its options.
        table: one row per segment.
        references: a fingerprint of the test set, "" if it is unknown; an attribute, not an item
            of the tuple.
    """

    @checked
    def __new__(
        cls, system: str, metric: Metric[Any], table: Table, references: str = ""
    ) -> SavedTable:
        """Make the tuple, with the references as an attribute."""
        saved = super().__new__(cls, system, metric, table)
        vars(saved)["_references"] = references
        return saved

    def _replace(self, **changes: Any) -> SavedTable:
        """Return the tuple with other items and the same references."""
        return SavedTable(**{**self._asdict(), "references": self.references, **changes})

    @property
    def references(self) -> str:
        """A fingerprint of the test set, "" if it is unknown."""
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
        """Return the table with a metric that scores the same rows with other options.

        Args:
            **options: such as `smooth="floor"`, or a lower `max_ngram_order`.

        Raises:
            TableError: the option changes what is counted, or needs columns that are missing.

        >>> from bleuet.metrics.bleu.metric import BLEU
        >>> bleu = BLEU()
        >>> saved = SavedTable("a", bleu, bleu.count(["The cat sat."], ["The cat sat down."]))
        >>> print(saved.rescored(max_ngram_order=2, smooth="none").score())
        BLEU = 63.59 100.0/66.7 (BP = 0.779 ratio = 0.800 hyp_len = 4 ref_len = 5)
        """
        columns = self.table.columns
        metric = rescoring(self.metric, columns, self.table.n_references, options)
        return SavedTable(self.system, metric, self.table, self.references)

    def __repr__(self) -> str:
        rows = plural(self.table.rows, "segment")
        return f"<SavedTable of {self.system} by {self.metric.name}: {rows}>"


class SavedTables(Answer, list[SavedTable]):
    """The tables of a file: a list, which prints the score of each.

    >>> from bleuet.metrics.ter.metric import TER
    >>> table = TER().count(["The cat sat."], ["The cat sat down."])
    >>> print(SavedTables([SavedTable("mine", TER(), table)]))
    system  metric  segments  score
    mine    TER            1  50.00
    """

    def document(self) -> Document:
        """Return one table with a row for each saved table."""
        from bleuet.output.document import Column, Document, DocumentTable

        digits = max([one.metric.extra_digits for one in self], default=0)
        columns = [
            Column("system"),
            Column("metric"),
            Column("segments", kind="count"),
            Column("score", kind="score", extra_digits=digits),
        ]
        rows = [list(record.values())[:-1] for record in self._records()]
        return Document(
            tables=[DocumentTable("tables", "", columns, rows)],
            records={"tables": self._records},
            data=lambda: {"tables": list(self._records())},
        )

    def _records(self) -> Iterator[Record]:
        for one in self:
            score = one.score()
            yield {
                "system": one.system,
                "metric": score.name,
                "segments": one.table.rows,
                "score": score.score,
                "signature": str(score.signature),
            }

    def _in_brief(self) -> str:
        systems = names_or_number(dict.fromkeys(one.system for one in self), "system")
        metrics = names_or_number(dict.fromkeys(one.metric.name for one in self), "metric")
        return f"of {systems} by {metrics}" if self else ""


@checked
def save_tables(
    path: str | os.PathLike[str],
    tables: Iterable[SavedTable | tuple[str, Metric[Any], Table]],
    references: Iterable[Any] | Segments | None = None,
) -> None:
    """Save tables in a Parquet file, which appears, or is replaced, only when it is complete.

    Args:
        path: the file.
        tables: name of the system, metric and table; all systems have the same metrics and the
            same number of segments.
        references: the references that were used, for a fingerprint in the file: files with
            different fingerprints are not scored together. Loaded tables have theirs already.

    Raises:
        TableError: systems differ in their metrics, their number of segments or, where they are
            known, their references.
        InputError: the file cannot be written.
        MissingExtraError: the library for Parquet is not installed.

    >>> from bleuet.metrics.ter.metric import TER
    >>> table = TER().count(["The cat sat."], ["The cat sat down."])
    >>> save_tables("tables.parquet", [("mine", TER(), table)])  # doctest: +SKIP
    >>> for system, metric, table in load_tables("tables.parquet"):  # doctest: +SKIP
    ...     print(system, metric.score(table.totals()))
    mine TER = 25.00
    """
    systems = _by_system(tables)
    metrics = [saved.metric for saved in next(iter(systems.values()))]
    fingerprint = _fingerprint(systems, references)
    with (
        Destination(os.fspath(path), binary=True) as out,
        TableWriter(out, list(systems), metrics) as writer,
    ):
        for number, saved in enumerate(systems.values()):
            writer.write(number, [one.own_columns() for one in saved])
        writer.finish(fingerprint)


def _fingerprint(systems: Mapping[str, list[SavedTable]], references: Iterable[Any] | None) -> str:
    """Return the fingerprint of the references, or that of loaded tables."""
    if references is not None:
        reads = any(one.metric.reads_sources for row in systems.values() for one in row)
        fingerprint = Fingerprint(reads)
        fingerprint.update(Segments.references(references))
        return str(fingerprint)
    saved = [one for row in systems.values() for one in row]
    check_references(saved)
    known = {one.references for one in saved}
    return known.pop() if len(known) == 1 else ""


def check_references(saved: Iterable[SavedTable], *, allow_mismatch: bool = False) -> None:
    """Raise where tables are known to be of different test sets, or to have learned from others.

    Args:
        saved: the tables.
        allow_mismatch: whether to warn only where the references or the source differ.

    Raises:
        MismatchError: two tables have different references or sources.
        TableError: a metric had learned something else for two tables.
    """
    known: dict[str, str] = {}
    learned: dict[Metric[Any], str] = {}
    for one in saved:
        learned[one.metric] = same_learned(learned.get(one.metric, ""), one.table.learned)
        found = of_read_texts(one.references, reads_sources=one.metric.reads_sources)
        for before, system in known.items():
            difference = difference_between(found, before)
            if difference:
                of = f"{system} and {one.system}" if system != one.system else f"tables of {system}"
                reject_mismatch(
                    f"{of} have different test sets: the second has {difference}",
                    "count the texts of one again",
                    allow_mismatch=allow_mismatch,
                )
                break
        if found:
            known.setdefault(found, one.system)


def _by_system(
    tables: Iterable[SavedTable | tuple[str, Metric[Any], Table]],
) -> dict[str, list[SavedTable]]:
    systems: dict[str, list[SavedTable]] = {}
    for one in tables:
        saved = _checked(one)
        row = systems.setdefault(saved.system, [])
        if any(saved.metric == other.metric for other in row):
            raise TableError(two_tables(saved))
        row.append(saved)
    if not systems:
        raise TableError("there is no table to save; expected at least one")
    (first, expected), *others = systems.items()
    for name, found in others:
        if [saved.metric for saved in found] != [saved.metric for saved in expected]:
            raise TableError(
                f"all systems of one file need the same metrics in the same order, but {first} has "
                f"{_names(expected)} and {name} has {_names(found)}: count what is missing"
            )
    return systems


def two_tables(saved: SavedTable) -> str:
    """Return the message for a second table of a system and metric."""
    return f"there are two tables of {saved.metric.name} for {saved.system}: remove one"


def _names(saved: Sequence[SavedTable]) -> str:
    return ", ".join(repr(one.metric) for one in saved)


def _checked(one: object) -> SavedTable:
    kinds = (str, Metric, Table)
    if isinstance(one, tuple) and len(one) == 3 and all(map(isinstance, one, kinds)):
        saved = one if isinstance(one, SavedTable) else SavedTable(*one)
        if not saved.system or saved.system != saved.system.encode("utf-8", "replace").decode():
            raise InputError(f"the name of a system must be text, not {saved.system!r}: change it")
        return saved
    raise InputTypeError(
        "each table to save must come as (name of the system, metric, table), not "
        f"{type(one).__name__}"
    )


@checked
def load_tables(path: str | os.PathLike[str]) -> SavedTables:
    """Read the tables of a file that `save_tables` or `bleuet score --save-table` wrote.

    Args:
        path: the file; everything in it is validated.

    Returns:
        System, metric and table, system after system: a list, whose text is a table of scores.

    Raises:
        InputError: there is no such file, or it has no saved tables, is of a later version or
            damaged.
        SignatureError: a metric's signature is not understood.
        MissingExtraError: the library for Parquet is not installed.
    """
    file = SavedFile(os.fspath(path))
    whole = file.select()
    return SavedTables(
        SavedTable(system, metric, table, file.references)
        for system in file.systems
        for metric, table in zip(whole.metrics, whole.tables(system), strict=True)
    )
