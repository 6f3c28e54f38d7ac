"""Damaged, edited and hostile files end in one sentence or in the numbers that were saved."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as arrow
import pytest
from pyarrow import parquet

from bleuet import TER, InputError, load_tables, save_tables
from bleuet.tablefile.parquet_layout import MAX_GROUP_ROWS, ParquetLayout
from bleuet.tablefile.schema import KEY
from tests import effort
from tests.evaluation_data import REPOSITORY
from tests.tablefile.edited_files import description_of, rewrite, with_checksums

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.slow, pytest.mark.libraries]


def test_no_file_ends_in_another_way(tmp_path: Path) -> None:
    """Many cases in one process of limited memory; `make fuzz` tries new ones."""
    first, cases = (random.randrange(2, 10**9), 5_000) if effort.is_fuzzing() else (0, 200)
    command = [sys.executable, "-m", "tests.tablefile.hostile_files", str(tmp_path)]
    program = subprocess.run(
        [*command, str(first), str(first + cases)],
        check=False,
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    last = (program.stderr.splitlines() or ["nothing"])[-1]
    assert program.returncode == 0, f"ended with {program.returncode} at: {last}"
    found = json.loads(program.stdout)
    assert found["faults"] == {}
    # Some cases are harmless, and most are not.
    assert found["ended"][""] > cases / 20
    assert found["ended"]["InputError"] > cases / 2


# --- Small files that would take much memory ------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = str(tmp_path / "tables.parquet")
    table = TER().count(["It rains .", "No ."] * 50, ["It rained .", "No !"] * 50)
    save_tables(path, [("mine", TER(), table)])
    return path


def rows(path: str, number: int, **settings: Any) -> None:
    """Write a file of many equal rows, with all checksums."""
    template = parquet.read_table(path, columns=None).schema
    values: dict[str, Any] = {
        "system": arrow.DictionaryArray.from_arrays(
            arrow.repeat(arrow.scalar(0, arrow.int32()), number), arrow.array(["mine"])
        ),
        "segment": arrow.array(range(1, number + 1)),
        "TER_num_edits": arrow.repeat(arrow.scalar(0), number),
        "TER_ref_length": arrow.repeat(arrow.scalar(1.0), number),
    }
    table = arrow.table(values).cast(template.remove_metadata())
    description = {**description_of(path), "segments": number}
    # Computing the checksum of so many rows would take long, and none is read.
    description = with_checksums(description, table.slice(0, 1))
    with parquet.ParquetWriter(path, table.schema, compression="zstd", **settings) as writer:
        writer.write_table(table, row_group_size=number)
        writer.add_key_value_metadata({KEY: json.dumps(description).encode()})


def claim_segments(path: str) -> None:
    rewrite(path, {**description_of(path), "segments": 10**9})


def large_group(path: str) -> None:
    rows(path, MAX_GROUP_ROWS + 1)


def encoded_in_nothing(path: str) -> None:
    settings = {"use_dictionary": ["system"], "column_encoding": {"segment": "DELTA_BINARY_PACKED"}}
    rows(path, 100_000, **settings)


def split_into_bytes(path: str) -> None:
    encodings = {"segment": "BYTE_STREAM_SPLIT"}
    rows(path, 100_000, use_dictionary=["system"], column_encoding=encodings)


def repeat_segments(path: str) -> None:
    ones = arrow.repeat(arrow.scalar(1), 200_000)

    def repeated(table: Any) -> Any:
        return arrow.table(
            [
                arrow.repeat(table[0].combine_chunks()[0].as_py(), 200_000),
                ones,
                ones,
                ones.cast("double"),
            ],
            names=table.schema.names,
        )

    rewrite(path, {**description_of(path), "segments": 200_000}, repeated)


def long_name(path: str) -> None:
    def named(table: Any) -> Any:
        return table.set_column(0, "system", arrow.array(["x" * 1_000_000] * table.num_rows))

    rewrite(path, description_of(path), named)


def nested(path: str) -> None:
    kind = arrow.int64()
    for _ in range(300):
        kind = arrow.struct([("a", kind)])
    rewrite(
        path, description_of(path), lambda table: table.append_column("b", arrow.nulls(100, kind))
    )


def claim_page(path: str) -> None:
    """Claim two gigabytes for a page; its checksum goes, to keep its header as long as it was."""
    whole = Path(path).read_bytes()
    with open(path, "rb") as file:
        start = ParquetLayout(path, file).groups[0].chunks["segment"].start
    number = rb"\x15([\x80-\xff]*[\0-\x7f])"
    header = re.compile(
        rb"\x15\x04" + 3 * number + rb"\x3c(\x15.+?\x15\x00\x12\x00)\x00", re.DOTALL
    )
    found = header.match(whole, start)
    assert found is not None
    stored, checksum, values = found[2], found[3], found[4]
    claimed = b"\x15\x04\x15\xfe\xff\xff\xff\x0f\x15" + stored + b"\x4c" + values
    gap = len(found[0]) - len(claimed) - 3
    assert len(checksum) == 5
    assert gap >= 0
    # A field of another kind, as long as what is left.
    claimed += b"\x88" + bytes([gap]) + bytes(gap) + b"\x00"
    Path(path).write_bytes(whole[:start] + claimed + whole[start + len(claimed) :])


BOMBS: dict[Callable[[str], None], str] = {
    claim_segments: "it has 100 rows, not 1000000000 for each of 1 systems",
    large_group: "it has a group of 1048577 rows",
    encoded_in_nothing: "it has 100000 rows in ",
    split_into_bytes: "it has 100000 rows in ",
    repeat_segments: "it has 200000 rows in",
    long_name: "its column system has a page of 1000004 bytes",
    nested: "its column b has neither numbers nor texts",
    claim_page: "its column segment has a page of 2147483647 bytes",
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_what_a_small_file_claims_takes_no_memory(path: str, bomb: Callable[[str], None]) -> None:
    bomb(path)
    assert os.path.getsize(path) < 5_000_000
    before = arrow.total_allocated_bytes(), arrow.default_memory_pool().max_memory()
    with pytest.raises(InputError, match="is damaged or was changed") as caught:
        load_tables(path)
    assert BOMBS[bomb] in str(caught.value)
    assert arrow.total_allocated_bytes() - before[0] < 1 << 20
