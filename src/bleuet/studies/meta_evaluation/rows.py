"""Rows of people's judgments as arrays: what a row must hold, and what is refused."""

from __future__ import annotations

from numbers import Integral

from bleuet.errors import InputError, InputTypeError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]
    Segments: TypeAlias = int | Sequence[Hashable] | None
else:
    np = optional("numpy")

# What a row of a ranking holds where the judge gave no rank.
BLANK = -1


def read_only(array: Any) -> Any:
    """Return the array, which nobody can change any more."""
    array.setflags(write=False)
    return array


def row_means(values: Floats) -> Floats:
    """Return each row's mean over what is not NaN; NaN where nothing is."""
    there = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(there, values, 0.0).sum(axis=1) / there.sum(axis=1)
    return means


def integers(values: Any, name: str) -> Integers:
    """Return whole numbers as a read-only array of their own, or refuse what are none."""
    array = np.array(values)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise InputTypeError(f"{name} of judgments must be a list of whole numbers")
    integers: Integers = read_only(array.astype(np.int64))
    return integers


def numbers(values: Any) -> Floats:
    """Return scores as an array of their own, or refuse what are no numbers."""
    try:
        numbers: Floats = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(f"scores must be numbers, as many for every system: {error}") from None
    return numbers


def refuse_repeated(systems: Sequence[str]) -> None:
    """Refuse a name that two systems have."""
    if len(set(systems)) < len(systems):
        repeated = next(name for i, name in enumerate(systems) if name in systems[:i])
        raise InputError(f"the system {repeated} is named twice; each needs a name of its own")


def refuse_outside(values: Integers, least: int, most: int | None, what: str) -> None:
    """Refuse a number outside its limits, naming its row."""
    wrong = values < least if most is None else (values < least) | (values > most)
    if wrong.any():
        at = int(wrong.argmax())
        limits = f"{least} or more" if most is None else f"{least} to {most}"
        raise InputError(f"{what} are numbers {limits}, but row {at + 1} has {values[at]}")


def columns(rows: Iterable[Sequence[Any]], width: int, layout: str) -> list[tuple[Any, ...]]:
    """Return the columns of rows, or refuse the first row that is too long or too short."""
    listed = list(rows)
    if not listed:
        raise InputError(f"there are no rows; each should hold {layout}")
    try:
        columns = list(zip(*listed, strict=True))
    except (TypeError, ValueError):
        columns = []
    if len(columns) != width:
        wrong = next((i for i, row in enumerate(listed) if len(row) != width), 0)
        raise InputError(f"row {wrong + 1} is {listed[wrong]!r}, but each should hold {layout}")
    return columns


def rankings(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Return rows (segment, systems, ranks), each of which has all three."""
    return zip(*columns(rows, 3, "segment, systems, ranks"), strict=True)


def check_ranking(row: int, names: Sequence[str], ranks: Sequence[int]) -> None:
    """Refuse a ranking in which a rank is missing or impossible, or a system comes twice."""
    came = f"{', '.join(names)} came with the ranks {', '.join(map(str, ranks))}"
    if len(names) != len(ranks) or len(set(names)) < len(names):
        raise InputError(
            f"ranking {row + 1} needs one rank for each of its systems, each named once: {came}"
        )
    if not all(rank == BLANK or rank >= 1 for rank in ranks):
        raise InputError(
            f"ranking {row + 1} needs ranks from 1, the best, and {BLANK} for a blank: {came}"
        )


def numbered(names: Iterable[str], systems: Sequence[str] | None) -> dict[str, int]:
    """Number the systems in the order given, or else in the order they come."""
    if systems is not None:
        refuse_repeated(systems)
    return {name: i for i, name in enumerate(dict.fromkeys(names if systems is None else systems))}


def picked(names: Sequence[str], number: dict[str, int]) -> Integers:
    """Return each system's number, or refuse one that has none."""
    try:
        return np.fromiter(map(number.__getitem__, names), dtype=np.int64, count=len(names))
    except KeyError as error:
        raise InputError(
            f"the system {error.args[0]} is unknown; the systems are {', '.join(number)}"
        ) from None


def segment_numbers(labels: Sequence[Hashable], segments: Segments) -> tuple[Integers, int]:
    """Return the number of the segment that each label names, and how many segments there are."""
    if segments is None and not all(isinstance(label, Integral) for label in set(labels)):
        segments = list(dict.fromkeys(labels))
    if segments is None or isinstance(segments, int):
        numbers = integers(labels, "segments")
        refuse_outside(numbers, 0, None if segments is None else segments - 1, "segments")
        return numbers, int(numbers.max()) + 1 if segments is None else segments
    position = {label: i for i, label in enumerate(segments)}
    unknown = next((label for label in labels if label not in position), None)
    if unknown is not None:
        raise InputError(f"the segment {unknown!r} is none of the {len(position)} known segments")
    found = np.fromiter(map(position.__getitem__, labels), dtype=np.int64, count=len(labels))
    return found, len(segments)


def name_of_segment(labels: Sequence[Hashable], segment: Integers, at: int) -> Hashable:
    """Return what a numbered segment was called."""
    return labels[int((segment == at).argmax())]
