"""Runs commands in processes that are forked, so that all modules are imported once.

`python -m tests.cli.fork_server` reads one request per line, forks a process that becomes the
installed command, and answers with how it ended.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tests.report.charts_library import stand_in_for_vl_convert

if TYPE_CHECKING:
    from tests.cli.conftest import Outcome

ROOT = Path(__file__).parents[2]
OFTEN_ENOUGH = 4
APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND
LIBRARIES = ("numpy", "scipy.stats", "pyarrow.parquet", "shtab")


class Request(NamedTuple):
    """How to start a command.

    Attributes:
        words: the command line after the program's name.
        out: the file that standard output goes to, None where it is closed.
        flags: how that file is opened.
        unbuffered: whether Python has no buffer for standard output, as with `python -u`.
        err: the file that standard error goes to, None where it is closed.
        largest: the size in bytes that no file may exceed, which stands for a full disk.
        signal: sent to the process when it is about to rename an unfinished file.
    """

    words: tuple[str, ...]
    out: str | None = "out"
    flags: int = APPEND
    unbuffered: bool = False
    err: str | None = "err"
    largest: int | None = None
    signal: int | None = None


# --- The side of the test -------------------------------------------------------------------------


class Server:
    """Starts the server; its commands run in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        path = os.pathsep.join((str(Path(_package()).parent.parent), str(ROOT)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.fork_server"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path, "LANG": "C.UTF-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, *words: str, **settings: Any) -> None:
        """Start a command; `end` waits for it."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(Request(words, **settings)) + "\n")
        self._process.stdin.flush()
        self._pid = self._answer()

    def wait_until_blocked(self) -> None:
        """Wait until the command sleeps, such as for room in a pipe, or has ended."""
        seen = 0
        while seen < OFTEN_ENOUGH:
            try:
                state = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return
            seen = seen + 1 if state in "SZ" else 0
            time.sleep(0.0005)

    def end(self) -> int:
        """Return the exit code, or minus the signal that ended the command."""
        return self._answer()

    def _answer(self) -> int:
        assert self._process.stdout is not None
        return int(self._process.stdout.readline())

    def run(self, *words: str, **settings: Any) -> Outcome:
        """Run a command with new files for its standard streams, unless they are set."""
        from tests.cli.conftest import Outcome

        for name in ("out", "err"):
            if name not in settings:
                (self.folder / name).unlink(missing_ok=True)
        self.start(*words, **settings)
        code = self.end()
        out, err = (self._read(settings.get(name, name)) for name in ("out", "err"))
        return Outcome(code, out, err)

    def _read(self, name: str | None) -> str:
        path = self.folder / (name or "none")
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self._process.communicate()


def _package() -> str:
    import bleuet

    return str(bleuet.__file__)


# --- The side of the server -----------------------------------------------------------------------


def serve() -> None:
    """Fork a process for each request."""
    from bleuet.cli.main import COMMANDS

    stand_in_for_vl_convert()
    for library in LIBRARIES:
        with contextlib.suppress(ImportError):
            import_module(library)
    for module, _ in COMMANDS.values():
        import_module(module)
    _draw_nothing()
    # What the server has made is not copied to every process.
    gc.freeze()
    for line in sys.stdin:
        request = Request(*json.loads(line))
        pid = os.fork()
        if pid == 0:
            _become(request)
        print(pid, flush=True)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        print(code, flush=True)


def _draw_nothing() -> None:
    """Let pages and pictures, which take seconds, be a text of some length."""
    from bleuet.report import pictures, report

    vars(report)["html_page"] = lambda *_: "<html></html>\n" * 1000
    vars(pictures)["draw"] = lambda *_: b"<svg></svg>\n" * 1000


def _become(request: Request) -> None:
    """Be the installed command, from its first line to its exit code."""
    from bleuet.cli.main import run

    code = 1
    try:
        _open_streams(request)
        if request.largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (request.largest, request.largest))
        if request.signal is not None:
            os.replace = _send(request.signal)
        sys.argv = ["bleuet", *request.words]
        run()
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else 0
    except BaseException:
        traceback.print_exc()
    # As Python does at exit.
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            code = 120
    os._exit(code)


def _open_streams(request: Request) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Under nohup it is ignored.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    places = (("/dev/null", os.O_RDONLY), (request.out, request.flags), (request.err, APPEND))
    for number, (path, flags) in enumerate(places):
        os.close(number)
        if path is not None:
            found = os.open(path, flags, 0o644)
            if found != number:
                os.dup2(found, number)
                os.close(found)
            os.set_inheritable(number, True)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False))
    sys.stdout = _stream(1, request.out, request.unbuffered)
    sys.stderr = _stream(2, request.err, request.unbuffered)


def _stream(number: int, path: str | None, unbuffered: bool) -> Any:
    """Return a stream as Python makes it at its start."""
    if path is None:
        return None
    raw: Any = io.FileIO(number, "w", closefd=False)
    if not unbuffered:
        raw = io.BufferedWriter(raw)
    lines = not unbuffered and number == 2
    return io.TextIOWrapper(
        raw, "utf-8", newline="\n", line_buffering=lines, write_through=unbuffered
    )


def _send(number: int) -> Any:
    def replace(*names: str) -> None:
        os.kill(os.getpid(), number)

    return replace


if __name__ == "__main__":
    serve()
