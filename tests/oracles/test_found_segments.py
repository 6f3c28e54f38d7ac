"""Segments that fuzzing found keep sacreBLEU's rows and scores, which are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.backends import counted_by_python
from tests.oracles.found_segments import FILE, Found, keep, read
from tests.oracles.sacrebleu_peer import Pair, rows_of

if TYPE_CHECKING:
    from pathlib import Path


def ours(found: Found) -> tuple[list[int | float], float]:
    metric = found.pair.ours()
    table = metric.count([found.hypothesis], [found.references])
    (row,), (score,) = rows_of(table), metric.segment_scores(table).values
    return row, score


def test_rows_and_scores_are_sacrebleus() -> None:
    segments = read()
    assert len(segments) >= 8
    for found in segments:
        assert ours(found) == (found.row, found.score), found
        with counted_by_python():
            assert ours(found) == (found.row, found.score), found


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
