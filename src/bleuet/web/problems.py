"""Errors as problem documents (RFC 9457), and answers of workers as responses."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    import fastapi

    from bleuet.web.workers import Reply
else:
    fastapi = optional("fastapi")

PROBLEM = "application/problem+json"


def problem(status: HTTPStatus, detail: str) -> bytes:
    """Return a problem document.

    >>> problem(HTTPStatus.FORBIDDEN, "no")
    b'{"type": "about:blank", "title": "Forbidden", "status": 403, "detail": "no"}'
    """
    found = {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail}
    return json.dumps(found).encode()


def problem_headers(status: HTTPStatus) -> dict[str, str]:
    """Return the headers of a problem document; where the server is busy, when to try again."""
    again = {"retry-after": "1"} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return {"content-type": PROBLEM, **again}


def problem_response(status: HTTPStatus, detail: str) -> fastapi.Response:
    """Return a response with a problem document."""
    return fastapi.Response(problem(status, detail), status, headers=problem_headers(status))


def response(answer: Reply) -> fastapi.Response:
    """Return the response with an answer of a worker."""
    if answer.status != HTTPStatus.OK:
        return problem_response(answer.status, answer.content.decode())
    headers: Any = {"content-type": "application/json"}
    return fastapi.Response(answer.content, headers=headers)
