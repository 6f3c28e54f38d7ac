"""`python -m benchmarks.shards FOLDER`: many segments in shards, by processes and by Ray.

FOLDER gets the shards, unless they are there: words of a vocabulary with frequencies as in a
language, a quarter of which the system replaces. The rate of a core is compared with
`bleuet score` of one shard.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS = 30_000
FREQUENT = ("the", "of", "and", "a", "in", "to", "is", "was", "it", "for")
DOMAINS = ("news", "talk", "web")
LARGE, CORES = 10**9, 64


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shards", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--shards", type=int, default=100)
    parser.add_argument("--rows", type=int, default=1_000_000, help="of each shard")
    parser.add_argument("--engines", nargs="+", default=["processes", "ray"])
    args = parser.parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    for number in range(args.shards):
        path = args.folder / f"{number:04d}.parquet"
        if not path.exists():
            write_shard(path, number, args.rows)
    measure(args)
    return 0


def write_shard(path: Path, number: int, rows: int) -> None:
    """Write one shard."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    words = pa.array([FREQUENT[i % 10] if i <= 50 else f"w{i}" for i in range(WORDS)])
    drawn = np.random.default_rng(number)
    lengths = drawn.integers(6, 40, rows)
    count = int(lengths.sum())

    def some() -> Any:
        return np.minimum((drawn.pareto(1.1, count) * 8).astype(np.int64), WORDS - 1)

    references = some()
    hypotheses = np.where(drawn.random(count) < 0.25, some(), references)
    ends = np.zeros(rows + 1, np.int32)
    np.cumsum(lengths, out=ends[1:])
    columns = {
        name: pc.binary_join(
            pa.ListArray.from_arrays(pa.array(ends), words.take(pa.array(own))), " "
        )
        for name, own in (("ref", references), ("hyp", hypotheses))
    }
    columns["domain"] = pa.array(DOMAINS).take(pa.array(drawn.integers(0, len(DOMAINS), rows)))
    columns["id"] = pa.array(np.arange(rows) + number * rows)
    pq.write_table(pa.table(columns), path, row_group_size=100_000, compression="zstd")


def measure(args: argparse.Namespace) -> None:
    """Print the rates, the memory and the time to go on."""
    cores = os.cpu_count() or 1
    first = str(args.folder / "0000.parquet")
    seconds, memory, expected = run([f"{first}:ref", "-i", f"{first}:hyp"])
    print("| run | segments | seconds | segments per second and core | megabytes of a process |")
    print("| --- | ---: | ---: | ---: | ---: |")
    rate = args.rows / seconds
    print(f"| plain score, 1 core | {args.rows:,} | {seconds:.1f} | {rate:,.0f} | {memory:.0f} |")
    segments = args.rows * args.shards
    words = [f"{args.folder}/*.parquet:ref", "-i", f"{args.folder}/*.parquet:hyp"]
    rates = {}
    answers = set()
    for engine in args.engines:
        results = args.folder / f"results-{engine}"
        more = ["--engine", engine, "--results", str(results)]
        seconds, memory, answer = run([*words, *more])
        answers.add(answer)
        rates[engine] = segments / seconds / cores
        name = f"{engine}, {cores} cores"
        rate = rates[engine]
        print(f"| {name} | {segments:,} | {seconds:.1f} | {rate:,.0f} | {memory:.0f} |")
        left = args.shards - args.shards // 10
        for number in range(left, args.shards):
            (results / f"{number:06d}.json").unlink()
        seconds, memory, answer = run([*words, *more])
        answers.add(answer)
        print(f"| {engine}, from 90% on | {segments:,} | {seconds:.1f} | | {memory:.0f} |")
    assert len(answers) == 1, answers
    assert expected not in answers or args.shards == 1
    for engine, rate in rates.items():
        minutes = LARGE / (rate * CORES) / 60
        print(f"{engine}: {LARGE:,} segments on {CORES} cores at this rate: {minutes:.1f} minutes")


def run(words: Sequence[str]) -> tuple[float, float, str]:
    """Return the seconds, the most megabytes of a process, and what was printed."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "bleuet", "score", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    most = 0.0
    while process.poll() is None:
        most = max(most, largest())
        time.sleep(0.5)
    assert process.stdout is not None
    seconds = time.perf_counter() - begin
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return seconds, most, process.stdout.read()


def largest() -> float:
    """Return the megabytes of the largest process that counts."""
    listed = subprocess.run(["ps", "-eo", "rss,args"], capture_output=True, text=True, check=True)
    sizes = [
        int(line.split(None, 1)[0]) / 1024
        for line in listed.stdout.splitlines()[1:]
        if any(one in line for one in ("bleuet score", "forkserver", "ray::"))
    ]
    return max(sizes, default=0.0)


if __name__ == "__main__":
    raise SystemExit(main())
