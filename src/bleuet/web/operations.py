"""What the API offers: functions from plain values to plain values, for HTTP and for a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bleuet.engines.counting import count_systems
from bleuet.errors import BleuetError, InputTypeError, OptionError
from bleuet.evaluation.names import check_names
from bleuet.evaluation.system_scores import Scores
from bleuet.frozen import Value
from bleuet.messages import shown
from bleuet.version import __version__
from bleuet.web.calculation import METRICS, calculate
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


class Operation(Value):
    """One operation of the API.

    Args:
        function: takes the fields of a request as arguments by name, None for those that are
            missing, and returns plain values.
        summary: what it does, in one line.
        answer: the name of the type of its answers, in `answer_types`.
        request: that of its requests, in `request_types`; "" where it takes nothing.
    """

    # The types have names here, because a browser calls operations without the library of types.
    function: Callable[..., Any]
    summary: str
    answer: str
    request: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of its requests: the parameters of the function."""
        code = self.function.__code__
        return code.co_varnames[: code.co_argcount]


def metrics() -> dict[str, Any]:
    """Return all metrics and their options."""
    return {"version": __version__, "metrics": described_metrics()}


def score(
    systems: Any = None, hypotheses: Any = None, references: Any = None, metrics: Any = METRICS
) -> list[dict[str, Any]]:
    """Return the corpus score of each system by each metric."""
    names, made, tables = _counted(_systems(systems, hypotheses), references, metrics)
    scores = [
        [metric.score(table.totals()) for metric, table in zip(made, own, strict=True)]
        for own in tables
    ]
    found: list[dict[str, Any]] = Scores(names, scores).document().data
    return found


def sentences(
    systems: Any = None, hypotheses: Any = None, references: Any = None, metrics: Any = METRICS
) -> list[dict[str, Any]]:
    """Return the score of each segment of each system by each metric."""
    names, made, tables = _counted(
        _systems(systems, hypotheses), references, metrics, sentences=True
    )
    return [
        {
            "system": name,
            "name": metric.name,
            "scores": metric.segment_scores(table).values.tolist(),
            "signature": str(metric.signature(table.n_references)),
        }
        for name, own in zip(names, tables, strict=True)
        for metric, table in zip(made, own, strict=True)
    ]


def explain(
    hypotheses: Any = None, references: Any = None, a: Any = None, b: Any = None
) -> dict[str, Any]:
    """Return the steps between two settings of a metric."""
    from bleuet.explanation import explain as steps_between

    if not isinstance(hypotheses, list):
        raise InputTypeError(f"hypotheses must be a list of texts, not {shown(hypotheses)}")
    against = _references(references)
    one, other = requested_metric(a), requested_metric(b)
    return steps_between(one, other, hypotheses, against).to_dict()


def compare(systems: Any = None, references: Any = None, metrics: Any = METRICS) -> dict[str, Any]:
    """Return a comparison of two or more systems."""
    from bleuet.comparison import compare as compared

    texts, against = _systems(systems, None), _references(references)
    return compared(texts, against, requested_metrics(metrics)).to_dict()


OPERATIONS: dict[str, Operation] = {
    "metrics": Operation(metrics, "all metrics and their options", "Metrics"),
    "calculate": Operation(
        calculate,
        "score of one hypothesis, with tokens, marks and steps",
        "Calculated",
        "CalculateRequest",
    ),
    "score": Operation(score, "corpus scores of systems", "SystemScores", "ScoreRequest"),
    "sentences": Operation(sentences, "scores of every segment", "SentenceScores", "ScoreRequest"),
    "explain": Operation(
        explain, "the steps between two settings of a metric", "Explained", "ExplainRequest"
    ),
    "compare": Operation(compare, "a comparison of systems", "Compared", "CompareRequest"),
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
    return operation.function(**request)


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


def _counted(
    systems: Mapping[str, Any], references: Any, metrics: Any, *, sentences: bool = False
) -> tuple[list[str], list[Metric[Any]], list[list[Table]]]:
    """Return the systems' names, the metrics, and the rows of each system by each metric."""
    listed = _references(references)
    made = requested_metrics(metrics, sentences=sentences)
    names = list(systems)
    return names, made, count_systems(made, list(systems.values()), listed, names=names)


def _systems(systems: Any, hypotheses: Any) -> dict[str, list[str]]:
    if (systems is None) == (hypotheses is None):
        raise InputTypeError(
            "expected either 'hypotheses', the texts of one system, or 'systems', an object of the "
            "texts of each"
        )
    if systems is None:
        systems = {ONLY: hypotheses}
    if not isinstance(systems, Mapping) or not systems:
        raise InputTypeError(f"systems must be an object of lists of texts, not {shown(systems)}")
    check_names(systems)
    return dict(systems)


def _references(references: Any) -> list[Any]:
    if not isinstance(references, list):
        raise InputTypeError(
            "references must be a list with a text, or a list of texts, for each segment, not "
            f"{shown(references)}"
        )
    return references
