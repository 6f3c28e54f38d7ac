"""The compressions that are read, of which one needs a library."""

from __future__ import annotations

import bz2
import gzip
import lzma
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


def _zst(content: bytes) -> bytes:
    import zstandard

    return bytes(zstandard.compress(content))


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".zst": _zst,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}
_ARCHIVES = [
    pytest.param(suffix, marks=pytest.mark.libraries if suffix == ".zst" else ())
    for suffix in COMPRESS
    if suffix
]
every_archive = pytest.mark.parametrize("suffix", _ARCHIVES)
every_suffix = pytest.mark.parametrize("suffix", ["", *_ARCHIVES])
