"""Shards of generated texts in several formats, and functions of workers that fail."""

from __future__ import annotations

import json
import os
import random
import signal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleuet.shards.task import count_shard

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.shards.finding import Shard

WORDS = ("the", "a", "cat", "dog", "sat", "ran", "on", "in", "house", "tree", "blue", "red", "rain")
DOMAINS = ("news", "talk", "web")


def lines(shard: int, count: int = 40) -> list[dict[str, str]]:
    """Return the segments of a shard."""
    drawn = random.Random(shard)
    found = []
    for number in range(count):
        reference = [drawn.choice(WORDS) for _ in range(drawn.randint(1, 15))]
        hypothesis = [one if drawn.random() < 0.7 else drawn.choice(WORDS) for one in reference]
        found.append(
            {
                "id": f"{shard}-{number}",
                "ref": " ".join(reference),
                "hyp": " ".join(hypothesis),
                "other": " ".join(reversed(hypothesis)),
                "src": " ".join(word.upper() for word in reference),
                "domain": drawn.choice(DOMAINS),
            }
        )
    return found


def write_shards(folder: Path, shards: int = 6, kind: str = "jsonl") -> list[dict[str, str]]:
    """Write shards, and return all their segments."""
    folder.mkdir(parents=True, exist_ok=True)
    every = [lines(number) for number in range(shards)]
    for number, own in enumerate(every):
        write(folder / f"part-{number:02d}.{kind}", own)
    return [segment for own in every for segment in own]


def write(path: Path, own: list[dict[str, str]]) -> None:
    """Write a file of segments; its ending says how."""
    if path.suffix == ".parquet":
        import pyarrow
        import pyarrow.parquet

        table = pyarrow.Table.from_pylist(own)
        pyarrow.parquet.write_table(table, path, row_group_size=10)
        return
    if path.suffix == ".csv":
        rows = [list(own[0]), *(list(one.values()) for one in own)]
        path.write_text("".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
        return
    path.write_text("".join(json.dumps(one) + "\n" for one in own), encoding="utf-8")


def killing(notes: Path, numbers: list[int], times: int) -> Callable[..., Any]:
    """Return what stands for `partial` where shards are scored: their workers are killed first."""

    def made(function: Callable[..., Any], first: Any) -> Callable[[Shard], Any]:
        plain = partial(function, first)
        return Killed(plain, notes, numbers, times) if function is count_shard else plain

    return made


class Killed:
    """A function of a worker that kills its process before some shards, a few times each.

    Args:
        function: what it calls otherwise.
        folder: where it notes how often it was called.
        numbers: the shards.
        times: how often it kills.
    """

    def __init__(
        self, function: Callable[[Shard], Any], folder: Path, numbers: list[int], times: int
    ) -> None:
        self.function = function
        self.folder = str(folder)
        self.numbers = numbers
        self.times = times

    def __call__(self, shard: Shard) -> Any:
        if shard.number in self.numbers:
            for attempt in range(self.times):
                note = Path(self.folder, f"{shard.number}-{attempt}")
                if not note.exists():
                    note.touch()
                    os._exit(128 + signal.SIGKILL)
        return self.function(shard)
