"""The part of the API that uploads files, compares systems, and shows the result."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from bleuet.extras import optional
from bleuet.output.rendering import FORMATS
from bleuet.report.page.kept import MOST_POINTS
from bleuet.web.answer_types import ComparisonState, PointsAnswer, SentencesAnswer
from bleuet.web.comparison_files import PAGE, REPORT
from bleuet.web.comparisons import (
    DONE,
    MAX_UPLOADED_BYTES,
    REFERENCES,
    SYSTEMS,
    Comparison,
    Comparisons,
    result_of,
)
from bleuet.web.models import Metrics, PointsRequest, SentencesRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    import fastapi
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
    app: fastapi.FastAPI, api: str, kept: Comparisons, problems: dict[int | str, Any]
) -> None:
    """Add the routes.

    Args:
        app: the application.
        api: the beginning of the API's paths.
        kept: the comparisons of the server.
        problems: the descriptions of its errors.
    """
    path = f"{api}/comparisons"
    described: Any = {"response_model": ComparisonState, "responses": problems}

    def found(known: str) -> Comparison:
        comparison = kept.find(known)
        if comparison is None:
            raise fastapi.HTTPException(HTTPStatus.NOT_FOUND, "there is no such comparison")
        return comparison

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
        place = kept.room_for(comparison, name)
        room = MAX_UPLOADED_BYTES - kept.uploaded_bytes
        with place.open("xb") as out:
            async for chunk in request.stream():
                room -= len(chunk)
                if room < 0:
                    place.unlink()
                    raise fastapi.HTTPException(
                        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                        f"all files may have {MAX_UPLOADED_BYTES:,} bytes: use the command line",
                    )
                out.write(chunk)
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

    @app.post(
        f"{path}/{{known}}/sentences",
        summary="some of the segments: sorted, filtered, searched",
        response_model=SentencesAnswer,
        responses=problems,
    )
    def sentences(known: Id, request: SentencesRequest) -> Any:
        return done(known).rows.find(request.model_dump())

    @app.post(
        f"{path}/{{known}}/points",
        summary=f"the scores of two systems, at most {MOST_POINTS:,} segments",
        response_model=PointsAnswer,
        responses=problems,
    )
    def points(known: Id, request: PointsRequest) -> Any:
        return {"points": done(known).rows.points(request.model_dump())}

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
        return fastapi.Response(
            place.read_bytes(), media_type=f"{kind}; charset=utf-8", headers=policy
        )
