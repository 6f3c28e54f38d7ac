"""Documents: what every answer is before a renderer writes it in a format.

A document knows no metric and no study. A renderer knows no score: it knows the kinds of columns.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from operator import attrgetter

from bleuet.frozen import Frozen, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Protocol, Self, TypeAlias

    class SignatureText(Protocol):
        """What a document needs of a signature."""

        def short(self) -> str:
            """Return the signature with short keys."""
            ...

    # A number, a text, a number with its interval and marks, the two ends of an interval, or None
    # for an empty cell.
    Cell: TypeAlias = "str | float | int | Estimate | tuple[float, float] | None"
    # One observation as plain values: a line of CSV or JSON Lines, a row of a data frame.
    Record: TypeAlias = dict[str, Any]

# How the cells of a column are written: {name: right-aligned}.
KINDS = {
    "text": False,
    "long text": False,
    "count": True,
    "score": True,
    "difference": True,
    "interval": True,
    "p-value": True,
    "share": True,
}


class Estimate(Value):
    """A number with its confidence interval and marks of significance.

    Args:
        value: the number.
        low: the lower end of its interval, None without one.
        high: the upper end.
        marks: signs of significance: letters of the systems that are significantly worse, or †.
        asymmetric: the interval is written with its two ends instead of half its width.

    >>> Estimate(30.0, 29.0, 31.0, "b").half_width
    1.0
    """

    value: float
    low: float | None = None
    high: float | None = None
    marks: str = ""
    asymmetric: bool = False

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval, None without an interval."""
        if self.low is None or self.high is None:
            return None
        return 0.5 * (self.high - self.low)


# Kinds of marked parts of a text, with the signs around them: those of `wdiff`, and one more.
ADDED, MISSED, MOVED = "added", "missed", "moved"
SIGNS = {ADDED: ("{+", "+}"), MISSED: ("[-", "-]"), MOVED: ("<", ">"), "": ("", "")}


class AtMost(float):
    """A number that is only known as the largest that it can be, which readers see after "≤".

    >>> AtMost(0.001)
    0.001
    """

    __slots__ = ()


class MarkedText(str):
    """A text with signs around some of its parts, which a terminal shows in colours too.

    Args:
        parts: each part and its kind, a key of `SIGNS`.

    >>> print(MarkedText([("a cat", ""), ("sat", ADDED)]))
    a cat {+sat+}
    """

    __slots__ = ("parts",)
    parts: tuple[tuple[str, str], ...]

    def __new__(cls, parts: Iterable[tuple[str, str]]) -> Self:
        """Join the parts, with their signs."""
        signed = tuple([(part.join(SIGNS[kind]), kind) for part, kind in parts])
        text = super().__new__(cls, " ".join(part for part, _ in signed))
        text.parts = signed
        return text


class Column(Value):
    """A column of a table.

    Args:
        key: its name for programs: the heading in CSV.
        title: its heading for readers; the key if it is empty.
        kind: one of `KINDS`; a kind knows its digits, alignment and escaping.
        extra_digits: digits beyond those of a score in percent, for scores of a small scale.
        lower_is_better: the best value of a score is the smallest one.
        value: what the column shows of a value that is a row: the name of an attribute, or a
            function; the key where it is empty.
    """

    key: str
    title: str = ""
    kind: str = "text"
    extra_digits: int = 0
    lower_is_better: bool = False
    value: str | Callable[[Any], Cell] = ""

    def _complete(self) -> None:
        assert self.kind in KINDS, self.kind
        self._set(title=self.title or self.key, value=self.value or self.key)

    def of(self, row: Any) -> Cell:
        """Return the cell of a value that is a row."""
        return attrgetter(self.value)(row) if isinstance(self.value, str) else self.value(row)


class DocumentTable(Value):
    """A titled table of typed cells.

    Args:
        key: its name for programs, such as "scores"; several tables of one document may share it.
        title: its title, "" for a document's only table.
        columns: the columns.
        rows: one sequence of cells per row, None for an empty cell. Anything but a list or a
            tuple is streamed: an iterable that can be read more than once, such as one that reads
            a file, for tables that do not fit in memory.
        note: sentences below the table.
        rank_best: a terminal, LaTeX and Markdown show the best score of each column in bold.
        largest_by: the key of a column with counts. Of very many rows a terminal shows those with
            the largest; default all.
        label: its name for cross references, such as "tab:scores". LaTeX then writes a table that
            floats, whose caption has the title, the note and the document's signatures.
    """

    key: str
    title: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]
    note: str = ""
    rank_best: bool = False
    largest_by: str = ""
    label: str = ""

    def _complete(self) -> None:
        self._set(columns=tuple(self.columns))

    @classmethod
    def of(
        cls, key: str, title: str, columns: Iterable[Column], values: Iterable[Any], note: str = ""
    ) -> DocumentTable:
        """Return a table with a row for each value; each column knows what it shows of one.

        >>> DocumentTable.of("t", "", [Column("re", kind="score", value="real")], [1.5 + 2j]).rows
        [[1.5]]
        """
        columns = tuple(columns)
        return cls(key, title, columns, [[one.of(row) for one in columns] for row in values], note)

    @property
    def streamed(self) -> bool:
        """Whether the rows are written one by one and never held in memory together."""
        return not isinstance(self.rows, list | tuple)


