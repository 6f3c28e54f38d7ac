"""The server ends at once whatever it does, and leaves no folder and no process."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest

from bleuet.web.server import Server
from bleuet.web.temporary_folder import PREFIX, TemporaryFolder, remove_abandoned
from tests.cli.signals import ENDED, is_before_main
from tests.patience import PATIENCE, wait_until
from tests.web.conftest import start
from tests.web.test_comparisons import API, begin, put
from tests.web.test_server import ask
from tests.web.test_workers import ALONE, MANY, send, wait_for_work

HAS_PROC = Path("/proc/self/stat").exists()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not HAS_PROC, reason="there is no /proc")]


def marked(folder: Path) -> set[int]:
    """Return the processes whose environment names a folder, which is that of their server."""
    found = set()
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            try:
                environment = (path / "environ").read_bytes()
                state = (path / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if f"TMPDIR={folder}\0".encode() in environment and state != "Z":
                found.add(int(path.name))
    return found


def assert_nothing_is_left(folder: Path) -> None:
    wait_until(lambda: not marked(folder))
    assert list(folder.iterdir()) == []


def received(connection: socket.socket) -> bytes:
    """Return what a server that has ended had sent to a client."""
    try:
        return connection.recv(100)
    except ConnectionError:
        return b""


def make_busy(address: str) -> list[socket.socket]:
    """Let a server compute and compare, and return the connections that wait for it."""
    known = begin(address)
    text = "".join(f"word{n % 97} and word{n % 89} or more\n" for n in range(60_000)).encode()
    for role in ("references", "systems"):
        assert put(address, known, role, "a.txt", text) == 200
    assert ask(address, f"{API}/{known}/start", ["bleu"])[0] == 200
    found = [send(address, "/api/v1/calculate", ALONE) for _ in range(4)]
    found += [send(address, "/api/v1/score", {**MANY, "metrics": ["eed"]}) for _ in range(4)]
    wait_for_work(address, len(found))
    return found


def refuses(address: str) -> bool:
    """Return whether a server takes no more connections."""
    parts = urlsplit(address)
    try:
        socket.create_connection((str(parts.hostname), parts.port or 80), timeout=PATIENCE).close()
    except OSError:
        return True
    return False


def test_only_the_second_signal_ends_answers_that_are_being_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bleuet.web.server.Timer", Mock())
    server = object.__new__(Server)
    served = SimpleNamespace(should_exit=False, force_exit=False)
    vars(server).update(_signals=0, _server=served)
    found = []
    for _ in range(2):
        server._stop()
        found.append((served.should_exit, served.force_exit))
    assert found == [(True, False), (True, True)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("times", [1, 2])
def test_a_busy_server_ends(number: signal.Signals, times: int, tmp_path: Path) -> None:
    server, address = start(folder=tmp_path)
    waiting = make_busy(address)
    # The server, one process of each of the two lanes of requests, and one that compares.
    wait_until(lambda: len(marked(tmp_path)) > 3)
    server.send_signal(number)
    if times == 2:
        wait_until(lambda: refuses(address))
        server.send_signal(number)
    # Where the second comes when all is done already, it ends the process as any other.
    assert server.wait(PATIENCE) in ({0} if times == 1 else {0, *ENDED[number]})
    assert_nothing_is_left(tmp_path)
    # It did not wait for the work.
    assert any(not received(one).startswith(b"HTTP/1.1 200") for one in waiting)
    for one in waiting:
        one.close()


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_any_moment(number: signal.Signals, tmp_path: Path) -> None:
    """Six moments: while it starts, idle, and busy."""
    moments = random.Random(number)
    for place in range(6):
        folder = tmp_path / str(place)
        folder.mkdir()
        texts = []
        for name in ("ref.txt", "a.txt"):
            texts.append(str(tmp_path / name))
            Path(texts[-1]).write_text("The cat sat down.\n" * 20_000, encoding="utf-8")
        options = ["--port", "0", texts[0], "-i", *texts[1:]]
        command = [sys.executable, "-m", "bleuet", "serve", *options]
        server = subprocess.Popen(
            command, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(folder)}
        )
        time.sleep(moments.uniform(0.2, 4))
        server.send_signal(number)
        said = server.communicate(timeout=PATIENCE)[1]
        assert b"Traceback" not in said or is_before_main(said)
        assert_nothing_is_left(folder)


def test_what_a_killed_server_left_is_removed_by_the_next(tmp_path: Path) -> None:
    server, address = start(folder=tmp_path)
    waiting = make_busy(address)
    other, other_address = start(folder=tmp_path)
    known = begin(other_address)
    assert put(other_address, known, "systems", "a.txt", b"a\n") == 200
    (tmp_path / "bleuet-mine").mkdir()
    (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "bleuet-mine")
    assert len(list(tmp_path.glob(f"{PREFIX}*/"))) == 3
    server.kill()
    server.wait(PATIENCE)
    third, _ = start(folder=tmp_path)
    for one in waiting:
        one.close()
    # Its processes noticed that it ended.
    wait_until(lambda: len(marked(tmp_path)) <= 4)  # two servers, and one process of each
    assert ask(other_address, f"{API}/{known}")[0] == 200
    assert len(list(tmp_path.glob(f"{PREFIX}*/"))) == 2
    assert (tmp_path / "bleuet-mine").is_dir()
    for living in (other, third):
        living.terminate()
        assert living.wait(PATIENCE) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bleuet-mine", f"{PREFIX}link"]


def test_an_idle_server_has_no_folder(tmp_path: Path) -> None:
    server, address = start(folder=tmp_path)
    wait_for_work(address, 0)
    assert list(tmp_path.iterdir()) == []
    server.kill()
    server.wait(PATIENCE)
    assert_nothing_is_left(tmp_path)


def test_a_folder_of_a_living_server_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = TemporaryFolder()
    assert folder.path.stat().st_mode & 0o077 == 0
    remove_abandoned()
    assert folder.path.is_dir()
    folder.remove()
    assert list(tmp_path.iterdir()) == []
    # It is removed again by the clock of a server that takes long to end.
    with (tmp_path / "other").open("wb") as other:
        folder.remove()
        assert other.write(b"still open") == 10
