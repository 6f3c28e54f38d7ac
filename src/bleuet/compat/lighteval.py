"""Corpus metrics for lighteval: every reference of every document counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric
from lighteval.tasks.requests import SamplingMethod

from bleuet.compat.items import items_of

if TYPE_CHECKING:
    from typing import Any

    from bleuet.compat.items import Items


class _Row(SampleLevelComputation):  # type: ignore[misc]
    """The row of statistics of a document."""

    def __init__(self, items: Items) -> None:
        self.items = items

    def compute(self, doc: Any, model_response: Any, **_: Any) -> list[float]:
        """Return the row of the first output against all references."""
        return self.items.row(model_response.final_text[0], doc.get_golds())


class _Score(CorpusLevelComputation):  # type: ignore[misc]
    """The score of all rows."""

    def __init__(self, items: Items) -> None:
        self.items = items

    def compute_corpus(self, items: list[list[float]]) -> float:
        """Return the score of the corpus."""
        return self.items.score(items)


def corpus_metric(metric: str = "bleu") -> Any:
    """Return a metric of lighteval.

    Args:
        metric: a word such as "bleu" or "chrf:word_order=2".
    """
    items = items_of(metric)
    return CorpusLevelMetric(
        metric_name=metric.partition(":")[0],
        higher_is_better=items.metric.higher_is_better,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=_Row(items),
        corpus_level_fn=_Score(items),
    )
