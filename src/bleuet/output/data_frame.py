"""Findings as data frames: one observation per row, of whatever library is at hand.

narwhals makes them, which is small, needs nothing else and comes with Altair; Arrow would bring
170 MB to give the same.
"""

from __future__ import annotations

from importlib.util import find_spec

from bleuet.errors import MissingExtraError, OptionError
from bleuet.extras import optional
from bleuet.messages import nearest

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
            f"a data frame holds one of {', '.join(parts)}, not {part!r}{nearest(part, parts)}"
        )
    backend = _library(library)
    rows = list(parts[part]())
    columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
    return optional("narwhals").from_dict(columns, backend=backend).to_native()


def _library(asked: str | None) -> str:
    if asked is not None and asked not in LIBRARIES:
        raise OptionError(f"data frames are made by {', '.join(LIBRARIES)}, not by {asked!r}")
    found = [name for name in LIBRARIES if find_spec(name) and asked in (None, name)]
    if not found:
        wanted = asked or "pandas or polars"
        raise MissingExtraError(
            f"data frames need {wanted}, which is not installed: pip install {asked or 'pandas'}"
        )
    return found[0]
