"""Every byte is written or the exit code says no, whatever happens to the output.

The commands, their formats and the flags that name output files come from their declarations.
"""

from __future__ import annotations

import fcntl
import os
import signal
import stat
from functools import cache
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from bleuet.cli.main import COMMANDS
from bleuet.cli.options import OUTPUT_FILE
from bleuet.output.rendering import FORMATS
from tests.cli.fork_server import Server
from tests.cli.test_every_format import EMPTY, RUNS, A, B, write_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cli.conftest import Outcome

pytestmark = pytest.mark.slow
TEXTS = ("ref.txt", "-i", A, B)
# What prints by itself, or no document.
ALONE: dict[str, tuple[str, ...]] = {
    "version": ("--version",),
    "help": ("--help",),
    "sacrebleu": ("sacrebleu", *TEXTS, "-q"),
    "sacrebleu of sentences": ("sacrebleu", "ref.txt", "-i", A, "-sl", "-q"),
    "sacrebleu as JSON": ("sacrebleu", "ref.txt", "-i", A, "-sl", "-f", "json", "-q"),
    "help of score": ("score", "--help"),
}


def cases() -> Iterator[Any]:
    """Yield the runs of each command: as text, and in turns in the other formats."""
    others = cycle(name for name in FORMATS if name != "text")
    for name, words in RUNS.items():
        yield pytest.param([(*words, "-f", "text")], id=name)
        runs = [(*words, "-f", one) for one in islice(others, 2)]
        yield pytest.param(runs, marks=pytest.mark.long, id=f"{name} in other formats")
    for name, words in ALONE.items():
        yield pytest.param([words], id=name)
    for name in sorted(COMMANDS.keys() - {"score"}):
        yield pytest.param([(name, "--help")], marks=pytest.mark.long, id=f"help of {name}")
    yield pytest.param([("completion", "bash")], marks=pytest.mark.libraries, id="completion")


every = pytest.mark.parametrize("runs", [*cases()])
PIPE_BYTES = MESSAGE_BYTES = 4096


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("faults")
    write_files(folder)
    with Server(folder) as running:
        yield running


Printed: TypeAlias = "Callable[..., Outcome]"


@pytest.fixture(scope="module")
def printed(server: Server) -> Printed:
    """What a command prints where nothing is wrong; it is run once."""

    @cache
    def run(*words: str) -> Outcome:
        outcome = server.run(*words)
        assert outcome.code in (0, 3), outcome.err
        is_empty = words[:-2] in [RUNS[name] for name in EMPTY]
        assert outcome.out or is_empty, words
        return outcome

    return run


def test_every_command_is_here() -> None:
    tried = {words[0] for case in cases() for words in case.values[0]}
    assert tried > COMMANDS.keys()


def check_error(outcome: Outcome, words: object, warnings: str = "") -> None:
    """An error is one line, without a traceback, after the warnings that the command prints."""
    assert outcome.code == 1, words
    assert outcome.err.startswith(warnings), (words, outcome.err)
    error = outcome.err.removeprefix(warnings)
    assert error.count("\n") == 1, (words, outcome.err)
    assert error.startswith("bleuet: error: standard output "), (words, outcome.err)


@every
def test_a_full_disk(server: Server, printed: Printed, runs: list[tuple[str, ...]]) -> None:
    for words, unbuffered in [(words, True) for words in runs] + [(runs[0], False)]:
        expected = printed(*words).out.encode()
        # So that there is room for the message.
        (server.folder / "log").write_bytes(bytes(MESSAGE_BYTES))
        largest = MESSAGE_BYTES + len(expected) // 2
        outcome = server.run(*words, out="log", largest=largest, unbuffered=unbuffered)
        assert expected.startswith((server.folder / "log").read_bytes()[MESSAGE_BYTES:]), words
        if expected:
            check_error(outcome, words, printed(*words).err)


