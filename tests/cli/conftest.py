"""What the tests of the command line share: a folder of small files, and ways to run commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import bleuet
from bleuet.cli.main import main
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B, write_lines
from tests.patience import PATIENCE
from tests.report.charts_library import stand_in_for_vl_convert

if TYPE_CHECKING:
    from collections.abc import Callable

stand_in_for_vl_convert()
SOURCE = Path(bleuet.__file__).parent.parent


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with two references and two systems in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    write_lines(tmp_path / "ref.txt", REFERENCE)
    write_lines(tmp_path / "ref2.txt", REFERENCE_2)
    write_lines(tmp_path / "a.txt", SYSTEM_A)
    write_lines(tmp_path / "b.txt", SYSTEM_B)
    return tmp_path


@pytest.fixture
def run(folder: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run a command in this process."""

    def run_here(*arguments: str) -> Outcome:
        capfd.readouterr()
        code = main(arguments)
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return run_here


def environment(**more: str) -> dict[str, str]:
    dropped = {
        "PYTHONIOENCODING",
        "PYTHONUTF8",
        "PYTHONUNBUFFERED",
        "LC_ALL",
        "NO_COLOR",
        "COLUMNS",
    }
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    return {**kept, "PYTHONPATH": str(SOURCE), "LANG": "C.UTF-8", **more}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bleuet", *arguments]


def run_apart(
    *arguments: str,
    stdin: bytes | None = None,
    env: dict[str, str] | None = None,
    encoding: str = "utf-8",
) -> Outcome:
    """Run a command in a process of its own, in the working folder."""
    done = subprocess.run(
        command(*arguments),
        stdin=subprocess.DEVNULL if stdin is None else None,
        input=stdin,
        capture_output=True,
        env=env or environment(),
        timeout=PATIENCE,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(encoding), done.stderr.decode())
