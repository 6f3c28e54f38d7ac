"""The answer to one request: from the bytes of its body to a status and the bytes of the answer."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bleuet.errors import BleuetError, InputError
from bleuet.output.json_data import plain
from bleuet.web.operations import call
from bleuet.web.request_types import REQUESTS, PointsRequest, RewardRequest, SentencesRequest, Word
from bleuet.web.rewarding import get_reward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    import pydantic

    from bleuet.web.sentence_rows import SentenceRows

    # The status, and the content: JSON, or the detail of a problem.
    Answered: TypeAlias = tuple[HTTPStatus, bytes]

# Lists, objects and the values in them that a body may have. Each takes 50 bytes and more, so that
# a body of nothing else would take many times its own size.
MAX_VALUES = 4_000_000
VALUE_MARKS = (b",", b"[", b"{")
STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
# Comparisons whose files stay open.
KEPT_COMPARISONS = 8
# What is computed beside the operations.
REWARD, SEGMENTS, POINTS, CHART = "get_reward", "segments", "points", "chart"


def answer(name: str, body: bytes, settings: Mapping[str, str]) -> Answered:
    """Return the answer to a request.

    Args:
        name: an operation, or one of the names above.
        body: the request as JSON.
        settings: what the address of the request says, or the server knows.

    Returns:
        The status, and the answer as JSON; for an error, the text that says how to fix the request.

    >>> status, content = answer("score", b'{"references": []}', {})
    >>> int(status), content.decode()[:32]
    (422, 'references: List should have at ')
    """
    try:
        return HTTPStatus.OK, _found(name, body, settings)
    except ValidationError as error:
        return HTTPStatus.UNPROCESSABLE_ENTITY, detail_of(error.errors(**_SHORT)).encode()
    except BleuetError as error:
        return HTTPStatus.BAD_REQUEST, str(error).encode(errors="replace")
    except MemoryError:
        return (
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            b"the answer needs more memory than there is: send fewer segments at once",
        )
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        said = f"bleuet failed, which is a fault of its own ({said}): report it with the request"
        return HTTPStatus.INTERNAL_SERVER_ERROR, said.encode(errors="replace")


def detail_of(errors: Iterable[Mapping[str, Any]]) -> str:
    """Return what is wrong with a request, as one line.

    Args:
        errors: what pydantic found.
    """
    # Of the types that a value may have, the one that fits best has the longest path.
    found = max(errors, key=lambda one: len(one["loc"]))
    parts = [str(one) for one in found["loc"] if one != "body" and "[" not in str(one)]
    return " ".join(f"{'.'.join(parts)}: {found['msg']}".lstrip(": ").split())


_SHORT: dict[str, Any] = {"include_url": False, "include_context": False, "include_input": False}


def _found(name: str, body: bytes, settings: Mapping[str, str]) -> bytes:
    if name == CHART:
        from bleuet.web.segment_chart import chart_module

        return chart_module().encode()
    if name in REQUESTS:
        request: Any = _read(REQUESTS[name], body)
        return _json(call(name, request.plain()))
    if name == REWARD:
        metric = TypeAdapter(Word).validate_python(settings["metric"])
        return _json(get_reward(metric, _read(RewardRequest, body).model_dump()))
    rows = _rows(settings["folder"])
    if name == SEGMENTS:
        return _json(rows.find(_read(SentencesRequest, body).model_dump()))
    return _json({"points": rows.points(_read(PointsRequest, body).model_dump())})


def _read(model: type[pydantic.BaseModel], body: bytes) -> pydantic.BaseModel:
    _check_values(body)
    return model.model_validate_json(body)


def _check_values(body: bytes) -> None:
    """Reject a body of very many values before it is parsed."""
    if _marks(body) > MAX_VALUES and _marks(STRING.sub(b"", body)) > MAX_VALUES:
        raise InputError(
            f"a request may have {MAX_VALUES:,} texts and other values: send fewer segments at "
            "once, or use the command line"
        )


def _marks(text: bytes) -> int:
    return sum(map(text.count, VALUE_MARKS))


def _json(value: Any) -> bytes:
    try:
        text = _encode(value)
    except ValueError:  # JSON has no NaN
        text = _encode(plain(value, None))
    return text.encode()


_encode: Callable[[Any], str] = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":")
).encode


@lru_cache(KEPT_COMPARISONS)
def _rows(folder: str) -> SentenceRows:
    from bleuet.web.sentence_rows import SentenceRows

    return SentenceRows(Path(folder))
