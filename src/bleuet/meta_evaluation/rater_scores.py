"""Scores by rater: each rater's score of a segment of a system, and their standardisation."""

from __future__ import annotations

from math import fsum

from bleuet.errors import InputError
from bleuet.evaluation.score_tables import ScoreTable, check_segments
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.meta_evaluation.arrays import (
    check_range,
    check_unique,
    columns,
    integers,
    numbered,
    numbers,
    picked,
    read_only,
    segment_numbers,
)
from bleuet.meta_evaluation.score_matrix import ScoreMatrix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
else:
    np = deferred("numpy")

# How the scores of several raters become one: their mean, or the mean of their z-scores.
RAW, Z = RATER_SCORES = ("raw", "z")


@checked
class RaterScores(Value, eq=False):
    """Scores of segments and systems, each by one rater.

    Args:
        systems: the names of the systems, each once.
        raters: the names of the raters, each once.
        segments: the number of segments.
        segment: the segment of each score, as a 0-based number.
        system, rater: the system and rater of each score, as positions in `systems` and `raters`.
        scores: the scores, higher is better.

    Raises:
        InputError: lengths differ, a number is out of range, or a score is not finite.

    >>> rows = [(0, "north", "r1", 90), (0, "north", "r2", 60), (0, "south", "r1", 70)]
    >>> found = RaterScores.from_rows(rows)
    >>> found.raters, found.means().values.tolist()
    (('r1', 'r2'), [[75.0], [70.0]])
    """

    systems: tuple[str, ...]
    raters: tuple[str, ...]
    segments: int
    segment: Integers
    system: Integers
    rater: Integers
    scores: Floats

    def _complete(self) -> None:
        self._set(systems=tuple(self.systems), raters=tuple(self.raters))
        check_unique(self.systems)
        repeated = next((n for i, n in enumerate(self.raters) if n in self.raters[:i]), None)
        if repeated is not None:
            raise InputError(f"two raters are called {repeated}: give each a name of its own")
        scores = numbers(self.scores)
        for name in ("segment", "system", "rater"):
            self._set(**{name: integers(getattr(self, name), f"{name}s")})
            if scores.ndim != 1 or len(getattr(self, name)) != len(scores):
                raise InputError(
                    "scores by rater must have equally many segments, systems, raters and scores, "
                    f"not {len(self.segment)}, {len(self.system)}, {len(self.rater)} and "
                    f"{scores.size}"
                )
        if not np.isfinite(scores).all():
            raise InputError("a rater's score must be finite: leave out a missing one")
        self._set(scores=read_only(scores))
        check_range(self.segment, 0, self.segments - 1, "segments")
        check_range(self.system, 0, len(self.systems) - 1, "systems")
        check_range(self.rater, 0, len(self.raters) - 1, "raters")

    @classmethod
    @checked
    def from_rows(
        cls,
        rows: Iterable[tuple[Hashable, str, str, float | None]],
        segments: int | Sequence[Hashable] | None = None,
        *,
        systems: Sequence[str] | None = None,
    ) -> RaterScores:
        """Return the scores of rows (segment, system, rater, score).

        Args:
            rows: one row per score; NaN or None for none. A rater's repeated score counts each
                time.
            segments: as in `ScoreMatrix.from_rows`.
            systems: the systems in order; None takes them in order of occurrence.

        Raises:
            InputError: there is no row, or an unknown segment or system.
        """
        labels, names, raters, scores = columns(rows, 4, "segment, system, rater, score")
        number = numbered(names, systems)
        number_of_rater = numbered(raters, None)
        segment, count = segment_numbers(labels, segments)
        given = numbers(scores)
        there = ~np.isnan(given)
        return cls(
            tuple(number),
            tuple(number_of_rater),
            count,
            segment[there],
            picked(names, number)[there],
            picked(raters, number_of_rater)[there],
            given[there],
        )

    def __len__(self) -> int:
        return len(self.scores)

    def means(self) -> ScoreMatrix:
        """Return the mean of the raters' scores of each segment and system; NaN without any."""
        cells = (self.system * self.segments + self.segment).tolist()
        by_cell: dict[int, list[float]] = {}
        for cell, score in zip(cells, self.scores.tolist(), strict=True):
            by_cell.setdefault(cell, []).append(score)
        means = np.full(len(self.systems) * self.segments, np.nan)
        # Sums that do not depend on the order of the raters.
        means[list(by_cell)] = [fsum(scores) / len(scores) for scores in by_cell.values()]
        return ScoreMatrix(self.systems, means.reshape(len(self.systems), self.segments))

    def standardized(self) -> RaterScores:
        """Return z-scores: (score - mean of the rater) / standard deviation of the rater.

        The standard deviation is that of a sample (n - 1). A rater with a single score, or with
        equal scores only, has no z-scores and is left out, as in WMT.

        Source: Graham, Baldwin, Moffat and Zobel 2013, "Continuous Measurement Scales in Human
        Evaluation of Machine Translation"; make_rankings.py of WMT 2022's news systems.

        >>> rows = [(0, "a", "r1", 90), (1, "a", "r1", 70), (0, "a", "r2", 50)]
        >>> RaterScores.from_rows(rows).standardized().scores.round(3).tolist()
        [0.707, -0.707]
        """
        scores = z_scores(self.scores, self.rater, len(self.raters))
        return self.replace(scores=np.where(np.isnan(scores), 0.0, scores)).select_rows(
            ~np.isnan(scores)
        )

    def select_rows(self, kept: Any) -> RaterScores:
        """Return some of the scores, with all systems, and the raters that they have.

        Args:
            kept: a truth value for each score.
        """
        known, rater = np.unique(self.rater[kept], return_inverse=True)
        return RaterScores(
            self.systems,
            tuple(self.raters[i] for i in known),
            self.segments,
            self.segment[kept],
            self.system[kept],
            rater,
            self.scores[kept],
        )

    def negated(self) -> RaterScores:
        """Return the scores with the opposite sign, as of an error rate."""
        return self.replace(scores=-self.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RaterScores):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[object, ...]:
        arrays = self.segment, self.system, self.rater, self.scores
        return self.systems, self.raters, self.segments, *(array.tobytes() for array in arrays)


