"""The HTTP API and the files of the page, as an ASGI application."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from bleuet.errors import BleuetError
from bleuet.extras import optional
from bleuet.version import __version__
from bleuet.web.answer_types import ANSWERS, Health, Problem, Rewards
from bleuet.web.answering import CHART, REWARD, detail_of
from bleuet.web.comparison_routes import add_comparisons
from bleuet.web.comparisons import Comparisons, NoRoomError
from bleuet.web.guard import Guard
from bleuet.web.models import REQUESTS
from bleuet.web.operations import OPERATIONS, call
from bleuet.web.page_files import CALCULATOR, CHART_FILE, SYSTEMS, page_file, type_of
from bleuet.web.problems import (
    BUSY,
    COMPUTED,
    FAILURE,
    NO_ROOM,
    UNUSABLE,
    WRONG_FORM,
    Rejection,
    kind_of,
    problem_response,
    problem_responses,
    response,
)
from bleuet.web.request_types import RewardRequest, Word
from bleuet.web.workers import BusyError, Workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    import fastapi
    import fastapi.exceptions
else:
    fastapi = optional("fastapi")

API = "/api/v1"
# The most bytes of a request with texts, with one sentence, and of a request to a tool.
MAX_REQUEST_BYTES = 64 << 20
MAX_SENTENCE_BYTES = 1 << 20
MAX_TOOL_BYTES = 4 << 20
NO_CHART = b"export const chart = null;\n"
# The addresses of pages that are not the names of their files.
PAGES = {"index.html": "", "systems.html": "systems"}


def make_application(
    hosts: frozenset[str],
    comparisons: Comparisons,
    workers: Workers,
    token: str = "",
    *,
    origins: frozenset[str] = frozenset(),
    tools: bool = False,
    max_request_bytes: int | None = None,
) -> Guard:
    """Return the application, behind its guard.

    Args:
        hosts: the hosts that requests may name, such as "127.0.0.1:8000".
        comparisons: keeps the comparisons that users start; the caller ends them.
        workers: the processes that compute the answers; the caller ends them.
        token: what requests must bring; "" for none.
        origins: the sites whose pages may send requests, such as "https://example.org".
        tools: whether assistants find the operations as tools.
        max_request_bytes: the most bytes of a request with texts; default 64 MiB, and 1 MiB for
            one sentence.
    """
    served = None
    if tools:
        from bleuet.web.assistant_tools import make_tools

        served = make_tools(workers)
    app = _Application(
        lifespan=None if served is None else lambda _: served.session_manager.run(),
        title="bleuet",
        version=__version__,
        summary="Scores of machine translation and any generated text against references.",
        description="Nothing that is sent here is kept or logged.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        # The names of the functions of a generated client.
        generate_unique_id_function=lambda route: route.name,
    )
    _add_errors(app)
    _add_health(app, workers)
    for name in OPERATIONS:
        _add_operation(app, workers, name)
    _add_reward(app, workers)
    add_comparisons(app, API, comparisons, workers)
    for name in (*CALCULATOR, *SYSTEMS):
        _add_file(app, name)
    _add_chart(app)
    if served is not None:
        # Without a host here, only the guard checks hosts; it knows those of the server.
        protocol = served.streamable_http_app(stateless_http=True, json_response=True, host="")
        app.router.routes.extend(protocol.routes)
    return Guard(app, hosts, token, origins=origins, most_bytes=_most_bytes(max_request_bytes))


class _Application(fastapi.FastAPI):
    """The application, whose description has the type of problem documents."""

    def openapi(self) -> dict[str, Any]:
        """Return the description."""
        found = super().openapi()
        found["components"]["schemas"].setdefault(Problem.__name__, Problem.model_json_schema())
        return found


def _most_bytes(wanted: int | None) -> dict[str, int]:
    """Return how many bytes a request to each path that takes texts may have."""
    paths = [f"{API}/{name}" for name in REQUESTS]
    most = dict.fromkeys((*paths, "/get_reward"), wanted or MAX_REQUEST_BYTES)
    most[f"{API}/calculate"] = wanted or MAX_SENTENCE_BYTES
    # The library parses it before a process of ours does.
    most["/mcp"] = min(MAX_TOOL_BYTES, wanted or MAX_TOOL_BYTES)
    return most


def _add_health(app: fastapi.FastAPI, workers: Workers) -> None:
    @app.get(
        f"{API}/health",
        summary="whether the server answers",
        response_model=Health,
        responses=problem_responses(),
    )
    async def health() -> dict[str, Any]:
        return {"version": __version__, **workers.counts()}


def _add_operation(app: fastapi.FastAPI, workers: Workers, name: str) -> None:
    path, operation = f"{API}/{name}", OPERATIONS[name]
    # The type describes the answer, which is not checked again: it has up to millions of numbers.
    problems = problem_responses(*(COMPUTED if name in REQUESTS else ()))
    about: Any = {
        "name": name,
        "summary": operation.summary,
        "responses": {200: {"model": ANSWERS[name]}, **problems},
    }
    if name not in REQUESTS:
        answer = lru_cache(1)(lambda: call(name, {}))
        app.get(path, **about)(lambda: fastapi.responses.JSONResponse(answer()))
        return

    async def computed(request: Any, client: fastapi.Request) -> fastapi.Response:
        return response(await workers.answer(name, await client.body()))

    computed.__annotations__ |= {"request": REQUESTS[name], "client": fastapi.Request}
    app.router.add_api_route(
        path, computed, methods=["POST"], route_class_override=_Unread, **about
    )


def _add_reward(app: fastapi.FastAPI, workers: Workers) -> None:
    """Answer the protocol of OpenRLHF's remote reward."""
    responses: dict[int | str, dict[str, Any]] = {
        200: {"model": Rewards},
        **problem_responses(*COMPUTED),
    }

    async def answer(
        request: RewardRequest, client: fastapi.Request, metric: Word = "bleu"
    ) -> fastapi.Response:
        metric = client.query_params.get("metric", "bleu")
        return response(await workers.answer(REWARD, await client.body(), metric=metric))

    app.router.add_api_route(
        "/get_reward",
        answer,
        name=REWARD,
        methods=["POST"],
        route_class_override=_Unread,
        summary="rewards of responses, by OpenRLHF's protocol",
        responses=responses,
    )


