"""Ctrl-C, an error in the last line, or a full disk: no output, no half of a file, nothing left."""

from __future__ import annotations

import errno
import gc
import io
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

import pytest

from bleuet.cli import main as main_module
from bleuet.errors import InputError
from bleuet.output import failure
from tests.cli.conftest import Outcome, command, environment
from tests.corpora import REFERENCE, SYSTEM_A, write_lines
from tests.patience import PATIENCE, seconds_of_children, seconds_used, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LEVELS: tuple[list[str], ...] = ([], ["-s"])


class Endless:
    """A command that reads a pipe which never ends, fed with some lines first."""

    def __init__(self, *more: str) -> None:
        os.mkfifo("pipe")
        Path("spool").mkdir()
        self.process = subprocess.Popen(
            command("score", "ref.txt", "-i", "pipe", *more),
            env=environment(TMPDIR=str(Path("spool").absolute())),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        # Opening waits until the command has opened the other side, so it is past its start-up.
        self._pipe = os.open("pipe", os.O_WRONLY)

    def feed(self, lines: list[str]) -> None:
        os.write(self._pipe, "".join(f"{line}\n" for line in lines).encode())

    def stop(self, number: signal.Signals) -> Outcome:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        os.close(self._pipe)
        return Outcome(self.process.returncode, out, err)


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("to_file", [False, True])
@pytest.mark.usefixtures("folder")
def test_ctrl_c_while_reading(level: list[str], to_file: bool, threads: str) -> None:
    Path("out").write_text("old")
    more = ["-o", "out"] if to_file else []
    endless = Endless(*level, *more, "-t", threads)
    endless.feed(SYSTEM_A)
    before = set(os.listdir())
    outcome = endless.stop(signal.SIGINT)
    assert outcome == (130, "", "bleuet: interrupted\n")
    assert Path("out").read_text() == "old"
    assert set(os.listdir()) == before
    assert os.listdir("spool") == []


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.usefixtures("folder")
def test_ctrl_c_while_counting(level: list[str], metric: str) -> None:
    """Wherever it hits, during a run that takes seconds."""
    for name, lines in (("ref.txt", REFERENCE), ("a.txt", SYSTEM_A)):
        Path(name).write_text("".join(f"{line}\n" for line in lines) * 500_000, encoding="utf-8")
    _check_interrupted("score", "-m", metric, *level)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["score -t 1", "score -t 2", "score -s", "explain --segment 1", "compare"]
)
@pytest.mark.usefixtures("folder", "needs_kernel")
def test_ctrl_c_within_a_segment(words: str) -> None:
    """One segment, which alone takes about ten seconds."""
    text = "the cat sat on the mat and on the dog " * 2_600
    Path("ref.txt").write_text(f"{text}\n{text}\n", encoding="utf-8")
    Path("a.txt").write_text(f"{text[1:]}\n{text[2:]}\n", encoding="utf-8")
    _check_interrupted(*words.split(), "-m", "eed", after=1)


def _check_interrupted(name: str, *more: str, after: float = 0) -> None:
    """Check that a command on a.txt works little after Ctrl-C.

    Args:
        name: the command.
        *more: its arguments after the files.
        after: the seconds for which it works first.
    """
    before = seconds_of_children()
    with subprocess.Popen(
        command(name, "ref.txt", "-i", "a.txt", *more),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        _wait_for_start(process.pid)
        wait_until(lambda: seconds_used(process.pid) >= after)
        worked = seconds_used(process.pid)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, "", "bleuet: interrupted\n")
    assert seconds_of_children() - before - worked < 3


def _wait_for_start(pid: int) -> None:
    """Wait until a process has opened its corpus, or has read it already."""
    files = Path(f"/proc/{pid}/fd")
    if not files.is_dir():
        pytest.skip("there is no /proc to see what a process has opened")
    # Imports take a small part of a second.
    wait_until(
        lambda: (
            any(_target(link).endswith("ref.txt") for link in files.iterdir())
            or seconds_used(pid) > 1
        )
    )


def _target(link: Path) -> str:
    try:
        return os.readlink(link)
    except OSError:
        return ""


