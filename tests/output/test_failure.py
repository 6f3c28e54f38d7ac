"""What a command prints about errors that are neither its own nor of standard output."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from bleuet.errors import InputError
from bleuet.output.destination import Destination, ReaderLeftError, StandardOutput
from bleuet.output.failure import INPUT_ERROR, TRACEBACK, exit_code
from tests.cli.conftest import environment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ERRORS: dict[str, tuple[Exception, str]] = {
    "no cluster": (
        ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED)),
        "ConnectionRefusedError: [Errno 111] Connection refused",
    ),
    "a pipe to another process": (
        BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)),
        "BrokenPipeError: [Errno 32] Broken pipe",
    ),
    "a disk": (OSError(errno.EIO, os.strerror(errno.EIO)), "OSError: [Errno 5] Input/output error"),
    "a full disk elsewhere": (
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/var/spool/a"),
        "OSError: [Errno 28] No space left on device: '/var/spool/a'",
    ),
    "a name": (socket.gaierror(-2, "Name or service not known"), "gaierror: [Errno -2] Name or"),
    "a fault": (KeyError("column"), "KeyError: 'column'"),
    "lines": (RuntimeError("JVM exited\nat line 1\nat line 2"), "RuntimeError: JVM exited at"),
    "nothing": (AssertionError(), "(AssertionError)"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_any_other_error_is_one_line_that_says_what_failed(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    error, said = ERRORS[name]
    stdout = sys.stdout
    with monkeypatch.context() as changed:
        changed.delenv(TRACEBACK)
        assert exit_code(error) == INPUT_ERROR
    printed = capsys.readouterr().err
    assert printed.startswith("bleuet: error: the command failed (")
    assert said in printed
    assert f"set {TRACEBACK}=1 to see the traceback" in printed
    assert printed.count("\n") == 1
    assert "standard output" not in printed
    assert sys.stdout is stdout
    # With the variable, which the tests set, it is raised.
    with pytest.raises(type(error)):
        exit_code(error)


@pytest.mark.parametrize(
    "raised", [InputError("no file"), KeyboardInterrupt(), MemoryError(), ValueError("no")]
)
def test_a_progress_bar_is_gone_before_the_message(
    raised: BaseException, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def bar() -> Iterator[int]:
        try:
            yield 1
        finally:
            print("bar", file=sys.stderr)

    def run() -> None:
        drawn = bar()
        next(drawn)
        raise raised

    monkeypatch.delenv(TRACEBACK)
    try:
        run()
    except BaseException as error:
        exit_code(error)
        printed = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in printed] == ["bar", "bleuet"]


def test_errors_of_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setattr(sys, "stdout", sys.stdout)
        with (
            pytest.raises(InputError, match=r"standard output cannot be written .*No space"),
            StandardOutput(),
        ):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        assert sys.stdout is None
    for context in (StandardOutput(), Destination(None)):
        with monkeypatch.context() as changed:
            changed.setattr(sys, "stdout", sys.stdout)
            with pytest.raises(ReaderLeftError) as left, context:
                raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
        assert exit_code(left.value) == 0
        # A file that is read while the answer is written has a name.
        with pytest.raises(FileNotFoundError), context:
            os.stat("/no/such/file")


FAILING = """
import sys
from bleuet.cli import score
from bleuet.cli.main import run

def answer(args):
    raise {error}

score.answer = answer
sys.argv = ["bleuet", "score", "ref.txt", "-i", "ref.txt"]
run()
"""


@pytest.mark.parametrize(
    "error", ["BrokenPipeError(32, 'Broken pipe')", "ValueError('no')", "OSError(28, 'No space')"]
)
def test_the_exit_code_says_that_it_failed(tmp_path: Path, error: str) -> None:
    (tmp_path / "ref.txt").write_text("a b c d\n")
    variables = environment()
    del variables[TRACEBACK]
    done = subprocess.run(
        [sys.executable, "-c", FAILING.format(error=error)],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("bleuet: error: the command failed (")
    assert done.stderr.count("\n") == 1
