"""Columns of tables whose first line names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bleuet import InputError
from bleuet.text.source import Source
from bleuet.text.tables import read_table

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("value", ["1.5", "true", '"1.5"', "null", "[1]", '"one"', "1e400"])
def test_what_is_no_whole_number(tmp_path: Path, value: str) -> None:
    file = tmp_path / "table.jsonl"
    file.write_text(f'{{"segment": 1}}\n{{"segment": 2.0}}\n{{"segment": {value}}}\n')
    with pytest.raises(InputError, match=r"table\.jsonl:3: .*whole number"):
        read_table(Source(file)).whole_numbers("segment")


def test_whole_numbers(tmp_path: Path) -> None:
    file = tmp_path / "table.jsonl"
    file.write_text('{"segment": 1}\n{"segment": 2.0}\n{"segment": "-3"}\n{"segment": " 4 "}\n')
    assert read_table(Source(file)).whole_numbers("segment") == [1, 2, -3, 4]