class _Unread(fastapi.routing.APIRoute):
    """A route whose types only describe it: another process reads the request and checks it."""

    def get_route_handler(
        self,
    ) -> Callable[[fastapi.Request], Coroutine[Any, Any, fastapi.Response]]:
        """Return the function that answers a request."""

        async def handle(client: fastapi.Request) -> fastapi.Response:
            kind = client.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json" and not kind.endswith("+json"):
                raise Rejection(
                    WRONG_FORM,
                    "send JSON, with the header Content-Type: application/json",
                )
            answered: fastapi.Response = await self.endpoint(None, client)
            return answered

        return handle


def _add_file(app: fastapi.FastAPI, name: str) -> None:
    content = page_file(name)

    async def answer() -> fastapi.Response:
        return fastapi.Response(content, media_type=type_of(name))

    app.get(f"/{PAGES.get(name, name)}", include_in_schema=False)(answer)


def _add_chart(app: fastapi.FastAPI) -> None:
    chart = _Chart()

    @app.get(f"/{CHART_FILE}", include_in_schema=False)
    async def answer() -> fastapi.Response:
        return fastapi.Response(await chart.module(), media_type=type_of(CHART_FILE))


class _Chart:
    """The module with the chart, which is made once; without the extra `report` it has no chart.

    Another process makes it, because what it loads takes 100 MB.
    """

    def __init__(self) -> None:
        self._made = b""
        self._making = asyncio.Lock()

    async def module(self) -> bytes:
        """Return the module."""
        async with self._making:
            if not self._made:
                workers = Workers(1)
                try:
                    status, content = await workers.answer(CHART)
                finally:
                    workers.end()
                if status == HTTPStatus.INTERNAL_SERVER_ERROR:
                    return NO_CHART
                self._made = content if status == HTTPStatus.OK else NO_CHART
        return self._made


def _add_errors(app: fastapi.FastAPI) -> None:
    """Answer every error with a problem document."""

    @app.exception_handler(BleuetError)
    async def library_error(request: fastapi.Request, error: BleuetError) -> fastapi.Response:
        return problem_response(UNUSABLE, str(error))

    @app.exception_handler(BusyError)
    async def busy(request: fastapi.Request, error: BusyError) -> fastapi.Response:
        return problem_response(BUSY, str(error))

    @app.exception_handler(NoRoomError)
    async def no_room(request: fastapi.Request, error: NoRoomError) -> fastapi.Response:
        return problem_response(NO_ROOM, str(error))

    @app.exception_handler(fastapi.exceptions.RequestValidationError)
    async def invalid(
        request: fastapi.Request, error: fastapi.exceptions.RequestValidationError
    ) -> fastapi.Response:
        return problem_response(WRONG_FORM, detail_of(error.errors()))

    # That of the framework below, which has no path too.
    @app.exception_handler(fastapi.exceptions.StarletteHTTPException)  # type: ignore[attr-defined]
    async def unknown(request: fastapi.Request, error: fastapi.HTTPException) -> fastapi.Response:
        return problem_response(kind_of(error.status_code), str(error.detail))

    @app.exception_handler(Rejection)
    async def rejected(request: fastapi.Request, error: Rejection) -> fastapi.Response:
        return problem_response(error.kind, error.detail)

    # A fault of ours; the log has a line about it.
    @app.exception_handler(Exception)
    async def failed(request: fastapi.Request, error: Exception) -> fastapi.Response:
        detail = f"the server failed ({type(error).__name__}): report it with the request"
        return problem_response(FAILURE, detail)
