"""The index of columns of data frames: which rows they are, beside their order."""

from __future__ import annotations

# The interpreter has loaded this module; `collections.abc`, its public name, would load a package.
from _collections_abc import Mapping

from bleuet.errors import InputError
from bleuet.messages import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def shared_index(**columns: Any) -> Any:
    """Return the index that columns share, as those of pandas have one; None if there is none.

    Args:
        **columns: the columns by the names of their arguments; also dictionaries of columns, and
            lists of them. What has no index, such as a list of texts, goes with every other.

    Raises:
        InputError: two columns are of the same length, but of other rows.

    >>> shared_index(hypotheses=["a"], references=["b"]) is None
    True
    """
    first = None
    for name, values in columns.items():
        for other, index in _indexes(name, values):
            if first is None:
                first = other, index
            elif len(index) == len(first[1]) and not first[1].equals(index):
                raise InputError(_advice(*first, other, index))
    return None if first is None else first[1]


def _indexes(name: str, values: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and the index of each column."""
    if isinstance(values, Mapping):
        for key, column in values.items():
            yield from _indexes(f"{name}[{key!r}]", column)
    elif type(values) is list:
        # The streams of sacreBLEU, but not many texts.
        if values and hasattr(values[0], "iloc"):
            for place, column in enumerate(values):
                yield from _indexes(f"{name}[{place}]", column)
    elif hasattr(values, "iloc") and hasattr(getattr(values, "index", None), "equals"):
        yield name, values.index


def _advice(name: str, index: Any, other: str, others: Any) -> str:
    pairs = list(zip(others.tolist(), index.tolist(), strict=True))
    found, expected = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
    return (
        f"{other} and {name} have different indexes ({shown(found)}, where the other has "
        f"{shown(expected)}), so they are different rows: if their order is right, pass both with "
        f".reset_index(drop=True); if not, align them, as in {other}.loc[{name}.index]"
    )


def tiled(index: Any, times: int) -> Any:
    """Return an index several times in a row, as pandas has it."""
    index = index.to_pandas() if hasattr(index, "to_pandas") else index
    return index if times == 1 else index.take([*range(len(index))] * times)
