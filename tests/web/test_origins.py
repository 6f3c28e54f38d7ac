"""Pages of other sites may use the API where `--allow-origin` names them, and nobody else may."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from bleuet.cli.main import main
from bleuet.web.server import Server
from tests.patience import PATIENCE
from tests.web.conftest import start

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
ALLOWED, OTHER = "https://example.org", "http://localhost:3000"
TEXTS = json.dumps({"hypotheses": ["a b"], "references": ["a b"]})
ASKED = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    options = ("--allow-origin", "https://Example.org:443", "--allow-origin", OTHER)
    server, address = start(*options)
    yield address
    server.terminate()
    server.wait(PATIENCE)


def sent(
    address: str, method: str, path: str = "/api/v1/score", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    own = {"Content-Type": "application/json", **headers}
    named = {name.replace("_", "-"): value for name, value in own.items()}
    connection.request(method, path, TEXTS if method == "POST" else None, named)
    answer = connection.getresponse()
    found = {name.lower(): value for name, value in answer.getheaders()}
    return answer.status, found, answer.read()


@pytest.mark.parametrize("origin", [ALLOWED, OTHER])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_an_allowed_site_gets_answers(served: str, origin: str, site: str) -> None:
    status, headers, content = sent(served, "POST", Origin=origin, Sec_Fetch_Site=site)
    assert (status, json.loads(content)[0]["name"]) == (200, "BLEU")
    assert headers["access-control-allow-origin"] == origin
    assert headers["vary"] == "origin"
    # A browser sends no cookies of the server's own page with it.
    assert "access-control-allow-credentials" not in headers


def test_errors_can_be_read_there_too(served: str) -> None:
    status, headers, content = sent(served, "GET", "/api/v1/nothing", Origin=ALLOWED)
    assert (status, json.loads(content)["type"]) == (404, "/problems/no-such-path")
    assert headers["access-control-allow-origin"] == ALLOWED


def test_a_browser_may_ask_first(served: str) -> None:
    status, headers, content = sent(served, "OPTIONS", Origin=ALLOWED, **ASKED)
    assert (status, content) == (204, b"")
    assert headers["access-control-allow-origin"] == ALLOWED
    assert "PUT" in headers["access-control-allow-methods"]
    assert headers["access-control-allow-headers"] == "authorization, content-type"
    assert "access-control-allow-private-network" not in headers
    network = {**ASKED, "Access-Control-Request-Private-Network": "true"}
    _, headers, _ = sent(served, "OPTIONS", Origin=ALLOWED, **network)
    assert headers["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "*",
        "http://example.org",
        "https://example.org.evil.example",
        "https://sub.example.org",
        "https://example.org:8443",
        "http://localhost:3001",
        f"{ALLOWED}, http://evil.example",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_other_sites_get_nothing(served: str, origin: str, method: str) -> None:
    status, headers, content = sent(served, method, Origin=origin, **ASKED)
    assert (status, json.loads(content)["type"]) == (403, "/problems/foreign-origin")
    assert not [name for name in headers if name.startswith("access-control")]


def test_what_browsers_say_still_counts(served: str) -> None:
    """A request without an origin, such as that of an image, is not one of an allowed page."""
    assert sent(served, "GET", "/api/v1/metrics", Sec_Fetch_Site="cross-site")[0] == 403
    assert sent(served, "GET", "/api/v1/metrics", Sec_Fetch_Site="same-site")[0] == 403


@pytest.mark.parametrize("method", ["POST", "OPTIONS"])
def test_the_host_must_be_the_servers_all_the_same(served: str, method: str) -> None:
    headers = {"Host": "evil.example", "Origin": ALLOWED, **ASKED}
    status, _, content = sent(served, method, **headers)
    assert (status, json.loads(content)["type"]) == (421, "/problems/foreign-host")


def test_no_site_is_allowed_by_default(address: str) -> None:
    for method in ("POST", "OPTIONS"):
        status, headers, _ = sent(address, method, Origin=ALLOWED, **ASKED)
        assert status == 403
        assert "access-control-allow-origin" not in headers


def test_allowed_sites_need_the_token_too() -> None:
    server, address = start("--host", "0.0.0.0", "--allow-origin", ALLOWED)
    try:
        parts = urlsplit(address)
        local = f"http://127.0.0.1:{parts.port}/"
        token = parts.query.removeprefix("token=")
        # Browsers ask without it.
        assert sent(local, "OPTIONS", Origin=ALLOWED, **ASKED)[0] == 204
        status, headers, content = sent(local, "POST", Origin=ALLOWED)
        assert (status, json.loads(content)["type"]) == (401, "/problems/no-token")
        assert headers["access-control-allow-origin"] == ALLOWED
        bearer = f"Bearer {token}"
        assert sent(local, "POST", Origin=ALLOWED, Authorization=bearer)[0] == 200
    finally:
        server.terminate()
        server.wait(PATIENCE)


@pytest.mark.parametrize(
    ("origin", "said"),
    [
        ("*", "would let every page"),
        ("null", "is not an origin"),
        ("example.org", "is not an origin"),
        ("https://example.org/", "is not an origin"),
        ("https://*.example.org", "is not an origin"),
        ("https://me@example.org", "is not an origin"),
    ],
)
def test_what_is_no_origin_is_one_line(
    origin: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Server, "run", lambda _: None)
    assert main(["serve", "--port", "0", "--allow-origin", origin]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.count("\n") == 1
