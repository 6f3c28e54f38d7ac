"""JSON: the plain data of a document."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

    from bleuet.output.document import Document
    from bleuet.output.rendering import Settings


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document's data; arguments as of `bleuet.output.rendering.write`."""
    data = rounded(document.data, settings.width)
    out.write(json.dumps(data, indent=settings.indent, ensure_ascii=escapes_needed(out)) + "\n")


def escapes_needed(out: IO[str]) -> bool:
    """Return whether a file cannot hold all of Unicode, so that JSON needs escapes."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "") != "utf8"


def rounded(data: Any, width: int | None) -> Any:
    """Return plain data with its numbers rounded to `width` digits; None rounds nothing.

    >>> rounded({"score": 30.123, "counts": [1, 2.55]}, 1)
    {'score': 30.1, 'counts': [1, 2.5]}
    """
    if width is None:
        return data
    if isinstance(data, float):
        return float(f"{data:.{width}f}")
    if isinstance(data, dict):
        return {key: rounded(value, width) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [rounded(value, width) for value in data]
    return data
