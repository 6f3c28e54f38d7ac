"""A folder with shards, and what a run without shards says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.shards.texts import write_shards

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def segments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The segments of six files `data/part-*.jsonl` in the working folder."""
    monkeypatch.chdir(tmp_path)
    return write_shards(tmp_path / "data")
