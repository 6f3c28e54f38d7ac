"""Spooled rows are read as often as wanted, and are the rows that were counted."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.engines.counting import count_batches, keep_counted
from bleuet.engines.spooling import SpooledRows
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.ter.metric import TER
from bleuet.text.segments import TEXT, Segments

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bleuet.statistics.counted import Counted

SYSTEMS = [["a b c", "d", "e f", "", "a a a"], ["a b", "d e", "f", "g", "a"]]
REFERENCES: list[Any] = ["a b d", "d e", ["e", "e f g"], ["h", "i"], "a a"]


def batches(size: int) -> Iterator[Counted]:
    parts = range(0, len(REFERENCES), size)
    return count_batches(
        [BLEU(), TER()],
        (
            (
                [Segments(TEXT, texts[first : first + size]) for texts in SYSTEMS],
                Segments.references(REFERENCES[first : first + size], TEXT),
            )
            for first in parts
        ),
    )


@pytest.mark.parametrize("size", [1, 2, 5])
def test_rows_are_those_that_were_counted(size: int) -> None:
    rows = SpooledRows(batches(size))
    whole = keep_counted(batches(5))
    for _ in range(3):
        assert keep_counted(rows) == whole
        assert [n for counted in rows for n in counted.segments] == [1, 2, 3, 4, 5]


def test_references_per_segment_are_those_of_all_batches() -> None:
    """The first batches have one reference per segment, later ones two."""
    rows = SpooledRows(batches(1))
    assert rows.n_references == [None, None]
    assert {table.n_references for one in rows for some in one.tables for table in some} == {None}


def test_one_batch_needs_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", None)
    assert keep_counted(SpooledRows(batches(5))) == keep_counted(batches(5))


def test_the_file_disappears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rows = SpooledRows(batches(1))
    assert len(list(rows)) == 5
    del rows
    assert os.listdir(tmp_path) == []


def test_two_readers_do_not_disturb_each_other() -> None:
    rows = SpooledRows(batches(2))
    for one, other in zip(rows, rows, strict=True):
        assert one.tables == other.tables
