"""Clients of every kind at once lose nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.mixed_load import run

HAS_PROC = Path("/proc/self/statm").exists()
pytestmark = [pytest.mark.long, pytest.mark.skipif(not HAS_PROC, reason="there is no /proc")]


def test_nothing_is_lost() -> None:
    assert run(20) == []
