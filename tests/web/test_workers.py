"""Answers are computed by processes, which end when the client leaves."""

from __future__ import annotations

import asyncio
import http.client
import json
import select
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from bleuet.errors import InputError
from bleuet.web import answering
from bleuet.web.answering import MAX_VALUES, answer
from bleuet.web.workers import MAX_WAITING, Workers, _Job
from tests.patience import PATIENCE, seconds_used, wait_until
from tests.web.conftest import start
from tests.web.test_server import TEXTS, ask

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
HAS_PROC = Path("/proc/self/stat").exists()
NEEDS_PROC = pytest.mark.skipif(not HAS_PROC, reason="there is no /proc")
# EED needs ten seconds to mark one pair of 80,000 characters, and to compare 80 pairs of 8,000.
SEGMENTS = 80
# Seconds of work that may be done after a client has left.
MOST_SECONDS = 3
LONG = ["a b " * 2000] * SEGMENTS, ["b a " * 2000] * SEGMENTS
MANY = {"hypotheses": LONG[0], "references": LONG[1]}
SYSTEMS = {"systems": {"a": LONG[0], "b": LONG[0]}, "references": LONG[1]}
ALONE = {"hypothesis": "a b " * 20_000, "references": ["b a " * 20_000], "metrics": ["eed"]}
API = "/api/v1"
WORK: dict[str, Any] = {
    f"{API}/calculate": ALONE,
    f"{API}/score": {**MANY, "metrics": ["eed"]},
    f"{API}/sentences": {**MANY, "metrics": ["eed"]},
    f"{API}/explain": {**MANY, "a": "eed", "b": "eed:rho=0.4"},
    f"{API}/compare": {**SYSTEMS, "metrics": ["eed"]},
    "/get_reward?metric=eed": {
        "query": MANY["hypotheses"],
        "prompts": [""] * SEGMENTS,
        "labels": MANY["references"],
    },
}