@every
def test_a_reader_that_is_slow(
    server: Server, printed: Printed, runs: list[tuple[str, ...]]
) -> None:
    """The pipe is full at first, and does not wait, as programs of other languages set it."""
    for words, unbuffered in [(words, False) for words in runs] + [(runs[0], True)]:
        reading, writing = full_pipe(server.folder / "pipe")
        server.start(*words, out="pipe", flags=os.O_WRONLY | os.O_NONBLOCK, unbuffered=unbuffered)
        server.wait_until_blocked()
        os.close(writing)
        with open(reading, "rb") as pipe:
            found = pipe.read()[PIPE_BYTES:].decode()
        code = server.end()
        expected = printed(*words)
        assert (code, found) == (expected.code, expected.out), words


def full_pipe(path: Path) -> tuple[int, int]:
    """Return the two ends of a pipe that takes no byte."""
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writing = os.open(path, os.O_WRONLY)
    os.set_blocking(reading, True)
    fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    os.write(writing, bytes(PIPE_BYTES))
    return reading, writing


@every
def test_standard_output_that_cannot_be_written(
    server: Server, printed: Printed, runs: list[tuple[str, ...]]
) -> None:
    words = runs[0]
    if not printed(*words).out:
        return
    for faulty in ({"out": None}, {"out": "/dev/full"}, {"out": "/dev/null", "flags": os.O_RDONLY}):
        check_error(server.run(*words, **faulty), words)


@every
def test_standard_error_that_cannot_be_written(
    server: Server, printed: Printed, runs: list[tuple[str, ...]]
) -> None:
    """Messages are lost then, and nothing else."""
    expected = printed(*runs[0])
    words = tuple(word for word in runs[0] if word != "-q")
    for faulty in ({"err": None}, {"err": "/dev/full"}):
        outcome = server.run(*words, **faulty)
        assert (outcome.code, outcome.out) == (expected.code, expected.out)


# --- Files that flags name ------------------------------------------------------------------------

SCORE = ("score", *TEXTS, "-q")
COMPARE = ("compare", *TEXTS, "-q")
META = ("meta", *TEXTS, "--human", "human.tsv", "--statistic", "tau", "-q")
GATE = ("gate", "ref.txt", "--baseline", B, "-i", A, "-q")
TUNE = ("tune", "ref.txt", "--nbest", "nbest.txt", "--method", "mira:rounds=1", "-q")
# The words before each flag, and the name of the file.
WRITERS: dict[tuple[str, str], tuple[tuple[str, ...], str]] = {
    **{(words[0], "--output"): (words, "scores") for words in RUNS.values()},
    ("completion", "--output"): (("completion", "bash"), "script"),
    ("doctor", "--output"): (("doctor",), "diagnosis"),
    ("score", "--save-table"): (SCORE, "table.parquet"),
    ("score", "--save-scores"): (SCORE, "segments.csv"),
    ("compare", "--html"): (COMPARE, "page.html"),
    ("gate", "--summary"): (GATE, "summary.md"),
    ("mbr", "--texts"): (("mbr", "-i", A, B, "-q"), "chosen.txt"),
    ("mbr", "--save-matrix"): (("mbr", "-i", A, B, "-q"), "matrix.jsonl"),
    ("tune", "--texts"): (TUNE, "chosen.txt"),
    ("tune", "--save-weights"): (TUNE, "weights.ini"),
    ("meta", "--picture"): (META, "picture.svg"),
    ("meta", "--scatter"): (META, "scatter.svg"),
    ("history", "--picture"): (("history", "history.jsonl", "-q"), "picture.svg"),
}
APPENDS = {"--summary"}
# Its file contains the time: tests/cli/test_history.py has it.
ELSEWHERE = {("gate", "--history")}


