"""Corpus scores of choices from n-best lists, by one metric or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bleuet.errors import OptionError
from bleuet.evaluation.system_scores import score_columns
from bleuet.extras import deferred
from bleuet.frozen import Value
from bleuet.messages import wrong_type
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import headings
from bleuet.metrics.catalogue import parse_metric
from bleuet.tuning.oracle import corpus_oracle, sentence_oracle
from bleuet.tuning.scored_lists import ScoredLists

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.output.document import Cell, Column, Record
    from bleuet.tuning.nbest_lists import NBestLists
else:
    np = deferred("numpy")

FIRST, BY_SENTENCES, ORACLE = "first", "sentence oracle", "corpus oracle"


class ListMetrics(Value):
    """The metrics of a run.

    Args:
        corpus: the metrics of corpus scores; the first decides.
        sentence: the first one as it scores single hypotheses.
    """

    corpus: tuple[Metric[Any], ...]
    sentence: Metric[Any]

    @classmethod
    def parse(cls, metric: Any) -> ListMetrics:
        """Return the metrics that an argument names.

        Args:
            metric: a metric, its name as after `-m`, or a list of them. A name stands for a metric
                with the options that suit corpora or sentences. Or what this returned.

        Raises:
            OptionError: there is no such metric.
        """
        if isinstance(metric, ListMetrics):
            return metric
        several = list(metric) if isinstance(metric, list | tuple) else [metric]
        if not several:
            raise OptionError("metric is an empty list; expected at least one metric")
        corpus = [parse_metric(one) if isinstance(one, str) else one for one in several]
        for one in corpus:
            if not isinstance(one, Metric):
                raise wrong_type("metric", "a metric, its name, or a list of them", one)
        word = several[0]
        alone = parse_metric(word, sentences=True) if isinstance(word, str) else word
        return cls(tuple(corpus), alone)

    def count(self, lists: NBestLists, references: Sequence[Any], threads: int) -> ScoredLists:
        """Return lists that the first metric has counted; arguments as of `ScoredLists.count`."""
        return ScoredLists.count(lists, references, self.corpus[0], self.sentence, threads)

    def scores(
        self,
        lists: ScoredLists,
        references: Sequence[Any],
        weights: Mapping[str, Floats],
        threads: int,
    ) -> ListScores:
        """Score the first hypotheses, what weights choose, and the oracles.

        Args:
            lists: the hypotheses.
            references: for each segment a string, or a list of strings.
            weights: weights by the name of the choice.
            threads: threads of the kernel.
        """
        choices = {FIRST: np.zeros_like(lists.sizes)}
        choices |= {name: lists.choose(values) for name, values in weights.items()}
        choices[BY_SENTENCES] = sentence_oracle(lists)
        choices[ORACLE] = corpus_oracle(lists)
        return ListScores(
            {
                name: tuple(
                    metric.corpus_score(lists.texts(chosen), references, threads=threads)
                    for metric in self.corpus
                )
                for name, chosen in choices.items()
            }
        )


class ListScores(Value):
    """Corpus scores of choices from the same lists.

    Args:
        scores: by the name of the choice a score by each metric. The oracles are those of the
            first metric.
    """

    scores: Mapping[str, tuple[Score, ...]]

    def __getitem__(self, choice: str) -> float:
        return self.scores[choice][0].score

    @property
    def columns(self) -> list[Column]:
        """A column for the names of choices, and one for each metric."""
        _, *columns = score_columns(self.scores[FIRST], cumulative=False)
        return columns

    @property
    def signatures(self) -> list[tuple[str, Signature]]:
        """The heading and signature of each metric."""
        scores = self.scores[FIRST]
        names = headings([score.name for score in scores])
        return [(name, score.signature) for name, score in zip(names, scores, strict=True)]

    def rows(self) -> list[list[Cell]]:
        """Return the name and the scores of each choice."""
        return [[name, *(one.score for one in scores)] for name, scores in self.scores.items()]

    def data(self) -> Record:
        """Return the scores of the first metric by choice, and those of others if there are any."""
        chosen = [name for name in self.scores if name not in (FIRST, BY_SENTENCES, ORACLE)]
        found: Record = {name: self[name] for name in (*chosen, FIRST)}
        found["oracle"] = {"sentences": self[BY_SENTENCES], "corpus": self[ORACLE]}
        names = [name for name, _ in self.signatures]
        if len(names) > 1:
            found["metrics"] = {
                choice: dict(zip(names, (one.score for one in scores), strict=True))
                for choice, scores in self.scores.items()
            }
        return found
