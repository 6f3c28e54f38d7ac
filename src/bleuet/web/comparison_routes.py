"""The part of the API that uploads files, compares systems, and shows the result."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from bleuet.extras import optional
from bleuet.report.page.kept import MOST_POINTS
from bleuet.web.answer_types import ComparisonState, PointsAnswer, SentencesAnswer
from bleuet.web.answering import POINTS, SEGMENTS
from bleuet.web.comparison_files import PAGE, REPORT, RESULTS
from bleuet.web.comparisons import (
    DONE,
    ROLES,
    ComparisonJob,
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
        workers: the processes that search the segments of the comparisons.
        problems: the descriptions of the API's errors.
    """
    routes = _Routes(kept, workers)
    path = f"{api}/comparisons"
    one = f"{path}/{{known}}"
    described: Any = {"response_model": ComparisonState, "responses": problems}
    app.get(
        path,
        summary="all comparisons, the oldest first",
        response_model=list[ComparisonState],
        responses=problems,
    )(routes.listed)
    app.post(path, summary="begin a comparison of files", **described)(routes.begin)
    app.put(f"{one}/{{role}}", summary="upload a file", **described)(routes.upload)
    app.post(f"{one}/start", summary="start a comparison", **described)(routes.start)
    app.get(one, summary="how far a comparison is", **described)(routes.state)
    app.delete(one, summary="stop and remove a comparison", **described)(routes.remove)
    app.post(
        f"{one}/sentences",
        summary="some of the segments: sorted, filtered, searched",
        responses={200: {"model": SentencesAnswer}, **problems},
    )(routes.sentences)
    app.post(
        f"{one}/points",
        summary=f"the scores of two systems, at most {MOST_POINTS:,} segments",
        responses={200: {"model": PointsAnswer}, **problems},
    )(routes.points)
    written: Any = {200: {"content": {one.media_type: {} for one in RESULTS.values()}}, **problems}
    app.get(f"{one}/{{result}}", summary="a result in a format", responses=written)(routes.result)


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
        self, request: fastapi.Request, known: Id, role: str, name: Name, column: Name = ""
    ) -> dict[str, Any]:
        comparison = self._find(known)
        if role not in ROLES:
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, f"upload {', '.join(ROLES)}")
        with self._kept.uploading(comparison, name) as (place, count):
            if place.parent.is_dir():
                with place.open("xb") as out:
                    async for chunk in request.stream():
                        self._find(known)
                        count(len(chunk))
                        out.write(chunk)
            self._find(known)
            comparison.add(role, place, name, column)
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

    async def sentences(self, known: Id, request: SentencesRequest) -> fastapi.Response:
        return await self._computed(SEGMENTS, known, request)

    async def points(self, known: Id, request: PointsRequest) -> fastapi.Response:
        return await self._computed(POINTS, known, request)

    def result(self, known: Id, result: str) -> fastapi.Response:
        comparison = self._find(known)
        if result not in RESULTS:
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, "Not Found")
        place = result_of(comparison, result)
        if place is None:
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, f"there is no {result} yet")
        policy = {"content-security-policy": POLICY} if result in (PAGE, REPORT) else {}
        form = RESULTS[result]
        return fastapi.responses.FileResponse(
            place,
            media_type=f"{form.media_type}; charset=utf-8",
            headers=policy,
            filename=f"comparison{form.ending}",
            content_disposition_type="inline",
        )

    def _find(self, known: str) -> ComparisonJob:
        comparison = self._kept.find(known)
        if comparison is None:
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, "there is no such comparison")
        return comparison

    async def _computed(
        self, what: str, known: str, request: PointsRequest | SentencesRequest
    ) -> fastapi.Response:
        comparison = self._find(known)
        if comparison.state != DONE:
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, "the comparison is not done")
        body = request.model_dump_json().encode()
        return response(await self._workers.answer(what, body, folder=str(comparison.folder)))