def z_scores(scores: Floats, rater: Integers, raters: int) -> Floats:
    """Return each score as standard deviations above the mean of its rater.

    Args:
        scores: the scores; NaN for none.
        rater: the number of the rater of each.
        raters: the number of raters.

    Returns:
        z-scores; NaN for those of a rater with a single score, or with equal scores only.
    """
    found = np.full(len(scores), np.nan)
    there = ~np.isnan(scores)
    for number in range(raters):
        own = there & (rater == number)
        values = scores[own]
        # Equal scores have a deviation of rounding errors.
        if len(values) > 1 and values.min() < values.max():
            found[own] = (values - values.mean()) / values.std(ddof=1)
    return found


class RaterTable(ScoreTable):
    """Rows (segment, system, rater, score) of a table.

    Args:
        raters: the rater of each row.
    """

    raters: list[str]

    def standardized(self) -> tuple[RaterTable, list[str]]:
        """Return the table with z-scores, and the raters without any, whose scores are missing."""
        number = {name: i for i, name in enumerate(dict.fromkeys(self.raters))}
        rater = np.array([number[name] for name in self.raters], dtype=np.int64)
        scores = z_scores(np.array(self.scores, dtype=np.float64), rater, len(number))
        known = set(rater[~np.isnan(scores)].tolist())
        without = [name for name, i in number.items() if i not in known]
        return self.replace(scores=scores.tolist()), without

    def scores_by_rater(
        self, systems: Sequence[str], segments: int, *, average: bool = False
    ) -> RaterScores:
        """Return the scores of some systems by rater.

        Args:
            systems: the systems by their names in the table.
            segments: the number of segments.
            average: let a rater score the same segment of a system repeatedly.

        Raises:
            InputError: a segment is out of range, a rater's score is repeated, or there are none.
        """
        places = self.segments or [0] * len(self.systems)
        check_segments(self.table, places, segments)
        known = set(systems)
        rows = [i for i, name in enumerate(self.systems) if name in known]
        if not average:
            self._check_unique_raters(rows, places)
        rows = [i for i in rows if self.scores[i] == self.scores[i]]  # NaN differs from itself
        if not rows:
            raise InputError(f"{self.table.name} has no score of {', '.join(systems)}")
        return RaterScores.from_rows(
            [(places[i], self.systems[i], self.raters[i], self.scores[i]) for i in rows],
            segments,
            systems=systems,
        )

    def _check_unique_raters(self, rows: Sequence[int], places: Sequence[int]) -> None:
        first: dict[tuple[int, str, str], int] = {}
        for row in rows:
            system, rater = self.systems[row], self.raters[row]
            before = first.setdefault((places[row], system, rater), row)
            if before != row:
                raise InputError(
                    f"{self.table.place(row)} repeats the score of {system} for the same segment "
                    f"by the rater {rater} in row {self.table.lines[before]}: remove one, or use "
                    "--average"
                )
