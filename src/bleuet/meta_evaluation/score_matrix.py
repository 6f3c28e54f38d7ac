"""Scores of segments and systems: one matrix for a metric, or for human scores."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.meta_evaluation.arrays import (
    check_unique,
    columns,
    name_of_segment,
    numbered,
    numbers,
    picked,
    read_only,
    row_means,
    segment_numbers,
)
from bleuet.text.row_index import shared_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Rows
else:
    np = deferred("numpy")


@checked
class ScoreMatrix(Value, eq=False):
    """The scores of a metric, or of human raters, for every system and segment.

    Args:
        systems: the names of the systems, each once.
        values: one row per system, one column per segment; higher is better; NaN for a missing
            score. A matrix of one column holds one score per system, such as a corpus score.

    Raises:
        InputError: a name occurs twice, shapes do not fit, or a score is infinite.

    >>> scores = ScoreMatrix(("north", "south"), [[0.5, 0.75], [0.25, float("nan")]])
    >>> scores.segments, scores.missing, scores.system_means().tolist()
    (2, 1, [0.625, 0.25])
    """

    systems: tuple[str, ...]
    values: Floats

    def _complete(self) -> None:
        systems = tuple(self.systems)
        check_unique(systems)
        shared_index(scores=self.values)
        values = numbers(self.values)
        if values.ndim != 2 or len(values) != len(systems):
            raise InputError(
                f"scores must have one row for each of the {len(systems)} systems and one column "
                f"per segment, but their shape is {values.shape}"
            )
        if np.isinf(values).any():
            raise InputError("a score must be finite, not infinite: use NaN for a missing score")
        object.__setattr__(self, "systems", systems)
        object.__setattr__(self, "values", read_only(values))

    @classmethod
    @checked
    def from_rows(
        cls,
        rows: Rows[str, float | None],
        segments: int | Sequence[Hashable] | None = None,
        *,
        systems: Sequence[str] | None = None,
        average_repeated: bool = False,
    ) -> ScoreMatrix:
        """Return the matrix of rows (segment, system, score).

        Args:
            rows: one row per score, NaN or None for no score; a segment and system without a score
                gets NaN.
            segments: the number of segments, where rows name them by 0-based numbers; or the
                names of the segments in order. None counts up to the largest number, or takes
                names in order of occurrence.
            systems: the systems in order; None takes them in order of occurrence.
            average_repeated: average several scores of one segment and system, as of several
                raters, instead of rejecting them.

        Raises:
            InputError: there is no row, a repeated row, or an unknown segment or system.

        >>> rows = [(0, "north", 1.0), (0, "south", 0.5), (1, "north", 0.0)]
        >>> ScoreMatrix.from_rows(rows).values.tolist()
        [[1.0, 0.0], [0.5, nan]]
        """
        labels, names, scores = columns(rows, 3, "segment, system, score")
        number = numbered(names, systems)
        segment, count = segment_numbers(labels, segments)
        given = numbers(scores)
        there = ~np.isnan(given)
        cells = picked(names, number) * count + segment
        size = len(number) * count
        times = np.bincount(cells, minlength=size)
        if times.max() > 1 and not average_repeated:
            system, at = divmod(int(times.argmax()), count)
            name = name_of_segment(labels, segment, at)
            raise InputError(
                f"segment {name!r} of system {list(number)[system]} must have one score, but has "
                f"{int(times.max())}: remove the others, or average them"
            )
        sums = np.bincount(cells[there], given[there], minlength=size)
        times = np.bincount(cells[there], minlength=size)
        with np.errstate(invalid="ignore"):
            means = sums / times
        return cls(tuple(number), means.reshape(len(number), count))

    @property
    def segments(self) -> int:
        """The number of segments, with or without scores."""
        return int(self.values.shape[1])

    @property
    def missing(self) -> int:
        """The number of missing scores."""
        return int(np.isnan(self.values).sum())

    @checked
    def select(self, systems: Sequence[str]) -> ScoreMatrix:
        """Return the scores of some systems, in the order of `systems`.

        Raises:
            InputError: a system is not in the matrix.

        >>> scores = ScoreMatrix(("north", "south"), [[0.5], [0.25]])
        >>> scores.select(["south"]).values.tolist()
        [[0.25]]
        """
        number = {name: i for i, name in enumerate(self.systems)}
        absent = [name for name in systems if name not in number]
        if absent:
            raise InputError(
                f"there are no scores of {', '.join(absent)}: the systems with scores are "
                f"{', '.join(self.systems)}"
            )
        rows = [number[name] for name in systems]
        return ScoreMatrix(tuple(systems), self.values[rows])

    def system_means(self) -> Floats:
        """Return each system's mean over the segments with a score; NaN without any."""
        return row_means(self.values)

    def negated(self) -> ScoreMatrix:
        """Return the scores with the opposite sign, as of an error rate.

        >>> ScoreMatrix(("north",), [[0.5]]).negated().values.tolist()
        [[-0.5]]
        """
        return ScoreMatrix(self.systems, -self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreMatrix):
            return NotImplemented
        return self.systems == other.systems and np.array_equal(
            self.values, other.values, equal_nan=True
        )

    def __hash__(self) -> int:
        return hash((self.systems, self.values.shape, self.values.tobytes()))
