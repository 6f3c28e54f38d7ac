"""Every argument of the public functions, and cases in which a call gets another value of one.

The arguments are derived from the signatures of what `bleuet` and its rooms list, and of what the
guides import and call. A case says what follows from the other value: an answer by definition, or
a law.
"""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from bleuet import Comparison, Corpus, Decisions, SavedTable
from bleuet.frozen import Value
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import Score
from bleuet.output.answer import Answer
from bleuet.statistics.backend import check_threads
from bleuet.statistics.table import Table
from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# The rooms that list their public names, and those of which the guides import some.
ROOMS = (
    "bleuet", "bleuet.comparison", "bleuet.gate", "bleuet.meta_evaluation", "bleuet.report",
    "bleuet.rewards", "bleuet.significance",
)  # fmt: skip
GUIDED = ("bleuet.engines", "bleuet.statistics", "bleuet.text", "bleuet.comparison")
# Values that functions and methods make, and users do not.
RESULTS = {
    "Agreement", "Alignment", "BlockComparison", "BlockScores", "Check", "Comparison", "Decisions",
    "Explanation", "GateResult", "GateRun", "History", "HistoryBreak", "HistoryPanel",
    "HistoryPoint", "Interval", "Leaderboard", "MetricComparison", "MetricLimit", "MetricResult",
    "PairedComparison", "PairedResults", "PairwiseJudgments", "PreparedReferences",
    "RaterAgreement", "RaterScores", "Reranking",
    "Rule", "RunComparison", "RunScore", "Scores", "SegmentScores", "Statistic", "SystemRank",
    "SystemRanking", "SystemScore", "Tuning",
}  # fmt: skip


@cache
def guides() -> str:
    """The text of all guides."""
    files = sorted((REPOSITORY / "docs").rglob("*.md"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@cache
def called_in_guides() -> frozenset[str]:
    """The names that the guides call."""
    return frozenset(re.findall(r"\b([a-z]\w*)\(", guides()))


@cache
def public_things() -> dict[str, Any]:
    """The public functions and classes by their names."""
    named = [(room, name) for room in ROOMS for name in import_module(room).__all__]
    for room, names in re.findall(r"from (bleuet\.[\w.]+) import \(?([\w, ]+)", guides()):
        if room.startswith(GUIDED):
            named += [(room, name) for name in filter(None, names.split(", "))]
    things = [getattr(import_module(room), name) for room, name in named]
    return {thing.__qualname__: thing for thing in things if callable(thing)}


@cache
def public_functions() -> dict[str, Any]:
    """What users call: functions, constructors, and the methods that the guides call."""
    found: dict[str, Any] = {}
    for name, thing in public_things().items():
        if not isinstance(thing, type):
            found[name] = thing
            continue
        if issubclass(thing, Exception):
            continue
        # The options of metrics have tests of their own, and metrics make scores.
        if not issubclass(thing, Metric | Score) and name not in RESULTS:
            found[name] = thing
        for attribute in dir(thing):
            static = inspect.getattr_static(thing, attribute)
            method = getattr(static, "__func__", static)
            ours = inspect.isfunction(method) and method.__module__.startswith("bleuet.")
            if ours and attribute in called_in_guides():
                found[method.__qualname__] = method
    return found


@cache
def public_arguments() -> list[str]:
    """The arguments of public functions, such as "score.threads"."""
    return [
        f"{name}.{one}"
        for name, function in public_functions().items()
        for one in inspect.signature(function).parameters
        if one not in ("self", "cls")
    ]


# --- Calls and cases ------------------------------------------------------------------------------


class Case(NamedTuple):
    """A call of a function in which one argument has another value.

    Attributes:
        name: the argument, such as "score.threads".
        value: returns the other value.
        law: what follows, from the usual result and the other one: a value and what it must equal.
        beside: returns what else both calls get.
    """

    name: str
    value: Callable[..., Any]
    law: Callable[..., tuple[Any, Any]]
    beside: Callable[..., Mapping[str, Any]] = dict

    @property
    def function(self) -> str:
        """The name of the function."""
        return self.name.rpartition(".")[0]

    @property
    def argument(self) -> str:
        """The name of the argument."""
        return self.name.rpartition(".")[2]


# By the name of the function, what returns it with the arguments of a right call.
Calls = dict[str, "Callable[[], tuple[Any, dict[str, Any]]]"]


def call(function: Any, arguments: Mapping[str, Any]) -> Any:
    """Call a function with arguments by their names, also those after a star."""
    given = dict(arguments)
    positional: list[Any] = []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional = list(given.pop(name, ()))
        elif parameter.kind is parameter.VAR_KEYWORD:
            given |= given.pop(name, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*positional, **given)


def plain(value: Any) -> Any:
    """A result as values whose `repr` tells any difference."""
    if isinstance(value, Decisions):
        return plain([value.choices, value.scores])
    if isinstance(value, Corpus):
        return [value.token_ids, value.sources, plain(value.hypotheses), plain(value.references)]
    if isinstance(value, SavedTable):
        return plain([value.system, value.metric, value.table, value.references])
    if isinstance(value, Comparison):
        return plain([value.to_dict(), value.evaluation.documents])
    if isinstance(value, Answer):
        return plain(value.to_dict())
    if isinstance(value, Score):
        return plain(value.to_dict())
    if isinstance(value, Table):
        rows = [plain(value.row(row)) for row in range(value.rows)]
        return [value.columns, value.n_references, value.learned, rows]
    if isinstance(value, Value):
        return [type(value).__name__, plain(value.as_dict())]
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, set | frozenset):
        return plain(sorted(value))
    if isinstance(value, list | tuple) or hasattr(value, "__next__"):
        return [plain(one) for one in value]
    return value


def near(value: Any) -> Any:
    """Plain values without the last digits of numbers, which the order of a sum changes."""
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, dict):
        return {key: near(one) for key, one in value.items()}
    return [near(one) for one in value] if isinstance(value, list) else value


def differ(one: Any, other: Any) -> bool:
    """Whether results differ."""
    return repr(plain(one)) != repr(plain(other))


def holds(calls: Calls, case: Case) -> None:
    """Fail unless another value of an argument changes the answer as the law says."""
    function, usual = calls[case.function]()
    usual |= case.beside()
    first = call(function, usual)
    function, again = calls[case.function]()
    changed = call(function, {**again, **case.beside(), case.argument: case.value()})
    assert differ(first, changed), f"{case.name} changes nothing"
    result, expected = case.law(first, changed)
    assert repr(near(plain(result))) == repr(near(plain(expected))), case.name


@contextmanager
def threads_used() -> Iterator[set[int]]:
    """Collect the numbers of threads that reach what counts and draws."""
    used: set[int] = set()

    def seen(threads: int) -> int:
        used.add(threads)
        return check_threads(threads)

    holders = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("bleuet.") and getattr(module, "check_threads", None) is check_threads
    ]
    patches = [patch.object(module, "check_threads", seen) for module in holders]
    for one in patches:
        one.start()
    try:
        yield used
    finally:
        for one in patches:
            one.stop()