def test_every_flag_that_writes_is_here() -> None:
    commands = {
        name: getattr(import_module(m), "COMMAND", None) for name, (m, _) in COMMANDS.items()
    }
    declared = {
        (name, flag.name)
        for name, command in commands.items()
        # serve ends with a signal, and has nothing to write then.
        if command is not None and name != "serve"
        for flag in command.flags
        if flag.writes
    }
    assert declared == WRITERS.keys() | ELSEWHERE
    for command in filter(None, commands.values()):
        assert all(flag is OUTPUT_FILE for flag in command.flags if flag.name == "--output")


class Place:
    """The file of a flag, beside what was there before."""

    def __init__(self, server: Server, flag: tuple[str, str]) -> None:
        words, name = WRITERS[flag]
        self.server = server
        self.folder = server.folder
        self.path = server.folder / name
        self.words = (*words, flag[1], name)
        self.appends = flag[1] in APPENDS
        self.name = name

    def run(self, **settings: object) -> Outcome:
        return self.server.run(*self.words, **settings)

    def names(self) -> set[str]:
        return {file.name for file in self.folder.iterdir()} - {"out", "err"}


def places() -> Iterator[Any]:
    """Yield the flags; --output of one command, since it is the same flag of all."""
    for command, flag in WRITERS:
        if flag != "--output" or command in ("score", "completion"):
            needs = flag == "--save-table" or command == "completion"
            marks = pytest.mark.libraries if needs else ()
            yield pytest.param((command, flag), marks=marks, id=command + flag)


@pytest.fixture(params=[*places()])
def place(server: Server, request: pytest.FixtureRequest) -> Iterator[Place]:
    before = {file.name for file in server.folder.iterdir()}
    yield Place(server, request.param)
    for file in server.folder.iterdir():
        if file.name not in before:
            file.unlink()


@pytest.fixture(scope="module")
def contents() -> dict[tuple[str, ...], bytes]:
    """What was written so far."""
    return {}


@pytest.fixture
def content(place: Place, contents: dict[tuple[str, ...], bytes]) -> bytes:
    """What the flag writes to a new file."""
    if place.words not in contents:
        outcome = place.run()
        assert outcome.code in (0, 3), outcome.err
        contents[place.words] = place.path.read_bytes()
        place.path.unlink()
    return contents[place.words]


def is_as_expected(place: Place, found: bytes, content: bytes) -> bool:
    # Parquet has no fixed content.
    return found == content or (place.name.endswith(".parquet") and found[:4] == found[-4:])


