"""A scorer for Inspect: each sample keeps its row of statistics, and metrics make scores of all."""

from __future__ import annotations

from collections.abc import Callable
from math import nan

# Inspect evaluates annotations.
from typing import Any

from bleuet.adapters.items import Items, items_of
from bleuet.extras import optional

_inspect = optional("inspect_ai.scorer")
metric, scorer = _inspect.metric, _inspect.scorer

# Where a sample keeps the word of the metric, and its row.
WORD, ROW = "bleuet", "row"


def _of_all(
    scores: list[Any], name: str, compute: Callable[[Items, list[list[float]]], float]
) -> Any:
    """Return a number of the rows of all samples by the word of the metric; NaN without rows.

    Args:
        scores: the scores of samples.
        name: what follows the word.
        compute: returns the number.
    """
    kept = [one.score.metadata or {} for one in scores]
    rows = [one[ROW] for one in kept if ROW in one]
    if not rows:
        return nan
    word = next(one[WORD] for one in kept if ROW in one)
    return {f"{word}{name}": compute(items_of(word), rows)}


@metric(scores="unreduced")  # type: ignore[untyped-decorator]
def corpus_score() -> Any:
    """The score of all samples of all epochs together, by the word of the metric."""

    def compute(scores: list[Any]) -> Any:
        return _of_all(scores, "", lambda items, rows: items.score(rows))

    return compute


@metric(scores="unreduced")  # type: ignore[untyped-decorator]
def corpus_stderr() -> Any:
    """The bootstrap standard error of the score of all samples of all epochs."""

    def compute(scores: list[Any]) -> Any:
        return _of_all(scores, "_stderr", lambda items, rows: items.standard_error(rows))

    return compute


@scorer(metrics=[corpus_score(), corpus_stderr()])  # type: ignore[untyped-decorator]
def bleuet(metric: str = "bleu") -> Any:
    """Score the output of each sample against its targets.

    Args:
        metric: a word such as "bleu" or "chrf:word_order=2"; it is the name in the log.
    """
    items = items_of(metric)

    async def score(state: Any, target: Any) -> Any:
        output = state.output.completion
        row = items.row(output, list(target))
        return _inspect.Score(
            value=items.score([row]), answer=output, metadata={WORD: metric, ROW: row}
        )

    return score
