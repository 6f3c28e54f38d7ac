"""The scores of all segments of a corpus."""

from __future__ import annotations

# The interpreter has loaded this module; `collections.abc`, its public name, would load a package.
from _collections_abc import Sequence
from operator import index

from bleuet.errors import InputTypeError
from bleuet.frozen import checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Generic, overload

    from bleuet.metrics.base.score import ScoreT
    from bleuet.statistics.table import Table

    class _Floats(Sequence[float], Generic[ScoreT]):
        pass
else:

    class _Floats(Sequence):
        """Numbers, with the type of their scores for type checkers."""

        __slots__ = ()


# `repr` shows so many numbers.
_SHOWN = 3


class SegmentScores(_Floats["ScoreT"]):
    """The scores of all segments of a corpus, in order: a sequence of numbers.

    `scores[i]` is the number of segment i in percent, a float; `scores.score(i)` is its score with
    the components. A column of a data frame, `numpy.asarray(scores)` and `statistics.mean(scores)`
    take the numbers as they are.

    >>> from bleuet.metrics.ter.metric import TER
    >>> scores = TER().sentence_scores(["a b", "a"], ["a b", "b"])
    >>> scores
    <2 segment scores by TER: 0.00, 100.00>
    >>> max(scores), scores.score(1).num_edits
    (100.0, 1)
    """

    __slots__ = ("_values", "metric", "table")

    def __init__(self, metric: Any, table: Table, values: memoryview[float]) -> None:
        self.metric = metric
        self.table = table
        self._values = values

    @property
    def values(self) -> memoryview[float]:
        """The numbers in percent, one float64 per segment; `numpy.asarray` does not copy them."""
        return self._values

    @checked
    def score(self, segment: int) -> ScoreT:
        """Return the score of a segment with its components.

        Args:
            segment: its number, negative from the end.

        Raises:
            TableError: there is no such segment.
        """
        score: ScoreT = self.metric.score(self.table.row(segment))
        return score

    def tolist(self) -> list[float]:
        """Return the numbers as a list."""
        numbers: list[float] = self._values.tolist()  # type: ignore[assignment]
        return numbers

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {"version": 3, "shape": (len(self),), "typestr": "<f8", "data": self._values}

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        # pandas makes a column of floats of what has this method, and a column of objects else.
        from bleuet.statistics.interoperability import to_array

        return to_array(self._values, dtype, copy)

    def __len__(self) -> int:
        return len(self._values)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, segment: int) -> float: ...
        @overload
        def __getitem__(self, segment: slice) -> list[float]: ...

    def __getitem__(self, segment: int | slice) -> float | list[float]:
        if isinstance(segment, slice):
            return self.tolist()[segment]
        return self._values[self._place(segment)]

    def __iter__(self) -> Iterator[float]:
        return iter(self._values)

    def _place(self, segment: int) -> int:
        try:
            segment = index(segment)
        except TypeError:
            raise InputTypeError(
                f"expected the number of a segment or a slice, not {type(segment).__name__}"
            ) from None
        if not -len(self) <= segment < len(self):
            raise IndexError(f"segment {segment} of {len(self)}")
        return segment

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SegmentScores):
            return NotImplemented
        return bool(self.metric == other.metric and self.table == other.table)

    # Its numbers can be many, and a list of them has no hash either.
    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return self.metric.segment_scores, (self.table,)

    def __repr__(self) -> str:
        digits = 2 + self.metric.extra_digits
        numbers = [f"{value:.{digits}f}" for value in self[:_SHOWN]]
        rest = ["..."] if len(self) > _SHOWN else []
        count = "1 segment score" if len(self) == 1 else f"{len(self):,} segment scores"
        return f"<{count} by {self.metric.name}: {', '.join([*numbers, *rest])}>"
