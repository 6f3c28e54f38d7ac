"""What the machine has to give: compression, of which two threads share nothing."""

from __future__ import annotations

import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from benchmarks.timing import Contestant

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

COMPRESSION = "zlib"
COMPRESSION_TWICE = "zlib, 2 threads"
# How often a run compresses every text: long beside the waking of a thread.
TIMES = 4


def compression(pairs: Pairs, threads: int) -> Contestant:
    """All texts of the pairs compressed `TIMES` times, by one thread or by two."""
    text = "\n".join([*pairs.hypotheses, *pairs.references]).encode()
    pool = ThreadPoolExecutor(threads)

    def compress(times: int) -> float:
        return float(sum(len(zlib.compress(text, 1)) for _ in range(times)))

    def run() -> list[float]:
        return [sum(pool.map(compress, [TIMES // threads] * threads))]

    return Contestant(COMPRESSION if threads == 1 else COMPRESSION_TWICE, run, expected=False)
