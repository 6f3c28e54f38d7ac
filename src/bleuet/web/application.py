"""The HTTP API and the files of the page, as an ASGI application."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from bleuet.errors import BleuetError
from bleuet.extras import optional
from bleuet.version import __version__
from bleuet.web.answer_types import ANSWERS, Problem, Rewards
from bleuet.web.comparison_routes import add_comparisons
from bleuet.web.comparisons import Comparisons
from bleuet.web.guard import Guard, problem
from bleuet.web.models import REQUESTS, RewardRequest, Word
from bleuet.web.operations import OPERATIONS, call, check_wanted
from bleuet.web.page_files import CALCULATOR, CHART, SYSTEMS, chart_file, page_file, type_of
from bleuet.web.rewarding import get_reward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    import fastapi
    import fastapi.exceptions
else:
    fastapi = optional("fastapi")

API = "/api/v1"
# The addresses of pages that are not the names of their files.
PAGES = {"index.html": "", "systems.html": "systems"}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": HTTPStatus(status).phrase,
        "content": {"application/problem+json": {"schema": Problem.model_json_schema()}},
    }
    for status in (400, 401, 403, 404, 413, 421, 422, 429)
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
    _add_reward(app)
    add_comparisons(app, API, comparisons, PROBLEMS)
    for name in (*CALCULATOR, *SYSTEMS, CHART):
        _add_file(app, name)
    if served is not None:
        protocol = served.streamable_http_app(stateless_http=True, json_response=True)
        app.router.routes.extend(protocol.routes)
    return Guard(app, hosts, token, **limits)


def _add_operation(app: fastapi.FastAPI, name: str) -> None:
    path, summary = f"{API}/{name}", OPERATIONS[name].summary
    # The type describes the answer, which is not checked again: it has up to millions of numbers.
    responses: dict[int | str, dict[str, Any]] = {200: {"model": ANSWERS[name]}, **PROBLEMS}
    described: Any = {"name": name, "summary": summary, "responses": responses}
    if name not in REQUESTS:
        app.get(path, **described)(lambda: fastapi.responses.JSONResponse(call(name, {})))
        return

    async def answer(request: Any, client: fastapi.Request) -> fastapi.Response:
        found = await _while_wanted(client, lambda: call(name, request.plain()))
        return fastapi.responses.JSONResponse(found)

    answer.__annotations__ |= {"request": REQUESTS[name], "client": fastapi.Request}
    app.post(path, **described)(answer)


def _add_reward(app: fastapi.FastAPI) -> None:
    """Answer the protocol of OpenRLHF's remote reward."""
    responses: dict[int | str, dict[str, Any]] = {200: {"model": Rewards}, **PROBLEMS}

    @app.post(
        "/get_reward", summary="rewards of responses, by OpenRLHF's protocol", responses=responses
    )
    async def answer(
        request: RewardRequest, client: fastapi.Request, metric: Word = "bleu"
    ) -> fastapi.Response:
        found = await _while_wanted(client, lambda: get_reward(metric, request.model_dump()))
        return fastapi.responses.JSONResponse(found)


class _ClientLeft(BleuetError):
    """Nobody waits for the answer any more."""


async def _while_wanted(client: fastapi.Request, work: Callable[[], Any]) -> Any:
    """Return what a thread computes; the thread stops between batches once the client has left."""
    left = False

    async def watch() -> None:
        nonlocal left
        while (await client.receive())["type"] != "http.disconnect":
            pass
        left = True

    def check() -> None:
        if left:
            raise _ClientLeft

    watching = asyncio.ensure_future(watch())
    # Threads see the variables of the request that they work for.
    check_wanted.set(check)
    try:
        return await fastapi.concurrency.run_in_threadpool(work)
    finally:
        watching.cancel()


def _add_file(app: fastapi.FastAPI, name: str) -> None:
    def answer() -> fastapi.Response:
        content = chart_file() if name == CHART else page_file(name)
        return fastapi.Response(content, media_type=type_of(name))

    app.get(f"/{PAGES.get(name, name)}", include_in_schema=False)(answer)


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
