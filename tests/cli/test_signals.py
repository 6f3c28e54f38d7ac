"""Every command ends soon after a signal, and leaves its files as they were or complete."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bleuet.cli.main import COMMANDS as KNOWN
from tests.cli.signals import COMMANDS, PROCESSES, run

if TYPE_CHECKING:
    from pathlib import Path

HAS_PROC = (PROCESSES / "self/stat").exists()
NEEDS_PROC = pytest.mark.skipif(not HAS_PROC, reason="there is no /proc")
pytestmark = [pytest.mark.long, pytest.mark.libraries, NEEDS_PROC]


def test_every_command_is_tried() -> None:
    # A server ends with a signal, and the tutorial runs the others.
    assert {name.split()[0] for name in COMMANDS} | {"serve", "tutorial"} == set(KNOWN)


def test_signals_at_random_moments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    faults, worked = run(1, 3000, list(COMMANDS))
    assert faults == []
    assert worked < 5
