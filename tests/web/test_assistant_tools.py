"""Assistants find the operations as tools, over the Model Context Protocol."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU
from bleuet.metrics.catalogue import NAMES
from bleuet.web.answering import REQUEST_TYPES
from bleuet.web.operations import OPERATIONS, call
from tests.patience import PATIENCE
from tests.web.conftest import start
from tests.web.test_server import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [pytest.mark.slow, pytest.mark.libraries]
TEXTS: dict[str, Any] = {"hypotheses": ["The cat sat down."], "references": ["The cat sat up."]}
SYSTEMS = {"systems": {"a": ["The cat sat down."], "b": ["A cat."]}, "references": ["The cat."]}
REQUESTS: dict[str, dict[str, Any]] = {
    "calculate": {"hypothesis": "The cat sat down.", "references": ["The cat sat up."]},
    "score": {**TEXTS, "metrics": ["ter", {"name": "bleu", "options": {"smooth": "floor"}}]},
    "sentences": {**SYSTEMS, "metrics": ["chrf++"]},
    "explain": {**TEXTS, "a": "bleu", "b": {"name": "bleu", "options": {"lowercase": True}}},
    "compare": SYSTEMS,
}
# What an assistant reads before each conversation, and to find a metric.
MAX_LIST_BYTES, MAX_METRICS_BYTES, MAX_METRIC_BYTES = 6000, 5000, 5000


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    server, address = start("--mcp")
    yield address
    server.terminate()
    server.wait(PATIENCE)
    assert server.stderr is not None
    assert server.stderr.read() == ""


def use(address: str, function: Callable[[Any], Any]) -> Any:
    """Return what a function finds with a client of the server."""

    async def used() -> Any:
        from mcp import ClientSession
        from mcp.client.streamable_http import streamable_http_client

        async with (
            streamable_http_client(f"{address}mcp") as streams,
            ClientSession(streams[0], streams[1]) as session,
        ):
            await session.initialize()
            return await function(session)

    # In a thread of its own, for the driver of the browser has a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, used()).result()


def called(address: str, name: str, arguments: Any) -> tuple[str, bool]:
    found = use(address, lambda session: session.call_tool(name, arguments))
    return found.content[0].text, found.is_error


def asked(address: str, method: str, *, token: str = "", **params: Any) -> bytes:
    """Return the bytes of an answer, as the server sends them."""
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP_Protocol_Version": "2025-06-18",
        "Authorization": f"Bearer {token}",
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    status, _, content = ask(address, "/mcp", request, **headers)
    assert status == 200
    return content


def test_the_list_is_short_and_says_what_to_pass(served: str) -> None:
    from bleuet.web.assistant_tools import GUIDES

    content = asked(served, "tools/list")
    assert len(content) < MAX_LIST_BYTES
    assert "$" not in content.decode()
    tools = use(served, lambda session: session.list_tools()).tools
    assert [tool.name for tool in tools] == list(OPERATIONS) == list(GUIDES)
    for tool in tools:
        hints = tool.annotations
        assert (hints.read_only_hint, hints.idempotent_hint) == (True, True)
        assert hints.open_world_hint is False
        assert tool.title
        assert len(tool.description) > 100
        assert tool.output_schema is None
        types, fields = REQUEST_TYPES[tool.name].model_fields, tool.input_schema["properties"]
        assert list(fields) == list(types)
        needed = [field for field, one in types.items() if one.is_required()]
        assert tool.input_schema.get("required", []) == needed
        for field in {*fields} - {"metrics"}:
            # That of systems belongs to one of two types.
            described = fields[field]["description"]
            assert described == types[field].description or field == "systems"


def test_the_list_describes_requests_that_are_answered(served: str) -> None:
    import jsonschema

    tools = use(served, lambda session: session.list_tools()).tools
    schemas = {tool.name: tool.input_schema for tool in tools}
    for name, request in REQUESTS.items():
        jsonschema.validate(request, schemas[name])
        for wrong in ({}, {**request, "references": "a"}, {**request, "references": [5]}):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(wrong, schemas[name])


@pytest.mark.parametrize("name", REQUESTS)
def test_tools_answer_as_the_api_does(served: str, name: str) -> None:
    text, failed = called(served, name, REQUESTS[name])
    assert not failed
    assert json.loads(text) == json.loads(json.dumps(call(name, REQUESTS[name])))


def test_a_score_is_the_librarys(served: str) -> None:
    text, _ = called(served, "score", TEXTS)
    assert json.loads(text)[0]["score"] == BLEU().corpus_score(*TEXTS.values()).score


def test_metrics_are_found_in_few_words(served: str) -> None:
    text, failed = called(served, "metrics", {})
    lines = json.loads(text)["metrics"]
    assert not failed
    assert [line.partition(":")[0] for line in lines] == list(NAMES)
    assert "ter: edits per reference word (lower is better)" in lines
    assert len(asked(served, "tools/call", name="metrics", arguments={})) < MAX_METRICS_BYTES
    whole = {one["metric"]: one for one in call("metrics", {})["metrics"]}
    for name in NAMES:
        content = asked(served, "tools/call", name="metrics", arguments={"name": name})
        assert len(content) < MAX_METRIC_BYTES, name
        found = json.loads(json.loads(content)["result"]["content"][0]["text"])
        assert found["definition"] == whole[name]["definition"]
        options = {one["option"]: one for one in found["options"]}
        for one in whole[name]["options"]:
            known = options.pop(one["option"])
            assert known.get("choices", []) == one["choices"]
            assert known.get("default") == one["default"] or one["default"] in ("", [])
            assert known.get("least") == one["least"]
        assert not options
    assert json.loads(called(served, "metrics", {"name": "chrF2++"})[0])["metric"] == "chrf++"


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        (
            "score",
            {"hypotheses": ["a"]},
            "references is missing: for each segment a text, or a list of texts",
        ),
        ("score", None, "references is missing: for each segment a text, or a list of texts"),
        ("explain", TEXTS, "a is missing: the metric with some options"),
        ("score", {**TEXTS, "hypotheses": "a"}, "hypotheses must be a list, not 'a'"),
        ("score", {**TEXTS, "metrics": "bleu"}, "metrics must be a list, not 'bleu'"),
        ("score", {**TEXTS, "metrics": [5]}, "metrics[0] must be a text or an object, not 5"),
        (
            "score",
            {"hypotheses": ["a", None], "references": ["a", 5]},
            "references[1] must be a text or a list, not 5",
        ),
        (
            "score",
            {**TEXTS, "metrics": [{"name": "bleu", "options": {"smooth": {}}}]},
            "metrics[0].options.smooth must be true or false, a whole number, a number, a text or "
            "a list, not {}",
        ),
        (
            "score",
            {**TEXTS, "metrics": []},
            "metrics is empty: it must have at least 1 value",
        ),
        (
            "score",
            {**TEXTS, "metrics": ["bleu"] * 33},
            "metrics has too many values: it may have 32",
        ),
        (
            "score",
            {"hypotheses": ["a"], "reference": ["a"]},
            "there is no field 'reference' (did you mean references?): use systems, hypotheses, "
            "references, metrics",
        ),
        (
            "score",
            {**TEXTS, "str": 1, "references": []},
            "there is no field 'str': use systems, hypotheses, references, metrics",
        ),
        ("score", {**TEXTS, "metrics": [{"nam": "bleu"}]}, "there is no field 'metrics[0].nam'"),
        ("score", {**TEXTS, "metrics": [{}]}, "metrics[0].name is missing"),
        (
            "score",
            {**TEXTS, "metrics": ["b" * 1001]},
            "metrics[0] is too long: it may have 1,000 characters",
        ),
        (
            "score",
            {"request": TEXTS},
            "there is no field 'request': use systems, hypotheses, references, metrics",
        ),
        (
            "score",
            {**TEXTS, "metrics": ["blue"]},
            "there is no metric 'blue' (did you mean bleu?): `bleuet metrics` lists the metrics, "
            "and options follow a colon, as in bleu:lowercase",
        ),
        (
            "metrics",
            {"name": "blue"},
            "there is no metric 'blue' (did you mean bleu?): `bleuet metrics` lists the metrics",
        ),
        ("metrics", {"name": 3}, "name must be a text, not 3"),
        (
            "scores",
            TEXTS,
            "there is no tool 'scores' (did you mean score?): use metrics, calculate, score, "
            "sentences, explain, compare",
        ),
    ],
)
def test_bad_input_is_answered_with_one_sentence(
    served: str, name: str, arguments: Any, said: str
) -> None:
    assert called(served, name, arguments) == (said, True)


def test_pages_of_other_sites_cannot_call_tools(served: str) -> None:
    assert ask(served, "/mcp", {}, Origin="http://evil.example")[0] == 403


def test_other_computers_can_call_tools_with_the_token() -> None:
    server, address = start("--mcp", "--host", "0.0.0.0")
    try:
        place, _, token = address.partition("?token=")
        found = json.loads(asked(place, "tools/list", token=token))
        assert [tool["name"] for tool in found["result"]["tools"]] == list(OPERATIONS)
        assert ask(place, "/mcp", {})[0] == 401
        assert (
            ask(place, "/mcp", {}, Host="evil.example", Authorization=f"Bearer {token}")[0] == 421
        )
    finally:
        server.terminate()
        server.wait(PATIENCE)
