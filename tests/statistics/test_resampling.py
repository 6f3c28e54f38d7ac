"""Draws of rows: both backends and numpy give the same, for any seed, size and thread count."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleuet import OptionError, Table, TableError
from bleuet.statistics import resampling
from bleuet.statistics.definitions import plain_python
from bleuet.statistics.resampling import Resampler, exchanged, seed_digits
from tests.backends import HAS_KERNEL, counted_by, kernel

PROGRAMS = [pytest.param(plain_python, id="python")]
if HAS_KERNEL:
    PROGRAMS.append(pytest.param(kernel(), id="kernel"))

SEEDS = [0, 1, 7, 12345, 2**32 - 1, 2**32, 2**64 + 3, 2**127 - 1, 2**160 + 9, 10**80]
SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 65535, 65536, 65537]


def table_of(rows: int, seed: int = 1, largest: int = 60) -> Table:
    rng = random.Random(seed)
    return Table.from_rows(
        ("a", "b", "large"),
        ("whole", "real"),
        [
            (
                rng.randrange(largest),
                rng.randrange(-3, 5),
                rng.randrange(2**40),
                float(rng.randrange(9)),
                rng.random() - 0.5,
            )
            for _ in range(rows)
        ],
    )


def arrays(table: Table) -> list[Any]:
    return [np.array(table.column(name)) for name in table.columns]


@pytest.mark.parametrize("program", PROGRAMS)
class TestStream:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_rows_and_choices_are_numpys(self, program: Any, seed: int) -> None:
        stream, rng = program.Pcg64(seed_digits(seed)), np.random.default_rng(seed)
        for below in SIZES:
            # Odd counts leave half a number for the next call.
            for count in (1, 5, 8):
                rows = np.zeros(count, np.int64)
                stream.rows(below, rows, count)
                assert rows.tolist() == rng.choice(below, count).tolist()
                bits = np.zeros(2 * count, np.uint8)
                stream.choices(bits, len(bits))
                expected = rng.integers(2, size=(2, count), dtype=bool)
                assert bits.tolist() == expected.ravel().tolist()

    @pytest.mark.parametrize("below", [2**32, 2**32 - 1, 3 * 2**30, 2**31 + 1])
    def test_bounds_that_refuse_many_numbers(self, program: Any, below: int) -> None:
        rows = np.zeros(2000, np.int64)
        program.Pcg64([5]).rows(below, rows, len(rows))
        assert rows.tolist() == np.random.default_rng(5).integers(0, below, len(rows)).tolist()

    @pytest.mark.parametrize("below", [0, 2**32 + 1])
    def test_bounds_that_no_table_has(self, program: Any, below: int) -> None:
        with pytest.raises(ValueError, match="1 to 4294967296"):
            program.Pcg64([5]).rows(below, np.zeros(1, np.int64), 1)


@pytest.mark.parametrize("program", PROGRAMS)
class TestSums:
    @pytest.mark.parametrize("rows", [1, 2, 3, 31, 64, 257, 2049])
    def test_draws_are_numpys(self, program: Any, rows: int) -> None:
        table, draws = table_of(rows), 5
        with counted_by(program):
            (sums,) = Resampler(3).draw([table], draws)
        drawn = np.random.default_rng(3).choice(rows, size=(draws, rows))
        for column, values in zip(arrays(sums), arrays(table), strict=True):
            if column.dtype == np.int64:
                assert column.tolist() == values[drawn].sum(1).tolist()
            else:
                assert column == pytest.approx(values[drawn].sum(1), abs=1e-12)

    @pytest.mark.parametrize("rows", [1, 2, 3, 31, 64, 257, 2049])
    def test_choices_are_numpys(self, program: Any, rows: int) -> None:
        table, draws = table_of(rows), 5
        with counted_by(program):
            (sums,) = Resampler(3).choose([table], draws)
        chosen = np.random.default_rng(3).integers(2, size=(draws, rows), dtype=bool)
        for column, values in zip(arrays(sums), arrays(table), strict=True):
            assert column == pytest.approx(chosen @ values, abs=1e-12)

    def test_one_stream_goes_on(self, program: Any) -> None:
        table, rng = table_of(33), np.random.default_rng(9)
        with counted_by(program):
            stream = Resampler(9)
            (chosen,), (drawn,) = stream.choose([table], 3), stream.draw([table], 2)
        a = arrays(table)[0]
        assert (
            chosen.column("a").tolist() == (rng.integers(2, size=(3, 33), dtype=bool) @ a).tolist()
        )
        assert drawn.column("a").tolist() == a[rng.choice(33, size=(2, 33))].sum(1).tolist()

    def test_all_tables_share_the_draws(self, program: Any) -> None:
        first, second = table_of(20, seed=1), table_of(20, seed=2)
        with counted_by(program):
            together = Resampler(4).draw([first, second, first], 6)
            alone = [Resampler(4).draw([table], 6)[0] for table in (first, second, first)]
        assert together == alone

    @pytest.mark.parametrize("rows", [2, 300])
    def test_large_numbers(self, program: Any, rows: int) -> None:
        """Sums of two systems fit into 64 bits, or there is an error."""
        most = (2**61 - 1) // rows
        first, second = (
            Table.from_rows(("a",), (), [(number,)] * rows) for number in (most, most - 1)
        )
        with counted_by(program):
            chosen = Resampler(6).choose([first, second], 9)
            (drawn,) = Resampler(6).draw([first], 2)
            mixed = exchanged((first, chosen[0]), (second, chosen[1]))
            assert drawn.column("a").tolist() == [most * rows] * 2
            for one, sums in zip(chosen[0].column("a"), mixed.column("a"), strict=True):
                assert sums == one + (rows - one // most) * (most - 1)
            for number in (most + 1, -most - 1):
                table = Table.from_rows(("a",), (), [*[(0,)] * (rows - 1), (number,)])
                for draw in (Resampler(6).choose, Resampler(6).draw):
                    with pytest.raises(TableError, match=f"{rows} rows may have more than 61"):
                        draw([first, table], 2)

    def test_what_was_not_chosen_stays_with_the_other(self, program: Any) -> None:
        first, second = table_of(40, seed=1), table_of(40, seed=2)
        with counted_by(program):
            chosen = Resampler(6).choose([first, second], 7)
            mixed = exchanged((first, chosen[0]), (second, chosen[1]))
        masks = np.random.default_rng(6).integers(2, size=(7, 40), dtype=bool)
        for column, a, b in zip(arrays(mixed), arrays(first), arrays(second), strict=True):
            assert column == pytest.approx(masks @ a + ~masks @ b, abs=1e-12)
        assert mixed.rows == 7
        with pytest.raises(ValueError, match="size of its table"):
            program.exchange_integers(bytes(8), bytes(16), 1, [1], bytearray(8))

    def test_a_row_can_come_more_often_than_a_byte_can_count(self, program: Any) -> None:
        rows = 700
        table = table_of(rows, largest=30000)
        chosen = np.zeros((2, rows), np.int64)
        chosen[1] = np.arange(rows)
        chosen[1, :260] = 5
        sums = given_sums(program.sum_given_draws, chosen, table, 2)
        for column, values in zip(arrays(sums), arrays(table), strict=True):
            assert column == pytest.approx(values[chosen].sum(1), rel=1e-12)
            assert column[0] == pytest.approx(rows * values[0], rel=1e-12)

    def test_the_largest_numbers_of_two_bytes(self, program: Any) -> None:
        """256 rows taken 255 times each are the most that the kernel adds in 32 bits."""
        rows = 256 * 255
        for largest in (32767, -32767):
            numbers = bytearray(np.full(rows, largest).tobytes())
            table = Table(("a",), (), rows, numbers, b"")
            chosen = (np.arange(rows) % 256).reshape(1, rows)
            sums = given_sums(program.sum_given_draws, chosen, table, 1)
            assert sums.row(0).values == (largest * rows,)

    def test_a_row_that_was_not_drawn_need_not_hold_a_number(self, program: Any) -> None:
        table = Table.from_rows((), ("score",), [(1.5,), (float("nan"),), (float("inf"),)])
        sums = given_sums(program.sum_given_draws, np.array([[0, 0, 0]]), table, 1)
        assert sums.column("score").tolist() == [4.5]
        choice = np.array([[1, 0, 0]], np.uint8)
        sums = given_sums(program.sum_given_choices, choice, table, 1)
        assert sums.column("score").tolist() == [1.5]

    def test_given_rows_are_checked(self, program: Any) -> None:
        table = table_of(3)
        for row in (-1, 3):
            with pytest.raises(IndexError, match="outside the table"):
                given_sums(program.sum_given_draws, np.array([[0, row, 0]]), table, 1)
        with pytest.raises(ValueError, match="0 or 1"):
            given_sums(program.sum_given_choices, np.array([[0, 2, 0]], np.uint8), table, 1)
        with pytest.raises(ValueError, match="size of its table"):
            program.Pcg64([1]).sum_draws([(b"", 1, b"", 0, bytearray(8), b"")], 3, 1)
        with pytest.raises(ValueError, match="no row"):
            program.Pcg64([1]).sum_draws([(b"", 1, b"", 0, bytearray(8), b"")], 0, 1)


def given_sums(sum_given: Any, chosen: Any, table: Table, draws: int) -> Table:
    def sum_rows(tables: Any, rows: int, count: int, threads: int) -> None:
        sum_given(chosen, tables, rows, count, threads)

    return resampling._resample(sum_rows, [table], draws, 1)[0]


class TestThreads:
    @pytest.mark.parametrize("threads", [0, 2, 3, 7])
    def test_threads_change_nothing(self, threads: int) -> None:
        table = table_of(1500)
        one, several = Resampler(8), Resampler(8)
        for _ in range(2):
            assert one.draw([table], 200) == several.draw([table], 200, threads=threads)
            assert one.choose([table], 200) == several.choose([table], 200, threads=threads)

    @pytest.mark.skipif(not HAS_KERNEL, reason="the kernel was not built")
    @pytest.mark.parametrize("rows", [1, 50, 300])
    def test_kernel_and_python_backend_agree_to_the_last_bit(self, rows: int) -> None:
        found = []
        for program in (kernel(), plain_python):
            with counted_by(program):
                stream = Resampler(rows)
                found.append(
                    stream.draw([table_of(rows)], 20) + stream.choose([table_of(rows)], 20)
                )
        assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.skipif(not HAS_KERNEL, reason="the kernel was not built")
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is told by Linux")
def test_draws_need_less_memory_than_the_table_once_more() -> None:
    program = r"""
