"""Ray and Spark count what processes count."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import ShardSettings, score_shards
from bleuet.shards import scoring
from bleuet.study_settings import IntervalSettings
from tests.shards.test_faults import HYP, METRICS, REF, sums
from tests.shards.texts import killing

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.clusters, pytest.mark.slow, pytest.mark.libraries]


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_the_same_sums_although_workers_are_killed(
    engine: str, segments: list[dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Workers import the tests, and Spark's talk to the driver on this computer.
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    settings = ShardSettings(results="results", by="domain", workers=2)
    draws = IntervalSettings(draws=50)
    expected = score_shards(HYP, REF, METRICS, settings.replace(results=None), intervals=draws)
    notes = tmp_path / "notes"
    notes.mkdir()
    monkeypatch.setattr(scoring, "partial", killing(notes, [0, 2, 5], 1))
    found: Any = score_shards(HYP, REF, METRICS, settings.replace(engine=engine), intervals=draws)
    assert len(list(notes.iterdir())) == 3
    assert sums(found) == sums(expected)
    assert found.scores.intervals == expected.scores.intervals
    # Results are the same files, whatever counted.
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    again = score_shards(HYP, REF, METRICS, settings, intervals=draws)
    assert again.resumed == 6
    assert sums(again) == sums(expected)
