"""The part of the API that uploads files, compares systems, and shows the result."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from bleuet.extras import optional
from bleuet.output.rendering import FORMATS
from bleuet.report.page.kept import MOST_POINTS
from bleuet.web.answer_types import ComparisonState, PointsAnswer, SentencesAnswer
from bleuet.web.answering import POINTS, SEGMENTS
from bleuet.web.comparison_files import PAGE, REPORT
from bleuet.web.comparisons import (
    DONE,
    REFERENCES,
    SYSTEMS,
    Comparison,
    Comparisons,
    result_of,
)
from bleuet.web.models import Metrics
from bleuet.web.problems import response
from bleuet.web.request_types import PointsRequest, SentencesRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    import fastapi

    from bleuet.web.workers import Workers
else:
    fastapi = optional("fastapi")

# The page has a policy of its own, with the hashes of its scripts.
POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
TYPES = {
    "text": "text/plain", "markdown": "text/markdown", "latex": "text/x-tex", "csv": "text/csv",
    "json": "application/json", "jsonl": "application/jsonl", "html": "text/html",
}  # fmt: skip

Id = Annotated[str, fastapi.Path(max_length=64)]
Name = Annotated[str, fastapi.Query(max_length=255)]


def add_comparisons(
    app: fastapi.FastAPI,
    api: str,
    kept: Comparisons,
    workers: Workers,
    problems: dict[int | str, Any],
) -> None:
    """Add the routes.

    Args:
        app: the application.
        api: the beginning of the API's paths.
        kept: the comparisons of the server.
        workers: who searches their segments.
        problems: the descriptions of its errors.
    """
    path = f"{api}/comparisons"
    described: Any = {"response_model": ComparisonState, "responses": problems}

    def found(known: str) -> Comparison:
        comparison = kept.find(known)
        if comparison is None:
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, "there is no such comparison")
        return comparison

    @app.get(
        path,
        summary="all comparisons, the oldest first",
        response_model=list[ComparisonState],
        responses=problems,
    )
    def listed() -> Any:
        return [one.to_dict() for one in kept.all()]

    @app.post(path, summary="begin a comparison of files", **described)
    def begin() -> dict[str, Any]:
        return kept.begin().to_dict()

    @app.put(f"{path}/{{known}}/{{role}}", summary="upload a file", **described)
    async def upload(
        request: fastapi.Request, known: Id, role: str, name: Name, column: Name = ""
    ) -> dict[str, Any]:
        comparison = found(known)
        if role not in (REFERENCES, SYSTEMS):
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, "upload references or systems")
        with kept.uploading(comparison, name) as (place, count):
            if place.parent.is_dir():
                with place.open("xb") as out:
                    async for chunk in request.stream():
                        found(known)
                        count(len(chunk))
                        out.write(chunk)
            found(known)
            comparison.add(role, place, name, column)
        return comparison.to_dict()

    @app.post(f"{path}/{{known}}/start", summary="start a comparison", **described)
    def start(known: Id, metrics: Metrics) -> dict[str, Any]:
        comparison = found(known)
        plain = [
            one if isinstance(one, str) else one.model_dump(exclude_unset=True) for one in metrics
        ]
        comparison.start(plain)
        return comparison.to_dict()

    @app.get(f"{path}/{{known}}", summary="how far a comparison is", **described)
    def state(known: Id) -> dict[str, Any]:
        return found(known).to_dict()

    @app.delete(f"{path}/{{known}}", summary="stop and remove a comparison", **described)
    def remove(known: Id) -> dict[str, Any]:
        comparison = found(known).to_dict()
        kept.remove(known)
        return comparison

    def done(known: str) -> Comparison:
        comparison = found(known)
        if comparison.state != DONE:
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, "the comparison is not done")
        return comparison

    async def computed(
        what: str, known: str, request: PointsRequest | SentencesRequest
    ) -> fastapi.Response:
        body = request.model_dump_json().encode()
        return response(await workers.answer(what, body, folder=str(done(known).folder)))

    @app.post(
        f"{path}/{{known}}/sentences",
        summary="some of the segments: sorted, filtered, searched",
        responses={200: {"model": SentencesAnswer}, **problems},
    )
    async def sentences(known: Id, request: SentencesRequest) -> fastapi.Response:
        return await computed(SEGMENTS, known, request)

    @app.post(
        f"{path}/{{known}}/points",
        summary=f"the scores of two systems, at most {MOST_POINTS:,} segments",
        responses={200: {"model": PointsAnswer}, **problems},
    )
    async def points(known: Id, request: PointsRequest) -> fastapi.Response:
        return await computed(POINTS, known, request)

    written: Any = {200: {"content": {kind: {} for kind in TYPES.values()}}, **problems}

    @app.get(f"{path}/{{known}}/{{result}}", summary="a result in a format", responses=written)
    def result(known: Id, result: str) -> fastapi.Response:
        comparison = found(known)
        place = result_of(comparison, result) if result in (PAGE, REPORT, *FORMATS) else None
        if place is None:
            raise fastapi.HTTPException(
                HTTPStatus.NOT_FOUND,
                f"there is no {result} yet" if result in FORMATS else "Not Found",
            )
        policy = {"content-security-policy": POLICY} if result in (PAGE, REPORT) else {}
        kind = TYPES.get(result, "text/html")
        return fastapi.responses.FileResponse(
            place, media_type=f"{kind}; charset=utf-8", headers=policy
        )
