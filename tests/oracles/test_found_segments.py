"""Segments that fuzzing found keep sacreBLEU's rows and scores, which are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.backends import counted_by_python
from tests.oracles.found_segments import FILE, Found, keep, read
from tests.oracles.sacrebleu_peer import OF_STORED, Pair, rows_of

if TYPE_CHECKING:
    from pathlib import Path


def assert_equal(found: Found) -> None:
    metric = found.pair.ours()
    table = metric.count([found.hypothesis], [found.references])
    assert rows_of(table) == [found.row], found
    assert list(metric.segment_scores(table).values) == [
        pytest.approx(found.score, rel=OF_STORED, abs=0)
    ], found


def test_rows_and_scores_are_sacrebleus() -> None:
    segments = read()
    assert len(segments) >= 8
    for found in segments:
        assert_equal(found)
        with counted_by_python():
            assert_equal(found)


def test_a_segment_is_kept_once_with_every_character(tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    file.touch()
    texts = "\ud83d\ude00 😀 \\n\n\0é\ud800", ["你", None, "\\ud83d"]
    found = Found(Pair("bleu", {"lowercase": True}), *texts, [1, 2.5], 0.1 + 0.2)
    keep(found, file)
    keep(found, file)
    keep(found._replace(score=1.0), file)
    assert read(file) == [found, found._replace(score=1.0)]


def test_every_segment_is_kept_once() -> None:
    lines = FILE.read_text(encoding="ascii").splitlines()
    assert len(lines) == len(set(lines))
