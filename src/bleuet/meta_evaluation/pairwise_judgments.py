"""Pairwise judgments: which of two systems human raters preferred on a segment."""

from __future__ import annotations

from itertools import chain, combinations

from bleuet.errors import InputError, InputTypeError
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.messages import shown
from bleuet.meta_evaluation.arrays import (
    BLANK,
    check_range,
    check_ranking,
    check_unique,
    columns,
    integers,
    numbered,
    picked,
    rankings,
    segment_numbers,
)
from bleuet.meta_evaluation.rounding import TOLERANCE, typical, without_rounding
from bleuet.meta_evaluation.score_matrix import ScoreMatrix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.arrays import Integers, Rows
else:
    np = deferred("numpy")


@checked
class PairwiseJudgments(Value, eq=False):
    """Judgments of which of two systems is better on a segment.

    Args:
        systems: the names of the systems, each once.
        segment: the segment of each judgment, as a 0-based number.
        first, second: the two systems of each judgment, as positions in `systems`.
        preference: 1 where the first is better, -1 where the second is, 0 where they tie.
        left_out: the number of pairs without a judgment, such as those with a blank in a ranking.

    Raises:
        InputError: lengths differ, a number is out of range, or a system is compared with itself.

    >>> judged = PairwiseJudgments.from_better_worse([(0, "north", "south"), (2, "south", "north")])
    >>> len(judged), judged.systems, judged.first.tolist(), judged.preference.tolist()
    (2, ('north', 'south'), [0, 1], [1, 1])
    """

    systems: tuple[str, ...]
    segment: Integers
    first: Integers
    second: Integers
    preference: Integers
    left_out: int = 0

    def _complete(self) -> None:
        object.__setattr__(self, "systems", tuple(self.systems))
        check_unique(self.systems)
        for name in ("segment", "first", "second", "preference"):
            object.__setattr__(self, name, integers(getattr(self, name), name))
        lengths = {len(self.segment), len(self.first), len(self.second), len(self.preference)}
        if len(lengths) > 1:
            raise InputError(
                "judgments must have equally many segments, first systems, second systems and "
                f"preferences, not {len(self.segment)}, {len(self.first)}, {len(self.second)} and "
                f"{len(self.preference)}"
            )
        self._check_ranges()

    def _check_ranges(self) -> None:
        check_range(self.segment, 0, None, "segments")
        check_range(self.first, 0, len(self.systems) - 1, "first systems")
        check_range(self.second, 0, len(self.systems) - 1, "second systems")
        check_range(self.preference, -1, 1, "preferences")
        alone = np.flatnonzero(self.first == self.second)
        if len(alone):
            at = int(alone[0])
            raise InputError(
                f"judgment {at + 1} must compare two systems, but compares "
                f"{self.systems[self.first[at]]} with itself"
            )

    def __len__(self) -> int:
        return len(self.segment)

    @classmethod
    @checked
    def from_better_worse(
        cls,
        rows: Rows[str, str],
        segments: int | Sequence[Hashable] | None = None,
        *,
        systems: Sequence[str] | None = None,
    ) -> PairwiseJudgments:
        """Return the judgments of rows (segment, better system, worse system).

        Args:
            rows: one row per judgment; a repeated judgment counts each time.
            segments: as in `ScoreMatrix.from_rows`.
            systems: the systems in order; None takes them in order of occurrence.
        """
        labels, better, worse = columns(rows, 3, "segment, better, worse")
        number = numbered(chain.from_iterable(zip(better, worse, strict=True)), systems)
        segment, _ = segment_numbers(labels, segments)
        ones = np.ones(len(labels), dtype=np.int64)
        return cls(tuple(number), segment, picked(better, number), picked(worse, number), ones)

    @classmethod
    @checked
    def from_rankings(
        cls,
        rows: Rows[Sequence[str], Sequence[int]],
        segments: int | Sequence[Hashable] | None = None,
        *,
        systems: Sequence[str] | None = None,
    ) -> PairwiseJudgments:
        """Return the judgments of rows (segment, systems, ranks): all pairs of each row, with ties.

        Args:
            rows: one row per rater and segment; rank 1 is best and -1 means no rank. A pair with
                a missing rank counts as left out.
            segments: as in `ScoreMatrix.from_rows`.
            systems: the systems in order; None takes them in order of occurrence.

        Raises:
            InputError: a ranking is invalid, or no two systems of any row have ranks.

        >>> judged = PairwiseJudgments.from_rankings([(0, ["north", "south", "east"], [1, 2, 2])])
        >>> judged.preference.tolist(), len(judged.without_ties())
        ([1, 1, 0], 2)
        """
        judged: list[tuple[Hashable, str, str, int]] = []
        blanks = 0
        for row, (label, names, ranks) in enumerate(rankings(rows)):
            check_ranking(row, names, ranks)
            for (one, its), (other, others) in combinations(zip(names, ranks, strict=True), 2):
                if BLANK in (its, others):
                    blanks += 1
                else:
                    judged.append((label, one, other, (its < others) - (its > others)))
        if not judged:
            raise InputError(f"rankings must rank two systems, but all {blanks} pairs lack a rank")
        labels, first, second, preference = zip(*judged, strict=True)
        number = numbered(chain.from_iterable(zip(first, second, strict=True)), systems)
        return cls(
            tuple(number),
            segment_numbers(labels, segments)[0],
            picked(first, number),
            picked(second, number),
            np.array(preference, dtype=np.int64),
            blanks,
        )

    @classmethod
    @checked
    def from_scores(cls, scores: ScoreMatrix, margin: float = 0.0) -> PairwiseJudgments:
        """Return the judgments of human scores: all pairs of systems on each segment.

        Args:
            scores: human scores, higher is better; pairs without both scores are left out.
            margin: the smallest difference at which one score is better, such as 25 in WMT's daRR;
                pairs that differ by less tie. 0 ties only equal scores.

        >>> human = ScoreMatrix(("north", "south"), [[3.0, 5.0], [3.0, 4.0]])
        >>> PairwiseJudgments.from_scores(human).preference.tolist()
        [0, 1]
        """
        first, second = np.triu_indices(len(scores.systems), 1)
        values = without_rounding(scores.values)
        differences = (values[first] - values[second]).T
        # A difference that equals the margin up to rounding reaches it.
        least = margin - TOLERANCE * max(margin, typical(values))
        preference = np.where(np.abs(differences) < least, 0, np.sign(differences))
        segment, pair = np.nonzero(~np.isnan(differences))
        return cls(
            scores.systems,
            segment,
            first[pair],
            second[pair],
            preference[segment, pair].astype(np.int64),
            differences.size - len(segment),
        )

    @checked
    def select(self, kept: Any) -> PairwiseJudgments:
        """Return some of the judgments.

        Args:
            kept: a truth value for each judgment, or the positions of those to return.

        >>> judged = PairwiseJudgments.from_better_worse([(0, "a", "b"), (1, "b", "a")])
        >>> judged.select([False, True]).segment.tolist()
        [1]
        """
        try:
            self.segment[kept].shape[0]  # fails for one number and for None
        except IndexError:
            raise InputTypeError(
                f"kept must have a truth value for each of the {len(self)} judgments, or be a list "
                f"of positions, not {shown(kept)}"
            ) from None
        return PairwiseJudgments(
            self.systems,
            self.segment[kept],
            self.first[kept],
            self.second[kept],
            self.preference[kept],
            self.left_out,
        )

    def without_ties(self) -> PairwiseJudgments:
        """Return the judgments that prefer one system; ties count as left out."""
        kept = self.preference != 0
        ties = len(self) - int(kept.sum())
        return self.select(kept).replace(left_out=self.left_out + ties)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairwiseJudgments):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[object, ...]:
        arrays = self.segment, self.first, self.second, self.preference
        return self.systems, self.left_out, *(array.tobytes() for array in arrays)
