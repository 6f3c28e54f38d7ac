"""`bleuet tutorial`: every command works, and files of users stay."""

from __future__ import annotations

import subprocess
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.cli.main import main
from bleuet.cli.tutorial import FILES, LESSONS
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

# What the last command exits with, since its gate fails.
GATE_FAILED = 3


@pytest.mark.slow
def test_each_command_prints_an_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = []
    run = subprocess.run

    def noted(*args: Any, **settings: Any) -> subprocess.CompletedProcess[bytes]:
        done = run(*args, **settings)
        codes.append(done.returncode)
        return done

    monkeypatch.setattr(subprocess, "run", noted)
    assert main(["tutorial", str(tmp_path / "new" / "folder")]) == 0
    assert codes == [0] * (len(LESSONS) - 1) + [GATE_FAILED]
    captured = capfd.readouterr()
    assert captured.err == ""
    for lesson in LESSONS:
        assert f"\n$ bleuet {lesson.command}\n" in captured.out
    assert "= 48.90 81.3/59.1/42.2/28.2" in captured.out
    assert "failed by BLEU" in captured.out


def test_the_files_are_those_of_the_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert main(["tutorial", str(tmp_path), "--files-only"]) == 0
    assert capsys.readouterr().out.split().count("60") == 2 * len(FILES)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (REPOSITORY / "examples" / name).read_bytes()


def test_a_file_of_the_user_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "system-a.txt"
    own.write_text("mine\n")
    assert main(["tutorial", str(tmp_path)]) == 1
    assert "name another folder" in capsys.readouterr().err
    assert own.read_text() == "mine\n"


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["tutorial", str(tmp_path / "file")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be written" in line


class Terminal(StringIO):
    """A terminal where somebody has pressed Enter often enough."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("words", "times"), [((), len(LESSONS)), (("--no-pause",), 0)])
def test_on_a_terminal_each_command_waits_for_enter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], times: int
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    monkeypatch.setattr("sys.stdin", Terminal("\n" * len(LESSONS)))
    monkeypatch.setattr("sys.stdout", out := Terminal())
    assert main(["tutorial", str(tmp_path), *words]) == 0
    assert out.getvalue().count("Enter runs it") == times