def test_a_file_on_a_full_disk_stays_as_it_was(place: Place, content: bytes) -> None:
    old = bytes(MESSAGE_BYTES if place.appends else 3)
    place.path.write_bytes(old)
    before = place.names()
    outcome = place.run(largest=len(content) // 2 + (MESSAGE_BYTES if place.appends else 0))
    assert outcome.code == 1
    assert place.path.read_bytes() == old
    if len(content) > MESSAGE_BYTES:
        assert "cannot be written (File too large): make room" in outcome.err
        assert outcome.err.count("\n") == 1
    assert place.names() == before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_nothing(place: Place, number: signal.Signals) -> None:
    place.path.write_bytes(b"old")
    before = place.names()
    outcome = place.run(signal=number)
    if place.appends:  # without a temporary file
        assert outcome.code in (0, 3)
        return
    assert outcome.code == (130 if number == signal.SIGINT else -number)
    assert outcome.err == ("bleuet: interrupted\n" if number == signal.SIGINT else "")
    assert place.path.read_bytes() == b"old"
    assert place.names() == before


def test_a_protected_file_is_not_replaced(place: Place) -> None:
    place.path.write_bytes(b"old")
    place.path.chmod(0o444)
    outcome = place.run()
    assert outcome.code == 1
    assert f"{place.name} is write-protected: allow writing with chmod" in outcome.err
    assert place.path.read_bytes() == b"old"


def test_links_are_followed(place: Place, content: bytes) -> None:
    target = place.folder / "target"
    place.path.symlink_to("target")
    for old in (None, b"old"):
        if old is not None:
            target.write_bytes(old)
        assert place.run().code in (0, 3)
        assert place.path.is_symlink()
        found = target.read_bytes()
        if place.appends and old is not None:
            assert found[:3] == old
            found = found[3:]
        assert is_as_expected(place, found, content)


def test_a_loop_of_links_is_an_error(place: Place) -> None:
    place.path.symlink_to("other-link")
    (place.folder / "other-link").symlink_to(place.name)
    outcome = place.run()
    assert outcome.code == 1
    assert outcome.err.count("\n") == 1
    assert f"{place.name} cannot be written (Too many levels of symbolic links)" in outcome.err
    assert place.path.is_symlink()


def test_an_address_is_no_path(place: Place) -> None:
    """It would be a folder `s3:` here."""
    before = place.names()
    outcome = place.server.run(*place.words[:-1], f"s3://bucket/{place.name}")
    assert outcome.code == 1
    assert f"s3://bucket/{place.name} is an address" in outcome.err
    assert outcome.err.count("\n") == 1
    assert place.names() == before


@pytest.mark.parametrize(
    "words",
    [
        (*COMPARE, "--pictures"),
        ("tutorial", "--files-only"),
        ("tutorial", "--no-pause"),
        (*SCORE, "--results"),
    ],
    ids=" ".join,
)
def test_an_address_is_no_folder(server: Server, words: tuple[str, ...]) -> None:
    outcome = server.run(*words, "s3://bucket/run")
    assert outcome.code == 1
    assert "s3://bucket/run is an address" in outcome.err
    assert not (server.folder / "s3:").exists()


def test_permissions_stay(place: Place) -> None:
    place.path.write_bytes(b"")
    place.path.chmod(0o640)
    place.run()
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "link", "file"])
def test_standard_output_by_a_name_is_not_replaced(place: Place, content: bytes, name: str) -> None:
    """A file keeps what others write to it."""
    log = place.folder / "log"
    log.write_bytes(b"old\n")
    before = log.stat().st_ino
    more = () if place.words[-2] == "--output" else ("-o", "answer")
    if name == "file":
        place.path.hardlink_to(log)
    else:
        place.path.symlink_to("/dev/stdout" if name == "link" else name)
    is_named = name.startswith("/dev/") and place.path.suffix != ".svg"
    outcome = place.server.run(
        *place.words[:-1], name if is_named else place.name, *more, out="log"
    )
    assert outcome.code in (0, 3), outcome.err
    assert log.stat().st_ino == before
    found = log.read_bytes()
    assert found[:4] == b"old\n"
    assert is_as_expected(place, found[4:], content)
    assert not [file for file in place.names() if "unfinished" in file]


def test_a_file_and_standard_output_may_be_the_same(place: Place, content: bytes) -> None:
    """As in `bleuet score ... -o scores > scores`."""
    if place.words[-2] != "--output":
        return
    place.path.touch()
    before = place.path.stat().st_ino
    outcome = place.run(out=place.name, flags=os.O_WRONLY | os.O_TRUNC)
    assert outcome.code in (0, 3)
    assert place.path.stat().st_ino == before
    assert place.path.read_bytes() == content


def test_two_flags_do_not_write_one_stream(server: Server) -> None:
    outcome = server.run(*COMPARE, "--html", "/dev/stdout")
    assert (outcome.code, outcome.out) == (2, "")
    assert "--html and --output both write standard output: name a file" in outcome.err


@pytest.mark.parametrize(("device", "codes"), [("/dev/null", (0, 3)), ("/dev/full", (1,))])
def test_devices(place: Place, device: str, codes: tuple[int, ...]) -> None:
    place.path.symlink_to(device)
    outcome = place.run()
    assert outcome.code in codes, outcome.err
    assert place.path.is_symlink()
    assert stat.S_ISCHR(place.path.stat().st_mode)