@pytest.mark.slow
@pytest.mark.parametrize("format_", ["text", "json", "jsonl", "csv", "markdown", "latex"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("to_file", [False, True])
def test_an_error_in_the_last_line(
    run: Callable[..., Outcome], format_: str, level: list[str], to_file: bool
) -> None:
    write_lines(Path("ref.txt"), REFERENCE * 20_000)
    lines = "".join(f"{line}\n" for line in SYSTEM_A * 20_000).encode()
    Path("a.txt").write_bytes(lines[:-2] + b"\xff\n")
    Path("out").write_text("old")
    before = set(os.listdir())
    more = ["-o", "out"] if to_file else []
    outcome = run("score", "ref.txt", "-i", "a.txt", "-m", "ter", "-f", format_, *level, *more)
    assert (outcome.code, outcome.out) == (1, "")
    assert re.search(r"a\.txt:80000: byte \d+ of the line \(0xff\) is not UTF-8", outcome.err)
    assert Path("out").read_text() == "old"
    assert set(os.listdir()) == before


class Full(io.BytesIO):
    """A file on a disk that is full."""

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_no_room_to_spool_rows(
    run: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_lines(Path("ref.txt"), REFERENCE * 20_000)
    write_lines(Path("a.txt"), SYSTEM_A * 20_000)
    monkeypatch.setattr("tempfile.TemporaryFile", Full)
    outcome = run("score", "ref.txt", "-i", "a.txt", "-s")
    assert (outcome.code, outcome.out) == (1, "")
    assert "TMPDIR" in outcome.err
    assert "No space left" in outcome.err


def test_no_room_for_the_file(run: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch) -> None:
    from bleuet.output.destination import Destination

    Path("out").write_text("old")
    monkeypatch.setattr(Destination, "_open", _open_full)
    outcome = run("score", "ref.txt", "-i", "a.txt", "-o", "out")
    assert outcome.code == 1
    assert "out cannot be written (No space left on device): make room" in outcome.err
    assert Path("out").read_text() == "old"
    assert not Path("begun").exists()


def _open_full(destination: object) -> object:
    Path("begun").touch()
    destination._unfinished = "begun"  # type: ignore[attr-defined]
    return Path("/dev/full").open("w")


@pytest.mark.parametrize("error", [KeyboardInterrupt(), InputError("a file ends early")])
def test_a_progress_bar_ends_before_the_message(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error comes from what reads the bar's generator, so that the generator waits."""
    order: list[str] = []

    def bar() -> Iterator[int]:
        try:
            yield 1
        finally:
            order.append("bar ended")

    def run(words: list[str]) -> int:
        for _ in bar():
            raise error
        return 0

    monkeypatch.setattr(main_module, "_run", run)

    def print_line(text: str) -> None:
        order.append("message")

    monkeypatch.setattr(failure, "print_line", print_line)
    assert main_module.main([]) in (1, 130)
    assert order == ["bar ended", "message"]


@pytest.mark.parametrize(
    ("code", "command", "at_once"),
    [
        (0, "score", True),
        (0, "compare", False),
        (1, "score", False),
        (2, "score", False),
        (3, "gate", False),
        (130, "score", True),
        (130, "compare", True),
    ],
)
def test_a_process_ends_at_once_only_if_nothing_remains_to_be_done(
    code: int, command: str, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an interruption nothing is flushed to a reader that may be gone."""

    class EndedAtOnceError(Exception):
        pass

    def end(code: int) -> None:
        raise EndedAtOnceError(code)

    monkeypatch.setattr(main_module, "own_process", lambda _: code)
    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(gc, "set_threshold", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["bleuet", command])
    with pytest.raises(EndedAtOnceError if at_once else SystemExit) as caught:
        main_module.run()
    assert caught.value.args == (code,)


def test_an_interruption_that_a_library_wraps(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(words: list[str]) -> int:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(main_module, "_run", run)
    assert main_module.main([]) == 130
    assert capsys.readouterr() == ("", "bleuet: interrupted\n")


@pytest.mark.parametrize(
    ("place", "module", "need"),
    [
        ("bleuet.text.files._open", "text.files", "read and keep the texts: use fewer segments"),
        ("bleuet.cli.text_input.count_batches", "engines.counting", "count the segments: use"),
        ("bleuet.statistics.table.Table.__init__", "statistics.table", "keep the counts: score"),
        ("bleuet.output.rendering.import_module", "output.rendering", "write the answer: score"),
    ],
)
def test_a_message_about_memory_names_what_needs_it(
    run: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch, place: str, module: str, need: str
) -> None:
    def fail(*arguments: object, **more: object) -> object:
        raise MemoryError

    # The error comes from the module, as if its own code had raised it.
    names = {"__name__": f"bleuet.{module}", "MemoryError": MemoryError}
    monkeypatch.setattr(place, FunctionType(fail.__code__, names))
    outcome = run("score", "ref.txt", "-i", "a.txt", "-f", "json", "-q")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"bleuet: error: there is not enough memory to {need}")
    assert outcome.err.count("\n") == 1
