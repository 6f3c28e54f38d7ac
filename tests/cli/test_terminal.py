"""What only a terminal shows: the table, the progress bar, and what NO_COLOR and TERM change."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import command, environment
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B, write_lines
from tests.patience import PATIENCE

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("folder")]
BAR = "segments,"
# Writes a file into a pipe whose end never comes.
HALF = """
import signal
with open("pipe", "wb") as pipe:
    pipe.write(open("ref2.txt", "rb").read())
    pipe.flush()
    signal.pause()
"""
ERASE = "\x1b[2K"


class Terminal:
    """A terminal of some width, and a command that has some of its streams there."""

    def __init__(
        self, arguments: list[str], width: int, env: dict[str, str], **streams: int
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
        where: dict[str, Any] = {"stdin": theirs, "stdout": theirs, "stderr": theirs, **streams}
        self.process = subprocess.Popen(
            command(*arguments),
            env=environment(**{"TERM": "xterm-256color", **env}),
            start_new_session=True,
            text=True,
            **where,
        )
        os.close(theirs)
        self.shown = ""

    def read(self, until: str | None = None) -> str:
        """Read what is shown, to the end or until some text is."""
        while until is None or until not in self.shown:
            ready, _, _ = select.select([self._ours], [], [], PATIENCE)
            assert ready, f"nothing more is shown behind {self.shown!r}"
            try:
                data = os.read(self._ours, 65536)
            except OSError:  # Linux says so that the other side is closed
                break
            if not data:
                break
            self.shown += data.decode()
        return self.shown

    def end(self) -> str:
        self.read()
        os.close(self._ours)
        self.process.wait(PATIENCE)
        return self.shown.replace("\r\n", "\n")


def show(*arguments: str, width: int = 80, **env: str) -> str:
    terminal = Terminal(list(arguments), width, env)
    shown = terminal.end()
    assert terminal.process.returncode == 0, shown
    return shown


def plain(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)


SCORE = ("score", "ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu", "chrf", "ter")


@pytest.mark.parametrize("width", [40, 80])
def test_the_table_is_whole_at_every_width(width: int) -> None:
    rows = [line.split() for line in plain(show(*SCORE, width=width)).splitlines()]
    printed = subprocess.run(
        command(*SCORE), env=environment(), capture_output=True, text=True, check=True
    )
    wanted = [line.split() for line in printed.stdout.splitlines()]
    assert rows[:4] == wanted[:4]
    assert ["".join(row) for row in rows[4:]] == ["".join(row) for row in wanted[4:]]


@pytest.mark.parametrize("width", [40, 80])
def test_intervals_stand_beside_scores(width: int) -> None:
    arguments = (*SCORE, "--confidence", "--draws", "50", "-q")
    shown = plain(show(*arguments, width=width))
    printed = subprocess.run(
        command(*arguments), env=environment(), capture_output=True, text=True, check=True
    )
    wanted = [line.split() for line in printed.stdout.splitlines()[:3]]
    assert [line.split() for line in shown.splitlines()[:3]] == wanted
    assert printed.stdout.count("±") == 6 + len(["note"])


def test_words_that_differ_have_colours_and_signs() -> None:
    arguments = ("explain", "--hypothesis", "a cat", "--reference", "a dog", "-m", "ter")
    shown = show(*arguments)
    assert "\x1b[32m{+cat+}\x1b[0m" in shown
    assert "\x1b[31m[-dog-]\x1b[0m" in shown
    without = show(*arguments, NO_COLOR="1")
    assert "{+cat+}" in without
    assert "\x1b[3" not in without


@pytest.mark.parametrize("width", [20, 30])
def test_no_number_is_cut_off_on_a_narrow_terminal(width: int) -> None:
    shown = plain(show(*SCORE, "--cumulative", width=width))
    assert "…" not in shown
    assert len(re.findall(r"\b\d+\.\d\d\b", shown)) == 2 * 7


def test_a_long_name_is_folded_and_not_the_numbers() -> None:
    name = "a-very-long-name-" * 6 + ".txt"
    write_lines(Path(name), SYSTEM_A)
    shown = plain(show("score", "ref.txt", "-i", name, "b.txt", width=60))
    assert "".join(line.split(" ")[0] for line in shown.splitlines()[1:3]) in name
    assert "…" not in shown


def test_the_best_of_each_column_is_bold() -> None:
    shown = show(*SCORE)
    (best,) = [line for line in shown.splitlines() if line.startswith("a ")]
    assert best.count("\x1b[1;32m") == 3  # TER too, where lower is better
    (other,) = [line for line in shown.splitlines() if line.startswith("b ")]
    assert "\x1b" not in other


def test_one_system_is_shown_with_its_details() -> None:
    shown = show("score", "ref.txt", "-i", "a.txt")
    assert "1;32m" not in shown
    assert "(BP = " in shown


def test_names_are_no_markup_and_steer_nothing() -> None:
    for name in ("[bold]x.txt", ":smile:.txt", "red\x1b[31m.txt"):
        write_lines(Path(name), SYSTEM_B)
    shown = show("score", "ref.txt", "-i", "[bold]x.txt", ":smile:.txt", "red\x1b[31m.txt")
    for name in ("[bold]x", ":smile:", r"red\x1b[31m"):
        assert f"\n{name}" in shown
    assert "\x1b[31m" not in shown


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colours_where_none_are_wanted(env: dict[str, Any]) -> None:
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", show(*SCORE, **env))


@pytest.mark.parametrize("format_", ["json", "markdown"])
def test_other_formats_are_the_same_on_a_terminal(format_: str) -> None:
    printed = subprocess.run(
        command(*SCORE, "-f", format_),
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert show(*SCORE, "-f", format_, width=500) == printed.stdout


def test_help_is_as_wide_as_the_terminal() -> None:
    widest = max(map(len, plain(show("score", "--help", width=80)).splitlines()))
    assert 70 < widest <= 80
    assert max(map(len, show("score", "--help", width=200).splitlines())) > 80


def test_no_input_from_a_terminal_is_not_waited_for() -> None:
    terminal = Terminal(["score", "ref.txt"], 80, {})
    assert "no hypotheses: name a file" in terminal.end()
    assert terminal.process.returncode == 2


# --- Progress -------------------------------------------------------------------------------------


def big(name: str, lines: list[str], times: int) -> None:
    write_lines(Path(name), lines * times)


@pytest.fixture
def large(needs_kernel: None) -> tuple[str, ...]:
    """A corpus that takes more than the bar's patience, even on a fast machine."""
    big("ref.txt", REFERENCE, 10_000)
    big("ref2.txt", REFERENCE_2, 10_000)
    big("a.txt", SYSTEM_A, 10_000)
    return (
        "score",
        "ref.txt",
        "ref2.txt",
        "-i",
        "a.txt",
        "-m",
        "bleu",
        "chrf++",
        "eed",
        "-f",
        "csv",
        "-t",
        "1",
    )


