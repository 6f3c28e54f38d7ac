"""The part of the API that uploads files, compares systems, and shows the result."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from bleuet.extras import optional
from bleuet.text.shapes import LINES_PREFIX
from bleuet.web.answer_types import ComparedFiles, ComparisonState, SearchAnswer, TextsAnswer
from bleuet.web.answering import SEARCH, TEXTS
from bleuet.web.comparison_files import NUMBERS, PAGE, REPORT, RESULTS
from bleuet.web.comparisons import (
    DONE,
    REFERENCES,
    ROLES,
    SOURCES,
    SYSTEMS,
    ComparisonJob,
    Comparisons,
    result_of,
)
from bleuet.web.models import Metrics
from bleuet.web.problems import (
    BUSY,
    NO_COMPARISON,
    NO_RESULT,
    NO_ROOM,
    UNUSABLE,
    WRONG_FORM,
    Rejection,
    problem_responses,
    response,
)
from bleuet.web.request_types import SearchRequest, TextsRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    import fastapi

    from bleuet.web.problems import Kind
    from bleuet.web.workers import Workers
else:
    fastapi = optional("fastapi")

# What a result is, where the name of its format does not say it.
SUMMARIES = {PAGE: "a page that needs the server", REPORT: "a page that is one file"}
# The page has a policy of its own, with the hashes of its scripts.
POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

Id = Annotated[str, fastapi.Path(max_length=64, alias="id", description="the id of the comparison")]
Name = Annotated[
    str,
    fastapi.Query(
        max_length=255,
        description="the name of the file; its ending says how the file is read, as on the "
        f"command line, such as .txt, .tsv or .jsonl.gz; {LINES_PREFIX} before it means plain "
        "lines, whatever they look like",
    ),
]
Column = Annotated[
    str, fastapi.Query(max_length=255, description='the column of a table; "" for a file of lines')
]
UPLOADED = {
    REFERENCES: "a file of references",
    SYSTEMS: "the output of a system",
    SOURCES: "the source texts",
}
BYTES: Any = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
# The bytes of a file, which are written to the disk as they come.
FILE = {
    "requestBody": {
        "required": True,
        "description": "the bytes of the file",
        "content": BYTES,
    }
}
LAYOUT = (
    "Bytes, the lowest byte of a number first, and in each column a number for each segment. First "
    "64-bit floating-point numbers, NaN for none: a column of sentence scores for each system and "
    "metric, with all metrics of the first system before those of the second; then as many columns "
    "of contributions, which are what each segment adds to the score of the whole test set. Then "
    "32-bit integers: a column of the words of the reference, and a column for each division of "
    "the page, with the number of the segment's bucket, -1 for none."
)
FOUND = (NO_COMPARISON, WRONG_FORM)
ASKED = (*FOUND, NO_RESULT, UNUSABLE, BUSY)


def add_comparisons(app: fastapi.FastAPI, api: str, kept: Comparisons, workers: Workers) -> None:
    """Add the routes.

    Args:
        app: the application.
        api: the beginning of the API's paths.
        kept: the comparisons of the server.
        workers: the processes that search the segments of the comparisons.
    """
    routes = _Routes(kept, workers)
    path = f"{api}/comparisons"
    one = f"{path}/{{id}}"

    def about(name: str, summary: str, *problems: Kind, **more: Any) -> dict[str, Any]:
        """Return how the description of the API names an operation, and its errors."""
        shown = {"response_model": ComparisonState, "responses": problem_responses(*problems)}
        return {"name": name, "summary": summary, **shown, **more}

    app.get(
        path,
        **about(
            "list_comparisons",
            "all comparisons, the oldest first",
            response_model=list[ComparisonState],
        ),
    )(routes.listed)
    app.post(path, **about("begin_comparison", "begin a comparison of files", NO_ROOM, BUSY))(
        routes.begin
    )
    for role in ROLES:
        app.put(
            f"{one}/{role}",
            **about(
                f"upload_{role}",
                f"upload {UPLOADED[role]}",
                *FOUND,
                UNUSABLE,
                NO_ROOM,
                openapi_extra=FILE,
                description="Send the bytes of the file. Uploads come before the start.",
            ),
        )(partial(routes.upload, role))
    app.post(
        f"{one}/start", **about("start_comparison", "start a comparison", *FOUND, UNUSABLE, BUSY)
    )(routes.start)
    app.get(one, **about("get_comparison", "how far a comparison is", *FOUND))(routes.state)
    app.delete(one, **about("remove_comparison", "stop and remove a comparison", *FOUND))(
        routes.remove
    )
    app.get(
        f"{one}/{NUMBERS}",
        name="comparison_numbers",
        summary="the scores and other numbers of every segment",
        description=LAYOUT,
        response_class=fastapi.Response,
        responses={200: {"content": BYTES}, **problem_responses(*FOUND, NO_RESULT)},
    )(routes.numbers)
    app.post(
        f"{one}/{TEXTS}",
        name="comparison_texts",
        summary="the texts of some segments",
        responses={200: {"model": TextsAnswer}, **problem_responses(*ASKED)},
    )(routes.texts)
    app.post(
        f"{one}/{SEARCH}",
        name="comparison_search",
        summary="the segments with a phrase in their texts",
        responses={200: {"model": SearchAnswer}, **problem_responses(*ASKED)},
    )(routes.search)
    for result, form in RESULTS.items():
        text: Any = {"content": {form.media_type: {"schema": {"type": "string"}}}}
        told = {"model": ComparedFiles} if result == "json" else text
        app.get(
            f"{one}/{result}",
            name=f"comparison_{result}",
            summary=f"the result: {SUMMARIES.get(result, result)}",
            description="A result is there when the state of the comparison is `done`.",
            response_class=fastapi.Response,
            responses={200: told, **problem_responses(*FOUND, NO_RESULT)},
        )(partial(routes.result, result))


class _Routes:
    """The functions that answer requests about the comparisons of a server."""

    def __init__(self, kept: Comparisons, workers: Workers) -> None:
        self._kept = kept
        self._workers = workers

    def listed(self) -> Any:
        return [one.to_dict() for one in self._kept.all()]

    def begin(self) -> dict[str, Any]:
        return self._kept.begin().to_dict()

    async def upload(
        self, role: str, request: fastapi.Request, known: Id, name: Name, column: Column = ""
    ) -> dict[str, Any]:
        comparison = self._find(known)
        file = name.removeprefix(LINES_PREFIX)
        with self._kept.uploading(comparison, file) as (place, count):
            if place.parent.is_dir():
                with place.open("xb") as out:
                    async for chunk in request.stream():
                        self._find(known)
                        count(len(chunk))
                        out.write(chunk)
            self._find(known)
            comparison.add(role, place, file, column, as_lines=file != name)
        return comparison.to_dict()

    def start(self, known: Id, metrics: Metrics) -> dict[str, Any]:
        comparison = self._find(known)
        plain = [
            one if isinstance(one, str) else one.model_dump(exclude_unset=True) for one in metrics
        ]
        comparison.start(plain)
        return comparison.to_dict()

    def state(self, known: Id) -> dict[str, Any]:
        return self._find(known).to_dict()

    def remove(self, known: Id) -> dict[str, Any]:
        comparison = self._find(known).to_dict()
        self._kept.remove(known)
        return comparison

    def numbers(self, known: Id) -> fastapi.Response:
        place = self._place(known, NUMBERS)
        return fastapi.responses.FileResponse(place, media_type=next(iter(BYTES)))

    async def texts(self, known: Id, request: TextsRequest) -> fastapi.Response:
        return await self._computed(TEXTS, known, request)

    async def search(self, known: Id, request: SearchRequest) -> fastapi.Response:
        return await self._computed(SEARCH, known, request)

    def result(self, result: str, known: Id) -> fastapi.Response:
        place = self._place(known, result)
        policy = {"content-security-policy": POLICY} if result in (PAGE, REPORT) else {}
        form = RESULTS[result]
        return fastapi.responses.FileResponse(
            place,
            media_type=f"{form.media_type}; charset=utf-8",
            headers=policy,
            filename=f"comparison{form.ending}",
            content_disposition_type="inline",
        )

    def _place(self, known: str, name: str) -> Path:
        place = result_of(self._find(known), name)
        if place is None:
            raise Rejection(NO_RESULT, f"there is no {name} yet")
        return place

    def _find(self, known: str) -> ComparisonJob:
        comparison = self._kept.find(known)
        if comparison is None:
            raise Rejection(NO_COMPARISON, "there is no such comparison")
        return comparison

    async def _computed(
        self, what: str, known: str, request: TextsRequest | SearchRequest
    ) -> fastapi.Response:
        comparison = self._find(known)
        if comparison.state != DONE:
            raise Rejection(NO_RESULT, "the comparison is not done")
        body = request.model_dump_json().encode()
        return response(await self._workers.answer(what, body, folder=str(comparison.folder)))
