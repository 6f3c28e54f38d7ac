"""Scores by bucket: the segments of a test set in groups, and the score of each group."""

from __future__ import annotations

from bleuet.comparison.by_system import BySystem
from bleuet.frozen import Value
from bleuet.output.document import Column, DocumentTable
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.score import Score
    from bleuet.output.document import Record

    # The label and the segments of each group.
    Groups: TypeAlias = Sequence[tuple[str, tuple[int, ...]]]


class Bucket(Value, Plain):
    """Segments that have something in common.

    Attributes:
        name: what the segments are divided by, such as "length".
        label: the bucket, such as "10 to 19".
        rows: the segments, from 0.
    """

    name: str
    label: str
    rows: tuple[int, ...]
    plain_fields = ("label", "count", "segments")

    @property
    def segments(self) -> list[int]:
        """The numbers of the segments, from 1."""
        return [row + 1 for row in self.rows]

    @property
    def count(self) -> int:
        """The number of segments.

        >>> Bucket("length", "<10", (0, 4)).count
        2
        """
        return len(self.rows)


class BucketScores(Value, Plain):
    """The scores of one system in a bucket.

    Attributes:
        bucket: the segments.
        scores: one score per metric, None where the bucket is empty.
    """

    bucket: Bucket
    scores: tuple[Score | None, ...]
    plain_fields = (
        *(f"{key}=bucket.{key}" for key in Bucket.plain_fields),
        "scores=values",
    )

    @property
    def values(self) -> list[float | None]:
        """The number of each score, in the order of the metrics."""
        return [None if score is None else score.score for score in self.scores]


class Breakdown(Value, BySystem):
    """The scores of all systems by bucket.

    Attributes:
        name: what the segments are divided by, such as "length".
        title: a description of it.
        shared: whether a bucket has the same segments for all systems, as with the length of the
            reference, or others for each system, as with the length of its own hypotheses.
        systems: the buckets of each system, `systems[system][bucket]`. All systems have the same
            labels, and a bucket that is empty for all of them is left out.
    """

    name: str
    title: str
    shared: bool
    systems: tuple[tuple[BucketScores, ...], ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the buckets."""
        return tuple(scored.bucket.label for scored in self.systems[0])

    def tables(self, evaluation: Evaluation) -> Iterator[DocumentTable]:
        """Yield a table for each metric, after one of segments where the systems' buckets differ.

        Args:
            evaluation: the systems, counted.
        """
        label = Column("bucket", self.name)
        if not self.shared:
            rows = [
                [same[0].bucket.label, *(one.bucket.count for one in same)]
                for same in zip(*self.systems, strict=True)
            ]
            counts = [Column(name, kind="count") for name in evaluation.systems]
            yield DocumentTable("buckets", f"Segments by {self.title}", [label, *counts], rows)
        for number, metric in enumerate(evaluation.headings):
            segments = [Column("segments", kind="count")] if self.shared else []
            scores = [evaluation.score_column(number, name) for name in evaluation.systems]
            yield DocumentTable(
                "buckets",
                f"{metric} by {self.title}",
                [label, *segments, *scores],
                [
                    [
                        same[0].bucket.label,
                        *([same[0].bucket.count] if self.shared else ()),
                        *(one.values[number] for one in same),
                    ]
                    for same in zip(*self.systems, strict=True)
                ],
                largest_by="segments" if self.shared else "",
            )

    def records(self, evaluation: Evaluation) -> Iterator[Record]:
        """Yield one record for each system, bucket and metric.

        Args:
            evaluation: the systems, counted.
        """
        for name, buckets in zip(evaluation.systems, self.systems, strict=True):
            for one in buckets:
                for metric, score in zip(evaluation.headings, one.values, strict=True):
                    yield {
                        "by": self.name,
                        "bucket": one.bucket.label,
                        "segments": one.bucket.count,
                        "system": name,
                        "metric": metric,
                        "score": score,
                    }


def break_down(
    evaluation: Evaluation, name: str, title: str, groups: Sequence[Groups], *, shared: bool
) -> Breakdown:
    """Score each system in each bucket by adding rows that are counted already.

    Args:
        evaluation: the systems, counted.
        name: what the segments are divided by.
        title: a description of it.
        groups: the groups of each system, with the same labels in the same order.
        shared: whether the groups are the same for all systems.
    """
    used = [
        number
        for number, same in enumerate(zip(*groups, strict=True))
        if any(rows for _, rows in same)
    ]
    systems, compared = [], evaluation.compared
    for system, of_system in zip(evaluation.systems, groups, strict=True):
        buckets = [Bucket(name, *of_system[number]) for number in used]
        systems.append(
            tuple(BucketScores(one, compared.scores_of(system, one.rows)) for one in buckets)
        )
    return Breakdown(name, title, shared, tuple(systems))
