"""Observations as data frames of pandas, polars or pyarrow, one per row.

narwhals makes them: it is small and has no dependencies. Arrow takes 170 MB.
"""

from __future__ import annotations

from importlib.util import find_spec

from bleuet.errors import MissingExtraError, OptionError
from bleuet.extras import optional
from bleuet.messages import nearest
from bleuet.output.escaping import well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    Row: TypeAlias = dict[str, Any]

LIBRARIES = ("pandas", "polars", "pyarrow")


def data_frame(
    parts: Mapping[str, Callable[[], Iterable[Row]]],
    part: str | None = None,
    library: str | None = None,
) -> Any:
    """Return one of some parts as a data frame of pandas, polars or pyarrow.

    Args:
        parts: functions that return the rows of each part; those of a part have the same keys.
        part: the part to return; default the first.
        library: one of `LIBRARIES`; default the first of them that is installed.

    Raises:
        OptionError: there is no such part or library.
        MissingExtraError: the library is not installed.
    """
    part = next(iter(parts)) if part is None else part
    if part not in parts:
        raise OptionError(
            f"part must be one of {', '.join(parts)}, not {part!r}{nearest(part, parts)}"
        )
    backend = _library(library)
    rows = list(parts[part]())
    columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
    return frame_of_columns(columns, backend)


def frame_of_columns(columns: Mapping[str, Sequence[Any]], library: str | None = None) -> Any:
    """Return columns as a data frame; library and errors as of `data_frame`.

    Args:
        columns: lists of values by their names, or arrays of numbers.
        library: the library.
    """
    backend = _library(library)
    cells = {name: _cells(values) for name, values in columns.items()}
    return optional("narwhals").from_dict(cells, backend=backend).to_native()


def arrow_table(columns: Mapping[str, list[str] | array[Any]]) -> Any:
    """Return columns as a table of pyarrow, which needs no other library.

    Args:
        columns: lists of texts by their names, or arrays of 64-bit numbers, which are not copied.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    arrow = optional("pyarrow")
    kinds = {"d": arrow.float64(), "q": arrow.int64()}
    return arrow.table(
        {
            name: arrow.array(_cells(values), arrow.string())
            if isinstance(values, list)
            else arrow.Array.from_buffers(
                kinds[values.typecode], len(values), [None, arrow.py_buffer(values)]
            )
            for name, values in columns.items()
        }
    )


def _cells(values: Any) -> Any:
    return [_cell(value) for value in values] if isinstance(values, list) else values


def _cell(value: Any) -> Any:
    """Return a value as a data frame holds it: Arrow has no text that is not valid Unicode."""
    return well_formed(value) if isinstance(value, str) else value


def _library(library: str | None) -> str:
    if library is not None and library not in LIBRARIES:
        hint = nearest(library, LIBRARIES)
        raise OptionError(f"library must be one of {', '.join(LIBRARIES)}, not {library!r}{hint}")
    found = [name for name in LIBRARIES if find_spec(name) and library in (None, name)]
    if not found:
        wanted = library or "pandas or polars"
        raise MissingExtraError(
            f"data frames need {wanted}, which is not installed: pip install {library or 'pandas'}"
        )
    return found[0]
