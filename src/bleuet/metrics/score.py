"""Scores: a number with everything it was made of, and a batch of them, one per segment."""

from __future__ import annotations

# The interpreter has loaded this module; `collections.abc`, its public name, would load a package.
from _collections_abc import Sequence
from operator import index

from bleuet.errors import InputTypeError
from bleuet.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, overload

    from typing_extensions import TypeVar

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.signature import Signature
    from bleuet.statistics.table import Table

    ScoreT = TypeVar("ScoreT", bound="Score", default="Score", covariant=True)


class Score(Frozen):
    """A metric's number for some segments, and its components.

    A score is made by its metric; subclasses add the components. `float(score)` is the number,
    `str(score)` the line people expect, `score.signature` how to get it again.

    Args:
        metric: the metric that computed it.
        values: the sums it is a function of, in the order of the metric's columns.
        n_references: references per segment, or None where segments differ.
        score: the number, in percent.
    """

    __slots__ = ("metric", "n_references", "score", "values")
    _fields: tuple[str, ...] = ("metric", "values", "n_references", "score")
    components: tuple[str, ...] = ()
    metric: Metric[Any]
    values: tuple[int | float, ...]
    n_references: int | None
    score: float

    def __init__(
        self,
        metric: Metric[Any],
        values: Sequence[int | float],
        n_references: int | None,
        score: float,
    ) -> None:
        # Not through _set: one sentence's score takes about as long as setting these does.
        set_field = object.__setattr__
        set_field(self, "metric", metric)
        set_field(self, "values", tuple(values))
        set_field(self, "n_references", n_references)
        set_field(self, "score", score)

    @property
    def name(self) -> str:
        """The metric's printed name, such as "BLEU" or "chrF2++"."""
        return self.metric.name

    @property
    def signature(self) -> Signature:
        """How to compute this number again."""
        return self.metric.signature(self.n_references)

    def details(self) -> str:
        """Return what is printed after the number."""
        return ""

    def format(self, width: int = 2, *, signature: bool = False) -> str:
        """Return the score as one line.

        Args:
            width: digits after the decimal point.
            signature: put the signature between name and number, as sacreBLEU prints it.
        """
        name = self.signature.full() if signature else self.name
        details = self.details()
        return f"{name} = {self.score:.{width}f}" + (f" {details}" if details else "")

    def to_dict(self) -> dict[str, Any]:
        """Return name, score, components and signature as plain values."""
        values = {name: getattr(self, name) for name in self.components}
        plain = {k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}
        return {
            "name": self.name,
            "score": self.score,
            **plain,
            "signature": str(self.signature),
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict()` as JSON, every number in full."""
        import json

        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __float__(self) -> float:
        return self.score

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"<{self.format()}>"


class SegmentScores(Sequence["ScoreT"]):
    """The scores of all segments of a corpus, in order.

    `values` holds the numbers, computed all at once; `scores[i]` is the full score of segment i,
    made when it is asked for.
    """

    __slots__ = ("_values", "metric", "table")

    def __init__(self, metric: Metric[ScoreT], table: Table, values: memoryview[float]) -> None:
        self.metric = metric
        self.table = table
        self._values = values

    @property
    def values(self) -> memoryview[float]:
        """The numbers in percent, one float64 per segment; numpy.asarray() takes them as is."""
        return self._values

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
                f"a segment's number or a slice was expected, not {type(segment).__name__}"
            ) from None
        if not -len(self) <= segment < len(self):
            raise IndexError(f"segment {segment} of {len(self)}")
        return self.metric.score(self.table.row(segment))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.metric.segment_scores, (self.table,)

    def __repr__(self) -> str:
        return f"<{len(self)} segment scores of {self.metric!r}>"


def headings(names: Sequence[str]) -> list[str]:
    """Number the names that come more than once.

    >>> headings(["BLEU", "TER", "BLEU"])
    ['BLEU (1)', 'TER', 'BLEU (2)']
    """
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(f"{name} ({seen[name]})" if names.count(name) > 1 else name)
    return found
