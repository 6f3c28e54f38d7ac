"""The server refuses what does not come from its page or a program of this computer."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
from typing import Any
from urllib.parse import urlsplit

import pytest

from bleuet.web.page_files import CALCULATOR, SYSTEMS
from bleuet.web.server import Server
from tests.patience import PATIENCE
from tests.web.conftest import start

pytestmark = pytest.mark.slow
TEXTS = {"hypothesis": "a b", "references": ["a b"], "metrics": ["ter"]}


def ask(
    address: str, path: str, body: Any = None, method: str | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PATIENCE)
    content = json.dumps(body) if body is not None and not isinstance(body, bytes) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if content is not None:
        named.setdefault("content-type", "application/json")
    connection.request(method or ("GET" if content is None else "POST"), path, content, named)
    response = connection.getresponse()
    return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read()


def test_answers_and_forbids_everything_else(address: str) -> None:
    status, headers, body = ask(address, "/api/v1/calculate", TEXTS)
    assert (status, json.loads(body)["metrics"][0]["score"]) == (200, 0.0)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    for path in (
        "/",
        "/systems",
        *(f"/{name}" for name in (*CALCULATOR, *SYSTEMS) if ".html" not in name),
    ):
        assert ask(address, path)[0] == 200
    for path in ("/../server.py", "/%2e%2e/server.py", "/worker.js", "/docs", "/redoc"):
        status, headers, body = ask(address, path)
        assert (status, headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:80"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:9"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_other_sites_are_refused(address: str, headers: dict[str, str], expected: int) -> None:
    for path, body in (("/api/v1/calculate", TEXTS), ("/api/v1/metrics", None), ("/", None)):
        status, found, answer = ask(address, path, body, **headers)
        assert (status, found["content-type"]) == (expected, "application/problem+json")
        assert json.loads(answer)["status"] == expected


@pytest.mark.parametrize(
    ("body", "expected", "said"),
    [
        (b"{", 422, "JSON"),
        ({}, 422, "hypothesis is missing: the text to score"),
        ({**TEXTS, "metrics": ["nothing"]}, 400, "there is no metric 'nothing'"),
        (
            {**TEXTS, "path": "/etc/passwd"},
            422,
            "there is no field 'path': use hypothesis, references, metrics",
        ),
        ({**TEXTS, "metrics": ["bleu:tokenize=spm:/etc/passwd"]}, 400, "cannot name a file"),
        ({**TEXTS, "references": ["a"] * 1000}, 422, "references"),
        # Not what would be wrong if it were the name of a metric.
        (
            {**TEXTS, "metrics": [{"name": "bleu", "options": [1]}]},
            422,
            "metrics[0].options must be an object, not [1]",
        ),
    ],
)
def test_wrong_requests_get_problem_documents(
    address: str, body: Any, expected: int, said: str
) -> None:
    status, headers, answer = ask(address, "/api/v1/calculate", body)
    assert (status, headers["content-type"]) == (expected, "application/problem+json")
    problem = json.loads(answer)
    assert problem.keys() == {"type", "title", "status", "detail"}
    assert said in problem["detail"]
    assert b"\n" not in answer


def test_assistants_find_no_tools_without_the_flag(address: str) -> None:
    assert ask(address, "/mcp", {})[0] in (404, 405)


def test_large_bodies_are_refused_before_they_are_read(address: str) -> None:
    parts = urlsplit(address)
    with socket.create_connection((str(parts.hostname), parts.port or 80), timeout=PATIENCE) as raw:
        raw.sendall(
            f"POST /api/v1/score HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {10**12}\r\n\r\n".encode()
        )
        assert raw.recv(1000).startswith(b"HTTP/1.1 413")
    # Without a length the bytes are counted as they come.
    with socket.create_connection((str(parts.hostname), parts.port or 80), timeout=PATIENCE) as raw:
        raw.sendall(
            f"POST /api/v1/score HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n"
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        chunk = b"%x\r\n%s\r\n" % (1 << 20, b" " * (1 << 20))
        try:
            for _ in range(80):
                raw.sendall(chunk)
        except OSError:
            pass  # the server has answered and closed
        assert b"413" in raw.recv(1000)


def test_other_addresses_than_loopback_need_the_token() -> None:
    server, address = start("--host", "0.0.0.0")
    try:
        parts = urlsplit(address)
        token = parts.query.removeprefix("token=")
        assert len(token) >= 32
        local = f"http://127.0.0.1:{parts.port}/"
        assert ask(local, "/api/v1/metrics")[0] == 401
        assert ask(local, "/api/v1/metrics", Authorization="Bearer wrong")[0] == 401
        assert ask(local, "/api/v1/metrics", Authorization=f"Bearer {token}")[0] == 200
        status, headers, _ = ask(local, f"/?token={token}")
        cookie = headers["set-cookie"]
        assert (status, "HttpOnly" in cookie, "SameSite=Strict" in cookie) == (200, True, True)
        assert ask(local, "/api/v1/metrics", Cookie=cookie.partition(";")[0])[0] == 200
        assert "set-cookie" not in ask(local, "/?token=wrong")[1]
    finally:
        server.terminate()
        server.wait(PATIENCE)


def test_a_request_that_names_no_host_is_refused(address: str) -> None:
    parts = urlsplit(address)
    with socket.create_connection((str(parts.hostname), parts.port or 80), timeout=PATIENCE) as raw:
        raw.sendall(b"GET /api/v1/metrics HTTP/1.0\r\n\r\n")
        assert raw.recv(1000).startswith(b"HTTP/1.1 421")


@pytest.mark.parametrize(
    ("host", "needs_token"),
    [("127.0.0.1", False), ("localhost", False), ("0.0.0.0", True), ("0", True), ("", True)],
)
def test_names_of_all_addresses_need_a_token(host: str, needs_token: bool) -> None:
    with Server(host, 0) as server:
        assert bool(server.token) == needs_token


def test_a_taken_port_is_one_line(address: str) -> None:
    port = str(urlsplit(address).port)
    found = subprocess.run(
        [sys.executable, "-m", "bleuet", "serve", "--port", port],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert found.returncode == 2
    assert found.stderr.count("\n") == 1
    assert "choose another port" in found.stderr


def test_it_ends_quietly_when_it_is_told_to() -> None:
    server, _ = start()
    server.terminate()
    assert server.wait(PATIENCE) in (0, -15)
    assert server.stderr is not None
    assert server.stderr.read() == ""


def test_many_clients_at_once_lose_nothing(address: str) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def one(number: int) -> bool:
        text = f"word {number}"
        body = {**TEXTS, "hypothesis": text, "references": [text]}
        return ask(address, "/api/v1/calculate", body)[0] == 200

    with ThreadPoolExecutor(50) as pool:
        assert all(pool.map(one, range(200)))
