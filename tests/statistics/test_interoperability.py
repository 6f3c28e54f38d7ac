"""Other programs see a table's numbers where they lie: numpy, Arrow and DLPack, without a copy."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import bleuet
from bleuet import Table, TableError
from bleuet.statistics import interoperability
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

INTEGER_ROWS = [(1, 2), (3, 4), (5, 6)]
MIXED_ROWS = [(1, 2.5), (3, 4.25), (5, 0.0)]


@pytest.fixture(autouse=True)
def _collects_only_new_objects() -> Iterator[None]:
    """Make `gc.collect` quick in a process that has imported much."""
    gc.freeze()
    yield
    gc.unfreeze()


def integers() -> Table:
    return Table.from_rows(("a", "b"), (), INTEGER_ROWS)


def reals() -> Table:
    return Table.from_rows((), ("x", "y"), [(0.5, 1.5), (2.5, 3.5)])


def mixed() -> Table:
    return Table.from_rows(("a",), ("x",), MIXED_ROWS)


def address_of(view: memoryview) -> int:
    return int(np.frombuffer(view, dtype="u1").__array_interface__["data"][0])


@pytest.fixture(autouse=True)
def _nothing_stays_lent() -> Iterator[None]:
    """What is lent in a test must have been given back after it."""
    gc.collect()
    before = len(interoperability._lent), len(interoperability._offered)
    yield
    gc.collect()
    assert (len(interoperability._lent), len(interoperability._offered)) == before


class TestNumpy:
    def test_the_same_numbers_at_the_same_address(self) -> None:
        table = integers()
        array = np.asarray(table)
        assert array.tolist() == [list(row) for row in INTEGER_ROWS]
        assert array.dtype == np.int64
        assert array.shape == (3, 2)
        assert array.__array_interface__["data"][0] == address_of(table.blocks()[0])
        assert np.shares_memory(array, np.asarray(table))

    def test_nobody_can_change_them(self) -> None:
        array = np.asarray(integers())
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 9
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True

    def test_they_outlive_the_table(self) -> None:
        arrays = []
        for _ in range(50):
            table = integers()
            arrays.append(np.asarray(table))
            del table
        gc.collect()
        filler = [bytearray(48) for _ in range(1000)]
        assert all(array.tolist() == [[1, 2], [3, 4], [5, 6]] for array in arrays)
        assert len(filler) == 1000

    def test_reals(self) -> None:
        array = np.asarray(reals())
        assert array.dtype == np.float64
        assert array.tolist() == [[0.5, 1.5], [2.5, 3.5]]

    def test_columns_and_blocks(self) -> None:
        table = mixed()
        for name in table.columns:
            column = np.asarray(table.column(name))
            assert column.tolist() == table.column(name).tolist()
            assert not column.flags.writeable
            assert column.__array_interface__["data"][0] == address_of(table.column(name))

    def test_both_kinds_do_not_fit_one_array(self) -> None:
        with pytest.raises(TableError, match="do not fit into one array"):
            np.asarray(mixed())
        with pytest.raises(TableError, match="do not fit into one array"):
            np.from_dlpack(mixed())

    def test_no_rows(self) -> None:
        assert np.asarray(Table.from_rows(("a", "b"), (), [])).shape == (0, 2)


class TestDLPack:
    def test_the_same_numbers_at_the_same_address(self) -> None:
        for table in (integers(), reals()):
            array = np.from_dlpack(table)
            block = table.blocks()[0] if table.integer_columns else table.blocks()[1]
            assert array.tolist() == np.asarray(table).tolist()
            assert array.dtype == np.asarray(table).dtype
            assert array.__array_interface__["data"][0] == address_of(block)
            assert not array.flags.writeable

    def test_they_outlive_the_table(self) -> None:
        table = integers()
        array = np.from_dlpack(table)
        del table
        gc.collect()
        assert array.tolist() == [[1, 2], [3, 4], [5, 6]]

    def test_they_are_given_back(self) -> None:
        before = len(interoperability._lent)
        array = np.from_dlpack(integers())
        assert len(interoperability._lent) == before + 1
        del array
        gc.collect()
        assert len(interoperability._lent) == before

    @pytest.mark.parametrize("max_version", [(1, 0), (1, 1), (2, 0)])
    def test_a_capsule_that_no_one_takes_is_freed(self, max_version: tuple[int, int]) -> None:
        before = len(interoperability._lent)
        capsule = integers().__dlpack__(max_version=max_version)
        assert 'capsule object "dltensor_versioned"' in repr(capsule)
        assert len(interoperability._lent) == before + 1
        del capsule
        gc.collect()
        assert len(interoperability._lent) == before

    def test_a_copy_may_be_changed(self) -> None:
        table = integers()
        array = np.from_dlpack(table, copy=True)
        assert array.flags.writeable
        array[0, 0] = 9
        assert table.row(0).values == (1, 2)
        assert array.tolist() == [[9, 2], [3, 4], [5, 6]]

    def test_a_borrower_of_old_gets_a_copy_or_nothing(self) -> None:
        # Before version 1 there is no flag for numbers that may not be changed.
        with pytest.raises(BufferError, match="copy=True"):
            integers().__dlpack__()
        with pytest.raises(BufferError, match="copy=True"):
            integers().__dlpack__(max_version=(0, 8))
        assert '"dltensor"' in repr(integers().__dlpack__(copy=True))

    def test_it_lies_in_main_memory(self) -> None:
        assert integers().__dlpack_device__() == (1, 0)
        assert integers().__dlpack__(max_version=(1, 0), dl_device=(1, 0))
        with pytest.raises(BufferError, match=r"not on the device \(2, 0\)"):
            integers().__dlpack__(max_version=(1, 0), dl_device=(2, 0))

    def test_no_rows(self) -> None:
        assert np.from_dlpack(Table.from_rows(("a", "b"), (), [])).shape == (0, 2)


@pytest.mark.libraries
class TestArrow:
    @pytest.fixture(autouse=True)
    def _arrow(self) -> None:
        import pyarrow as arrow

        self.arrow: Any = arrow

    def test_a_record_batch_of_both_kinds(self) -> None:
        batch = self.arrow.record_batch(mixed())
        assert batch.schema.names == ["a", "x"]
        assert [str(kind) for kind in batch.schema.types] == ["int64", "double"]
        assert batch.to_pydict() == {"a": [1, 3, 5], "x": [2.5, 4.25, 0.0]}
        batch.validate(full=True)

    def test_the_same_addresses(self) -> None:
        table = mixed()
        batch = self.arrow.record_batch(table)
        for name in table.columns:
            (validity, numbers) = batch.column(name).buffers()
            assert validity is None
            assert numbers.address == address_of(table.column(name))
            assert not numbers.is_mutable

    def test_they_outlive_the_table(self) -> None:
        table = mixed()
        batch = self.arrow.record_batch(table)
        column = batch.column("a")
        del table, batch
        gc.collect()
        filler = [bytearray(24) for _ in range(1000)]
        assert column.to_pylist() == [1, 3, 5]
        assert len(filler) == 1000
        del column

    def test_a_table_through_arrow(self) -> None:
        table = self.arrow.table(mixed())
        assert table.num_rows == 3
        assert table.column("x").to_pylist() == [2.5, 4.25, 0.0]

    def test_a_capsule_outlives_what_was_released_through_it(self) -> None:
        """A schema is released where it lies, and its capsule looks at it once more after that."""
        before = len(interoperability._lent)
        for _ in range(200):
            schema, array = mixed().__arrow_c_array__()
            batch = self.arrow.RecordBatch._import_from_c_capsule(schema, array)
            del schema, array
            assert batch.to_pydict()["a"] == [1, 3, 5]
            del batch
            gc.collect()
            assert len(interoperability._lent) == before

    def test_a_schema_alone(self) -> None:
        schema = self.arrow.schema(integers())
        assert schema.names == ["a", "b"]

    def test_no_rows(self) -> None:
        assert self.arrow.record_batch(Table.from_rows(("a",), ("x",), [])).num_rows == 0

    def test_selected_and_joined_tables_too(self) -> None:
        table = Table.concatenate([mixed().select([2, 0]), mixed()])
        batch = self.arrow.record_batch(table)
        assert batch.to_pydict() == {"a": [5, 1, 1, 3, 5], "x": [0.0, 2.5, 2.5, 4.25, 0.0]}


def test_capsules_that_no_one_takes_are_freed() -> None:
    before = len(interoperability._lent)
    schema, array = mixed().__arrow_c_array__()
    assert '"arrow_schema"' in repr(schema)
    assert '"arrow_array"' in repr(array)
    assert len(interoperability._lent) > before
    del schema, array
    gc.collect()
    assert len(interoperability._lent) == before


LENDS_AT_THE_END = """
import numpy
from bleuet import Table
array = numpy.from_dlpack(Table.from_rows(("a",), (), [(1,), (2,)]))
capsule = Table.from_rows(("a",), (), [(1,)]).__dlpack__(max_version=(1, 0))
schema, rows = Table.from_rows(("a",), ("x",), [(1, 2.0)]).__arrow_c_array__()
try:
    import pyarrow
    batch = pyarrow.record_batch(Table.from_rows(("a",), ("x",), [(1, 2.0)]))
except ImportError:
    pass
print(array.tolist())
"""


@pytest.mark.slow
def test_what_is_lent_when_the_program_ends_does_no_harm() -> None:
    place = str(Path(bleuet.__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", LENDS_AT_THE_END],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([place, os.environ.get("PYTHONPATH", "")]),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[[1], [2]]\n", "")


def test_the_address_is_the_buffers_own() -> None:
    block = bytearray(b"12345678")
    there = ctypes.addressof(ctypes.c_char.from_buffer(block))
    assert interoperability._address(memoryview(block).toreadonly()) == there
    assert interoperability._address(memoryview(b"")) == 0
