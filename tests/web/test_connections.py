"""No client can hold up others: slow, half-open, malformed and foreign requests."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import subprocess
import time
from typing import TYPE_CHECKING, Any, cast
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest

from bleuet.web import connections, guard
from bleuet.web.connections import Connection, Seldom
from bleuet.web.guard import Guard
from tests.patience import PATIENCE, wait_until
from tests.web.conftest import start
from tests.web.test_server import TEXTS, ask

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
CALCULATE = "/api/v1/calculate"


def connect(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((str(parts.hostname), parts.port or 80), timeout=PATIENCE)


def log_of(server: subprocess.Popen[str]) -> list[str]:
    """End a server, and return what it wrote to standard error."""
    server.terminate()
    server.wait(PATIENCE)
    assert server.stderr is not None
    return server.stderr.read().splitlines()


@pytest.mark.usefixtures("no_running_loop")
def test_the_end_of_an_answer_does_not_wait_until_the_begin_is_confirmed() -> None:
    """Nagle's algorithm would hold the end of each answer for 40 ms."""
    from uvicorn import Config
    from uvicorn.server import ServerState

    made: list[Any] = []

    def connection() -> Connection:
        config = Config(answer, lifespan="off", log_config=None)
        made.append(Connection(config, ServerState(), {}))
        return cast("Connection", made[0])

    async def answer(scope: object, receive: object, send: object) -> None:
        """Answer nothing."""

    async def connected() -> int:
        server = await asyncio.get_running_loop().create_server(connection, sock=listening)
        _, writer = await asyncio.open_connection(*listening.getsockname())
        while not made or made[0].transport is None:
            await asyncio.sleep(0)
        theirs = made[0].transport.get_extra_info("socket")
        found = theirs.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        server.close()
        return int(found)

    # As the server makes its own: asyncio alone would not set the option here.
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert asyncio.run(connected()) == 1


@pytest.fixture
def few_files() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that may open 256 files."""
    server, address = start(files=256)
    yield server, address
    server.kill()
    server.wait(PATIENCE)


def test_half_open_requests_do_not_stop_it(few_files: tuple[subprocess.Popen[str], str]) -> None:
    server, address = few_files
    half_open = []
    for _ in range(400):
        half_open.append(connect(address))
        half_open[-1].sendall(b"POST /api/v1/score HTTP/1.1\r\nHost: ")
    for _ in range(5):
        assert ask(address, CALCULATE, TEXTS)[0] == 200
    for one in half_open:
        one.close()
    assert len(log_of(server)) < 3


@pytest.mark.parametrize("asks", [True, False])
def test_a_connection_is_kept_while_its_client_asks(
    asks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quick request is over before the connection is looked at, once a second."""
    connection = object.__new__(Connection)
    transport = Mock()
    transport.get_write_buffer_size.return_value = 0
    vars(connection).update(transport=transport, waits_since=0.0, _waits_for=(None, 0))
    answered = [Mock(response_complete=True) for _ in range(2)]
    for second in range(connections.HEADER_SECONDS + 3):
        connection.cycle = answered[second % 2 if asks else 0]
        monkeypatch.setattr(connections, "monotonic", lambda now=float(second): now)
        connection.close_if_late()
    assert transport.abort.called != asks


def test_a_request_without_end_is_given_up() -> None:
    seconds = 2
    assert seconds < connections.HEADER_SECONDS
    sooner = f"from bleuet.web import connections; connections.HEADER_SECONDS = {seconds}"
    server, address = start(first=sooner)
    begin = time.monotonic()
    with connect(address) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\n")
        wait_until(lambda: not _sends(raw, b"X-Slow: 1\r\n"))
        assert time.monotonic() - begin > seconds - 1
    assert log_of(server) == []


def _sends(connection: socket.socket, line: bytes) -> bool:
    try:
        connection.sendall(line)
    except OSError:
        return False
    return True


def test_malformed_requests_write_few_lines() -> None:
    server, address = start()
    for number in range(300):
        with connect(address) as raw:
            raw.sendall(b"\x16\x03\x01 %d\r\n\r\n" % number)
            assert raw.recv(1000).startswith(b"HTTP/1.1 400")
    assert ask(address, CALCULATE, TEXTS)[0] == 200
    lines = log_of(server)
    assert 0 < len(lines) < 5
    assert "Invalid HTTP request" in lines[0]


