"""What the API offers: functions from plain values to plain values, for HTTP and for a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bleuet.engines.counting import count_systems
from bleuet.errors import BleuetError, InputTypeError, OptionError
from bleuet.evaluation.system_scores import Scores
from bleuet.frozen import Frozen
from bleuet.messages import shown
from bleuet.text.segments import Segments
from bleuet.text.validation import check_lengths
from bleuet.version import __version__
from bleuet.web.calculation import calculate
from bleuet.web.requested_metrics import described_metrics, requested_metric, requested_metrics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from bleuet.metrics.base.metric import Metric
    from bleuet.statistics.table import Table

    Request: TypeAlias = Mapping[str, Any]

# The name of the system where a request has only one.
ONLY = "system"


class Operation(Frozen):
    """One operation of the API.

    Args:
        function: returns plain values for a request of plain values.
        summary: what it does, in one line.
        fields: the fields of its requests.
    """

    __slots__ = ("fields", "function", "summary")
    _fields = ("function", "summary", "fields")
    function: Callable[[Request], Any]
    summary: str
    fields: tuple[str, ...]

    def __init__(
        self, function: Callable[[Request], Any], summary: str, fields: tuple[str, ...]
    ) -> None:
        self._set(function=function, summary=summary, fields=fields)


def metrics(request: Request) -> dict[str, Any]:
    """Return all metrics and their options."""
    return {"version": __version__, "metrics": described_metrics()}


def score(request: Request) -> list[dict[str, Any]]:
    """Return the corpus score of each system by each metric."""
    systems, made, tables = _counted(request)
    scores = [
        [metric.score(table.totals()) for metric, table in zip(made, own, strict=True)]
        for own in tables
    ]
    found: list[dict[str, Any]] = Scores(systems, scores).document().data
    return found


def sentences(request: Request) -> list[dict[str, Any]]:
    """Return the score of each segment of each system by each metric."""
    systems, made, tables = _counted(request)
    return [
        {
            "system": name,
            "name": metric.name,
            "scores": metric.segment_scores(table).values.tolist(),
            "signature": str(metric.signature(table.n_references)),
        }
        for name, own in zip(systems, tables, strict=True)
        for metric, table in zip(made, own, strict=True)
    ]


def _counted(request: Request) -> tuple[list[str], list[Metric[Any]], list[list[Table]]]:
    """Return systems, metrics, and the rows of each system by each metric."""
    systems, references = _texts(request)
    made = requested_metrics(request.get("metrics", ["bleu"]))
    kind = made[0].counted_kind
    against = Segments.references(references, kind)
    texts = [Segments.hypotheses(own, kind) for own in systems.values()]
    for own in texts:
        check_lengths(own, against.tolist())
    return list(systems), made, count_systems(made, texts, against)


def explain(request: Request) -> dict[str, Any]:
    """Return the steps between two settings of a metric."""
    from bleuet.explanation import explain as steps_between

    (hypotheses,), references = _one_system(request)
    a, b = (requested_metric(request.get(name)) for name in ("a", "b"))
    return steps_between(a, b, hypotheses, references).to_dict()


def compare(request: Request) -> dict[str, Any]:
    """Return a comparison of two or more systems."""
    from bleuet.comparison import compare as compared

    systems, references = _texts(request)
    made = requested_metrics(request.get("metrics", ["bleu"]))
    return compared(systems, references, made).to_dict()


OPERATIONS: dict[str, Operation] = {
    "metrics": Operation(metrics, "all metrics and their options", ()),
    "calculate": Operation(
        calculate,
        "score of one hypothesis, with tokens, marks and steps",
        ("hypothesis", "references", "metrics"),
    ),
    "score": Operation(
        score, "corpus scores of systems", ("systems", "hypotheses", "references", "metrics")
    ),
    "sentences": Operation(
        sentences,
        "scores of every segment",
        ("systems", "hypotheses", "references", "metrics"),
    ),
    "explain": Operation(
        explain,
        "the steps between two settings of a metric",
        ("hypotheses", "references", "a", "b"),
    ),
    "compare": Operation(compare, "a comparison of systems", ("systems", "references", "metrics")),
}


def call(name: str, request: Request) -> Any:
    """Return the answer to a request.

    Args:
        name: a name of `OPERATIONS`.
        request: its fields, plain values as JSON has them.

    Raises:
        BleuetError: the request cannot be answered; the message says how to fix it.

    >>> request = {"hypotheses": ["a b"], "references": ["a b"], "metrics": ["ter"]}
    >>> call("score", request)[0]["score"]
    0.0
    """
    if name not in OPERATIONS:
        raise OptionError(f"there is no operation {shown(name)}: use {', '.join(OPERATIONS)}")
    operation = OPERATIONS[name]
    if not isinstance(request, Mapping):
        raise InputTypeError(f"a request must be an object, not {shown(request)}")
    unknown = [field for field in request if field not in operation.fields]
    if unknown:
        raise OptionError(
            f"{name} has no field {shown(unknown[0])}: it takes {', '.join(operation.fields)}"
        )
    return operation.function(request)


def call_json(name: str, request: str) -> str:
    """Return the answer to a request in JSON, for a program that has only texts in common.

    Args:
        name: a name of `OPERATIONS`.
        request: its fields, as JSON.

    Returns:
        An object with the `answer`, or with a `detail` that says what is wrong with the request.

    >>> call_json("score", '{"references": []}')[:25]
    '{"detail": "expected eith'
    """
    try:
        return json.dumps({"answer": call(name, json.loads(request))})
    except BleuetError as error:
        return json.dumps({"detail": str(error)})


def _texts(request: Request) -> tuple[dict[str, list[str]], list[Any]]:
    systems, hypotheses = request.get("systems"), request.get("hypotheses")
    if (systems is None) == (hypotheses is None):
        raise InputTypeError(
            "expected either 'hypotheses', the texts of one system, or 'systems', an object of the "
            "texts of each"
        )
    if systems is None:
        systems = {ONLY: hypotheses}
    if not isinstance(systems, Mapping) or not systems:
        raise InputTypeError(f"systems must be an object of lists of texts, not {shown(systems)}")
    return dict(systems), _references(request)


def _one_system(request: Request) -> tuple[list[list[str]], list[Any]]:
    hypotheses = request.get("hypotheses")
    if not isinstance(hypotheses, list):
        raise InputTypeError(f"hypotheses must be a list of texts, not {shown(hypotheses)}")
    return [hypotheses], _references(request)


def _references(request: Request) -> list[Any]:
    references = request.get("references")
    if not isinstance(references, list):
        raise InputTypeError(
            "references must be a list with a text, or a list of texts, for each segment, not "
            f"{shown(references)}"
        )
    return references
