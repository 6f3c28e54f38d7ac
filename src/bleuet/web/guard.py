"""What every request passes first: its host, origin, token, size, speed, and that it is wanted."""

from __future__ import annotations

import asyncio
import hmac
import re
from ipaddress import ip_address
from math import inf
from time import monotonic
from urllib.parse import parse_qs

from bleuet.web.problems import (
    BUSY,
    FOREIGN_HOST,
    FOREIGN_ORIGIN,
    NO_TOKEN,
    TOO_LARGE,
    TOO_SLOW,
    Rejection,
    problem,
    problem_headers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Mapping
    from typing import Any, TypeAlias

    Scope: TypeAlias = dict[str, Any]
    Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
    Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
    App: TypeAlias = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]

# The most bytes of a request that sends no texts; what is larger counts among those that are held.
SMALL_BYTES = 64 << 10
# The most bytes of all larger requests together.
MAX_HELD_BYTES = 256 << 20
# The method of uploads, which are written to a file and have a limit of their own.
UPLOAD = "PUT"
# A body must come in so many seconds, and one more for each so many bytes.
BODY_SECONDS = 30
MIN_BYTES_PER_SECOND = 10_000
TOKEN = "token"
# What a page of an allowed origin may send.
METHODS = b"GET, POST, PUT, DELETE"
# A host that is numbers, with its port.
NUMBERS = re.compile(r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<four>[0-9.]+))(?::(?P<port>[0-9]{1,5}))?")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """Rejects what does not come from the page or a program of this computer.

    A page of another site can make a browser send requests to this server. Such requests have
    another origin, or, where a name of that site was made to point here, another host.

    A request whose client leaves is cancelled.

    Args:
        app: what answers the requests that pass.
        hosts: the hosts that requests may name, beside the address that they came to.
        token: what requests must bring; "" for none.
        origins: the sites whose pages may send requests, such as "https://example.org".
        most_bytes: the most bytes of a request to a path; `SMALL_BYTES` for other paths.
    """

    def __init__(
        self,
        app: App,
        hosts: frozenset[str],
        token: str = "",
        *,
        origins: frozenset[str] = frozenset(),
        most_bytes: Mapping[str, int] | None = None,
    ) -> None:
        self.app = app
        self.hosts = hosts
        self.token = token
        self.origins = origins
        self.most_bytes = most_bytes or {}
        # The bytes of all requests whose clients wait.
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        origin = self._allowed_origin(scope)
        added = [*HEADERS, *self._cookie(scope), *_sharing(origin)]

        async def send_with_headers(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                names = {name for name, _ in own}
                more = [(name, value) for name, value in added if name not in names]
                message = {**message, "headers": own + more}
            await send(message)

        try:
            self._check_sender(scope)
            if origin and _is_preflight(scope):
                # A browser sends it before a request of a page, and without a token.
                await _answer_preflight(scope, send_with_headers)
                return
            self._check(scope)
            await self._pass(scope, receive, send_with_headers)
        except Rejection as rejection:
            await _answer(rejection, send_with_headers)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = self._limit(scope)
        body = _Body(receive, limit)
        if limit == inf:
            await self.app(scope, body.receive, send)
            return
        try:
            while not body.is_whole:
                await body.read()
                self._hold(body)
            if not body.client_left:
                await _while_client_waits(self.app(scope, body.replay, send), body)
        finally:
            self._held -= body.held

    def _limit(self, scope: Scope) -> float:
        return inf if scope["method"] == UPLOAD else self.most_bytes.get(scope["path"], SMALL_BYTES)

    def _hold(self, body: _Body) -> None:
        """Count the bytes of a large request, so that all together have a limit."""
        if body.size > SMALL_BYTES:
            self._held += body.size - body.held
            body.held = body.size
        if body.held and self._held > MAX_HELD_BYTES:
            raise Rejection(
                BUSY,
                "many large requests are being answered already: try again in a moment",
            )

    def _check(self, scope: Scope) -> None:
        headers = _headers(scope)
        if self.token and not self._has_token(scope, headers):
            raise Rejection(
                NO_TOKEN,
                "the token is missing or wrong: open the address that the server printed, or send "
                "the header Authorization: Bearer TOKEN",
            )
        length = headers.get(b"content-length", "0")
        limit = self._limit(scope)
        if length.isdecimal() and int(length[:20]) > limit:
            raise _too_large(limit)

    def _allowed_origin(self, scope: Scope) -> str:
        """Return the origin of a request if its pages may use this server, else ""."""
        origin = _headers(scope).get(b"origin", "")
        return origin if origin.lower() in self.origins else ""

    def _check_sender(self, scope: Scope) -> None:
        headers = _headers(scope)
        host = headers.get(b"host", "").lower()
        if host not in self.hosts and not _is_own_address(host, scope.get("server")):
            raise Rejection(
                FOREIGN_HOST,
                "the request names another host than this server has: open the address that the "
                "server printed",
            )
        if self._allowed_origin(scope):
            return
        origin = headers.get(b"origin")
        foreign = origin is not None and origin.partition("://")[2].lower() != host
        # The browser's own headers: a page of another site sent the request. A person may open a
        # link there.
        site, mode = headers.get(b"sec-fetch-site", ""), headers.get(b"sec-fetch-mode", "")
        if foreign or (site in ("cross-site", "same-site") and mode != "navigate"):
            raise Rejection(
                FOREIGN_ORIGIN,
                "pages of other sites may not use this server: start it with --allow-origin ORIGIN "
                "for each site that may",
            )

    def _cookie(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Return the header that keeps the token of the address for the page's own requests."""
        if not self.token or not any(_equal(one, self.token) for one in _tokens_of_address(scope)):
            return []
        value = f"{TOKEN}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        return [(b"set-cookie", value.encode())]

    def _has_token(self, scope: Scope, headers: Mapping[bytes, str]) -> bool:
        found = [headers.get(b"authorization", "").removeprefix("Bearer ")]
        found += _tokens_of_address(scope)
        # Other servers of this computer have set cookies too, of any form.
        cookies = [one.strip().partition("=") for one in headers.get(b"cookie", "").split(";")]
        found += [value for name, _, value in cookies if name == TOKEN]
        return any(_equal(one, self.token) for one in found)


