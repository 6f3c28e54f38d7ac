"""Matrices of scores, which are computed block by block."""

from __future__ import annotations

from array import array

from bleuet.errors import OptionError
from bleuet.messages import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# The letters that memoryview and array have for the types of numbers, and their bytes.
_TYPES = {"float64": ("d", 8), "float32": ("f", 4)}


def matrix_of(
    blocks: Iterable[memoryview[float]], rows: int, columns: int, dtype: str
) -> memoryview[float]:
    """Return the matrix whose numbers come in blocks, row after row.

    Args:
        blocks: the numbers, float64.
        rows: the number of rows, at least one.
        columns: the number of columns, at least one.
        dtype: the type that the matrix has, "float64" or "float32".

    Raises:
        OptionError: `dtype` is something else.

    >>> blocks = [memoryview(array("d", [1, 2, 3])), memoryview(array("d", [4]))]
    >>> matrix_of(blocks, 2, 2, "float32").tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    if not isinstance(dtype, str) or dtype not in _TYPES:
        raise OptionError(f"dtype is {shown(dtype)}; expected float64 or float32")
    letter, size = _TYPES[dtype]
    numbers: Any = memoryview(bytearray(rows * columns * size)).cast(letter)  # type: ignore[call-overload]
    done = 0
    for block in blocks:
        end = done + len(block)
        numbers[done:end] = block if letter == "d" else memoryview(array(letter, block))
        done = end
    filled: memoryview[float] = numbers.cast("B").cast(letter, (rows, columns))
    return filled.toreadonly()
