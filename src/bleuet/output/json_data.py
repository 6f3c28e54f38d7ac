"""JSON: the plain data of a document."""

from __future__ import annotations

import json
from math import floor, isfinite, log10

from bleuet.output.cells import P_VALUE_WIDTH
from bleuet.output.escaping import well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any

    from bleuet.output.document import Document
    from bleuet.output.settings import Settings

# Shares whose first digits may all be 0.
PROBABILITIES = frozenset(("p_value", "corrected_p_value", "alpha", "confidence"))


def write(document: Document, out: IO[str], settings: Settings) -> None:
    """Write a document's data; arguments as of `bleuet.output.rendering.write`.

    Data that is neither a dict, a list nor a single value is an iterator: it is written as an
    array, one item after the other, and never held in memory.
    """
    data = document.data
    ascii_only = not holds_unicode(out)
    if isinstance(data, dict | list | tuple | str | int | float | None):
        whole = plain(data, settings.width)
        text = json.dumps(whole, indent=settings.indent, ensure_ascii=ascii_only, allow_nan=False)
        out.write(text + "\n")
        return
    encode = encoder(out, settings.width)
    separator = "[\n"
    for item in data:
        out.write(separator + encode(item))
        separator = ",\n"
    out.write("[]\n" if separator == "[\n" else "\n]\n")


def encoder(out: IO[str], width: int | None) -> Callable[[Any], str]:
    """Return a function from a value to JSON on one line.

    Args:
        out: the file that the JSON is written to.
        width: digits after the decimal point; None rounds nothing.
    """
    encode = json.JSONEncoder(ensure_ascii=not holds_unicode(out), allow_nan=False).encode

    def encode_any(value: Any) -> str:
        if width is None:
            try:
                text = encode(value)
                # Characters that are not valid Unicode raise an error.
                text.isascii() or text.encode()
                return text
            except ValueError:
                pass
        return encode(plain(value, width))

    return encode_any


def holds_unicode(out: IO[str]) -> bool:
    """Return whether a file can hold all of Unicode, so that nothing needs escapes."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "") == "utf8"


def plain(data: Any, width: int | None) -> Any:
    r"""Return data that JSON can hold: without NaN and infinities, and numbers rounded.

    Args:
        data: dicts, lists and single values.
        width: digits after the decimal point, of a probability at least four, and so many that it
            does not become 0; None rounds nothing.

    >>> plain({"score": 30.123, "counts": (1, 2.55), "p_value": 0.00012}, 1)
    {'score': 30.1, 'counts': [1, 2.5], 'p_value': 0.0001}
    >>> plain([float("nan"), float("inf"), "caf\udce9"], None)
    [None, None, 'caf\\xe9']
    """
    if isinstance(data, float):
        if not isfinite(data):
            return None
        return data if width is None else float(f"{data:.{width}f}")
    if isinstance(data, str):
        return data if data.isascii() else well_formed(data)
    if isinstance(data, dict):
        return {
            plain(key, None): plain(value, digits_of(key, value, width))
            for key, value in data.items()
        }
    if isinstance(data, list | tuple):
        return [plain(value, width) for value in data]
    return data


def digits_of(key: object, value: object, width: int | None) -> int | None:
    """Return how many digits a value is rounded to; None rounds nothing.

    Args:
        key: its key; a probability is known by it.
        value: the value.
        width: digits after the decimal point; None rounds nothing.

    >>> digits_of("score", 30.5, 1), digits_of("p_value", 0.01, 1), digits_of("p_value", 0.01, None)
    (1, 4, None)
    >>> digits_of("p_value", 0.00001, 1)
    5
    """
    if width is None or key not in PROBABILITIES:
        return width
    digits = max(width, P_VALUE_WIDTH)
    if isinstance(value, float) and 0 < value < 1 and not float(f"{value:.{digits}f}"):
        return -floor(log10(value))
    return digits