class Document(Frozen):
    """Tables, notes and signatures for readers, and the same as plain data for programs.

    Args:
        title: a sentence above everything else, "" for none.
        tables: the tables.
        notes: sentences below the tables.
        signatures: the name and signature of each metric.
        data: plain dicts and lists, which JSON shows, or a function that returns them.
        records: observations by the name of their part, which CSV, JSON Lines and data frames
            show, or a function that returns them; the first part is the default. Without any, the
            tables' rows are the records.
        for_papers: a shorter document, which the formats for papers show instead of this one.
    """

    __slots__ = ("_data", "_records", "for_papers", "notes", "signatures", "tables", "title")
    _fields = ("title", "tables", "notes", "signatures")
    title: str
    tables: tuple[DocumentTable, ...]
    notes: tuple[str, ...]
    signatures: tuple[tuple[str, SignatureText], ...]
    for_papers: Document | None
    _data: Any
    _records: dict[str, Callable[[], Iterable[Record]]]

    def __init__(
        self,
        title: str = "",
        tables: Iterable[DocumentTable] = (),
        notes: Iterable[str] = (),
        signatures: Iterable[tuple[str, SignatureText]] = (),
        data: Any = None,
        records: Mapping[str, Callable[[], Iterable[Record]]] | None = None,
        for_papers: Document | None = None,
    ) -> None:
        self._set(title=title, tables=tuple(tables), notes=tuple(notes))
        self._set(signatures=tuple(signatures), _data=data, _records=dict(records or {}))
        self._set(for_papers=for_papers)

    @property
    def data(self) -> Any:
        """The plain data that JSON shows; if none was set, the records of the tables."""
        if callable(self._data):
            return self._data()
        if self._data is None:
            data: dict[str, list[Record]] = {}
            for table in self.tables:
                data.setdefault(table.key, []).extend(rows_as_records(table))
            return data
        return self._data

    @property
    def records(self) -> dict[str, Callable[[], Iterable[Record]]]:
        """Functions that return the observations of each part, by its name."""
        return dict(self._records) or self._rows_as_records()

    @property
    def has_records(self) -> bool:
        """Whether observations were set, other than the rows of the tables."""
        return bool(self._records)

    def signature_texts(self, *, short: bool = False) -> list[tuple[str, str]]:
        """Return the name of each metric and its signature as text.

        Args:
            short: use the short keys.
        """
        return [(name, one.short() if short else str(one)) for name, one in self.signatures]

    def _rows_as_records(self) -> dict[str, Callable[[], Iterable[Record]]]:
        keys = dict.fromkeys(table.key for table in self.tables)
        return {key: partial(self._records_of, key) for key in keys}

    def _records_of(self, key: str) -> Iterable[Record]:
        return chain.from_iterable(rows_as_records(one) for one in self.tables if one.key == key)


def rows_as_records(table: DocumentTable) -> Iterable[Record]:
    """Yield the rows of a table as plain values by the columns' keys.

    An estimate becomes several values: the number, the ends of its interval and its marks, where
    any cell of its column has them; of a streamed table, where its first row does.

    >>> columns = [Column("system"), Column("BLEU", kind="score")]
    >>> table = DocumentTable("t", "", columns, [["a", 30.5]])
    >>> list(rows_as_records(table))
    [{'system': 'a', 'BLEU': 30.5}]
    """
    fields: list[_Field] = []
    for row in table.rows:
        if not fields:
            sample = [row] if table.streamed else table.rows
            kinds = (column.kind for column in table.columns)
            cells = zip(*sample, strict=True)
            fields = list(map(_Field, _keys(table.columns), kinds, cells))
        record: Record = {}
        for field, cell in zip(fields, row, strict=True):
            field.add(record, cell)
        yield record


def _keys(columns: Iterable[Column]) -> list[str]:
    """Return the columns' keys, each once: a system may be called as another column is."""
    keys: list[str] = []
    for column in columns:
        key, number = column.key, 2
        while key in keys:
            key, number = f"{column.key}_{number}", number + 1
        keys.append(key)
    return keys


class _Field:
    """The plain values that the cells of one column become."""

    def __init__(self, key: str, kind: str, cells: Iterable[Cell]) -> None:
        estimates = [cell for cell in cells if isinstance(cell, Estimate)]
        self._key = key
        self._ends_only = kind == "interval"
        self._with_interval = any(one.low is not None for one in estimates)
        self._with_marks = any(one.marks for one in estimates)

    def add(self, record: Record, cell: Cell) -> None:
        key = self._key
        if self._ends_only:
            ends = cell if isinstance(cell, tuple) else (None, None)
            record[f"{key}_low"], record[f"{key}_high"] = ends
            return
        estimate = cell if isinstance(cell, Estimate) else None
        record[key] = cell if estimate is None else estimate.value
        if self._with_interval:
            record[f"{key}_low"] = None if estimate is None else estimate.low
            record[f"{key}_high"] = None if estimate is None else estimate.high
        if self._with_marks:
            record[f"{key}_better_than"] = None if estimate is None else estimate.marks
