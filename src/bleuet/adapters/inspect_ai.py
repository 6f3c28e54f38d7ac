"""A scorer for Inspect: each sample keeps its row of statistics, and metrics make scores of all."""

from __future__ import annotations

# Inspect evaluates annotations.
from typing import Any

from bleuet.adapters.items import Items, items_of
from bleuet.extras import optional

_inspect = optional("inspect_ai.scorer")
metric, scorer = _inspect.metric, _inspect.scorer

# Where a sample keeps the word of the metric, and its row.
WORD, ROW = "bleuet", "row"


def _rows(scores: list[Any]) -> tuple[Items | None, list[list[float]]]:
    kept = [one.score.metadata or {} for one in scores]
    rows = [one[ROW] for one in kept if ROW in one]
    return (items_of(kept[0][WORD]) if rows else None), rows


@metric  # type: ignore[untyped-decorator]
def corpus_score() -> Any:
    """The score of all samples together."""

    def compute(scores: list[Any]) -> float:
        items, rows = _rows(scores)
        return 0.0 if items is None else items.score(rows)

    return compute


@metric  # type: ignore[untyped-decorator]
def corpus_stderr() -> Any:
    """The bootstrap standard error of the score of all samples."""

    def compute(scores: list[Any]) -> float:
        items, rows = _rows(scores)
        return 0.0 if items is None else items.standard_error(rows)

    return compute


@scorer(metrics=[corpus_score(), corpus_stderr()])  # type: ignore[untyped-decorator]
def bleuet(metric: str = "bleu") -> Any:
    """Score the output of each sample against its targets.

    Args:
        metric: a word such as "bleu" or "chrf:word_order=2".
    """
    items = items_of(metric)

    async def score(state: Any, target: Any) -> Any:
        output = state.output.completion
        row = items.row(output, list(target))
        return _inspect.Score(
            value=items.score([row]), answer=output, metadata={WORD: metric, ROW: row}
        )

    return score
