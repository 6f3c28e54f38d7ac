"""The speed-up that the machine allows: compression, where two threads share nothing."""

from __future__ import annotations

import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from benchmarks.timing import Runner

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

COMPRESSION = "zlib"
COMPRESSION_TWICE = "zlib, 2 threads"
# How often a run compresses every text: long compared with starting a thread.
TIMES = 4


def compression(pairs: Pairs, threads: int) -> Runner:
    """Compress all texts of the pairs `TIMES` times, with one thread or two."""
    text = "\n".join([*pairs.hypotheses, *pairs.references]).encode()
    pool = ThreadPoolExecutor(threads)

    def compress(times: int) -> float:
        return float(sum(len(zlib.compress(text, 1)) for _ in range(times)))

    def run() -> list[float]:
        return [sum(pool.map(compress, [TIMES // threads] * threads))]

    return Runner(COMPRESSION if threads == 1 else COMPRESSION_TWICE, run, expected=False)
