"""Scores by bucket: the segments of a test set grouped, each group's rows added and scored."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.score import Score
    from bleuet.studies.comparison.evaluation import Evaluation

    # Each group's label and its segments.
    Groups: TypeAlias = Sequence[tuple[str, tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Bucket:
    """Some segments that have something in common.

    Attributes:
        name: what the segments were grouped by, such as "length".
        label: which group this is, such as "10 to 19".
        rows: the segments' numbers, from 0.
    """

    name: str
    label: str
    rows: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many segments there are.

        >>> Bucket("length", "<10", (0, 4)).count
        2
        """
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; segments count from 1 here."""
        return {
            "label": self.label,
            "count": self.count,
            "segments": [row + 1 for row in self.rows],
        }


@dataclass(frozen=True, slots=True)
class BucketScores:
    """A bucket and what one system scores there.

    Attributes:
        bucket: the segments.
        scores: one score per metric, or None where the bucket is empty.
    """

    bucket: Bucket
    scores: tuple[Score | None, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, the scores in the order of the metrics."""
        numbers = [None if score is None else score.score for score in self.scores]
        return {**self.bucket.to_dict(), "scores": numbers}


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The scores of all systems by bucket.

    Attributes:
        name: what the segments were grouped by, such as "length".
        title: the same in words.
        shared: whether all systems have the same segments in a bucket, as with the reference's
            length, or each its own, as with the length of its own hypotheses.
        systems: the buckets of each system, `systems[system][bucket]`; the labels are the same
            for all, and a bucket that is empty for all is left out.
    """

    name: str
    title: str
    shared: bool
    systems: tuple[tuple[BucketScores, ...], ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the buckets."""
        return tuple(scored.bucket.label for scored in self.systems[0])

    def to_dict(self, systems: Sequence[str]) -> dict[str, Any]:
        """Return plain values, with the systems by name."""
        return {
            "name": self.name,
            "title": self.title,
            "shared": self.shared,
            "systems": {
                name: [scored.to_dict() for scored in buckets]
                for name, buckets in zip(systems, self.systems, strict=True)
            },
        }


def break_down(
    evaluation: Evaluation, name: str, title: str, groups: Sequence[Groups], *, shared: bool
) -> Breakdown:
    """Score every system in every bucket, by adding rows that were counted before.

    Args:
        evaluation: the systems, counted.
        name: what the segments are grouped by.
        title: the same in words.
        groups: each system's groups, with the same labels in the same order.
        shared: whether the groups are the same for all systems.
    """
    used = [
        number
        for number, same in enumerate(zip(*groups, strict=True))
        if any(rows for _, rows in same)
    ]
    systems = []
    for system, of_system in enumerate(groups):
        buckets = [Bucket(name, *of_system[number]) for number in used]
        systems.append(
            tuple(BucketScores(one, evaluation.scores_of(system, one.rows)) for one in buckets)
        )
    return Breakdown(name, title, shared, tuple(systems))
