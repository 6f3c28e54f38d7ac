"""Errors as problem documents (RFC 9457), and answers of workers as responses."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from bleuet.extras import optional
from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import fastapi

    from bleuet.web.workers import Reply
else:
    fastapi = optional("fastapi")

PROBLEM = "application/problem+json"


class Kind(Value):
    """A kind of error, which programs know by its type.

    Args:
        name: its name, the title of its section in docs/api.md.
        status: the status of the answer.
        title: what it means, for all errors of this kind.
    """

    name: str
    status: HTTPStatus
    title: str

    @property
    def type(self) -> str:
        """The relative address that identifies it, which no version changes.

        >>> NO_ROOM.type
        '/problems/no-room'
        """
        return f"/problems/{self.name}"


UNUSABLE = Kind(
    "unusable-input", HTTPStatus.BAD_REQUEST, "The texts, metrics or options cannot be used"
)
NO_TOKEN = Kind("no-token", HTTPStatus.UNAUTHORIZED, "The token is missing or wrong")
FOREIGN_ORIGIN = Kind(
    "foreign-origin", HTTPStatus.FORBIDDEN, "A page of another site sent the request"
)
NO_PATH = Kind("no-such-path", HTTPStatus.NOT_FOUND, "There is no such path")
NO_COMPARISON = Kind("no-such-comparison", HTTPStatus.NOT_FOUND, "There is no such comparison")
NO_RESULT = Kind("no-result-yet", HTTPStatus.NOT_FOUND, "The comparison is not done")
WRONG_METHOD = Kind("wrong-method", HTTPStatus.METHOD_NOT_ALLOWED, "The path has no such method")
TOO_SLOW = Kind("too-slow", HTTPStatus.REQUEST_TIMEOUT, "The request came too slowly")
NO_ROOM = Kind("no-room", HTTPStatus.CONFLICT, "The server keeps as much as it may")
TOO_LARGE = Kind("too-large", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The request is too large")
FOREIGN_HOST = Kind(
    "foreign-host", HTTPStatus.MISDIRECTED_REQUEST, "The request names another host"
)
WRONG_FORM = Kind(
    "wrong-form", HTTPStatus.UNPROCESSABLE_ENTITY, "The request does not have the described form"
)
FAILURE = Kind("failure", HTTPStatus.INTERNAL_SERVER_ERROR, "bleuet failed")
BUSY = Kind("busy", HTTPStatus.SERVICE_UNAVAILABLE, "The server is busy")
# An error that is known by its status alone is of the first kind with this status.
KINDS = (
    UNUSABLE, NO_TOKEN, FOREIGN_ORIGIN, NO_PATH, NO_COMPARISON, NO_RESULT, WRONG_METHOD, TOO_SLOW,
    NO_ROOM, TOO_LARGE, FOREIGN_HOST, WRONG_FORM, FAILURE, BUSY,
)  # fmt: skip
# What any request can be answered with.
EVERYWHERE = (NO_TOKEN, FOREIGN_ORIGIN, TOO_SLOW, TOO_LARGE, FOREIGN_HOST, FAILURE)
# What requests that a worker answers can be answered with besides.
COMPUTED = (UNUSABLE, WRONG_FORM, BUSY)


class Rejection(Exception):
    """A request that is rejected, with the answer to it.

    Args:
        kind: the kind of error.
        detail: why, and how to fix it.
    """

    def __init__(self, kind: Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


def kind_of(status: int) -> Kind:
    """Return the kind of an error that is known by its status alone.

    >>> kind_of(404).name
    'no-such-path'
    """
    return next((kind for kind in KINDS if kind.status == status), FAILURE)


def problem(kind: Kind, detail: str) -> bytes:
    """Return a problem document.

    >>> problem(NO_ROOM, "no")[:50]
    b'{"type": "/problems/no-room", "title": "The server'
    """
    found = {"type": kind.type, "title": kind.title, "status": kind.status, "detail": detail}
    return json.dumps(found).encode()


def problem_headers(kind: Kind) -> dict[str, str]:
    """Return the headers of a problem document; where the server is busy, when to try again."""
    again = {"retry-after": "1"} if kind is BUSY else {}
    return {"content-type": PROBLEM, **again}


def problem_response(kind: Kind, detail: str) -> fastapi.Response:
    """Return a response with a problem document."""
    return fastapi.Response(problem(kind, detail), kind.status, headers=problem_headers(kind))


def response(answer: Reply) -> fastapi.Response:
    """Return the response with an answer of a worker."""
    if answer.status != HTTPStatus.OK:
        return problem_response(kind_of(answer.status), answer.content.decode())
    headers: Any = {"content-type": "application/json"}
    return fastapi.Response(answer.content, headers=headers)


def problem_responses(*kinds: Kind) -> dict[int | str, dict[str, Any]]:
    """Return what the description of the API says about the errors of an operation.

    Args:
        *kinds: the kinds that are not possible `EVERYWHERE`.
    """
    found: dict[int | str, dict[str, Any]] = {}
    for kind in sorted((*EVERYWHERE, *kinds), key=lambda one: one.status):
        known = found.get(int(kind.status), {}).get("description")
        said = f"{kind.title} (`{kind.type}`)"
        found[int(kind.status)] = {
            "description": f"{known}; or: {said}" if known else said,
            "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    return found
