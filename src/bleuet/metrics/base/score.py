"""A score: a number with its components and its signature."""

from __future__ import annotations

from operator import ge, gt, le, lt

from bleuet.errors import InputTypeError, OptionError
from bleuet.frozen import Value, checked
from bleuet.messages import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, ClassVar, overload

    from typing_extensions import TypeVar

    from bleuet.metrics.base.composition import Composition
    from bleuet.metrics.base.signature import Signature

    ScoreT = TypeVar("ScoreT", bound="Score", default="Score", covariant=True)


class Score(Value):
    """The score of some segments by a metric, and its components.

    Metrics make their scores, and subclasses add components. `str(score)` is one line of text, and
    `score.signature` is all that is needed to compute the score again.

    `float(score)` is the number. Rounding, format codes and `<`, `<=`, `>`, `>=` are those of the
    number. Scores of different signatures have no order. `==` compares all fields, so a score
    equals no number.

    Args:
        metric: the metric that computed it.
        values: the sums that it is computed from, in the order of the metric's columns.
        n_references: references per segment, or None where segments differ.
        score: the number, in percent.
    """

    components: ClassVar[tuple[str, ...]] = ()
    # A `Metric`, whose module imports this one.
    metric: Any
    values: tuple[int | float, ...]
    n_references: int | None
    score: float

    def __init__(
        self,
        metric: Any,
        values: Sequence[int | float],
        n_references: int | None,
        score: float,
    ) -> None:
        # Not through _set, which would take as long as the score of one sentence.
        set_field = object.__setattr__
        set_field(self, "metric", metric)
        set_field(self, "values", tuple(values))
        set_field(self, "n_references", n_references)
        set_field(self, "score", score)

    @property
    def name(self) -> str:
        """The printed name of the metric, such as "BLEU" or "chrF2++"."""
        name: str = self.metric.name
        return name

    @property
    def signature(self) -> Signature:
        """Everything that is needed to compute the score again."""
        signature: Signature = self.metric.signature(self.n_references)
        return signature

    def details(self) -> str:
        """Return the text that is printed after the number."""
        return ""

    def composition(self) -> Composition | None:
        """Return the parts that the score is made of by a formula, None if it has no such parts."""
        return None

    @checked
    def format(self, width: int = 2, *, signature: bool = False) -> str:
        """Return the score as one line.

        Args:
            width: digits after the decimal point of a score in percent; NIST and others of a
                smaller scale have more.
            signature: print the signature between name and number, as sacreBLEU does.
        """
        if not (type(width) is int and 0 <= width <= 17):
            raise OptionError(
                f"must be a whole number from 0 to 17, not {shown(width)}", option="width"
            )
        name = self.signature.full() if signature else self.name
        details = self.details()
        digits = width + self.metric.extra_digits
        return f"{name} = {self.score:.{digits}f}" + (f" {details}" if details else "")

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

    @checked
    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict()` as JSON, with all digits of every number."""
        import json

        if indent is not None and not 0 <= indent <= 100:
            raise OptionError(
                f"must be from 0 to 100, or None, not {shown(indent)}", option="indent"
            )
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    # --- As a number ------------------------------------------------------------------------------

    def __float__(self) -> float:
        return self.score

    def __int__(self) -> int:
        return int(self.score)

    if TYPE_CHECKING:

        @overload
        def __round__(self, ndigits: None = None) -> int: ...
        @overload
        def __round__(self, ndigits: int) -> float: ...

    def __round__(self, ndigits: int | None = None) -> int | float:
        return round(self.score, ndigits)

    def __format__(self, spec: str) -> str:
        return format(self.score, spec) if spec else str(self)

    def __lt__(self, other: object) -> bool:
        return self._compare(lt, other)

    def __le__(self, other: object) -> bool:
        return self._compare(le, other)

    def __gt__(self, other: object) -> bool:
        return self._compare(gt, other)

    def __ge__(self, other: object) -> bool:
        return self._compare(ge, other)

    def _compare(self, compare: Callable[[float, float], bool], other: object) -> bool:
        if isinstance(other, int | float):
            return compare(self.score, other)
        if not isinstance(other, Score):
            return NotImplemented  # type: ignore[no-any-return]
        if (self.metric, self.n_references) != (other.metric, other.n_references):
            raise InputTypeError(
                f"scores of different signatures have no order: {self.signature.full()} and "
                f"{other.signature.full()}; to compare the numbers alone, use score.score"
            )
        return compare(self.score, other.score)

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return f"<{self.format()}>"


def labels(metrics: Sequence[Any]) -> list[str]:
    """Return a name for each metric, with its options where several have the same name.

    Args:
        metrics: the metrics; those that suit sentences have no options for that in their names.

    >>> from bleuet.metrics.bleu.metric import BLEU
    >>> labels([BLEU(), BLEU(tokenize="intl")])
    ['BLEU', 'BLEU tokenize=intl']
    """
    names = [metric.name for metric in metrics]
    usual = [metric.suited_to(language="", sentences=True) for metric in metrics]
    return headings(
        [
            metric.labelled(suited) if names.count(metric.name) > 1 else metric.name
            for metric, suited in zip(metrics, usual, strict=True)
        ]
    )


def headings(names: Sequence[str]) -> list[str]:
    """Number the names that occur more than once.

    >>> headings(["BLEU", "TER", "BLEU"])
    ['BLEU (1)', 'TER', 'BLEU (2)']
    """
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(f"{name} ({seen[name]})" if names.count(name) > 1 else name)
    return found