import re, sys
from bleuet.statistics.resampling import Resampler
from bleuet.statistics.table import Table

def peak():
    return int(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) * 1024

rows, columns = 400_000, 10
integers = bytearray(8 * rows * columns)
table = Table([str(c) for c in range(columns)], (), rows, integers, b"")
small = table.select(range(10))
for draw in (Resampler(1).draw, Resampler(1).choose):
    draw([small], 3)
before = peak()
for draw in (Resampler(1).draw, Resampler(1).choose):
    draw([table], 40)
sys.exit(peak() - before >= len(integers))
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    assert subprocess.run([sys.executable, "-c", program], env=environment).returncode == 0


class TestNumpysOwnDraws:
    @pytest.mark.parametrize("rows", [1, 33, 200])
    def test_they_are_taken_where_they_differ(
        self, rows: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = table_of(rows)
        ours = Resampler(2)
        expected = [ours.choose([table], 130), ours.draw([table], 50)]
        monkeypatch.setattr(resampling, "_numpy_draws_same", False)
        monkeypatch.setattr(resampling, "_NUMBERS_AT_A_TIME", 1000)
        theirs = Resampler(2)
        assert isinstance(theirs._stream, resampling._NumpyStream)
        assert [theirs.choose([table], 130), theirs.draw([table], 50)] == expected

    def test_another_stream_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert resampling._agrees_with(np)

        class Other(resampling._NumpyStream):
            def __init__(self, seed: int) -> None:
                self.generator = np.random.Generator(np.random.MT19937(seed))

        monkeypatch.setattr(resampling, "_NumpyStream", Other)
        assert not resampling._agrees_with(np)

    @pytest.mark.parametrize("version", [None, "2.3.1"])
    def test_numpy_is_not_loaded(
        self, version: str | None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where it is missing, or where its version is known to draw the same."""
        expected = Resampler(2).draw([table_of(9)], 3)

        def loaded(library: str) -> None:
            raise AssertionError(library)

        monkeypatch.setattr(resampling, "_numpy_draws_same", None)
        monkeypatch.setattr(resampling, "_numpy_version", lambda: version)
        monkeypatch.setattr(resampling, "optional", loaded)
        assert Resampler(2).draw([table_of(9)], 3) == expected

    @pytest.mark.parametrize("version", ["", "3.0.0"])
    def test_an_unknown_version_is_tested(
        self, version: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tested: list[Any] = []
        monkeypatch.setattr(resampling, "_numpy_draws_same", None)
        monkeypatch.setattr(resampling, "_numpy_version", lambda: version)

        def agrees(numpy: Any) -> bool:
            tested.append(numpy)
            return True

        monkeypatch.setattr(resampling, "_agrees_with", agrees)
        Resampler(2)
        assert tested == [np]

    def test_the_version_is_read_without_numpy(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert resampling._numpy_version() == np.__version__
        monkeypatch.delitem(sys.modules, "numpy")
        assert resampling._numpy_version() == np.__version__


class TestMisuse:
    @pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
    def test_no_seed(self, seed: Any) -> None:
        with pytest.raises(OptionError, match="a seed must be a whole number of 0 or more"):
            Resampler(seed)

    def test_none_draws_anew(self) -> None:
        table = table_of(50)
        assert Resampler(None).draw([table], 20) != Resampler(None).draw([table], 20)

    @pytest.mark.parametrize("draws", [-1, 2.0, True])
    def test_no_number_of_draws(self, draws: Any) -> None:
        with pytest.raises(OptionError, match="number of draws"):
            Resampler(1).draw([table_of(3)], draws)

    def test_tables_of_other_segments(self) -> None:
        with pytest.raises(TableError, match="one has 3 rows and another 4"):
            Resampler(1).draw([table_of(3), table_of(4)], 1)
        for nothing in ([], [table_of(0)]):
            with pytest.raises(TableError, match="no segment to draw"):
                Resampler(1).draw(nothing, 1)

    def test_no_draw_is_an_empty_table(self) -> None:
        assert Resampler(1).draw([table_of(3)], 0)[0].rows == 0
