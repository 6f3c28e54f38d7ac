"""What a destination does in a program that is not bleuet's own, and where an interrupt hits it."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import signal
import stat
import sys
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from bleuet.errors import InputError, OptionError
from bleuet.output import destination
from bleuet.output.descriptor import Descriptor
from bleuet.output.destination import Destination, check_destination, flush_standard_output

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_byte_is_written_where_writes_are_short() -> None:
    """A pipe that takes a page, and a reader that reads bytes."""
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing, False)
    text = "one, two, thrée\n" * 2000
    found = bytearray()

    def read() -> None:
        while block := os.read(reading, 777):
            found.extend(block)

    reader = Thread(target=read)
    with io.TextIOWrapper(io.BufferedWriter(Descriptor(writing, "w")), "utf-8") as out:
        reader.start()
        out.write(text)
    reader.join()
    os.close(reading)
    assert found.decode() == text


def test_a_library_leaves_signals_and_streams_alone() -> None:
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers], sys.stdout, sys.stderr
    with Destination("scores.txt") as out:
        out.write("1.0")
        during = [signal.getsignal(number) for number in numbers], sys.stdout, sys.stderr
    assert during == before
    assert ([signal.getsignal(number) for number in numbers], sys.stdout, sys.stderr) == before
    assert not Destination.is_program


def test_the_temporary_file_of_a_private_file_is_private() -> None:
    Path("private").write_text("old")
    Path("private").chmod(0o600)
    with Destination("private") as out:
        (temporary,) = Path().glob(".private*")
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600
        out.write("new")
    assert Path("private").read_text() == "new"
    assert os.listdir() == ["private"]


@pytest.mark.parametrize("name", ["n" * 255, "中" * 85, "😀" * 63])
def test_the_longest_names(name: str) -> None:
    with Destination(name) as out:
        out.write("new")
    assert os.listdir() == [name]


def test_two_at_a_time_write_one_file() -> None:
    with Destination("out") as first, Destination("out") as second:
        first.write("1")
        second.write("2")
    assert os.listdir() == ["out"]


# Where a signal can interrupt: each function that a destination calls, as its first line runs.
STEPS: list[tuple[object, str]] = [
    (destination, "check_path"),
    (Destination, "_open"),
    (Destination, "_open_descriptor"),
    (Destination, "_open_unfinished"),
    (Destination, "_finish"),
    (os, "chmod"),
    (os, "replace"),
    (io, "TextIOWrapper"),
]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step[1])
def test_an_interrupt_leaves_no_temporary_file(
    step: tuple[object, str], after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("out").write_text("old")
    monkeypatch.setattr(*step, interrupted(getattr(*step), after))
    with pytest.raises(KeyboardInterrupt), Destination("out") as out:
        out.write("new")
    assert os.listdir() == ["out"]
    assert Path("out").read_text() == (
        "new" if after and step[1] in ("_finish", "replace") else "old"
    )
    assert destination.unfinished == set()


def interrupted(function: Callable[..., object], after: bool) -> Callable[..., object]:
    def interrupt(*arguments: object, **more: object) -> object:
        if after:
            function(*arguments, **more)
        raise KeyboardInterrupt

    return interrupt


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(5, "disk"), ValueError()])
def test_an_error_leaves_what_was_appended_to(error: BaseException) -> None:
    def append(then: BaseException | None) -> None:
        with Destination("log", append=True) as out:
            out.write("new\n")
            out.flush()
            if then is not None:
                raise then

    Path("log").write_text("old\n")
    with pytest.raises(InputError if isinstance(error, OSError) else type(error)):
        append(error)
    assert Path("log").read_text() == "old\n"
    append(None)
    assert Path("log").read_text() == "old\nnew\n"


def test_an_error_writes_nothing_more_to_a_pipe() -> None:
    """What the program still holds is the beginning of an answer that never comes."""
    reading, writing = os.pipe()

    def write() -> None:
        with Destination(f"/dev/fd/{writing}") as out:
            out.write("half of an answer")
            raise KeyError

    with pytest.raises(KeyError):
        write()
    os.close(writing)
    assert os.read(reading, 100) == b""
    os.close(reading)


def test_an_error_at_closing_standard_output_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network file system may find out only then that a quota is used up."""

    def close(number: int) -> None:
        raise OSError(errno.EDQUOT, "no quota")

    with Path("out").open("w") as out, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", out)
        patched.setattr(os, "close", close)
        with pytest.raises(InputError, match=r"standard output cannot be written .no quota."):
            flush_standard_output()


@pytest.mark.parametrize("path", ["nul\0", "x" * 256, "out/inside"])
def test_impossible_names_are_errors(path: str) -> None:
    Path("out").touch()
    with pytest.raises(InputError, match="cannot be written"), Destination(path):
        pass


@pytest.mark.parametrize("name", ["a.txt", "./a.txt", "folder/../a.txt", "soft", "hard", ""])
def test_an_input_is_not_overwritten_under_any_of_its_names(name: str, folder: Path) -> None:
    Path("a.txt").write_text("kept")
    Path("folder").mkdir()
    Path("soft").symlink_to("a.txt")
    Path("hard").hardlink_to("a.txt")
    path = name or str(folder / "a.txt")  # the whole path
    with pytest.raises(OptionError, match="would overwrite a file that is read"):
        check_destination(path, ["b.txt", "a.txt"])
    check_destination(path, ["b.txt"])