@pytest.fixture(scope="module")
def serving() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of which no other test asks anything meanwhile, and its address."""
    server, found = start()
    yield server, found
    server.terminate()
    assert server.wait(PATIENCE) == 0
    assert server.stderr is not None
    assert server.stderr.read() == ""


@pytest.fixture
def served(serving: tuple[subprocess.Popen[str], str]) -> str:
    return serving[1]


def send(address: str, path: str, body: Any) -> socket.socket:
    """Send a request, and return the connection."""
    parts = urlsplit(address)
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    connection = socket.create_connection((str(parts.hostname), parts.port or 80), timeout=PATIENCE)
    connection.sendall(head.encode() + content)
    return connection


def at_work(address: str) -> int:
    found: int = json.loads(ask(address, f"{API}/health")[2])["requests"]
    return found


def is_answered(connection: socket.socket) -> bool:
    """Return whether the server has sent something."""
    return bool(select.select([connection], [], [], 0)[0])


def wait_for_work(address: str, requests: int) -> None:
    """Wait until so many requests are at work."""
    wait_until(lambda: at_work(address) == requests)


def children(process: int) -> set[int]:
    """Return the processes that a process has started and not seen to end."""
    found = set()
    for path in Path("/proc").iterdir():
        if path.name.isdecimal():
            with suppress(OSError):
                state, parent = (path / "stat").read_text().rpartition(")")[2].split()[:2]
                if int(parent) == process and state != "Z":
                    found.add(int(path.name))
    return found


def check_work_ends(
    serving: tuple[subprocess.Popen[str], str], path: str, body: Any, ahead: bytes = b""
) -> None:
    """Check that work begins, and that its process is ended when the client has left."""
    server, address = serving
    wait_for_work(address, 0)
    # The process that answers this is idle then, and the first to be given more.
    assert ask(address, f"{API}/calculate", TEXTS)[0] == 200
    used = {one: seconds_used(one) for one in children(server.pid)}

    def working() -> list[int]:
        return [one for one, before in used.items() if seconds_used(one) > before + 0.2]

    with send(address, path, body) as connection:
        wait_for_work(address, 1)
        wait_until(working)
        (worker,) = working()
        connection.sendall(ahead)
        assert at_work(address) == 1
        before = seconds_used(server.pid) + seconds_used(worker)
    wait_for_work(address, 0)
    assert worker not in children(server.pid)
    # That of the worker is counted with the server's now.
    assert seconds_used(server.pid) - before < MOST_SECONDS


@NEEDS_PROC
@pytest.mark.parametrize("path", WORK)
def test_work_ends_when_the_client_leaves(
    serving: tuple[subprocess.Popen[str], str], path: str
) -> None:
    check_work_ends(serving, path, WORK[path])
    assert ask(serving[1], f"{API}/calculate", TEXTS)[0] == 200


@NEEDS_PROC
def test_a_client_that_sends_ahead_and_leaves_is_noticed(
    serving: tuple[subprocess.Popen[str], str],
) -> None:
    ahead = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 50
    check_work_ends(serving, f"{API}/calculate", ALONE, ahead)


def test_pages_are_served_while_all_processes_are_busy(served: str) -> None:
    wait_for_work(served, 0)
    connections: list[socket.socket] = []
    try:
        while not connections or not is_answered(connections[-1]):
            connections.append(send(served, f"{API}/calculate", ALONE))
            wait_until(lambda: at_work(served) == len(connections) or is_answered(connections[-1]))
        assert len(connections) > MAX_WAITING
        answer = connections.pop().recv(2000)
        assert answer.startswith(b"HTTP/1.1 503")
        assert b"retry-after: 1" in answer
        for path in ("/", "/page.css", f"{API}/metrics", f"{API}/health"):
            assert ask(served, path)[0] == 200
        assert at_work(served) == len(connections)
    finally:
        for one in connections:
            one.close()
    wait_for_work(served, 0)
    assert ask(served, f"{API}/calculate", TEXTS)[0] == 200


def test_small_requests_do_not_wait_for_large_ones(served: str) -> None:
    wait_for_work(served, 0)
    connections = [send(served, f"{API}/score", WORK[f"{API}/score"]) for _ in range(8)]
    try:
        wait_for_work(served, 8)
        assert ask(served, f"{API}/calculate", TEXTS)[0] == 200
        assert at_work(served) == 8
    finally:
        for one in connections:
            one.close()
    wait_for_work(served, 0)


def test_a_request_of_millions_of_values_stops_nobody(served: str) -> None:
    body = b'{"hypotheses": [' + b"{}," * 15_000_000 + b'{}], "references": ["a"]}'
    parts = urlsplit(served)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
    connection.request("POST", f"{API}/score", body, {"content-type": "application/json"})
    pages = 0
    while not select.select([connection.sock], [], [], 0)[0]:
        assert ask(served, "/page.css")[0] == 200
        pages += 1
    response = connection.getresponse()
    assert response.status == 400
    assert f"may have {MAX_VALUES:,} texts" in json.loads(response.read())["detail"]
    assert pages > 2


def test_limits_of_texts_are_said_and_can_be_set() -> None:
    server, address = start("--max-request-bytes", "100000")
    try:
        long = {**TEXTS, "hypothesis": "a" * 200_000}
        for path in (f"{API}/calculate", f"{API}/score", "/get_reward"):
            status, _, body = ask(address, path, long)
            assert status == 413
            detail = json.loads(body)["detail"]
            assert "100,000 bytes" in detail
            assert "--max-request-bytes" in detail
        assert ask(address, f"{API}/calculate", {**TEXTS, "hypothesis": "a " * 40_000})[0] == 200
    finally:
        server.terminate()
        server.wait(PATIENCE)


@NEEDS_PROC
@pytest.mark.usefixtures("no_running_loop")
def test_a_process_that_ends_is_replaced() -> None:
    async def used() -> tuple[Any, Any, Any]:
        body = json.dumps(TEXTS).encode()
        first = await workers.answer("calculate", body)
        asking = asyncio.ensure_future(workers.answer("calculate", json.dumps(ALONE).encode()))
        (process,) = workers._all
        begin = seconds_used(process._process.pid)
        while seconds_used(process._process.pid) < begin + 0.1:
            await asyncio.sleep(0.01)
        process.kill()
        return first, await asking, await workers.answer("calculate", body)

    workers = Workers(1)
    try:
        before, lost, after = asyncio.run(used())
    finally:
        workers.end()
    assert before == after
    assert json.loads(after.content)["metrics"][0]["score"] == 0
    assert lost.status == 500
    assert b"send fewer segments" in lost.content


def test_a_request_that_waited_until_the_end_starts_no_process() -> None:
    workers = Workers(1)
    workers.end()
    reply = workers._work(_Job("metrics", b"", {}))
    assert reply is not None
    assert (reply.status, reply.content) == (503, b"no process can start: the server ends")
    assert workers.counts()["processes"] == 0


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (InputError("more than 2^28 characters"), 400, "more than 2^28 characters"),
        (MemoryError(), 413, "more memory"),
        (ZeroDivisionError("x\ny"), 500, "ZeroDivisionError: x y"),
    ],
)
def test_errors_of_a_metric_are_answers(
    monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, said: str
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(answering, "call", fail)
    found, content = answer("calculate", json.dumps(TEXTS).encode(), {})
    assert found == status
    assert said in content.decode()


@pytest.mark.usefixtures("needs_kernel")
def test_a_text_of_one_word_again_and_again_is_scored(served: str) -> None:
    body = {
        "hypothesis": "a " * 1500,
        "references": ["a b " * 900],
        "metrics": ["meteor:matchers=exact"],
    }
    status, _, answer = ask(served, f"{API}/calculate", body)
    assert (status, json.loads(answer)["metrics"][0]["score"] > 0) == (200, True)
