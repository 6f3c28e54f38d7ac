"""Clients of every kind at once lose nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.mixed_load import run

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read in /proc"),
]


def test_nothing_is_lost() -> None:
    assert run(20) == []
