"""What is compared: scores of people or metrics per segment and system, and pairwise judgments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, combinations

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.studies.meta_evaluation.rows import (
    BLANK,
    check_ranking,
    columns,
    integers,
    name_of_segment,
    numbered,
    numbers,
    picked,
    rankings,
    read_only,
    refuse_outside,
    refuse_repeated,
    row_means,
    segment_numbers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import Any

    import numpy as np

    from bleuet.studies.meta_evaluation.rows import Floats, Integers, Segments
else:
    np = optional("numpy")


@dataclass(frozen=True, slots=True, eq=False)
class ScoreMatrix:
    """Scores of one metric, or of people, for every system and segment.

    Args:
        systems: the names of the systems, each once.
        values: one row per system, one column per segment; higher is better; NaN where there is
            no score. A matrix of one column holds one score per system, as of a whole corpus.

    Raises:
        InputError: names repeat, shapes do not fit, or a score is infinite.

    >>> scores = ScoreMatrix(("north", "south"), [[0.5, 0.75], [0.25, float("nan")]])
    >>> scores.segments, scores.missing, scores.system_means().tolist()
    (2, 1, [0.625, 0.25])
    """

    systems: tuple[str, ...]
    values: Floats

    def __post_init__(self) -> None:
        systems = tuple(self.systems)
        refuse_repeated(systems)
        values = numbers(self.values)
        if values.ndim != 2 or len(values) != len(systems):
            raise InputError(
                f"scores need one row per system and one column per segment: {len(systems)} "
                f"systems came with numbers of the shape {values.shape}"
            )
        if np.isinf(values).any():
            raise InputError("a score is infinite; leave it out, or give NaN where there is none")
        object.__setattr__(self, "systems", systems)
        object.__setattr__(self, "values", read_only(values))

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[tuple[Hashable, str, float]],
        segments: Segments = None,
        *,
        systems: Sequence[str] | None = None,
        average_repeated: bool = False,
    ) -> ScoreMatrix:
        """Make a matrix of rows (segment, system, score).

        Args:
            rows: one row per score; a segment and system without a row gets NaN.
            segments: how many segments there are, where they are named by their 0-based number;
                or their names in order. None takes numbers up to the greatest that comes, or
                names in the order they come.
            systems: the systems in order; None takes them in the order they come.
            average_repeated: average several scores of one segment and system, as of several
                raters, instead of refusing them.

        Raises:
            InputError: no row, a repeated row, or an unknown segment or system.

        >>> rows = [(0, "north", 1.0), (0, "south", 0.5), (1, "north", 0.0)]
        >>> ScoreMatrix.from_rows(rows).values.tolist()
        [[1.0, 0.0], [0.5, nan]]
        """
        labels, names, scores = columns(rows, 3, "segment, system, score")
        number = numbered(names, systems)
        segment, count = segment_numbers(labels, segments)
        cells = picked(names, number) * count + segment
        size = len(number) * count
        times = np.bincount(cells, minlength=size)
        if times.max() > 1 and not average_repeated:
            system, at = divmod(int(times.argmax()), count)
            name = name_of_segment(labels, segment, at)
            raise InputError(
                f"segment {name!r} of system {list(number)[system]} has "
                f"{int(times.max())} scores; give one each, or ask for their average"
            )
        sums = np.bincount(cells, numbers(scores), minlength=size)
        with np.errstate(invalid="ignore"):
            means = sums / times
        return cls(tuple(number), means.reshape(len(number), count))

    @property
    def segments(self) -> int:
        """The number of segments, those without a score included."""
        return int(self.values.shape[1])

    @property
    def missing(self) -> int:
        """The number of segments and systems without a score."""
        return int(np.isnan(self.values).sum())

    def select(self, systems: Sequence[str]) -> ScoreMatrix:
        """Return the scores of the given systems, in the given order.

        Raises:
            InputError: a system is not here.

        >>> scores = ScoreMatrix(("north", "south"), [[0.5], [0.25]])
        >>> scores.select(["south"]).values.tolist()
        [[0.25]]
        """
        number = {name: i for i, name in enumerate(self.systems)}
        absent = [name for name in systems if name not in number]
        if absent:
            raise InputError(
                f"there are no scores of {', '.join(absent)}; "
                f"the systems with scores are {', '.join(self.systems)}"
            )
        rows = [number[name] for name in systems]
        return ScoreMatrix(tuple(systems), self.values[rows])

    def system_means(self) -> Floats:
        """Return each system's mean over the segments it has a score for; NaN where none."""
        return row_means(self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreMatrix):
            return NotImplemented
        return self.systems == other.systems and np.array_equal(
            self.values, other.values, equal_nan=True
        )

    def __hash__(self) -> int:
        return hash((self.systems, self.values.shape, self.values.tobytes()))


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseJudgments:
    """Which of two systems people preferred on a segment, one judgment after another.

    Args:
        systems: the names of the systems, each once.
        segment: the segment of each judgment, as a 0-based number.
        first, second: the two systems of each judgment, as positions in `systems`.
        preference: 1 where the first is better, -1 where the second is, 0 where they tie.
        left_out: comparisons that were offered but had no judgment, as blanks of a ranking.

    Raises:
        InputError: lengths differ, a number is outside its range, or a system meets itself.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "systems", tuple(self.systems))
        refuse_repeated(self.systems)
        for name in ("segment", "first", "second", "preference"):
            object.__setattr__(self, name, integers(getattr(self, name), name))
        lengths = {len(self.segment), len(self.first), len(self.second), len(self.preference)}
        if len(lengths) > 1:
            raise InputError(
                f"judgments need as many segments ({len(self.segment)}) as first systems "
                f"({len(self.first)}), second systems ({len(self.second)}) and preferences "
                f"({len(self.preference)})"
            )
        self._check_ranges()

    def _check_ranges(self) -> None:
        refuse_outside(self.segment, 0, None, "segments")
        refuse_outside(self.first, 0, len(self.systems) - 1, "first systems")
        refuse_outside(self.second, 0, len(self.systems) - 1, "second systems")
        refuse_outside(self.preference, -1, 1, "preferences")
        alone = np.flatnonzero(self.first == self.second)
        if len(alone):
            at = int(alone[0])
            raise InputError(
                f"judgment {at + 1} compares {self.systems[self.first[at]]} with itself"
            )

    def __len__(self) -> int:
        return len(self.segment)

    @classmethod
    def from_better_worse(
        cls,
        rows: Iterable[tuple[Hashable, str, str]],
        segments: Segments = None,
        *,
        systems: Sequence[str] | None = None,
    ) -> PairwiseJudgments:
        """Make judgments of rows (segment, better system, worse system).

        Args:
            rows: one row per judgment; a judgment that comes several times counts each time.
            segments: as `ScoreMatrix.from_rows` takes them.
            systems: the systems in order; None takes them in the order they come.
        """
        labels, better, worse = columns(rows, 3, "segment, better, worse")
        number = numbered(chain.from_iterable(zip(better, worse, strict=True)), systems)
        segment, _ = segment_numbers(labels, segments)
        ones = np.ones(len(labels), dtype=np.int64)
        return cls(tuple(number), segment, picked(better, number), picked(worse, number), ones)

    @classmethod
    def from_rankings(
        cls,
        rows: Iterable[tuple[Hashable, Sequence[str], Sequence[int]]],
        segments: Segments = None,
        *,
        systems: Sequence[str] | None = None,
    ) -> PairwiseJudgments:
        """Make judgments of rows (segment, systems, ranks): all pairs of each row, ties kept.

        Args:
            rows: one row per judge and segment; rank 1 is best, -1 is a blank, and a pair with a
                blank is counted as left out.
            segments: as `ScoreMatrix.from_rows` takes them.
            systems: the systems in order; None takes them in the order they come.

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
            raise InputError(f"no two systems were ranked; {blanks} pairs have a blank")
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
    def from_scores(cls, scores: ScoreMatrix, margin: float = 0.0) -> PairwiseJudgments:
        """Make judgments of people's scores: all pairs of systems on each segment.

        Args:
            scores: people's scores, higher is better; pairs without both scores are left out.
            margin: the difference up to which two scores tie, so 0 ties only equal ones.

        >>> people = ScoreMatrix(("north", "south"), [[3.0, 5.0], [3.0, 4.0]])
        >>> PairwiseJudgments.from_scores(people).preference.tolist()
        [0, 1]
        """
        first, second = np.triu_indices(len(scores.systems), 1)
        differences = (scores.values[first] - scores.values[second]).T
        preference = np.where(np.abs(differences) <= margin, 0, np.sign(differences))
        segment, pair = np.nonzero(~np.isnan(differences))
        return cls(
            scores.systems,
            segment,
            first[pair],
            second[pair],
            preference[segment, pair].astype(np.int64),
            differences.size - len(segment),
        )

    def select(self, kept: Any) -> PairwiseJudgments:
        """Return some of the judgments.

        Args:
            kept: for each judgment whether to keep it, or the positions of those to keep.

        >>> judged = PairwiseJudgments.from_better_worse([(0, "a", "b"), (1, "b", "a")])
        >>> judged.select([False, True]).segment.tolist()
        [1]
        """
        return PairwiseJudgments(
            self.systems,
            self.segment[kept],
            self.first[kept],
            self.second[kept],
            self.preference[kept],
            self.left_out,
        )

    def without_ties(self) -> PairwiseJudgments:
        """Return the judgments in which one system was better; ties count as left out."""
        kept = self.preference != 0
        ties = len(self) - int(kept.sum())
        return replace(self.select(kept), left_out=self.left_out + ties)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairwiseJudgments):
            return NotImplemented
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def _fields(self) -> tuple[object, ...]:
        arrays = self.segment, self.first, self.second, self.preference
        return self.systems, self.left_out, *(array.tobytes() for array in arrays)
