"""What every request passes first: its host, origin, token, size, and how many are at work."""

from __future__ import annotations

import hmac
import json
from http import HTTPStatus
from http.cookies import SimpleCookie
from math import inf
from urllib.parse import parse_qs, urlsplit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Any, TypeAlias

    Scope: TypeAlias = dict[str, Any]
    Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
    Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
    App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY_BYTES = 64 << 20
# The method of uploads, which are written to a file and have a limit of their own.
UPLOAD = "PUT"
# Requests that are at work or wait; one more gets the answer 429.
MAX_REQUESTS = 128
TOKEN = "token"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Rejection(Exception):
    """A request that is rejected, with the answer to it.

    Args:
        status: the status of the answer.
        detail: why, and how to fix it.
    """

    def __init__(self, status: HTTPStatus, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Guard:
    """Rejects what does not come from the page or a program of this computer.

    A page of another site can make a browser send requests to this server. Such requests have
    another origin, or, where a name of that site was made to point here, another host.

    Args:
        app: what answers the requests that pass.
        hosts: the hosts that requests may name.
        token: what requests must bring; "" for none.
        max_body_bytes: the most bytes of a request.
        max_requests: the most requests at once.
    """

    def __init__(
        self,
        app: App,
        hosts: frozenset[str],
        token: str = "",
        *,
        max_body_bytes: int = MAX_BODY_BYTES,
        max_requests: int = MAX_REQUESTS,
    ) -> None:
        self.app = app
        self.hosts = hosts
        self.token = token
        self.max_body_bytes = max_body_bytes
        self.max_requests = max_requests
        self._at_work = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        added = [*HEADERS, *self._cookie(scope)]

        async def send_with_headers(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                names = {name for name, _ in own}
                more = [(name, value) for name, value in added if name not in names]
                message = {**message, "headers": own + more}
            await send(message)

        try:
            self._check(scope)
        except Rejection as rejection:
            await _answer(rejection, send_with_headers)
            return
        self._at_work += 1
        try:
            await self._limited(scope, receive, send_with_headers)
        finally:
            self._at_work -= 1

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = 0
        limit = inf if scope["method"] == UPLOAD else self.max_body_bytes

        async def receive_limited() -> dict[str, Any]:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            # The rest is never read, and what the application makes of the beginning is not sent.
            return message if read <= limit else {"type": "http.disconnect"}

        async def send_if_whole(message: Mapping[str, Any]) -> None:
            if read <= limit:
                await send(message)

        await self.app(scope, receive_limited, send_if_whole)
        if read > limit:
            await _answer(_too_large(self.max_body_bytes), send)

    def _check(self, scope: Scope) -> None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        self._check_origin(headers)
        if self.token and not self._has_token(scope, headers):
            raise Rejection(
                HTTPStatus.UNAUTHORIZED,
                "the token is missing or wrong: open the address that the server printed, or send "
                "the header Authorization: Bearer TOKEN",
            )
        length = headers.get(b"content-length", "0")
        large = length.isdecimal() and int(length) > self.max_body_bytes
        if large and scope["method"] != UPLOAD:
            raise _too_large(self.max_body_bytes)
        if self._at_work >= self.max_requests:
            raise Rejection(
                HTTPStatus.TOO_MANY_REQUESTS,
                f"{self.max_requests} requests are at work already: try again in a moment",
            )

    def _check_origin(self, headers: Mapping[bytes, str]) -> None:
        host = headers.get(b"host", "").lower()
        if host not in self.hosts:
            raise Rejection(
                HTTPStatus.MISDIRECTED_REQUEST,
                "the request names another host than this server has: open the address that the "
                "server printed",
            )
        origin = headers.get(b"origin")
        foreign = origin is not None and urlsplit(origin).netloc.lower() != host
        # The browser's own headers: a page of another site sent the request. A person may open a
        # link there.
        site, mode = headers.get(b"sec-fetch-site", ""), headers.get(b"sec-fetch-mode", "")
        if foreign or (site in ("cross-site", "same-site") and mode != "navigate"):
            raise Rejection(HTTPStatus.FORBIDDEN, "pages of other sites may not use this server")

    def _cookie(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Return the header that keeps the token of the address for the page's own requests."""
        query = parse_qs(scope["query_string"].decode("latin-1")).get(TOKEN, [""])[0]
        if not self.token or not _equal(query, self.token):
            return []
        value = f"{TOKEN}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        return [(b"set-cookie", value.encode())]

    def _has_token(self, scope: Scope, headers: Mapping[bytes, str]) -> bool:
        found = [headers.get(b"authorization", "").removeprefix("Bearer ")]
        found += parse_qs(scope["query_string"].decode("latin-1")).get(TOKEN, [])
        cookie = SimpleCookie(headers.get(b"cookie", "")).get(TOKEN)
        found += [cookie.value] if cookie is not None else []
        return any(_equal(one, self.token) for one in found)


def _equal(one: str, other: str) -> bool:
    """Compare in a time that does not depend on where two texts differ."""
    return hmac.compare_digest(one.encode(), other.encode())


def _too_large(limit: int) -> Rejection:
    return Rejection(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"a request may have {limit:,} bytes: send fewer segments at once, or use the command line",
    )


def problem(status: HTTPStatus, detail: str) -> bytes:
    """Return a problem document (RFC 9457).

    >>> problem(HTTPStatus.FORBIDDEN, "no")
    b'{"type": "about:blank", "title": "Forbidden", "status": 403, "detail": "no"}'
    """
    found = {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail}
    return json.dumps(found).encode()


async def _answer(rejection: Rejection, send: Send) -> None:
    body = problem(rejection.status, rejection.detail)
    headers = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
    ]
    if rejection.status == HTTPStatus.TOO_MANY_REQUESTS:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": rejection.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