def test_the_bar_is_shown_and_wiped_away(large: tuple[str, ...]) -> None:
    with Path("out").open("w") as out:
        terminal = Terminal(list(large), 80, {}, stdout=out.fileno())
        shown = terminal.end()
    assert terminal.process.returncode == 0
    assert BAR in shown
    assert "left" in shown
    assert shown.endswith(ERASE)
    assert BAR not in Path("out").read_text()
    assert "\x1b" not in Path("out").read_text()


def test_no_bar_in_a_pipe_or_when_quiet_or_on_a_dumb_terminal(large: tuple[str, ...]) -> None:
    printed = subprocess.run(command(*large), env=environment(), capture_output=True, text=True)
    assert printed.stderr == ""
    assert show(*large, "--quiet") == printed.stdout
    assert show(*large, TERM="dumb") == printed.stdout


def test_a_small_corpus_shows_no_bar() -> None:
    assert BAR not in show(*SCORE)


def test_an_interrupted_bar_leaves_the_terminal_as_it_was(large: tuple[str, ...]) -> None:
    os.mkfifo("pipe")
    with subprocess.Popen([sys.executable, "-c", HALF]) as feeder:
        arguments = [word.replace("ref2.txt", "pipe") for word in large]
        terminal = Terminal(arguments, 80, {})
        terminal.read(until=BAR)
        terminal.process.send_signal(signal.SIGINT)
        shown = terminal.end()
        feeder.terminate()
    assert terminal.process.returncode == 130
    assert shown.endswith(f"{ERASE}bleuet: interrupted\n")
    assert "\x1b[?25h" in shown  # the cursor is shown again
