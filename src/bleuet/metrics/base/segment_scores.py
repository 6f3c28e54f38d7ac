"""The scores of all segments of a corpus."""

from __future__ import annotations

# The interpreter has loaded this module; `collections.abc`, its public name, would load a package.
from _collections_abc import Sequence
from operator import index

from bleuet.errors import InputTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, overload

    from bleuet.metrics.base.score import ScoreT
    from bleuet.statistics.table import Table


class SegmentScores(Sequence["ScoreT"]):
    """The scores of all segments of a corpus, in order.

    `values` has the numbers; `scores[i]` makes the score of segment i with its components.
    `numpy.asarray(scores)` is an array of the numbers.
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

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {"version": 3, "shape": (len(self),), "typestr": "<f8", "data": self._values}

    def __len__(self) -> int:
        return len(self._values)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, segment: int) -> ScoreT: ...
        @overload
        def __getitem__(self, segment: slice) -> list[ScoreT]: ...

    def __getitem__(self, segment: int | slice) -> ScoreT | list[ScoreT]:
        if isinstance(segment, slice):
            return [self[i] for i in range(*segment.indices(len(self)))]
        try:
            segment = index(segment)
        except TypeError:
            raise InputTypeError(
                f"expected the number of a segment or a slice, not {type(segment).__name__}"
            ) from None
        if not -len(self) <= segment < len(self):
            raise IndexError(f"segment {segment} of {len(self)}")
        score: ScoreT = self.metric.score(self.table.row(segment))
        return score

    def __reduce__(self) -> tuple[Any, ...]:
        return self.metric.segment_scores, (self.table,)

    def __repr__(self) -> str:
        return f"<{len(self)} segment scores of {self.metric!r}>"
