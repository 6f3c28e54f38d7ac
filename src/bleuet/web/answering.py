"""The answer to one request: from the bytes of its body to a status and the bytes of the answer."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from bleuet.errors import BleuetError, InputError
from bleuet.messages import nearest, shown
from bleuet.output.json_data import plain
from bleuet.web.operations import call
from bleuet.web.request_types import (
    REQUESTS,
    MetricsRequest,
    NamedMetric,
    RewardRequest,
    SearchRequest,
    TextsRequest,
    Word,
)
from bleuet.web.requested_metrics import metrics_in_short
from bleuet.web.rewarding import get_reward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    import pydantic

    from bleuet.web.sentence_texts import SentenceTexts

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
REWARD, TEXTS, SEARCH, CHART = "get_reward", "texts", "search", "chart"
IN_SHORT = "metrics"
# The types of all requests.
REQUEST_TYPES: dict[str, type[pydantic.BaseModel]] = {
    **REQUESTS,
    IN_SHORT: MetricsRequest,
    REWARD: RewardRequest,
    TEXTS: TextsRequest,
    SEARCH: SearchRequest,
}
# What a value must be, by the error that pydantic finds.
EXPECTED = {
    "string_type": "a text",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
}
# What is wrong otherwise.
SENTENCES = {
    "too_short": "{name} is empty: it must have at least 1 value",
    "too_long": "{name} has too many values: it may have {max_length:,}",
    "string_too_long": "{name} is too long: it may have {max_length:,} characters",
    "json_invalid": "the request is not valid JSON: {error}",
}
# Types of values, which pydantic names where a value may have several.
TYPES = {"body", "str", "constrained-str", "bool", "int", "float", NamedMetric.__name__}


def answer(name: str, body: bytes, settings: Mapping[str, str]) -> Answered:
    """Return the answer to a request.

    Args:
        name: an operation, or one of the names above.
        body: the request as JSON.
        settings: what the address of the request says, or the server knows.

    Returns:
        The status, and the answer as JSON; for an error, the text that says how to fix the request.

    >>> status, content = answer("score", b'{"references": []}', {})
    >>> int(status), content.decode()
    (422, 'references is empty: it must have at least 1 value')
    """
    try:
        return HTTPStatus.OK, _found(name, body, settings)
    except ValidationError as error:
        found = detail_of(error.errors(include_url=False), REQUEST_TYPES.get(name))
        return HTTPStatus.UNPROCESSABLE_ENTITY, found.encode(errors="replace")
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


def detail_of(
    errors: Sequence[Mapping[str, Any]], model: type[pydantic.BaseModel] | None = None
) -> str:
    """Return what is wrong with a request, as one line.

    Args:
        errors: what pydantic found.
        model: the type of the request, whose fields help to correct it.

    >>> wrong = {"type": "list_type", "loc": ("references",), "input": "a b", "msg": ""}
    >>> detail_of([wrong])
    "references must be a list, not 'a b'"
    """
    # Of the types that a value may have, the one that fits best has the longest path. A field that
    # is not known is often the one that is missing, under another name.
    found = max(errors, key=lambda one: (len(one["loc"]), one["type"] == "extra_forbidden"))
    location, kind = found["loc"], found["type"]
    path = _path(location) if len(location) > 1 else "".join(map(str, location))
    fields = model.model_fields if model is not None and len(location) == 1 else {}
    name = path or "the request"
    if kind == "extra_forbidden":
        known = f"{nearest(path, fields)}: use {', '.join(fields)}" if fields else ""
        said = f"there is no field {shown(path)}{known}"
    elif kind == "missing":
        meaning = fields[path].description if path in fields else ""
        said = f"{name} is missing" + (f": {meaning}" if meaning else "")
    elif kind in EXPECTED:
        said = f"{name} must be {_expected(errors, location)}, not {shown(found['input'])}"
    elif kind in SENTENCES:
        said = SENTENCES[kind].format(name=name, **found["ctx"])
    else:
        said = f"{name}: {found['msg']}"
    return " ".join(said.split())


def _expected(errors: Sequence[Mapping[str, Any]], location: Sequence[str | int]) -> str:
    """Return what the value at a location may be."""
    path = _path(location)
    kinds = [one["type"] for one in errors if _path(one["loc"]) == path]
    *others, last = dict.fromkeys(EXPECTED[kind] for kind in kinds if kind in EXPECTED)
    return f"{', '.join(others)} or {last}" if others else last


def _path(location: Iterable[str | int]) -> str:
    """Return where a value is in a request.

    >>> _path(("metrics", 1, "NamedMetric", "options"))
    'metrics[1].options'
    """
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        # The others are types that the value may have.
        elif part not in TYPES and "[" not in part:
            path += f".{part}"
    return path.removeprefix(".")


def _found(name: str, body: bytes, settings: Mapping[str, str]) -> bytes:
    if name == CHART:
        from bleuet.web.segment_chart import chart_module

        return chart_module().encode()
    if name in REQUESTS:
        request: Any = _read(REQUESTS[name], body)
        return _json(call(name, request.plain()))
    if name == IN_SHORT:
        wanted: Any = _read(MetricsRequest, body)
        return _json(metrics_in_short(wanted.name))
    if name == REWARD:
        metric = TypeAdapter(Word).validate_python(settings["metric"])
        return _json(get_reward(metric, _read(RewardRequest, body).model_dump()))
    texts = _texts(settings["folder"])
    if name == TEXTS:
        return _json(texts.read(_read(TextsRequest, body).model_dump()))
    return _json(texts.search(_read(SearchRequest, body).model_dump()))


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
def _texts(folder: str) -> SentenceTexts:
    from bleuet.web.sentence_texts import SentenceTexts

    return SentenceTexts(Path(folder))
