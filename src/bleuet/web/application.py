"""The HTTP API and the files of the page, as an ASGI application."""

from __future__ import annotations

from http import HTTPStatus
from importlib.resources import files
from typing import Any

from bleuet.errors import BleuetError
from bleuet.extras import optional
from bleuet.version import __version__
from bleuet.web.comparison_routes import add_comparisons
from bleuet.web.comparisons import Comparisons
from bleuet.web.guard import Guard, problem
from bleuet.web.models import REQUESTS, Problem
from bleuet.web.operations import OPERATIONS, call

TYPE_CHECKING = False
if TYPE_CHECKING:
    import fastapi
    import fastapi.exceptions
else:
    fastapi = optional("fastapi")

API = "/api/v1"
# The files of the page and their types; nothing else is ever read from the disk.
PAGE = {
    "": ("index.html", "text/html; charset=utf-8"),
    "page.css": ("page.css", "text/css; charset=utf-8"),
    "calculator.js": ("calculator.js", "text/javascript; charset=utf-8"),
    "backend.js": ("backend.js", "text/javascript; charset=utf-8"),
    "marks.js": ("marks.js", "text/javascript; charset=utf-8"),
    "systems": ("systems.html", "text/html; charset=utf-8"),
    "systems.js": ("systems.js", "text/javascript; charset=utf-8"),
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "content": {"application/problem+json": {}}}
    for status in (400, 401, 403, 413, 421, 422, 429)
}


def make_application(
    hosts: frozenset[str],
    comparisons: Comparisons,
    token: str = "",
    *,
    tools: bool = False,
    **limits: int,
) -> Guard:
    """Return the application, behind its guard.

    Args:
        hosts: the hosts that requests may name, such as "127.0.0.1:8000".
        comparisons: the comparisons that it makes; who made them ends them.
        token: what requests must bring; "" for none.
        tools: whether assistants find the operations as tools.
        **limits: as `Guard` takes them.
    """
    served = None
    if tools:
        from bleuet.web.assistant_tools import make_tools

        served = make_tools()
    app = fastapi.FastAPI(
        lifespan=None if served is None else lambda _: served.session_manager.run(),
        title="bleuet",
        version=__version__,
        summary="Scores of machine translation and any generated text against references.",
        description="Nothing that is sent here is kept or logged.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    _add_errors(app)
    for name in OPERATIONS:
        _add_operation(app, name)
    add_comparisons(app, API, comparisons, responses=PROBLEMS)
    for path in PAGE:
        _add_file(app, path)
    if served is not None:
        protocol = served.streamable_http_app(stateless_http=True, json_response=True)
        app.router.routes.extend(protocol.routes)
    return Guard(app, hosts, token, **limits)


def _add_operation(app: fastapi.FastAPI, name: str) -> None:
    operation = OPERATIONS[name]
    path, described = f"{API}/{name}", {"summary": operation.summary, "responses": PROBLEMS}
    if name not in REQUESTS:
        app.get(path, name=name, **described)(lambda: call(name, {}))  # type: ignore[arg-type]
        return
    kind = REQUESTS[name]

    def answer(request: Any) -> Any:
        return call(name, request.plain())

    answer.__annotations__["request"] = kind
    app.post(path, name=name, **described)(answer)  # type: ignore[arg-type]


def _add_file(app: fastapi.FastAPI, path: str) -> None:
    name, kind = PAGE[path]

    def answer() -> fastapi.Response:
        content = files("bleuet.web").joinpath("page", name).read_bytes()
        return fastapi.Response(content, media_type=kind)

    app.get(f"/{path}", include_in_schema=False)(answer)


def _add_errors(app: fastapi.FastAPI) -> None:
    """Answer every error with a problem document."""

    @app.exception_handler(BleuetError)
    def library_error(request: fastapi.Request, error: BleuetError) -> fastapi.Response:
        return _problem(HTTPStatus.BAD_REQUEST, str(error))

    @app.exception_handler(fastapi.exceptions.RequestValidationError)
    def invalid(
        request: fastapi.Request, error: fastapi.exceptions.RequestValidationError
    ) -> fastapi.Response:
        # Of the types that a value may have, the one that fits best has the longest path.
        found = max(error.errors(), key=lambda one: len(one["loc"]))
        parts = [str(one) for one in found["loc"] if one != "body" and "[" not in str(one)]
        detail = f"{'.'.join(parts)}: {found['msg']}".lstrip(": ")
        return _problem(HTTPStatus.UNPROCESSABLE_ENTITY, detail)

    # That of the framework below, which has no path too.
    @app.exception_handler(fastapi.exceptions.StarletteHTTPException)  # type: ignore[attr-defined]
    def rejected(request: fastapi.Request, error: fastapi.HTTPException) -> fastapi.Response:
        return _problem(HTTPStatus(error.status_code), str(error.detail))


def _problem(status: HTTPStatus, detail: str) -> fastapi.Response:
    content = problem(status, detail)
    return fastapi.Response(content, status, media_type="application/problem+json")
