"""Corpus metrics for lighteval: every reference of every document counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.adapters.items import items_of
from bleuet.extras import optional

if TYPE_CHECKING:
    from typing import Any

    from bleuet.adapters.items import Items

_OF_CORPUS: Any = optional("lighteval.metrics.metrics_corpus").CorpusLevelComputation
_OF_SAMPLE: Any = optional("lighteval.metrics.metrics_sample").SampleLevelComputation


class _Row(_OF_SAMPLE):  # type: ignore[misc]
    """The row of statistics of a document."""

    def __init__(self, items: Items) -> None:
        self.items = items

    def compute(self, doc: Any, model_response: Any, **_: Any) -> list[float]:
        """Return the row of the first output against all references."""
        return self.items.row(model_response.final_text[0], doc.get_golds())


class _Score(_OF_CORPUS):  # type: ignore[misc]
    """The score of all rows."""

    def __init__(self, items: Items) -> None:
        self.items = items

    def compute_corpus(self, items: list[list[float]]) -> float:
        """Return the score of the corpus."""
        return self.items.score(items)


def corpus_metric(metric: str = "bleu") -> Any:
    """Return a metric of lighteval.

    Args:
        metric: a word such as "bleu" or "chrf:word_order=2"; it is the name in the results.
    """
    items = items_of(metric)
    return optional("lighteval.metrics.utils.metric_utils").CorpusLevelMetric(
        metric_name=metric,
        higher_is_better=items.metric.higher_is_better,
        category=optional("lighteval.tasks.requests").SamplingMethod.GENERATIVE,
        sample_level_fn=_Row(items),
        corpus_level_fn=_Score(items),
    )
