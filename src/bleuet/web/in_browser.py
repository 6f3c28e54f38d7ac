"""What the calculator offers where the browser itself computes, without optional libraries."""

from __future__ import annotations

import json

from bleuet.errors import BleuetError, InputTypeError, OptionError
from bleuet.version import __version__
from bleuet.web.calculation import calculate
from bleuet.web.requested_metrics import described_metrics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Options = dict[str, Any]

# Texts with something to count for every metric.
HYPOTHESIS, REFERENCE = (
    "The cat sat down on the mat. It slept.",
    "The cat sat on the mat. It slept.",
)
# Of a choice that takes token ids.
NO_TEXT = "it takes no text, but lists of numbers, in Python"


def offered() -> str:
    """Return the answer to the request `metrics`, as JSON, with what cannot be computed here.

    Each metric and each choice of an option has a field `unavailable`: what is missing, and "" or
    nothing for what can be computed. Since everything is computed once, Python has then loaded
    all that the calculator needs.
    """
    metrics = [_with_unavailable(metric) for metric in described_metrics()]
    return json.dumps({"version": __version__, "metrics": metrics})


def _with_unavailable(metric: dict[str, Any]) -> dict[str, Any]:
    name, options = metric["metric"], metric["options"]
    single = list(_choices(options))
    problems = [_problem(name, {}), *(_problem(name, one) for one in single)]
    if all(problems):
        return {**metric, "unavailable": metric["needs"] or str(problems[0])}
    missing: dict[str, dict[str, str]] = {}
    for one, problem in zip(single, problems[1:], strict=True):
        if not problem:
            continue
        # A choice may need a certain value of one other option.
        if isinstance(problem, OptionError):
            pairs = [_problem(name, {**other, **one}) for other in single if not one.keys() & other]
            if not all(pairs):
                continue
            problem = next(
                (found for found in pairs if not isinstance(found, OptionError)), problem
            )
        ((option, choice),) = one.items()
        no_text = isinstance(problem, InputTypeError)
        missing.setdefault(option, {})[choice] = NO_TEXT if no_text else str(problem)
    described = [{**one, "unavailable": missing.get(one["option"], {})} for one in options]
    return {**metric, "options": described, "unavailable": ""}


def _choices(options: list[dict[str, Any]]) -> Iterator[Options]:
    """Yield each choice of each option, alone."""
    for option in options:
        for choice in [True, False] if option["kind"] == "switch" else option["choices"]:
            yield {option["option"]: choice}


def _problem(name: str, options: Options) -> BleuetError | None:
    try:
        calculate(HYPOTHESIS, [REFERENCE], [{"name": name, "options": options}])
    except BleuetError as error:
        return error
    return None
