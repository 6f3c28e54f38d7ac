"""Rows of scores and judgments as arrays, with their validation."""

from __future__ import annotations

from numbers import Integral

from bleuet.errors import InputError, InputTypeError
from bleuet.extras import deferred

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias, TypeVar

    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]
    Segments: TypeAlias = int | Sequence[Hashable] | None
    # Rows that begin with the label of a segment.
    Second = TypeVar("Second")
    Third = TypeVar("Third")
    Rows: TypeAlias = Iterable[tuple[Hashable, Second, Third]]
else:
    np = deferred("numpy")

# The rank of a system that the rater did not rank.
BLANK = -1


def read_only(array: Any) -> Any:
    """Make an array read-only and return it."""
    array.setflags(write=False)
    return array


def row_means(values: Floats) -> Floats:
    """Return the mean of the defined values of each row; NaN for a row without any."""
    present = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1)
    return means


def integers(values: Any, name: str) -> Integers:
    """Copy whole numbers into a read-only array; `name` names them in the error."""
    array = np.array(values)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise InputTypeError(f"{name} of judgments must be a list of whole numbers")
    integers: Integers = read_only(array.astype(np.int64))
    return integers


def numbers(values: Any) -> Floats:
    """Copy scores into an array of numbers."""
    try:
        numbers: Floats = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputTypeError(
            f"scores must be numbers, equally many for each system: {error}"
        ) from None
    return numbers


def check_unique(systems: Sequence[str]) -> None:
    """Check that no two systems have the same name."""
    if len(set(systems)) < len(systems):
        repeated = next(name for i, name in enumerate(systems) if name in systems[:i])
        raise InputError(f"two systems are called {repeated}: give each its own name")


def check_range(values: Integers, least: int, most: int | None, what: str) -> None:
    """Check that all numbers lie within limits.

    Args:
        values: the numbers.
        least: the smallest valid number.
        most: the largest valid number, None for no limit.
        what: what the numbers are, for the error.

    Raises:
        InputError: a number lies outside; the message names its row.
    """
    wrong = values < least if most is None else (values < least) | (values > most)
    if wrong.any():
        at = int(wrong.argmax())
        limits = f"{least} or more" if most is None else f"{least} to {most}"
        raise InputError(f"{what} must be numbers {limits}, but row {at + 1} has {values[at]}")


def columns(rows: Iterable[Sequence[Any]], width: int, layout: str) -> list[tuple[Any, ...]]:
    """Return the columns of rows.

    Args:
        rows: the rows.
        width: the number of values in each row.
        layout: the names of these values, for the error.

    Raises:
        InputError: there are no rows, or one is too long or too short.
    """
    listed = list(rows)
    if not listed:
        raise InputError(f"there are no rows: give rows ({layout})")
    try:
        columns = list(zip(*listed, strict=True))
    except (TypeError, ValueError):
        columns = []
    if len(columns) != width:
        wrong = next((i for i, row in enumerate(listed) if len(row) != width), 0)
        raise InputError(f"row {wrong + 1} must hold {layout}, but is {listed[wrong]!r}")
    return columns


def rankings(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Return the rows (segment, systems, ranks) of rankings once all are known to be complete."""
    return zip(*columns(rows, 3, "segment, systems, ranks"), strict=True)


def check_ranking(row: int, names: Sequence[str], ranks: Sequence[int]) -> None:
    """Check that a ranking has one valid rank for each of its systems.

    Args:
        row: the number of the ranking from 0, for the error.
        names: the ranked systems.
        ranks: their ranks.

    Raises:
        InputError: a rank is missing or invalid, or a system occurs twice.
    """
    received = f"{', '.join(names)} with the ranks {', '.join(map(str, ranks))}"
    if len(names) != len(ranks) or len(set(names)) < len(names):
        raise InputError(
            f"ranking {row + 1} must have one rank for each system, and each system once, but has "
            f"{received}"
        )
    if not all(rank == BLANK or rank >= 1 for rank in ranks):
        raise InputError(
            f"ranking {row + 1} must have ranks from 1 for the best, and {BLANK} for a system "
            f"without a rank, but has "
            f"{received}"
        )


def numbered(names: Iterable[str], systems: Sequence[str] | None) -> dict[str, int]:
    """Return the number of each system: its place in `systems`, or else in order of occurrence."""
    if systems is not None:
        check_unique(systems)
    return {name: i for i, name in enumerate(dict.fromkeys(names if systems is None else systems))}


def picked(names: Sequence[str], number: dict[str, int]) -> Integers:
    """Return the number of each named system.

    Raises:
        InputError: a system has no number.
    """
    try:
        return np.fromiter(map(number.__getitem__, names), dtype=np.int64, count=len(names))
    except KeyError as error:
        raise InputError(
            f"there is no system {error.args[0]}: the systems are {', '.join(number)}"
        ) from None


def segment_numbers(labels: Sequence[Hashable], segments: Segments) -> tuple[Integers, int]:
    """Return the number of the segment that each label names, and the number of segments.

    Args:
        labels: a name or 0-based number of a segment for each row.
        segments: as in `ScoreMatrix.from_rows`.

    Raises:
        InputError: a label names no segment.
    """
    if segments is None and not all(isinstance(label, Integral) for label in set(labels)):
        segments = list(dict.fromkeys(labels))
    if segments is None or isinstance(segments, int):
        numbers = integers(labels, "segments")
        check_range(numbers, 0, None if segments is None else segments - 1, "segments")
        return numbers, int(numbers.max()) + 1 if segments is None else segments
    position = {label: i for i, label in enumerate(segments)}
    unknown = next((label for label in labels if label not in position), None)
    if unknown is not None:
        raise InputError(
            f"there is no segment {unknown!r} among the {len(position)} segments: check its name"
        )
    found = np.fromiter(map(position.__getitem__, labels), dtype=np.int64, count=len(labels))
    return found, len(segments)


def name_of_segment(labels: Sequence[Hashable], segment: Integers, at: int) -> Hashable:
    """Return the label of a numbered segment.

    Args:
        labels: the label of each row.
        segment: the number of the segment of each row.
        at: the number of the segment.
    """
    return labels[int((segment == at).argmax())]
