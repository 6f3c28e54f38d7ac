"""Documents: what every answer is before a renderer writes it in a format.

A document knows no metric and no study. A renderer knows no score: it knows the kinds of columns.
"""

from __future__ import annotations

from functools import partial

from bleuet.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Protocol, TypeAlias

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


class Estimate(Frozen):
    """A number with its confidence interval and marks of significance.

    Args:
        value: the number.
        low: the lower end of its interval, None without one.
        high: the upper end.
        marks: letters of the systems that are significantly worse.
        asymmetric: the interval is written with its two ends instead of half its width.

    >>> Estimate(30.0, 29.0, 31.0, "b").half_width
    1.0
    """

    __slots__ = ("asymmetric", "high", "low", "marks", "value")
    _fields = ("value", "low", "high", "marks", "asymmetric")
    value: float
    low: float | None
    high: float | None
    marks: str
    asymmetric: bool

    def __init__(
        self,
        value: float,
        low: float | None = None,
        high: float | None = None,
        marks: str = "",
        *,
        asymmetric: bool = False,
    ) -> None:
        self._set(value=value, low=low, high=high, marks=marks, asymmetric=asymmetric)

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval, None without an interval."""
        if self.low is None or self.high is None:
            return None
        return 0.5 * (self.high - self.low)


class Column(Frozen):
    """A column of a table.

    Args:
        key: its name for programs: the heading in CSV.
        title: its heading for readers; the key where it is empty.
        kind: one of `KINDS`; a kind knows its digits, alignment and escaping.
        extra_digits: digits beyond those of a score in percent, for scores of a small scale.
        lower_is_better: the best value of a score is the smallest one.
    """

    __slots__ = ("extra_digits", "key", "kind", "lower_is_better", "title")
    _fields = ("key", "title", "kind", "extra_digits", "lower_is_better")
    key: str
    title: str
    kind: str
    extra_digits: int
    lower_is_better: bool

    def __init__(
        self,
        key: str,
        title: str = "",
        kind: str = "text",
        *,
        extra_digits: int = 0,
        lower_is_better: bool = False,
    ) -> None:
        assert kind in KINDS, kind
        self._set(key=key, title=title or key, kind=kind, extra_digits=extra_digits)
        self._set(lower_is_better=lower_is_better)


class Table(Frozen):
    """A titled table of typed cells.

    Args:
        key: its name for programs, such as "scores"; several tables of one document may share it.
        title: its title, "" for a document's only table.
        columns: the columns.
        rows: one sequence of cells per row, None for an empty cell.
        note: sentences below the table.
        rank_best: a terminal shows the best score of each column in bold.
    """

    __slots__ = ("columns", "key", "note", "rank_best", "rows", "title")
    _fields = ("key", "title", "columns", "rows", "note", "rank_best")
    key: str
    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]
    note: str
    rank_best: bool

    def __init__(
        self,
        key: str,
        title: str,
        columns: Iterable[Column],
        rows: Sequence[Sequence[Cell]],
        note: str = "",
        *,
        rank_best: bool = False,
    ) -> None:
        self._set(key=key, title=title, columns=tuple(columns), rows=rows, note=note)
        self._set(rank_best=rank_best)


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
    """

    __slots__ = ("_data", "_records", "notes", "signatures", "tables", "title")
    _fields = ("title", "tables", "notes", "signatures")
    title: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    signatures: tuple[tuple[str, SignatureText], ...]
    _data: Any
    _records: dict[str, Callable[[], Iterable[Record]]]

    def __init__(
        self,
        title: str = "",
        tables: Iterable[Table] = (),
        notes: Iterable[str] = (),
        signatures: Iterable[tuple[str, SignatureText]] = (),
        data: Any = None,
        records: Mapping[str, Callable[[], Iterable[Record]]] | None = None,
    ) -> None:
        self._set(title=title, tables=tuple(tables), notes=tuple(notes))
        self._set(signatures=tuple(signatures), _data=data, _records=dict(records or {}))

    @property
    def data(self) -> Any:
        """The plain data that JSON shows; the records of the tables where none was set."""
        if callable(self._data):
            return self._data()
        if self._data is None:
            return {table.key: list(rows_as_records(table)) for table in self.tables}
        return self._data

    @property
    def records(self) -> dict[str, Callable[[], Iterable[Record]]]:
        """Functions that return the observations of each part, by its name."""
        if self._records:
            return dict(self._records)
        return {table.key: partial(rows_as_records, table) for table in self.tables}


def rows_as_records(table: Table) -> Iterable[Record]:
    """Return the rows of a table as plain values by the columns' keys.

    An estimate becomes several values: the number, the ends of its interval and its marks.

    >>> table = Table("t", "", [Column("system"), Column("BLEU", kind="score")], [["a", 30.5]])
    >>> list(rows_as_records(table))
    [{'system': 'a', 'BLEU': 30.5}]
    """
    estimates: list[list[Estimate]] = [
        [cell for cell in column if isinstance(cell, Estimate)]
        for column in zip(*table.rows, strict=True)
    ]
    with_interval = [any(one.low is not None for one in column) for column in estimates]
    with_marks = [any(one.marks for one in column) for column in estimates]
    for row in table.rows:
        record: Record = {}
        for place, (column, cell) in enumerate(zip(table.columns, row, strict=True)):
            name = column.key
            if column.kind == "interval":
                record[f"{name}_low"], record[f"{name}_high"] = _ends(cell)
                continue
            record[name] = cell.value if isinstance(cell, Estimate) else cell
            if with_interval[place]:
                record[f"{name}_low"], record[f"{name}_high"] = _ends(cell)
            if with_marks[place]:
                record[f"{name}_better_than"] = cell.marks if isinstance(cell, Estimate) else None
        yield record


def _ends(cell: Cell) -> tuple[float | None, float | None]:
    if isinstance(cell, Estimate):
        return cell.low, cell.high
    return cell if isinstance(cell, tuple) else (None, None)
