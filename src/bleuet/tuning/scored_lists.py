"""Hypotheses as arrays that a metric has counted: the scores of hypotheses and of choices."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.statistics.backend import backend
from bleuet.statistics.table import Table
from bleuet.text.validation import check_references
from bleuet.tuning.feature_lists import FeatureLists

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Self

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.metrics.base.metric import Metric
    from bleuet.tuning.nbest_lists import NBestLists
else:
    np = deferred("numpy")


class ScoredLists(FeatureLists):
    """N-best lists whose hypotheses a metric has counted.

    Args:
        metric: the metric of corpus scores.
        sentence_metric: the same for the scores of single hypotheses, which can have another
            smoothing or order.
        table: the row of each hypothesis.
        threads: threads of the kernel, 0 for one per core.
    """

    metric: Metric[Any]
    sentence_metric: Metric[Any]
    table: Table
    threads: int = 1

    @classmethod
    def count(
        cls,
        lists: NBestLists,
        references: Sequence[Any],
        metric: Metric[Any],
        sentence_metric: Metric[Any],
        threads: int = 1,
    ) -> Self:
        """Count all hypotheses in one call.

        Args:
            lists: the hypotheses.
            references: for each segment a string or a list of strings.
            metric: the metric of corpus scores.
            sentence_metric: that of the scores of hypotheses, which counts the same.
            threads: threads of the kernel, 0 for one per core.

        Raises:
            InputError: there is not one reference for each segment, or the lists are too long.
        """
        references = check_references(references)
        if len(references) != len(lists.texts):
            raise InputError(
                f"there are {len(references)} references for the {len(lists.texts)} segments of "
                "the n-best lists; expected one for each, in their order"
            )
        # Rows whose weights were learned from repeated references would be those of no corpus.
        taught = metric.with_learned(metric.learn(references, threads=threads))
        pairs = [
            (text, reference)
            for texts, reference in zip(lists.texts, references, strict=True)
            for text in texts
        ]
        rows, repeated = map(list, zip(*pairs, strict=True))
        table = taught.count(rows, repeated, threads=threads)
        own = FeatureLists.of(lists)
        arrays = own.lists, own.features, own.places, own.sizes
        return cls(*arrays, taught, sentence_metric, table, min(threads, 1024))

    @cached_property
    def sign(self) -> float:
        """1, or -1 for a metric whose lower scores are better."""
        return 1.0 if self.metric.higher_is_better else -1.0

    @cached_property
    def scale(self) -> float:
        """What scores are divided by: 100 for those in percent, 1 for those of a small scale."""
        return float(100 / 10**self.metric.extra_digits)

    @cached_property
    def gains(self) -> Floats:
        """The score of each segment and hypothesis alone; percents are from 0 to 1.

        Where lower scores are better, they are negative.
        """
        scores = np.asarray(self.sentence_metric.segment_scores(self.table).values)
        found: Floats = (self.sign / self.scale * scores)[self.places]
        return found

    @cached_property
    def statistics(self) -> list[Any]:
        """The integer and the real columns of each segment and hypothesis, columns last."""
        rows = len(self.table)
        blocks = [np.asarray(block).reshape(-1, rows) for block in self.table.blocks()]
        return [np.ascontiguousarray(block.T[self.places]) for block in blocks]

    @cached_property
    def line_search(self) -> Any:
        """The kernel's line search over these lists."""
        whole, reals = self.statistics
        return backend().LineSearch(
            *self.places.shape,
            *(self.features, len(self.features)),
            *(whole, whole.shape[2], reals, reals.shape[2]),
        )

    def totals_of(self, chosen: Integers) -> list[Any]:
        """Return the sums of the integer and the real columns of one hypothesis per segment."""
        segments = np.arange(len(chosen))
        return [block[segments, chosen].sum(axis=0) for block in self.statistics]

    def scores_of_sums(self, sums: Iterable[Any], metric: Metric[Any] | None = None) -> Floats:
        """Return the score of each sum of rows, negative where lower scores are better.

        Args:
            sums: sums of the integer columns, one row for each sum, and those of the real columns.
            metric: the metric; default that of corpus scores.
        """
        integers, reals = (np.ascontiguousarray(block.T) for block in sums)
        return self.scores_of_columns(integers, reals, metric)

    def scores_of_columns(
        self, integers: Integers, reals: Floats, metric: Metric[Any] | None = None
    ) -> Floats:
        """Return the same of sums of which each column is a row of an array."""
        table = Table(
            self.table.integer_columns,
            self.table.real_columns,
            integers.shape[1],
            _buffer(integers),
            _buffer(reals),
            self.table.n_references,
            self.table.learned,
        )
        values = (metric or self.metric).segment_scores(table).values
        scores: Floats = self.sign * np.asarray(values)
        return scores

    def value_of(self, chosen: Integers) -> float:
        """Return the corpus score of a choice, negative where lower scores are better."""
        sums = [total[None] for total in self.totals_of(chosen)]
        return float(self.scores_of_sums(sums)[0])

    def value(self, weights: Floats) -> float:
        """Return the corpus score of what weights choose, negative where lower is better."""
        return self.value_of(self.choose(weights))


def _buffer(block: Any) -> Any:
    """Return an array, or an empty buffer: an array without numbers cannot be viewed as numbers."""
    return block if block.size else b""
