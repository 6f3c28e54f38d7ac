from __future__ import annotations

import array
import pickle
import random
from typing import Any

import pytest

from bleuet import InputTypeError, Table, TableError, Totals
from tests.backends import HAS_KERNEL, counted_by, counted_by_python, kernel

# Three segments: matches, totals and, as a mean, a length.
ROWS = [(1, 2, 2.5), (0, 4, 3.25), (7, 7, 0.0)]


def three() -> Table:
    return Table.from_rows(("matches", "totals"), ("length",), ROWS)


class TestRows:
    def test_a_row_is_the_sum_of_itself(self) -> None:
        table = three()
        assert len(table) == table.rows == 3
        assert table.columns == ("matches", "totals", "length")
        assert [row.values for row in table] == ROWS
        assert table.row(1) == Totals(("matches", "totals", "length"), (0, 4, 3.25))
        assert table.row(-1).values == ROWS[2]
        assert all(type(n) is int for n in table.row(0).values[:2])
        assert type(table.row(2)["length"]) is float

    @pytest.mark.parametrize("row", [3, -4, 99])
    def test_there_is_no_such_row(self, row: int) -> None:
        with pytest.raises(TableError, match=f"there is no row {row}; the rows are 0 to 2"):
            three().row(row)

    def test_columns_lie_one_after_the_other(self) -> None:
        table = three()
        assert table.column("matches").tolist() == [1, 0, 7]
        assert table.column("length").tolist() == [2.5, 3.25, 0.0]
        integers, reals = table.blocks()
        assert integers.tolist() == [1, 0, 7, 2, 4, 7]
        assert reals.tolist() == [2.5, 3.25, 0.0]
        for view in (integers, reals, table.column("totals")):
            assert view.readonly
            with pytest.raises(TypeError):
                view[0] = 1

    def test_there_is_no_such_column(self) -> None:
        for ask in (three().column, three().totals().__getitem__):
            with pytest.raises(
                TableError, match="no column edits; the columns are matches, totals, length"
            ):
                ask("edits")

    def test_a_buffer_of_another_size_is_refused(self) -> None:
        with pytest.raises(TableError, match="need 32 bytes for 4 numbers, but 24 came"):
            Table(("a", "b"), (), 2, array.array("q", [1, 2, 3]), b"")
        with pytest.raises(TableError, match="reals"):
            Table((), ("a",), 2, b"", b"")

    def test_a_table_keeps_what_it_was_given_without_a_copy(self) -> None:
        numbers = array.array("q", [1, 2])
        table = Table(("a",), (), 2, numbers, b"")
        numbers[0] = 5  # whoever gives the buffer away should not, but it shows there is no copy
        assert table.column("a").tolist() == [5, 2]

    def test_a_table_of_no_rows(self) -> None:
        table = Table.from_rows(("a",), ("b",), [])
        assert len(table) == 0
        assert table.totals() == Totals(("a", "b"), (0, 0.0), 0)
        assert list(table) == []


PROGRAMS = [
    pytest.param(
        "kernel",
        marks=pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built"),
    ),
    "python",
]


