"""`rerank`: choose from n-best lists with the weights of a log-linear model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.messages import plural
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.tuning.feature_lists import FeatureLists
from bleuet.tuning.feature_weights import as_weights
from bleuet.tuning.list_scores import ListMetrics
from bleuet.tuning.nbest_lists import as_nbest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np

    from bleuet.output.document import Cell, Record
    from bleuet.tuning.list_scores import ListScores
else:
    np = deferred("numpy")


class Ranked(Value, Plain):
    """The hypothesis that is chosen for one segment.

    Args:
        index: its place in the list, from 0.
        score: its score by the model: the sum of weighted features.
        text: its text.
    """

    index: int
    score: float
    text: str


class Reranking(Answer, Value):
    """What weights choose from n-best lists.

    Args:
        choices: one for each segment.
        scores: corpus scores of the first hypotheses, of the chosen ones and of the oracles, where
            there are references.
    """

    choices: tuple[Ranked, ...]
    scores: ListScores | None = None

    @property
    def texts(self) -> list[str]:
        """The chosen texts."""
        return [choice.text for choice in self.choices]

    def document(self) -> Document:
        """Return a table of choices, and one of corpus scores."""
        columns = [
            Column("segment", kind="count"),
            Column("hypothesis", kind="count"),
            Column("score", "model score", "score"),
            Column("text", kind="long text"),
        ]
        rows: list[list[Cell]] = [
            [n, one.index + 1, one.score, one.text] for n, one in enumerate(self.choices, 1)
        ]
        tables = [DocumentTable("choices", "Chosen hypotheses", columns, rows)]
        if self.scores is not None:
            columns = [Column("choice"), *self.scores.columns]
            tables.append(DocumentTable("scores", "Corpus scores", columns, self.scores.rows()))
        return Document(
            tables=tables,
            signatures=[] if self.scores is None else self.scores.signatures,
            data=self._data,
            records={"choices": self._records},
        )

    def _in_brief(self) -> str:
        return f"of {plural(len(self.choices), 'segment')}"

    def _records(self) -> Iterator[Record]:
        for number, one in enumerate(self.choices, 1):
            yield {"segment": number, **one.to_dict()}

    def _data(self) -> Record:
        found: Record = {"choices": list(self._records())}
        if self.scores is not None:
            found |= self.scores.data()
            found["signatures"] = {name: str(one) for name, one in self.scores.signatures}
        return found


@checked
def rerank(
    nbest: Any,
    weights: Any,
    references: Sequence[Any] | None = None,
    metric: Any = "bleu",
    *,
    threads: int = 1,
) -> Reranking:
    """Choose for each segment the hypothesis with the highest sum of weighted features.

    Of equal sums the first is chosen. Needs the extra `studies`.

    Args:
        nbest: as of `tune`.
        weights: a dict by the name of the feature, or one number for each feature.
        references: for each segment a string, or a list of strings, for corpus scores.
        metric: the metric of these, its name as after `-m`, or a list of them.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        InputError: a feature has no weight, or the references do not fit.
        OptionError: there is no such metric.
        MissingExtraError: numpy is not installed.

    >>> rerank([[("a", {"lm": -1}), ("b", {"lm": -2})]], {"lm": -0.5}).texts
    ['b']
    """
    lists = as_nbest(nbest)
    row = np.array(as_weights(weights, lists.names, "the weights"))
    scores = None
    if references is not None:
        metrics = ListMetrics.parse(metric)
        counted = metrics.count(lists, references, threads)
        scores = metrics.scores(counted, references, {"chosen": row}, threads)
    arrays = FeatureLists.of(lists)
    model, chosen = arrays.model_scores(row), arrays.choose(row)
    choices = zip(chosen.tolist(), model[np.arange(len(chosen)), chosen].tolist(), strict=True)
    return Reranking(
        tuple(
            Ranked(index, value, texts[index])
            for (index, value), texts in zip(choices, lists.texts, strict=True)
        ),
        scores,
    )
