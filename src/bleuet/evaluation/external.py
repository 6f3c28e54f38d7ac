"""External scores: segment scores of another program or of human raters, as metrics like others."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, isfinite, log10

from bleuet.errors import InputError, InputTypeError, OptionError, SignatureError
from bleuet.frozen import checked
from bleuet.messages import nearest
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.signature import Signature, version_of
from bleuet.metrics.catalogue import NAMES
from bleuet.output.escaping import printable
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any, NoReturn, TypeAlias

    from bleuet.metrics.base.signature import ParsedSignature

    # The scores of each system's segments, by metric (its name or a SegmentMean) and system.
    Scores: TypeAlias = Mapping[Any, Mapping[str, Iterable[float | None]]]

# Scores of this size need no extra digits, and every tenth of it needs one more.
PERCENT = 20
MOST_DIGITS = 6
# Systems are compared on the segments that all have a score for, where there are so many.
FEWEST_SCORES = 20


class SegmentMeanScore(Score):
    """The mean of the scores of some segments."""

    components = ("segments",)

    @property
    def segments(self) -> int:
        """The number of segments with a score."""
        return int(self.values[0])


def _checked_label(label: str) -> str:
    if not label.strip() or "|" in label or "\n" in label:
        raise ValueError(f"must be a name without '|' or line breaks, not {label!r}")
    return label


class SegmentMean(Metric[SegmentMeanScore]):
    """A corpus score that is the mean of external segment scores.

    Its rows are a count and a score, which add like those of any metric, so external scores can
    be tested together with metrics that count n-grams.

    Raises:
        OptionError: the label is empty, or contains a separator of signatures.

    >>> comet = SegmentMean("COMET")
    >>> table = comet.table_of([0.81, 0.64, None, 0.95])
    >>> print(comet.score(table.totals()))
    COMET = 0.80
    """

    label: str = option(
        default="mean", help="the printed name, such as COMET or human", check=_checked_label
    )
    # An option of each mean; for other metrics, an attribute of the class.
    higher_is_better: bool = option(default=True, help="whether larger scores are better")  # type: ignore[misc]
    score_type = SegmentMeanScore
    integer_columns = ("segments",)
    real_columns = ("sum",)

    def __init__(self, label: str, higher_is_better: bool = True) -> None:
        super().__init__(label=label, higher_is_better=higher_is_better)

    @property
    def name(self) -> str:
        """The label."""
        return self.label

    @checked
    def table_of(self, scores: Iterable[float | None]) -> Table:
        """Return segment scores as a table, one row per segment.

        Args:
            scores: one number per segment, in any unit; None for a segment without a score.

        Raises:
            InputError: a score is not a finite number.
        """
        rows = []
        for segment, score in enumerate(scores):
            number = 0.0 if score is None else _finite(score, segment, self.label)
            rows.append((int(score is not None), number))
        return Table.from_rows(self.integer_columns, self.real_columns, rows, None)

    def scores_of(self, table: Table) -> tuple[float | None, ...]:
        """Return the scores of a table that `table_of` made."""
        rows = zip(table.column("segments"), table.column("sum"), strict=True)
        return tuple(score if number else None for number, score in rows)

    def only(self, table: Table, rows: Collection[int]) -> Table:
        """Return a table without the scores of other rows."""
        scores = enumerate(self.scores_of(table))
        return self.table_of(score if row in rows else None for row, score in scores)

    def digits_of(self, tables: Iterable[Table]) -> int:
        """Return the digits that scores need beyond those of a score in percent."""
        return digits_beyond_percent(score for table in tables for score in table.column("sum"))

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature, which names nothing but the mean."""
        return Signature(self.label, [("mean", "segments"), ("version", version_of(False))])

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> NoReturn:
        """Raise an error: external scores cannot be computed.

        Raises:
            SignatureError: always.
        """
        raise SignatureError("a mean of external scores cannot be made from a signature")

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the mean of the scores, 0 without scores."""
        segments, total = values
        return total / segments if segments else 0.0

    def _make_counter(self) -> Any:
        raise InputError(f"{self.label} is a mean of external scores: use table_of, not texts")


def digits_beyond_percent(scores: Iterable[float]) -> int:
    """Return how many digits scores need beyond those of scores in percent.

    >>> [digits_beyond_percent([score]) for score in (0.81, -3.5, 85)]
    [2, 1, 0]
    """
    greatest = max(map(abs, scores), default=0.0)
    return min(max(0, -floor(log10(greatest / PERCENT))), MOST_DIGITS) if greatest else 0


def _finite(score: Any, segment: int, label: str) -> float:
    try:
        number = float(score)
    except (TypeError, ValueError):
        number = float("nan")
    if not isfinite(number):
        raise InputError(
            f"the {label} score of segment {segment} must be a finite number, or None if there is "
            f"no score, not {score!r}"
        )
    return number


def scored_rows(metric: Metric[Any], table: Table) -> Sequence[int] | None:
    """Return how many scores each row of a table has; None for a metric that scores all rows."""
    return table.column("segments") if isinstance(metric, SegmentMean) else None


def tables_of_scores(
    scores: Scores, systems: Sequence[str], segments: int
) -> dict[SegmentMean, list[Table]]:
    """Validate segment scores and return them as tables, one for each system.

    Args:
        scores: by metric and system, one number per segment, None where a segment has no score.
        systems: the names of the systems.
        segments: the number of segments.

    Raises:
        InputError: scores of a system are missing, too few or too many, or not numbers.
        OptionError: two metrics have the same name, or a name cannot be used.

    >>> scores = {"COMET": {"mine": [0.8, None]}}
    >>> ((mean, (table,)),) = tables_of_scores(scores, ["mine"], 2).items()
    >>> mean.scores_of(table)
    (0.8, None)
    """
    found: dict[SegmentMean, list[Table]] = {}
    for name, by_system in _items(scores, "scores"):
        mean = name if isinstance(name, SegmentMean) else SegmentMean(name)
        check_name(mean.label)
        if mean.label in [one.label for one in found]:
            raise OptionError(f"two metrics are called {mean.label}: give each its own name")
        own = dict(_items(by_system, f"the {mean.label} scores"))
        unknown = next((one for one in own if one not in systems), None)
        if unknown is not None:
            raise InputError(
                f"there are {mean.label} scores of {unknown!r}, which is not one of the systems"
                f"{nearest(str(unknown), systems)}: the systems are {', '.join(systems)}"
            )
        found[mean] = [_table(mean, own.get(one, ()), one, segments) for one in systems]
    return found


def check_name(name: str) -> None:
    """Check that external scores can have a name.

    Raises:
        OptionError: it is not printable, or a metric of the catalogue has it.
    """
    if printable(name) != name:
        raise OptionError(
            f"the name of external scores must be printable, not {name!r}: choose another name"
        )
    if name.lower() in NAMES:
        raise OptionError(
            f"the name of external scores must not be that of a metric, such as {name}: "
            "choose another name"
        )


def _items(mapping: Any, what: str) -> Iterable[tuple[Any, Any]]:
    if not isinstance(mapping, Mapping):
        raise InputTypeError(
            f"{what} must be a mapping, as in {{'COMET': {{'mine': [0.8, None]}}}}, not "
            f"{type(mapping).__name__}"
        )
    return mapping.items()


def _table(mean: SegmentMean, scores: Any, system: str, segments: int) -> Table:
    if isinstance(scores, str | Mapping) or not hasattr(scores, "__iter__"):
        raise InputTypeError(
            f"the {mean.label} scores of {system} must be a list of numbers, with None where a "
            f"segment has no score, not {type(scores).__name__}"
        )
    listed = list(scores)
    if all(score is None for score in listed):
        raise InputError(
            f"the system {system} has no {mean.label} scores: give each system at least one"
        )
    if len(listed) != segments:
        raise InputError(
            f"the system {system} has {len(listed)} {mean.label} scores, but there are {segments} "
            "segments: give one for each, None where a segment has no score"
        )
    try:
        return mean.table_of(listed)
    except InputError as error:
        raise InputError(f"system {system}: {error}") from error