@pytest.mark.parametrize("program", PROGRAMS)
class TestSums:
    @pytest.fixture(autouse=True)
    def _program(self, program: str) -> Any:
        with counted_by(kernel()) if program == "kernel" else counted_by_python():
            yield

    def test_totals(self) -> None:
        totals = three().totals()
        assert totals == Totals(("matches", "totals", "length"), (8, 13, 5.75), rows=3)
        assert totals.to_dict() == {"matches": 8, "totals": 13, "length": 5.75}
        assert [type(n) for n in totals.values] == [int, int, float]

    def test_reals_are_added_from_the_first_to_the_last(self) -> None:
        values = [random.Random(3).uniform(-1, 1) * 10**i for i in range(-9, 9)]
        table = Table.from_rows((), ("x",), [(value,) for value in values])
        total = 0.0
        for value in values:
            total += value
        assert table.totals().values == (total,)
        assert Table.from_rows((), ("x",), [(v,) for v in reversed(values)]).totals().values != (
            total,
        )

    def test_parts_added_onto_each_other_are_the_whole_to_the_last_bit(self) -> None:
        rng = random.Random(4)
        rows = [(rng.randrange(9), rng.random() / 3) for _ in range(1000)]
        whole = Table.from_rows(("n",), ("x",), rows)
        for parts in (2, 7, 999):
            totals: Totals | None = None
            for start in range(0, 1000, 1000 // parts):
                part = Table.from_rows(("n",), ("x",), rows[start : start + 1000 // parts])
                totals = part.totals(after=totals)
            assert totals == whole.totals()

    def test_large_integers_are_exact(self) -> None:
        table = Table.from_rows(("n",), (), [(2**62,), (2**61 + 1,)])
        assert table.totals().values == (2**62 + 2**61 + 1,)

    def test_totals_of_other_columns_are_refused(self) -> None:
        with pytest.raises(TableError, match="cannot be added onto totals with the columns a"):
            three().totals(after=Totals(("a",), (1,)))

    def test_select(self) -> None:
        table = three()
        some = table.select([2, 0, 2])
        assert [row.values for row in some] == [ROWS[2], ROWS[0], ROWS[2]]
        assert some.totals().values == (15, 16, 2.5)
        assert table.select(range(3)) == table
        assert len(table.select([])) == 0
        assert table.select(iter([1])).row(0) == table.row(1)
        assert table.select([-1, -3]) == table.select([2, 0])

    def test_rows_have_numbers(self) -> None:
        table = three()
        assert [table[i] for i in (0, 1, 2, -1)] == [table.row(i) for i in (0, 1, 2, 2)]
        assert list(table) == [table[0], table[1], table[2]]
        assert (table[1:], table[::-1]) == (table.select([1, 2]), table.select([2, 1, 0]))
        with pytest.raises(IndexError, match="row 3 of 3"):
            table[3]
        with pytest.raises(TableError, match="not by str"):
            table["a"]  # type: ignore[call-overload]

    @pytest.mark.parametrize("rows", [[0, 3], [-4], [2**62]])
    def test_select_of_no_such_row(self, rows: list[int]) -> None:
        with pytest.raises(TableError, match=f"no row {rows[-1]}; the rows are 0 to 2"):
            three().select(rows)

    @pytest.mark.parametrize("rows", [[True, False, True], [1.0], ["1"], [None], [-(2**70)]])
    def test_select_by_what_is_no_number(self, rows: list[Any]) -> None:
        with pytest.raises(InputTypeError, match=r"rows\[0\] must be a whole number.*, not"):
            three().select(rows)
        with pytest.raises(TableError):
            three().select(iter(rows))


class TestConcatenate:
    def test_rows_follow_in_order(self) -> None:
        table = three()
        both = Table.concatenate([table, table.select([1])])
        assert [row.values for row in both] == [*ROWS, ROWS[1]]
        assert Table.concatenate([table]) == table
        assert Table.concatenate(list(map(table.select, ([0], [1], [2])))) == table

    def test_other_columns_are_refused(self) -> None:
        other = Table.from_rows(("matches", "totals", "length"), (), [(1, 2, 3)])
        with pytest.raises(TableError, match="only tables with the same columns can be joined"):
            Table.concatenate([three(), other])

    def test_nothing_is_refused(self) -> None:
        with pytest.raises(TableError, match="needs at least one"):
            Table.concatenate([])

    def test_numbers_of_references_that_differ_vary(self) -> None:
        one, two = (Table.from_rows(("a",), (), [(1,)], n) for n in (1, 2))
        assert Table.concatenate([one, one]).n_references == 1
        assert Table.concatenate([one, two]).n_references is None
        assert two.totals(after=one.totals()).n_references is None
        assert two.totals(after=two.totals()).n_references == 2
        assert (one.totals() + two.totals()).n_references is None


class TestValue:
    def test_equal_numbers_make_equal_tables(self) -> None:
        assert three() == three()
        assert hash(three()) == hash(three())
        assert three() != three().select([0, 1])
        assert three() != Table.from_rows(("matches", "totals"), ("x",), ROWS)
        assert three() != Table.from_rows(("matches", "totals"), ("length",), ROWS, None)
        assert three() != "table"

    def test_it_is_frozen(self) -> None:
        with pytest.raises(AttributeError, match="Table is frozen"):
            three().rows = 4
        with pytest.raises(AttributeError, match="Totals is frozen"):
            three().totals().values = ()  # type: ignore[misc]

    def test_it_can_be_pickled(self) -> None:
        table = three().select([1, 2])
        again = pickle.loads(pickle.dumps(table))
        assert again == table
        assert again.totals() == table.totals()

    def test_it_tells_what_it_is(self) -> None:
        assert repr(three()) == "Table(3 rows: matches, totals, length)"
        totals = Totals(("a",), (1,), 2, None)
        assert (
            repr(totals)
            == "Totals(columns=('a',), values=(1,), rows=2, n_references=None, learned='')"
        )
        assert eval(repr(totals)) == totals


class TestTotals:
    def test_addition(self) -> None:
        a, b = Totals(("n", "x"), (1, 0.5), 2), Totals(("n", "x"), (3, 0.25), 1)
        assert a + b == Totals(("n", "x"), (4, 0.75), 3)
        assert a.values == (1, 0.5)
        assert (a + b) + a == a + (b + a)

    def test_other_columns_are_refused(self) -> None:
        with pytest.raises(TableError, match="same columns can be added: n and m"):
            Totals(("n",), (1,)) + Totals(("m",), (1,))
        with pytest.raises(TypeError):
            Totals(("n",), (1,)) + 1  # type: ignore[operator]

    def test_one_number_for_each_column(self) -> None:
        with pytest.raises(TableError, match=r"2 columns \(a, b\) but 1 numbers"):
            Totals(("a", "b"), (1,))


def test_groups_are_added_by_their_definition() -> None:
    rows = [(n, n * n, n / 4) for n in range(50)]
    table = Table.from_rows(("a", "b"), ("c",), rows, n_references=None)
    groups = [n * n % 7 for n in range(50)]
    added = table.add_groups(groups)
    names = list(dict.fromkeys(groups))
    assert added.rows == len(names)
    assert added.n_references is None
    for name, row in zip(names, added, strict=True):
        own = table.select([n for n in range(50) if groups[n] == name])
        assert row.values == own.totals().values
    assert table.add_groups(range(50)) == table
    with pytest.raises(TableError, match="49 groups for 50 rows"):
        table.add_groups(groups[:49])
    with pytest.raises(TableError, match="must be a value such as a name, not list"):
        table.add_groups([[n] for n in range(50)])


class TestLargeNumbers:
    """Sums are exact, or an error where they have more than 64 bits."""

    MOST = 2**63 - 1

    @staticmethod
    def table(*numbers: int) -> Table:
        return Table.from_rows(("matches",), (), [(number,) for number in numbers])

    @pytest.mark.parametrize("program", PROGRAMS)
    def test_sums(self, program: str) -> None:
        draw = random.Random(4)
        with counted_by(kernel()) if program == "kernel" else counted_by_python():
            for _ in range(300):
                most = 1 << draw.randrange(1, 64)
                numbers = [draw.randrange(-most, most) for _ in range(draw.randrange(1, 6))]
                start = self.table(draw.randrange(-most, most)).row(0)
                found = start["matches"] + sum(numbers)
                if abs(found) <= self.MOST:
                    assert self.table(*numbers).totals(start)["matches"] == found
                else:
                    with pytest.raises(TableError, match="sum of the column matches has more than"):
                        self.table(*numbers).totals(start)

    def test_totals_and_groups(self) -> None:
        most = self.table(self.MOST)
        for add in (
            lambda: most.totals() + most.totals(),
            lambda: Totals(("a", "matches"), (1.5, self.MOST + 1)),
            lambda: self.table(self.MOST, 0, 1).add_groups(["a", "b", "a"]),
        ):
            with pytest.raises(TableError, match="column matches has more than 64 bits"):
                add()
        assert Totals(("matches",), (2.0**70,)).values == (2.0**70,)
        assert Totals(("a", "b"), (float("nan"), self.MOST))["b"] == self.MOST


def learned_table(learned: str, n_references: int | None = 2) -> Table:
    """Three rows with an integer and a real number, counted by a metric that had learned."""
    integers, reals = array.array("q", [1, 2, 4]), array.array("d", [0.5, 0.25, 0.125])
    return Table(("a",), ("b",), 3, integers, reals, n_references, learned)


def test_a_part_of_a_table_knows_what_the_whole_knows() -> None:
    """The number of references, and what the metric had learned."""
    table = learned_table("weights")
    unknown = learned_table("")
    parts = (
        *(table.select([2, 0]), table[1:], table.add_groups(["x", "y", "x"])),
        *(table.take_columns(["a"], []), table.take_columns([], ["b"])),
        *(Table.concatenate([unknown, table]), Table.concatenate([table, unknown])),
        pickle.loads(pickle.dumps(table)),
    )
    totals = (
        *(table.row(1), table[1], table.totals(), table.totals() + unknown.totals()),
        *(table.totals(after=unknown.totals()), unknown.totals(after=table.totals())),
        unknown.totals() + table.totals(),
    )
    for part in (*parts, *totals):
        assert (part.n_references, part.learned) == (2, "weights"), part
    assert table != unknown
    assert table.totals() != unknown.totals()


def test_rows_that_learned_otherwise_are_not_combined() -> None:
    one, other = learned_table("weights"), learned_table("WEIGHTS")
    for combine in (
        lambda: Table.concatenate([one, one, other]),
        lambda: Table.concatenate([learned_table(""), one, other]),
        lambda: other.totals(after=one.totals()),
        lambda: one.totals() + other.totals(),
    ):
        with pytest.raises(TableError, match="different weights, which were learned from"):
            combine()
    with pytest.raises(TableError, match="counted by other versions of bleuet"):
        Table.concatenate([one, learned_table("of an old version")])
    many = [learned_table("", number) for number in (2, 2, 3)]
    assert Table.concatenate(many).n_references is None
    assert Table.concatenate(many[:2]).n_references == 2
    assert many[2].totals(after=many[0].totals()).n_references is None
    nothing = many[2].select([]).totals()
    assert many[0].totals(after=nothing).n_references == 2
