"""Saved tables that were edited with the library for Parquet, with or without new checksums."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pyarrow as arrow
from pyarrow import parquet

from bleuet.tablefile.schema import CHECKSUM, KEY, checksum_of

if TYPE_CHECKING:
    from collections.abc import Callable


def description_of(path: str) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(parquet.read_metadata(path).metadata[KEY])
    return described


def rewrite(
    path: str,
    description: object,
    change: Callable[[Any], Any] | None = None,
    *,
    checksums: bool = True,
    **settings: Any,
) -> None:
    """Write a file again.

    Args:
        path: the file.
        description: its new description.
        change: what changes its table.
        checksums: whether to compute the checksums anew, as only a forger does.
        settings: those of the library.
    """
    table = parquet.read_table(path)
    table = table if change is None else change(table)
    if checksums:
        description = with_checksums(description, table)
    encoded = description if isinstance(description, bytes) else json.dumps(description).encode()
    with parquet.ParquetWriter(path, table.schema, **settings) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({KEY: encoded})


def with_checksums(description: Any, table: Any) -> Any:
    """Return a description with the checksums of a table, as far as both have what they need."""
    if not isinstance(description, dict):
        return description
    description = {name: value for name, value in description.items() if name != CHECKSUM}
    try:
        names = table["system"].to_pylist()
        columns = [
            table[f"{m['prefix']}_{name}"]
            for m in description["metrics"]
            for name in (*m["integer_columns"], *m["real_columns"])
        ]
        description["checksums"] = [
            "".join(f"{_checksum(column, names, system):08x}" for column in columns)
            for system in description["systems"]
        ]
    except (KeyError, TypeError, ValueError):
        pass  # what is wrong with them is found before the checksums
    return {**description, CHECKSUM: checksum_of(description)}


def _checksum(column: Any, names: list[str | None], system: str) -> int:
    own = column.filter(
        arrow.array([name == system for name in names], arrow.bool_())
    ).combine_chunks()
    if own.type not in (arrow.int64(), arrow.float64()):
        return 0
    return crc32(memoryview(own.buffers()[1])[8 * own.offset : 8 * (own.offset + len(own))])
