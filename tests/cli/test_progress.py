"""The bar says how far a run has come, once the run takes long, and goes away with it."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.cli import progress
from bleuet.engines.counting import count_batches
from bleuet.metrics.ter.metric import TER
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source

if TYPE_CHECKING:
    from pathlib import Path


class Bar:
    """Stands in for the bar, and notes what is drawn."""

    def __init__(self) -> None:
        self.task_ids: list[int] = []
        self.shown: list[dict[str, Any]] = []
        self.stopped = 0

    def add_task(self, _: str, **shown: Any) -> int:
        self.shown.append(shown)
        self.task_ids.append(7)
        return 7

    def update(self, task: int, **shown: Any) -> None:
        assert task == 7
        self.shown.append(shown)

    def stop(self) -> None:
        self.stopped += 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Arguments:
    quiet = False


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> list[Bar]:
    """The bars that are drawn, by a run that takes long from its begin."""
    drawn: list[Bar] = []

    def draw(*_: Any) -> Bar:
        drawn.append(Bar())
        return drawn[-1]

    monkeypatch.setattr(progress, "_drawn", draw)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=Terminal()))
    return drawn


def test_a_bar_shows_the_bytes_and_segments_of_each_batch(tmp_path: Path, bars: list[Bar]) -> None:
    file = tmp_path / "a.txt"
    file.write_text("it rains\n" * 5, encoding="utf-8")
    with Parallel([Source(file)], [Source(file)], batch_size=2) as reader:
        counted = list(progress.with_bar(count_batches([TER()], reader), reader))
    assert [len(one.segments) for one in counted] == [2, 2, 1]
    (bar,) = bars
    assert bar.shown[0] == {"total": 2 * 45, "segments": 0}
    assert [shown["segments"] for shown in bar.shown[1:]] == [2, 4, 5]
    assert bar.shown[-1]["completed"] == 2 * 45
    assert bar.stopped == 1


def test_a_bar_shows_the_share_of_the_work(bars: list[Bar]) -> None:
    with progress.share_bar(Arguments()) as report:  # type: ignore[arg-type]
        assert report is not None
        for share in (0.25, 0.5, 1.0):
            report(share)
    (bar,) = bars
    assert bar.shown == [{"total": 1.0}, *({"completed": share} for share in (0.25, 0.5, 1.0))]
    assert bar.stopped == 1


def test_a_short_run_draws_nothing(bars: list[Bar], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 1e9)
    with progress.share_bar(Arguments()) as report:  # type: ignore[arg-type]
        assert report is not None
        report(0.5)
    assert bars == []


@pytest.mark.parametrize("why", ["quiet", "no terminal", "closed"])
def test_nothing_is_drawn_where_nobody_looks(
    why: str, bars: list[Bar], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments: Any = Arguments()
    arguments.quiet = why == "quiet"
    if why != "quiet":
        stderr = io.StringIO() if why == "no terminal" else None
        monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stderr))
    for made in (progress.share_bar, progress.encoding_bar):
        with made(arguments) as report:
            assert report is None
    assert bars == []
