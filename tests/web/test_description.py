"""The API does what its description says: answers have its types."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from pydantic import TypeAdapter, ValidationError

from bleuet.comparison import compare
from bleuet.comparison.comparison import ALL
from bleuet.metrics.catalogue import CATALOGUE, NAMES, find_preset
from bleuet.rewards import Reward, openrlhf_reward
from bleuet.significance import TestSettings
from bleuet.web.answer_types import ANSWERS, ComparedFiles
from bleuet.web.application import make_application
from bleuet.web.comparisons import Comparisons
from bleuet.web.models import MODELS
from bleuet.web.operations import OPERATIONS, call
from bleuet.web.problems import KINDS
from bleuet.web.requested_metrics import is_open
from bleuet.web.workers import Workers
from tests.contract.settings import counting_word
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTS = frozenset({"testserver", "127.0.0.1", "localhost"})


@pytest.fixture(scope="module")
def application() -> Iterator[Any]:
    workers = Workers(1)
    yield make_application(HOSTS, Comparisons(), workers)
    workers.end()


def test_answers_have_the_types_of_the_description() -> None:
    """Of all metrics at once, which random requests seldom name without a mistake."""
    names = [
        counting_word(name) for name, entry in CATALOGUE.items() if not entry.load().reads_sources
    ]
    texts = {"hypotheses": ["The cat sat down.", ""], "references": ["The cat sat up.", ["a", "b"]]}
    systems = {"a": texts["hypotheses"], "b": ["The cat.", "b"]}
    several = {"systems": systems, "references": texts["references"], "metrics": names}
    requests: dict[str, dict[str, Any]] = {
        "calculate": {"hypothesis": "a b", "references": ["a c", "b"], "metrics": names},
        "score": several,
        "sentences": several,
        "explain": {**texts, "a": "bleu", "b": "bleu:lowercase,weights=0.5/0.5,max_ngram_order=2"},
        "compare": {**several, "metrics": ["bleu", "ter", "nist"]},
    }
    assert set(requests) == set(OPERATIONS) - {"metrics"}
    for name, request in requests.items():
        found = call(name, request)
        types = TypeAdapter(ANSWERS[name])
        types.validate_json(json.dumps(found), strict=True)
        with pytest.raises(ValidationError):
            types.validate_json(json.dumps(_changed(found)), strict=True)


def _changed(found: Any) -> Any:
    """Return an answer with one more field."""
    if isinstance(found, list):
        return [_changed(found[0]), *found[1:]]
    return {**found, "more": 1}


@pytest.mark.parametrize("name", NAMES)
def test_the_types_are_the_declarations(name: str) -> None:
    described: dict[str, Any] = MODELS[name].model_json_schema()["$defs"]
    (options,) = [one for label, one in described.items() if label.endswith("Options")]
    kind, _ = find_preset(name)
    assert set(options["properties"]) == {one.name for one in kind.options if not is_open(one)}
    for one in kind.options:
        if one.name in options["properties"]:
            assert options["properties"][one.name]["description"] == one.help


def test_operations_and_errors_have_names(application: Any) -> None:
    document = application.app.openapi()
    assert document["info"]["title"] == "bleuet"
    operations = [one for path in document["paths"].values() for one in path.values()]
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names)
    assert {*OPERATIONS, "upload_systems", "upload_references", "comparison_csv"} <= {*names}
    for one in operations:
        for status, answer in one["responses"].items():
            assert ("application/problem+json" in answer["content"]) == (int(status) >= 400)
    kinds = document["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]
    assert kinds == [kind.type for kind in KINDS]
    assert len(set(kinds)) == len(kinds)


def test_every_kind_of_error_has_a_section() -> None:
    guide = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
    sections = guide.partition("## Problems")[2].partition("\n## ")[0].split("\n### ")[1:]
    found = [section.splitlines()[:3:2] for section in sections]
    assert [name for name, _ in found] == [kind.name for kind in KINDS]
    for kind, (_, text) in zip(KINDS, found, strict=True):
        assert text.startswith(f"Status {int(kind.status)}. ")


def test_a_comparison_of_files_has_the_type_of_the_description() -> None:
    lines = ["The cat sat.", "It rains today.", "", "a b 3"] * 3
    outputs = {"a": lines, "b": ["The cat sat down.", "it rains.", "x", "A b 4"] * 3}
    types = TypeAdapter(ComparedFiles)
    for metrics in (["bleu", "ter", "nist"], ["wer"]):
        tested = compare(outputs, lines, metrics).tested(TestSettings(seed=1))
        found = json.loads(tested.show(ALL).render("json"))
        types.validate_json(json.dumps(found), strict=True)
        for wrong in ({**found, "more": 1}, {**found, "surface": [*found["surface"].values()]}):
            with pytest.raises(ValidationError):
                types.validate_json(json.dumps(wrong), strict=True)


PROMPT = "<|im_start|>user\nWeather?<|im_end|>\n<|im_start|>assistant\n"
QUERIES = [f"{PROMPT}It rains.<|im_end|>", f"{PROMPT}<think>Hm.</think>It is raining.<|im_end|>"]
LABELS: list[Any] = ["It is raining.", ["It is raining.", "It rains."]]


@pytest.mark.usefixtures("no_running_loop")
@pytest.mark.parametrize(
    ("metric", "change", "status", "said"),
    [
        ("", {}, 200, "rewards"),
        ("chrf:word_order=2", {}, 200, "chrF2++"),
        ("bleu:tokenize=spm:/etc/passwd", {}, 400, "cannot name a file"),
        ("nothing", {}, 400, "there is no metric"),
        ("nist", {}, 400, "learns from all references"),
        ("", {"labels": ["a", None]}, 400, "no reference"),
        ("", {"labels": ["a"]}, 400, "2 hypotheses"),
        ("", {"prompts": ["a"]}, 400, "2 texts but 1 prompts"),
        ("", {"labels": [1, 2]}, 422, "labels"),
        ("", {"unknown": 1}, 200, "rewards"),
    ],
)
@pytest.mark.slow
def test_rewards_as_openrlhf_asks_for_them(
    application: Any,
    no_running_loop: None,
    metric: str,
    change: dict[str, Any],
    status: int,
    said: str,
) -> None:
    payload = {"query": QUERIES, "prompts": [PROMPT] * 2, "labels": LABELS, **change}
    query = urlencode({"metric": metric} if metric else {})
    body = json.dumps(payload).encode()
    found, answer = asyncio.run(answered(application, "/get_reward", body, query))
    assert found == status
    assert said in answer.decode()
    if not metric and status == 200:
        expected = openrlhf_reward("bleu")(QUERIES, [PROMPT] * 2, LABELS)
        assert json.loads(answer) == expected
        assert expected["rewards"] == Reward("bleu")(["It rains.", "It is raining."], LABELS)


async def answered(application: Any, path: str, body: bytes, query: str = "") -> tuple[int, bytes]:
    """Send a request to the application, and return the status and the content of its answer."""
    statuses: list[int] = []
    parts: list[bytes] = []
    received = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> dict[str, Any]:
        for message in received:
            return message
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        statuses.append(message.get("status", 0))
        parts.append(message.get("body", b""))

    headers = [(b"host", b"testserver"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
    request = {**scope, "query_string": query.encode(), "http_version": "1.1"}
    await application(request, receive, send)
    return statuses[0], b"".join(parts)
