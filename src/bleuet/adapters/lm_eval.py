"""Corpus metrics for the lm-evaluation-harness, with standard errors.

The harness keeps a row of statistics for each document, and bleuet makes scores and their
bootstrap standard errors of all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.adapters.items import items_of
from bleuet.extras import optional

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

    Row: TypeAlias = list[float]

# What is behind the name of a metric in that of its standard error.
ERROR = "_stderr"
# What the harness has, by the names of metrics: it takes no name twice.
_REGISTERED: dict[str, list[str]] = {}


def process_results(
    *metrics: str, target: str | Callable[[Any], Any], errors: bool = True
) -> Callable[..., Any]:
    """Return a function for `process_results` of a task.

    Args:
        *metrics: words such as "bleu" or "chrf:word_order=2".
        target: the key of the references in a document, or a function from a document to them: a
            text or a list of texts.
        errors: whether there are standard errors, too; each then needs an aggregation.

    Returns:
        A function from a document and its outputs to a row for each metric, and the same for its
        standard error, by the names `bleu` and `bleu_stderr`, under which the harness prints them.
        The name has the options: `bleu:lowercase` and `bleu:lowercase_stderr`.

    >>> process_results("ter", target="text")({"text": "a b"}, ["a c"])
    {'ter': [1, 2.0], 'ter_stderr': [1, 2.0]}
    >>> process = process_results("bleu", "bleu:lowercase", target="text", errors=False)
    >>> list(process({"text": "a b"}, ["A b"]))
    ['bleu', 'bleu:lowercase']
    """
    made = {name_of(word): items_of(word) for word in metrics}

    def process(document: Mapping[str, Any], results: Sequence[str]) -> dict[str, Row]:
        references = target(document) if callable(target) else document[target]
        rows = {name: items.row(results[0], references) for name, items in made.items()}
        return rows | {f"{name}{ERROR}": row for name, row in rows.items() if errors}

    return process


def name_of(metric: str) -> str:
    """Return the name of a metric's result: its word, without commas, which end a name there.

    >>> name_of("ter:normalized,asian_support")
    'ter:normalized;asian_support'
    """
    return metric.replace(",", ";")


def aggregation(metric: str) -> Callable[[Sequence[Row]], float]:
    """Return a function for `aggregation`: from the rows of all documents to the score.

    >>> round(aggregation("ter")([[1, 2.0], [0, 1.0]]), 2)
    33.33
    """
    items = items_of(metric)
    return lambda rows: items.score(rows)


def standard_error(metric: str, draws: int = 1000) -> Callable[[Sequence[Row]], float]:
    """Return a function for `aggregation`: from the rows to the standard error of the score.

    Args:
        metric: the word of the metric.
        draws: the bootstrap draws.
    """
    items = items_of(metric)
    return lambda rows: items.standard_error(rows, draws)


def register(*metrics: str) -> list[str]:
    """Register metrics with the harness, so that tasks can name them.

    A task then has `metric: bleuet_bleu` and `metric: bleuet_bleu_stderr` in its `metric_list`. One
    that was registered before stays.

    Args:
        *metrics: words such as "bleu".

    Returns:
        The names.
    """
    registry = optional("lm_eval.api.registry")
    names = []
    for word in metrics:
        if name_of(word) in _REGISTERED:
            names += _REGISTERED[name_of(word)]
            continue
        items = items_of(word)
        plain = f"bleuet_{name_of(word)}"
        better = items.metric.higher_is_better
        both = _REGISTERED[name_of(word)] = [plain, f"{plain}{ERROR}"]
        for name, aggregate, higher in (
            (plain, aggregation(word), better),
            (f"{plain}{ERROR}", standard_error(word), False),
        ):

            def row(
                references: Sequence[Any], predictions: Sequence[str], items: Any = items
            ) -> Row:
                return items.row(predictions[0], references[0])  # type: ignore[no-any-return]

            registry.register_aggregation(name)(aggregate)
            registry.register_metric(metric=name, higher_is_better=higher, aggregation=name)(row)
        names += both
    return names