class _Body:
    """The body of a request, which must come fast enough and have at most so many bytes."""

    def __init__(self, receive: Receive, limit: float) -> None:
        self._receive = receive
        self._limit = limit
        self._begun = monotonic()
        self.size = 0
        self._parts: list[bytes] = []
        self.is_whole = False
        self.client_left = False
        # How many bytes are counted with those of other requests.
        self.held = 0

    async def receive(self) -> dict[str, Any]:
        """Return the next message of the client.

        Raises:
            Rejection: it is too slow, or there is too much.
        """
        late = self._begun + BODY_SECONDS + self.size / MIN_BYTES_PER_SECOND
        try:
            async with asyncio.timeout(max(0.0, late - monotonic())):
                message = await self._receive()
        except TimeoutError:
            raise Rejection(TOO_SLOW, "the request came too slowly: send it again") from None
        self.size += len(message.get("body", b""))
        if self.size > self._limit:
            raise _too_large(self._limit)
        self.client_left = message["type"] == "http.disconnect"
        return message

    async def read(self) -> None:
        """Keep the next message of the client, as `receive` does."""
        message = await self.receive()
        self._parts.append(message.get("body", b""))
        self.is_whole = not message.get("more_body", False)

    async def replay(self) -> dict[str, Any]:
        """Return all of it, and then wait until the client has left."""
        if self._parts:
            whole = b"".join(self._parts)
            self._parts = []
            return {"type": "http.request", "body": whole, "more_body": False}
        await self.left()
        return {"type": "http.disconnect"}

    async def left(self) -> None:
        """Wait until the client has left."""
        while not self.client_left:
            self.client_left = (await self._receive())["type"] == "http.disconnect"


async def _while_client_waits(answering: Coroutine[Any, Any, None], body: _Body) -> None:
    """Answer a request; cancel this when the client leaves."""
    working, leaving = asyncio.ensure_future(answering), asyncio.ensure_future(body.left())
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        leaving.cancel()
        if not working.done():
            working.cancel()
    try:
        await working
    except asyncio.CancelledError:
        if not body.client_left:
            raise


def _is_own_address(host: str, server: tuple[str, int | None] | None) -> bool:
    """Return whether a request names the address that it came to, as numbers.

    A name can be made to point here, numbers cannot.

    >>> _is_own_address("[fe80::0:1]:8321", ("fe80::1%eth0", 8321))
    True
    >>> _is_own_address("evil.example:8321", ("192.0.2.1", 8321))
    False
    """
    named = NUMBERS.fullmatch(host)
    if named is None or server is None or int(named["port"] or 80) != server[1]:
        return False
    try:
        own = ip_address(server[0].partition("%")[0])
        return ip_address(named["six"] or named["four"]) == own
    except ValueError:
        return False


def _headers(scope: Scope) -> dict[bytes, str]:
    return {name: value.decode("latin-1") for name, value in scope["headers"]}


def _sharing(origin: str) -> list[tuple[bytes, bytes]]:
    """Return the headers with which a browser gives an answer to a page of another site."""
    if not origin:
        return []
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", b"content-disposition, retry-after"),
        (b"vary", b"origin"),
    ]


def _is_preflight(scope: Scope) -> bool:
    return scope["method"] == "OPTIONS" and b"access-control-request-method" in _headers(scope)


async def _answer_preflight(scope: Scope, send: Send) -> None:
    headers = [
        (b"access-control-allow-methods", METHODS),
        (b"access-control-allow-headers", b"authorization, content-type"),
        (b"access-control-max-age", b"600"),
        (b"content-length", b"0"),
    ]
    if b"access-control-request-private-network" in _headers(scope):
        headers.append((b"access-control-allow-private-network", b"true"))
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _tokens_of_address(scope: Scope) -> list[str]:
    return parse_qs(scope["query_string"].decode("latin-1")).get(TOKEN, [])


def _equal(one: str, other: str) -> bool:
    """Compare in a time that does not depend on where two texts differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def _too_large(limit: float) -> Rejection:
    return Rejection(
        TOO_LARGE,
        f"this request may have {limit:,} bytes: send fewer or shorter texts at once, start the "
        "server with a larger --max-request-bytes, or use the command line",
    )


async def _answer(rejection: Rejection, send: Send) -> None:
    body = problem(rejection.kind, rejection.detail)
    headers = [
        *(
            (name.encode(), value.encode())
            for name, value in problem_headers(rejection.kind).items()
        ),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": rejection.kind.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
