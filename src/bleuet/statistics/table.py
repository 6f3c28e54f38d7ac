"""The table: one row of sufficient statistics per segment, and the sums of its rows."""

from __future__ import annotations

from operator import index

from bleuet.errors import TableError
from bleuet.frozen import Frozen, Value, checked
from bleuet.messages import wrong_type
from bleuet.statistics.backend import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Literal, overload

    from bleuet.statistics.interoperability import Capsule


_NUMBERS = frozenset([int, float])
_LISTS = frozenset([list, tuple])
# Integers have 64 bits in tables, in files and in the backends.
_MOST = 2**63 - 1


class Totals(Value):
    """The sum of some rows of a table; a score is a function of it.

    Totals add, in any grouping for integers and up to rounding for real numbers, so that parts
    of a corpus can be counted apart and put together.

    Args:
        columns: the names, integer columns first.
        values: one number per column; integers as int, real numbers as float.
        rows: the number of segments that were added.
        n_references: references per segment, or None where segments differ.
        learned: a fingerprint of what the metric learned before it counted, "" where it learned
            nothing, or where that is unknown.

    Raises:
        TableError: there is not one number per column, or an integer has more than 64 bits.

    >>> a = Totals(("edits", "reference_length"), (2, 7.5), rows=1, n_references=1)
    >>> (a + a)["edits"], (a + a).rows
    (4, 2)
    """

    columns: tuple[str, ...]
    values: tuple[int | float, ...]
    rows: int
    n_references: int | None
    learned: str

    def __init__(
        self,
        columns: Sequence[str],
        values: Sequence[int | float],
        rows: int = 1,
        n_references: int | None = 1,
        learned: str = "",
    ) -> None:
        # What comes from a table needs no closer look.
        plain = type(columns) is tuple and type(values) in _LISTS and type(rows) is int
        if not (plain and type(learned) is str and _NUMBERS.issuperset(map(type, values))):
            from bleuet.argument_types import check_call

            check_call(Totals.__init__, (self, columns, values, rows, n_references, learned), {})
        if len(columns) != len(values):
            raise TableError(
                f"totals need one number per column: {len(columns)} columns "
                f"({', '.join(map(str, columns))}) but {len(values)} numbers"
            )
        if len(values) and not (max(values) <= _MOST and min(values) >= -_MOST):
            _check_sizes(columns, values)
        # Without _set, here and below, since it would slow down small batches.
        set_field = object.__setattr__
        set_field(self, "columns", tuple(columns))
        set_field(self, "values", tuple(values))
        set_field(self, "rows", rows)
        set_field(self, "n_references", n_references)
        set_field(self, "learned", learned)

    def __getitem__(self, column: str) -> int | float:
        try:
            return self.values[self.columns.index(column)]
        except ValueError:
            raise _no_column(column, self.columns) from None

    def __add__(self, other: Totals) -> Totals:
        if not isinstance(other, Totals):
            return NotImplemented
        if other.columns != self.columns:
            raise TableError(
                "only totals with the same columns can be added: "
                f"{', '.join(self.columns)} and {', '.join(other.columns)}"
            )
        same = self.n_references == other.n_references
        return Totals(
            self.columns,
            [a + b for a, b in zip(self.values, other.values, strict=True)],
            self.rows + other.rows,
            self.n_references if same else None,
            same_learned(self.learned, other.learned),
        )

    def __radd__(self, other: object) -> Totals:
        # sum() starts with 0.
        return self if other == 0 else NotImplemented

    @checked
    def take_columns(self, columns: Sequence[str]) -> Totals:
        """Return the same sum with some of its columns.

        Raises:
            TableError: a column is missing.

        >>> Totals(("matches_1", "matches_2"), (4, 3)).take_columns(["matches_2"]).values
        (3,)
        """
        values = [self[name] for name in columns]
        return Totals(columns, values, self.rows, self.n_references, self.learned)

    def to_dict(self) -> dict[str, int | float]:
        """Return the numbers by column name."""
        return dict(zip(self.columns, self.values, strict=True))