def test_the_log_has_a_line_of_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(connections, "monotonic", lambda: now[0])
    seldom = Seldom()

    def passes(message: str, *args: object, error: Exception | None = None) -> str | None:
        info = (type(error), error, None) if error is not None else None
        record = logging.LogRecord("x", logging.ERROR, "", 0, message, args, info)
        return record.getMessage() if seldom.filter(record) else None

    said = passes("failed\n%s", "a\nb", error=ValueError("\x1b[1m"))
    assert said == r"failed a b (ValueError: \x1b[1m)"
    assert passes("failed\n%s", "c") is None
    assert passes("other") == "other"
    now[0] += connections.LOG_SECONDS
    assert passes("failed\n%s", "d") == "failed d"
    assert sum(passes(f"kind {n}") is not None for n in range(100)) == connections.MAX_LINES - 1


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Origin": "http://["}, 403),
        ({"Origin": "http://[::1"}, 403),
        ({"Cookie": "a/b=c; \x7f; =; token"}, 200),
    ],
)
def test_strange_headers_are_no_failure(
    address: str, headers: dict[str, str], expected: int
) -> None:
    assert ask(address, CALCULATE, TEXTS, **headers)[0] == expected


@pytest.mark.parametrize(
    "body",
    [
        b'{"hypothesis": "\\ud800", "references": ["a"]}',
        b'{"hypothesis": "a", "references": ["\\udfff"]}',
        b'{"hypothesis": "\xed\xa0\x80", "references": ["a"]}',
        b'{"hypothesis": "a", "references": ["a"], "metrics": ["\\ud800"]}',
        b'{"\\ud800": "a"}',
        b"[" * 100_000,
        b'{"hypothesis": "a", "references": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        b"\xff\xfe",
        b"NaN",
        b"",
    ],
)
def test_strange_bodies_are_no_failure(address: str, body: bytes) -> None:
    status, _, answer = ask(address, CALCULATE, body, "POST")
    assert status in (400, 422)
    assert json.loads(answer)["detail"]


def own_address() -> str:
    """Return an address of this computer that others reach, without a packet being sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this computer is in no network")
        found: str = asked.getsockname()[0]
        return found


def test_a_server_for_others_has_its_own_addresses_and_no_foreign_name() -> None:
    server, address = start("--host", "0.0.0.0")
    try:
        parts = urlsplit(address)
        bearer = {"Authorization": f"Bearer {parts.query.removeprefix('token=')}"}
        own = f"http://{own_address()}:{parts.port}/"
        assert ask(own, CALCULATE, TEXTS, **bearer)[0] == 200
        # Cookies of other servers of this computer have any form.
        assert ask(own, CALCULATE, TEXTS, Cookie="a/b=c", **bearer)[0] == 200
        for host in (
            f"evil.example:{parts.port}",
            f"198.51.100.7:{parts.port}",
            f"{own_address()}:1",
            f"{own_address()}.evil.example:{parts.port}",
        ):
            assert ask(own, CALCULATE, TEXTS, Host=host, **bearer)[0] == 421
    finally:
        server.terminate()
        server.wait(PATIENCE)


async def guarded(messages: list[Any], path: str = "/large") -> int:
    """Send messages to a guard, and return the status of the answer."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body"})

    async def receive() -> Any:
        if not messages:
            await asyncio.Event().wait()
        return messages.pop(0)

    statuses: list[int] = []

    async def send(message: Any) -> None:
        statuses.append(message.get("status", 0))

    scope = {"type": "http", "method": "POST", "path": path, "query_string": b""}
    limited = Guard(app, frozenset({"a"}), most_bytes={"/large": 10**6})
    await limited({**scope, "headers": [(b"host", b"a")]}, receive, send)
    assert limited._held == 0
    return statuses[0]


@pytest.mark.usefixtures("no_running_loop")
@pytest.mark.parametrize(
    ("change", "sizes", "status"),
    [
        ({}, [10, 10**5], 200),
        ({}, [10**6, 1], 413),
        ({"MAX_HELD_BYTES": 10**5}, [90_000, 20_000], 503),
        ({"BODY_SECONDS": 0.05}, [10], 408),
    ],
)
def test_bodies_are_limited(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, float], sizes: list[int], status: int
) -> None:
    for name, value in change.items():
        monkeypatch.setattr(guard, name, value)
    messages = [{"type": "http.request", "body": b"a" * size, "more_body": True} for size in sizes]
    if status != 408:
        messages[-1]["more_body"] = False
    assert asyncio.run(guarded(messages)) == status
