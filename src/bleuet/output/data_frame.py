"""Observations as data frames of pandas, polars or pyarrow, one per row.

narwhals makes them: it is small, has no dependencies and comes with Altair. Arrow takes 170 MB.
"""

from __future__ import annotations

from importlib.util import find_spec

from bleuet.errors import MissingExtraError, OptionError
from bleuet.extras import optional
from bleuet.messages import nearest
from bleuet.output.escaping import well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
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
    columns = {name: [_cell(row[name]) for row in rows] for name in rows[0]} if rows else {}
    return optional("narwhals").from_dict(columns, backend=backend).to_native()


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
