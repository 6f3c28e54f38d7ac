"""Requests to the HTTP API whose answers are frozen in `answers/`, and its description.

`python -m tests.cli.answers` writes the goldens again. They are answered in this process, without a
server.
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bleuet.comparison import compare
from bleuet.significance import TestSettings
from bleuet.web.answering import REWARD, SEARCH, TEXTS, answer
from bleuet.web.application import make_application
from bleuet.web.comparisons import REFERENCES, SYSTEMS, ComparisonJob, Comparisons
from bleuet.web.operations import call
from bleuet.web.workers import Workers
from tests.corpora import REFERENCE, REFERENCE_2, SYSTEM_A, SYSTEM_B
from tests.report.charts_library import stand_in_for_vl_convert

FOLDER = Path(__file__).parent / "answers"
PLAIN = {"hypotheses": SYSTEM_A, "references": REFERENCE}
OUTPUTS = {"a": SYSTEM_A, "b": SYSTEM_B}
BOTH = [[*pair] for pair in zip(REFERENCE, REFERENCE_2, strict=True)]
SEVERAL = {"systems": OUTPUTS, "references": BOTH}
SENTENCE = {"hypothesis": SYSTEM_A[0], "references": [REFERENCE[0], REFERENCE_2[0]]}
# Those of a finished comparison come last.
REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "calculate": ("calculate", {**SENTENCE, "metrics": ["bleu"]}),
    "calculate-metrics": ("calculate", {**SENTENCE, "metrics": ["chrf++", "ter", "ribes"]}),
    "score": ("score", {**SEVERAL, "metrics": ["bleu", "chrf", "ter", "nist"]}),
    "score-one": ("score", PLAIN),
    "sentences": ("sentences", {**SEVERAL, "metrics": ["bleu", "ter"]}),
    "explain": ("explain", {**PLAIN, "a": "bleu", "b": "mean-bleu:lowercase"}),
    "compare": ("compare", {**SEVERAL, "metrics": ["bleu", "ter"]}),
    "reward": (
        REWARD,
        {"query": [f"Say: {SYSTEM_A[0]}</s>"], "prompts": ["Say: "], "labels": [REFERENCE[0]]},
    ),
    "error": ("score", {"hypotheses": ["a"], "references": ["a", "b"]}),
    "error-of-type": ("score", {"hypotheses": "a", "references": ["a"]}),
    "texts": (TEXTS, {"segments": [3, 1]}),
    "search": (SEARCH, {"query": "The ", "shown": [1]}),
}
# The metrics whose options are frozen; all have the same form.
DESCRIBED = ("bleu", "ter")
# A value that fits into a line is written on one line.
LINE = 100


def api_answers() -> dict[Path, str]:
    """Return the text of each golden."""
    stand_in_for_vl_convert()
    from bleuet.web.segment_files import write_segments

    found = {"openapi": _description(), "metrics": _metrics(), "comparison": _comparison()}
    with TemporaryDirectory() as folder:
        comparison = compare(OUTPUTS, BOTH, ["bleu", "ter"])
        write_segments(comparison.tested(TestSettings(seed=1)), Path(folder))
        for name, (operation, request) in REQUESTS.items():
            settings = {"folder": folder, "metric": "chrf"}
            status, body = answer(operation, json.dumps(request).encode(), settings)
            content = json.loads(body) if status == 200 else body.decode()
            found[name] = {"status": int(status), "answer": content}
    return {FOLDER / f"{name}.json": in_lines(value) + "\n" for name, value in found.items()}


def in_lines(value: Any, indent: int = 0) -> str:
    """Return JSON with a line for each value that fits into one."""
    whole = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if indent + len(whole) <= LINE or not isinstance(value, dict | list):
        return whole
    space = " " * (indent + 1)
    if isinstance(value, dict):
        opening, closing = "{}"
        parts = [
            f"{space}{json.dumps(key, ensure_ascii=False)}:{in_lines(one, indent + 1)}"
            for key, one in value.items()
        ]
    else:
        opening, closing = "[]"
        parts = [f"{space}{in_lines(one, indent + 1)}" for one in value]
    return "\n".join([opening, ",\n".join(parts), " " * indent + closing])


def _description() -> Any:
    """Return the OpenAPI document, shorter.

    Problems, which Python and not the API describes, are the same everywhere: only their statuses
    are kept. The types of the metrics' options are those of their declarations, which
    `test_description` compares.
    """
    workers, comparisons = Workers(1), Comparisons()
    application: Any = make_application(frozenset({"localhost"}), comparisons, workers)
    workers.end()
    document = application.app.openapi()
    document["info"]["version"] = "VERSION"
    for path in document["paths"].values():
        for operation in path.values():
            problems = [status for status in operation["responses"] if int(status) >= 400]
            for status in problems:
                del operation["responses"][status]
            operation["problems"] = " ".join(problems)
    schemas = document["components"]["schemas"]
    for name in [*schemas]:
        if name.endswith(("Options", "Metric")):
            del schemas[name]
    return _without_titles(document)


def _without_titles(schema: Any) -> Any:
    """Return a schema without the titles that are only names in other letters."""
    if isinstance(schema, list):
        return [_without_titles(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _without_titles(value)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }


def _metrics() -> Any:
    found = json.loads(json.dumps(call("metrics", {})))
    names = [one["metric"] for one in found["metrics"]]
    kept = [one for one in found["metrics"] if one["metric"] in DESCRIBED]
    return {**found, "version": "VERSION", "names": names, "metrics": kept}


def _comparison() -> Any:
    """Return what the server answers about a comparison before it starts."""
    with TemporaryDirectory() as folder:
        comparison = ComparisonJob(Path(folder))
        comparison.add(REFERENCES, Path("ref.txt"), "ref.txt", None)
        comparison.add(SYSTEMS, Path("a.txt"), "a.txt", None)
        return {**comparison.to_dict(), "id": "ID"}