class Table(Frozen):
    """Rows of sufficient statistics, one per segment; every column is integer or real.

    The numbers lie in two blocks, one column after the other: 64-bit integers and 64-bit floats.
    `numpy.asarray(table)` (where all columns are of one kind), `pyarrow.record_batch(table)` and
    `from_dlpack(table)` see them where they lie; nobody can change them.

    Args:
        integer_columns: names of the integer columns.
        real_columns: names of the real columns.
        rows: the number of segments.
        integers: buffer of len(integer_columns) * rows int64 values, column after column.
        reals: buffer of len(real_columns) * rows float64 values, column after column.
        n_references: references per segment, or None where segments differ.
        learned: a fingerprint of what the metric learned before it counted, "" where it learned
            nothing, or where that is unknown.

    Raises:
        TableError: a buffer does not have the size that names and rows ask for.

    >>> table = Table.from_rows(("matches", "total"), (), [(1, 2), (3, 4)])
    >>> table.totals().values, table.select([1, 1]).totals().values
    ((4, 6), (6, 8))
    >>> table[-1].to_dict(), table[:1].rows
    ({'matches': 3, 'total': 4}, 1)
    """

    __slots__ = (
        "_integers", "_reals", "integer_columns", "learned", "n_references", "real_columns", "rows",
    )  # fmt: skip
    integer_columns: tuple[str, ...]
    real_columns: tuple[str, ...]
    rows: int
    n_references: int | None
    learned: str
    _integers: memoryview
    _reals: memoryview

    def __init__(
        self,
        integer_columns: Sequence[str],
        real_columns: Sequence[str],
        rows: int,
        integers: Any,
        reals: Any,
        n_references: int | None = 1,
        learned: str = "",
    ) -> None:
        # Metrics name their columns in tuples. Arguments of other types are checked one by one.
        if not (type(integer_columns) is type(real_columns) is tuple and type(rows) is int):
            from bleuet.argument_types import check_call

            check_call(Table.__init__, (self, integer_columns, real_columns, rows), {})
        set_field = object.__setattr__
        set_field(self, "integer_columns", tuple(integer_columns))
        set_field(self, "real_columns", tuple(real_columns))
        set_field(self, "rows", rows)
        if not (n_references is None or type(n_references) is int):
            raise wrong_type("n_references", "a whole number or None", n_references)
        set_field(self, "n_references", n_references)
        if type(learned) is not str:
            raise wrong_type("learned", "a text", learned)
        set_field(self, "learned", learned)
        set_field(self, "_integers", _block(integers, "q", len(integer_columns) * rows, "integers"))
        set_field(self, "_reals", _block(reals, "d", len(real_columns) * rows, "reals"))

    @classmethod
    @checked
    def from_rows(
        cls,
        integer_columns: Sequence[str],
        real_columns: Sequence[str],
        rows: Iterable[Sequence[int | float]],
        n_references: int | None = 1,
    ) -> Table:
        """Return a table of rows, each with its integers first."""
        listed = [tuple(row) for row in rows]
        split = len(integer_columns)
        for number, row in enumerate(listed):
            if len(row) != split + len(real_columns):
                raise TableError(
                    f"row {number} has {len(row)} numbers; expected one for each of the "
                    f"{split + len(real_columns)} columns"
                )
        integers, reals = (
            bytearray(8 * split * len(listed)),
            bytearray(8 * len(real_columns) * len(listed)),
        )
        views: list[Any] = [memoryview(integers).cast("q"), memoryview(reals).cast("d")]
        for view, start, count in ((views[0], 0, split), (views[1], split, len(real_columns))):
            for c in range(count):
                for r, row in enumerate(listed):
                    try:
                        view[c * len(listed) + r] = row[start + c]
                    except (TypeError, ValueError):
                        wanted = "an integer of 64 bits" if start == 0 else "a number"
                        place = f"column {start + c} of row {r}"
                        raise wrong_type(place, wanted, row[start + c]) from None
        return cls(integer_columns, real_columns, len(listed), integers, reals, n_references)

    @property
    def columns(self) -> tuple[str, ...]:
        """All column names, integer columns first."""
        return self.integer_columns + self.real_columns

    def __len__(self) -> int:
        return self.rows

    def column(self, name: str) -> memoryview:
        """Return one column, `rows` numbers, without a copy and read-only."""
        if not isinstance(name, str):
            raise wrong_type("name", "the name of a column", name)
        for names, block in (
            (self.integer_columns, self._integers),
            (self.real_columns, self._reals),
        ):
            if name in names:
                start = names.index(name) * self.rows
                return block[start : start + self.rows]
        raise _no_column(name, self.columns)

    def blocks(self) -> tuple[memoryview, memoryview]:
        """Return all integers and all real numbers, column after column, read-only."""
        return self._integers, self._reals

    def row(self, segment: int) -> Totals:
        """Return one row as totals.

        Raises:
            TableError: there is no such row.
        """
        at = _row_number(segment, self.rows)
        values = [*self._integers[at :: self.rows], *self._reals[at :: self.rows]]
        return Totals(self.columns, values, 1, self.n_references, self.learned)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, rows: int) -> Totals: ...
        @overload
        def __getitem__(self, rows: slice) -> Table: ...

    def __getitem__(self, rows: int | slice) -> Totals | Table:
        if isinstance(rows, slice):
            return self.select(range(*rows.indices(self.rows)))
        if isinstance(rows, int) and not -self.rows <= rows < self.rows:
            raise IndexError(f"row {rows} of {self.rows}")
        return self.row(rows)

    def __iter__(self) -> Iterator[Totals]:
        return (self.row(i) for i in range(self.rows))

    def totals(self, after: Totals | None = None) -> Totals:
        """Return the sum of all rows, added in order, onto `after` if it is not None.

        Adding a corpus in parts, each onto the totals before it, gives the very numbers that
        adding it whole gives, real columns included.
        """
        start = after if after is not None else self._zero()
        if not isinstance(start, Totals):
            raise wrong_type("after", "a Totals or None", after)
        if start.columns != self.columns:
            raise TableError(
                f"rows with the columns {', '.join(self.columns)} cannot be added onto totals "
                f"with the columns {', '.join(start.columns)}"
            )
        split = len(self.integer_columns)
        counting = backend()
        integers = counting.sum_integers(self._integers, self.rows, list(start.values[:split]))
        reals = counting.sum_reals(self._reals, self.rows, list(start.values[split:]))
        same = after is None or after.rows == 0 or after.n_references == self.n_references
        return Totals(
            self.columns,
            [*integers, *reals],
            start.rows + self.rows,
            self.n_references if same else None,
            same_learned(start.learned, self.learned),
        )

    def _zero(self) -> Totals:
        zeros = [0] * len(self.integer_columns) + [0.0] * len(self.real_columns)
        return Totals(self.columns, zeros, 0, self.n_references, self.learned)

    @checked
    def select(self, rows: Iterable[int]) -> Table:
        """Return a table of some rows, in their order; a row may come more than once.

        Args:
            rows: row numbers, negative ones from the end.

        Raises:
            TableError: a row does not exist, or is not a number, as in a mask of true and false.
        """
        from array import array

        listed = list(rows)
        # Rows are usually plain numbers in range, which need no look at each.
        if set(map(type, listed)) != {int} or min(listed) < 0 or max(listed) >= self.rows:
            listed = [_row_number(row, self.rows) for row in listed]
        picks = array("q", listed)
        blocks: list[Any] = []
        counting = backend()
        for select, block, names in (
            (counting.select_integers, self._integers, self.integer_columns),
            (counting.select_reals, self._reals, self.real_columns),
        ):
            out = bytearray(8 * len(names) * len(listed))
            select(block, self.rows, picks, len(listed), len(names), out)
            blocks.append(out)
        integers, reals = blocks
        columns = self.integer_columns, self.real_columns
        return Table(*columns, len(listed), integers, reals, self.n_references, self.learned)

    @checked
    def add_groups(self, groups: Sequence[Any]) -> Table:
        """Return a table of the sums of rows, one row per group, such as one per document.

        Args:
            groups: the group of each row: any values that can be compared, such as names of
                documents. The groups come in the order of their first rows.

        Raises:
            TableError: there is not one group for each row, or a sum has more than 64 bits.

        >>> table = Table.from_rows(("matches",), (), [(1,), (2,), (4,)])
        >>> table.add_groups(["news", "talk", "news"]).column("matches").tolist()
        [5, 2]
        """
        from array import array
        from itertools import accumulate, pairwise

        if len(groups) != self.rows:
            raise TableError(
                f"there are {len(groups)} groups for {self.rows} rows: pass one for each row"
            )
        members: dict[Any, list[int]] = {}
        try:
            for row, group in enumerate(groups):
                members.setdefault(group, []).append(row)
        except TypeError:
            raise TableError(
                f"the group of each row must be a value such as a name, not {type(group).__name__}"
            ) from None
        order = [row for rows in members.values() for row in rows]
        ends = list(accumulate(map(len, members.values()), initial=0))
        ordered = self if order == list(range(self.rows)) else self.select(order)
        blocks = []
        for names, kind in ((self.integer_columns, "q"), (self.real_columns, "d")):
            sums = array(kind)
            for name in names:
                numbers = ordered.column(name).tolist()
                found = [sum(numbers[a:b]) for a, b in pairwise(ends)]
                _check_sizes([name] * len(found), found)
                sums.extend(found)
            blocks.append(sums)
        integers, reals = blocks
        columns = self.integer_columns, self.real_columns
        return Table(*columns, len(members), integers, reals, self.n_references, self.learned)

    @checked
    def take_columns(self, integer_columns: Sequence[str], real_columns: Sequence[str]) -> Table:
        """Return a table of all rows with some of the columns, in their order.

        Raises:
            TableError: a column is missing, or of the other kind.

        >>> table = Table.from_rows(("matches_1", "matches_2"), (), [(4, 3), (2, 1)])
        >>> table.take_columns(["matches_2"], []).totals().values
        (4,)
        """
        for name, kept in (
            *((name, self.integer_columns) for name in integer_columns),
            *((name, self.real_columns) for name in real_columns),
        ):
            if name not in kept:
                raise _no_column(name, kept)
        return Table(
            integer_columns,
            real_columns,
            self.rows,
            b"".join([self.column(name) for name in integer_columns]),
            b"".join([self.column(name) for name in real_columns]),
            self.n_references,
            self.learned,
        )

    @staticmethod
    @checked
    def concatenate(tables: Sequence[Table]) -> Table:
        """Return one table with the rows of all tables, in order.

        Raises:
            TableError: there is no table, their columns differ, or so does what their metric
                learned before it counted them.
        """
        if not tables:
            raise TableError("there is no table; concatenate needs at least one")
        first = tables[0]
        learned = ""
        for table in tables:
            if (table.integer_columns, table.real_columns) != (
                first.integer_columns,
                first.real_columns,
            ):
                raise TableError(
                    "only tables with the same columns can be joined: "
                    f"{', '.join(first.columns)} and {', '.join(table.columns)}"
                )
            learned = same_learned(learned, table.learned)
        integers = b"".join(
            table.column(name) for name in first.integer_columns for table in tables
        )
        reals = b"".join(table.column(name) for name in first.real_columns for table in tables)
        counts = {table.n_references for table in tables}
        return Table(
            first.integer_columns,
            first.real_columns,
            sum(table.rows for table in tables),
            integers,
            reals,
            counts.pop() if len(counts) == 1 else None,
            learned,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return (
            self.integer_columns == other.integer_columns
            and self.real_columns == other.real_columns
            and self.rows == other.rows
            and self.n_references == other.n_references
            and self.learned == other.learned
            and self._integers == other._integers
            and self._reals == other._reals
        )

    def __hash__(self) -> int:
        return hash((self.columns, self.rows, self._integers.tobytes(), self._reals.tobytes()))

    def __repr__(self) -> str:
        return f"Table({self.rows} rows: {', '.join(self.columns)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (
            self.integer_columns,
            self.real_columns,
            self.rows,
            self._integers.tobytes(),
            self._reals.tobytes(),
            self.n_references,
            self.learned,
        )

    # --- How other libraries read the numbers, without a copy -----------------------------------

    def _single_block(self) -> tuple[memoryview, str]:
        if not self.real_columns:
            return self._integers, "<i8"
        if not self.integer_columns:
            return self._reals, "<f8"
        raise TableError(
            "this table has integer and real columns, which do not fit into one array: "
            "use table.column(name), or the whole table through Arrow"
        )

    @property
    def __array_interface__(self) -> dict[str, Any]:
        block, kind = self._single_block()
        return {
            "version": 3,
            "shape": (self.rows, len(self.columns)),
            "typestr": kind,
            "strides": (8, 8 * self.rows),
            "data": block,
        }

    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Capsule:
        from bleuet.statistics.interoperability import to_dlpack

        block, kind = self._single_block()
        shape = (self.rows, len(self.columns))
        return to_dlpack(block, kind, shape, max_version=max_version, device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        from bleuet.statistics.interoperability import CPU

        return CPU

    def __arrow_c_schema__(self) -> Capsule:
        from bleuet.statistics.interoperability import to_arrow_schema

        return to_arrow_schema(self.integer_columns, self.real_columns)

    def __arrow_c_array__(self, requested_schema: Capsule | None = None) -> tuple[Capsule, Capsule]:
        from bleuet.statistics.interoperability import to_arrow_array

        blocks = [self.column(name) for name in self.columns]
        return self.__arrow_c_schema__(), to_arrow_array(blocks, self.rows)


def same_learned(one: str, other: str) -> str:
    """Return the fingerprint of what was learned for rows that are added, joined or compared.

    Args:
        one: that of some rows, "" if it is unknown.
        other: that of others.

    Raises:
        TableError: they differ.
    """
    if one and other and one != other:
        if len(one) != len(other):
            raise TableError(
                "these rows were counted by other versions of bleuet, whose fingerprints of what "
                "was learned cannot be compared, so they cannot be combined: count both with this "
                "version"
            )
        raise TableError(
            "these rows have different weights, which were learned from different references, so "
            "they cannot be combined: count all texts at once, or with a metric that has learned "
            "from all references (metric.prepare)"
        )
    return one or other


def _check_sizes(columns: Sequence[str], sums: Sequence[int | float]) -> None:
    """Reject integers of more than 64 bits; real numbers of any size stay."""
    for name, number in zip(columns, sums, strict=True):
        if isinstance(number, int) and not -_MOST <= number <= _MOST:
            raise TableError(
                f"the sum of the column {name} has more than 64 bits, which no count of a text "
                "has; expected smaller numbers: check the rows and where they come from"
            )


def _row_number(row: object, rows: int) -> int:
    kind = type(row)
    if "bool" in kind.__name__ or not hasattr(kind, "__index__") or hasattr(kind, "__len__"):
        raise TableError(
            f"rows are selected by number, not by {type(row).__name__}: turn a mask into numbers "
            "with [i for i, selected in enumerate(mask) if selected]"
        )
    number = index(row)  # type: ignore[arg-type]
    if not -rows <= number < rows:
        raise TableError(f"there is no row {number}; the rows are 0 to {rows - 1}")
    return number % rows


def _block(buffer: Any, kind: Literal["q", "d"], numbers: int, what: str) -> memoryview:
    try:
        view = memoryview(buffer)
    except TypeError:
        raise wrong_type(what, "a buffer of numbers", buffer) from None
    if view.nbytes != 8 * numbers:
        raise TableError(
            f"the {what} of a table need {8 * numbers} bytes for {numbers} numbers, "
            f"but {view.nbytes} came"
        )
    # Cast through bytes: a view of numbers cannot be cast to numbers of another type.
    numbers_view: memoryview = view.cast("B").cast(kind).toreadonly()  # type: ignore[assignment]
    return numbers_view


def _no_column(name: str, columns: Sequence[str]) -> TableError:
    return TableError(f"there is no column {name}; the columns are {', '.join(columns)}")
