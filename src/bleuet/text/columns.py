"""Columns of Arrow's tables as segments, whose texts are read where they are, without a copy."""

from __future__ import annotations

from bleuet.errors import InputError, InputTypeError
from bleuet.extras import optional
from bleuet.messages import wrong_type
from bleuet.text.segments import TEXT, Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ARROW_TEXTS = ("string", "large_string", "string_view")


def segments_of(*columns: Any, what: str = "hypotheses") -> Segments:
    """Return a column of texts as hypotheses, or several as the references of each segment.

    Args:
        *columns: arrays of Arrow; of references also one array of lists.
        what: what the columns are, for messages.

    Raises:
        InputTypeError: a column does not have texts.
        InputError: a text is absent.
    """
    first = columns[0]
    if len(columns) == 1 and "list" in str(first.type):
        return Segments(TEXT, _lists(first, what))
    plain = [plain_texts(column, what) for column in columns]
    for column in plain:
        if column.null_count:
            row = next(i for i, one in enumerate(column.is_null()) if one.as_py())
            raise InputError(
                f"row {row + 1} of {what} is absent (null): drop the row on both sides, or fill it"
            )
    return Segments.of_arrow(*plain)


def plain_texts(column: Any, what: str = "a column") -> Any:
    """Return a column as one of the three types of texts.

    Raises:
        InputTypeError: it does not have texts.
    """
    kind = str(column.type)
    if kind in ARROW_TEXTS:
        return column
    if kind.startswith("dictionary<values="):
        arrow = optional("pyarrow")
        # Categories can be views of texts, of which Arrow cannot make an array.
        parts = [
            chunk.dictionary.cast(arrow.large_string()).take(chunk.indices)
            for chunk in getattr(column, "chunks", [column])
        ]
        return arrow.chunked_array(parts, arrow.large_string())
    raise InputTypeError(f"{what} must be a column of texts, not of {kind}")


def _lists(column: Any, what: str) -> list[Any]:
    rows: list[Any] = column.to_pylist()
    for number, row in enumerate(rows, 1):
        texts = [] if row is None else [one for one in row if one is not None]
        if not texts:
            raise InputError(f"row {number} of {what} has no text: expected a list of at least one")
        if not all(isinstance(one, str) for one in texts):
            raise wrong_type(f"row {number} of {what}", "a list of texts", row)
    return rows
