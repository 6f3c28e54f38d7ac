"""What a page holds, read from its HTML by code that shares nothing with the page's own."""

from __future__ import annotations

import json
import re
import struct
import zlib
from base64 import b64decode
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKED = ("packed-rows", "packed-scores", "packed-contributions", "packed-texts")


def read_page(html: str) -> dict[str, Any]:
    """Return the data of a page, with the scores and texts of all segments."""
    data = json.loads(_element(html, "data"))
    packed = {name: _element(html, name) for name in PACKED}
    return {**data, **read_packed(packed, len(data["systems"]), len(data["metrics"]))}


def read_packed(packed: dict[str, str], systems: int, metrics: int) -> dict[str, Any]:
    """Return the scores and texts of all segments, and their other numbers."""
    in_rows, in_scores, in_contributions, in_texts = (_inflated(packed[name]) for name in PACKED)
    rows = json.loads(in_rows)
    words, counts, others = (rows.pop(name) for name in ("words", "counts", "others"))
    texts = _texts(in_texts, words, iter(others))
    references: list[Any] = []
    hypotheses: list[list[Any]] = [[] for _ in range(systems)]
    for count in counts:
        references.append([next(texts) for _ in range(count)])
        for own in hypotheses:
            own.append(next(texts))
    assert next(texts, None) is None
    columns = {}
    for name, content in (("scores", in_scores), ("contributions", in_contributions)):
        numbers = iter(_scores(content))
        columns[name] = [
            [[next(numbers) for _ in counts] for _ in range(metrics)] for _ in range(systems)
        ]
    return {**rows, "references": references, "hypotheses": hypotheses, **columns}


def _element(html: str, name: str) -> str:
    found = re.search(rf'<script type="application/[a-z-]+" id="{name}">(.*?)</script>', html, re.S)
    assert found is not None
    return found[1]


def _inflated(text: str) -> bytes:
    return zlib.decompress(b64decode(text, validate=True))


def _scores(content: bytes) -> list[float | None]:
    count = len(content) // 8
    plain = bytes(content[place * count + i] for i in range(count) for place in range(8))
    numbers = struct.unpack(f"<{count}d", plain)
    return [None if number != number else number for number in numbers]


def _texts(content: bytes, words: list[str], others: Iterator[Any]) -> Iterator[Any]:
    """Yield each text as `with_spans` returns it."""
    codes: list[int] = []
    for code in _codes(content):
        if code == 1:
            yield next(others)
        elif code:
            codes.append(code - 2)
        else:
            yield _text([words[one] for one in codes])
            codes.clear()


def _text(words: list[str]) -> Any:
    text, places = "", []
    for word in words:
        if text and word[0] != " ":
            places.append(len(text.encode("utf-16-le", "surrogatepass")) // 2)
        text += word if text else word[1:]
    return [text, places] if places else text


def _codes(content: bytes) -> Iterator[int]:
    code = shift = 0
    for byte in content:
        code |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield code
            code = shift = 0
