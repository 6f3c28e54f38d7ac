"""What takes most space on the page, compressed: the texts and the numbers of every segment."""

from __future__ import annotations

import zlib
from array import array
from base64 import b64encode
from itertools import chain
from math import isfinite, nan
from typing import TYPE_CHECKING

from bleuet.report.page.word_spans import with_spans
from bleuet.statistics.backend import backend

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.report.page.kept import Kept

NUMBER = 8


def deflated(content: bytes) -> str:
    """Return bytes compressed and as base64.

    >>> from base64 import b64decode
    >>> zlib.decompress(b64decode(deflated(b"aaaa")))
    b'aaaa'
    """
    return b64encode(zlib.compress(content)).decode()


def packed_scores(columns: Iterable[Sequence[float | None]]) -> bytes:
    """Return scores as `numbers` does, in an order that compresses well.

    First come the lowest bytes of all numbers, last the highest, which are similar to each other.

    Args:
        columns: the scores, column after column.
    """
    plain = numbers(columns)
    return b"".join([plain[place::NUMBER] for place in range(NUMBER)])


def numbers(columns: Iterable[Sequence[float | None]]) -> bytes:
    """Return scores as 64-bit numbers, the lowest byte first; a missing score is NaN.

    No digit is lost: which of two systems is better must not depend on the digits that are shown.

    Args:
        columns: the scores, column after column.
    """
    present = [nan if one is None else one for one in chain.from_iterable(columns)]
    return little_endian(array("d", [one if isfinite(one) else nan for one in present]))


def little_endian(values: array[Any]) -> bytes:
    """Return numbers as browsers have them, the lowest byte first."""
    if array("H", [1]).tobytes()[0] != 1:
        values.byteswap()
    return values.tobytes()


def packed_texts(kept: Kept) -> tuple[dict[str, Any], bytes]:
    """Return all texts as numbers, as `pack_texts` of the Python backend describes them.

    Returns:
        The words by number, with the space before them, if any; the number of references of each
        segment; and the texts that are written in another way, as `with_spans` returns them. Then
        the bytes.
    """
    tokens, hypotheses = kept.tokens, kept.hypotheses
    references = list(chain.from_iterable(kept.references))
    order, packed, others = backend().pack_texts(
        tokens.vocabulary,
        [
            (texts, words.buffers)
            for texts, words in zip(hypotheses, tokens.hypotheses, strict=True)
        ],
        (references, tokens.references.buffers),
    )
    texts = (references, *hypotheses)
    words = (tokens.references.texts, *tokens.hypotheses)
    return {
        "words": [
            f"{'' if symbol % 2 else ' '}{tokens.vocabulary[symbol // 2]}"
            for symbol in memoryview(order).cast("i")
        ],
        "counts": [len(own) for own in kept.references],
        "others": [with_spans(texts[which][i], words[which][i]) for which, i in others],
    }, packed
