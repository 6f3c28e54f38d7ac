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


@pytest.mark.parametrize(
    ("name", "head", "row"),
    [
        ("a.tsv", "segment\n", "{}\n"),
        ("a.csv", "segment,text\n", '{},"of two\nlines"\n'),
        ("a.jsonl", "", '{{"segment": "{}"}}\n'),
    ],
)
def test_a_row_of_a_later_batch_has_its_own_line(
    tmp_path: Path, name: str, head: str, row: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The place of a row is where it begins, however many rows were read before."""
    records = Source.records
    monkeypatch.setattr(Source, "records", lambda self: records(self, batch_rows=2))
    content = head
    for wrong in range(7):
        file = tmp_path / name
        line = content.count("\n") + 1
        content += row.format(wrong)
        file.write_text(head + "".join(row.format("x" if n == wrong else n) for n in range(7)))
        table = read_table(Source(file))
        assert table.place(wrong) == f"{file}:{line}"
        with pytest.raises(InputError, match=rf":{line}: segment is 'x'"):
            table.whole_numbers("segment")
