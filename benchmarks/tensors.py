"""`python -m benchmarks.tensors`: BLEU of tensors beside the CPU, and beside TensorBLEU's method.

The method is that of the paper (Filipek 2025, arXiv 2510.05485, section 3), written from its
description: all n-grams of the batch are numbered by `torch.unique`, and `bincount` counts each
number in each segment. Its counts are a table of segments x different n-grams, which does not fit
into memory for large batches; then it is left out. Matches are checked to be equal first.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from bleuet import BLEU
from bleuet.extras import optional
from bleuet.torch import bleu_statistics
from bleuet.torch.ngram_matches import sorted_matches
from bleuet.torch.token_tensors import TokenRows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ORDERS = 4
VOCABULARY = 32_000
# The share of the reference's tokens that a candidate has at the same place.
EQUAL = 0.6
THREADS = min(16, os.cpu_count() or 1)
# What counts of one order may take, and the memory bandwidth of an H200, in bytes (per second).
LARGEST_TABLE = 8 << 30
BANDWIDTH = 4.8e12
GPU_ROWS, CPU_ROWS, TOKENS = 4096, 256, 512


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a table; 1 if matches differ."""
    torch = optional("torch")
    has_gpu = torch.cuda.is_available()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tensors", description=__doc__)
    parser.add_argument("--rows", type=int, default=GPU_ROWS if has_gpu else CPU_ROWS)
    parser.add_argument("--tokens", type=int, default=TOKENS)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args(arguments)
    device = "cuda" if has_gpu else "cpu"
    candidates, references = random_batch(args.rows, args.tokens, device)
    name = torch.cuda.get_device_name() if has_gpu else "the CPU; no figure of a GPU was taken"
    print(f"{args.rows} x {args.tokens} tokens on {name}\n")
    runners: dict[str, Callable[[], Any]] = {
        "bleuet.torch": lambda: bleu_statistics(candidates, references)[:, 2 : 2 + ORDERS],
        f"bleuet, CPU, {THREADS} threads, with copies": lambda: on_cpu(candidates, references),
    }
    if has_gpu:
        runners["bleuet.torch, by sorting"] = lambda: by_sorting(candidates, references)
    different = most_ngrams(candidates)
    if 8 * args.rows * different <= LARGEST_TABLE:
        runners["TensorBLEU's method"] = lambda: tensorbleu_matches(candidates, references)
    else:
        print(f"TensorBLEU's method needs a table of {args.rows} x {different} n-grams: left out\n")
    found = [run() for run in runners.values()]
    if not all(torch.equal(found[0], one) for one in found):
        print("the matches differ")
        return 1
    times = measured(runners, args.rounds, torch.cuda.synchronize if has_gpu else lambda: None)
    print("| program | milliseconds | ratio |\n| --- | ---: | ---: |")
    for name, seconds in times.items():
        print(f"| {name} | {1000 * seconds:.3f} | {seconds / times['bleuet.torch']:.1f} |")
    if has_gpu:
        floor = 2 * candidates.nbytes / BANDWIDTH
        print(f"\nReading the tokens once takes an H200 at least {1000 * floor:.3f} ms.")
    return 0


def random_batch(rows: int, tokens: int, device: str) -> tuple[Any, Any]:
    """Return candidates and references that have some tokens in common."""
    torch = optional("torch")
    generator = torch.Generator().manual_seed(1)
    # Few words are common and many are rare, as in texts.
    drawn = torch.rand(2, rows, tokens, generator=generator) ** 4
    candidates, references = (drawn * VOCABULARY).to(torch.int64)
    is_equal = torch.rand(rows, tokens, generator=generator) < EQUAL
    return torch.where(is_equal, references, candidates).to(device), references.to(device)


def by_sorting(candidates: Any, references: Any) -> Any:
    """Return the matches that PyTorch's operators count, which longer segments use."""
    ours, theirs = (
        TokenRows(ids.unsqueeze(1), ids.new_full((len(ids), 1), ids.shape[1]))
        for ids in (candidates, references)
    )
    return sorted_matches(ours, theirs, ORDERS)


def on_cpu(candidates: Any, references: Any) -> Any:
    """Return the matches that the kernel for CPUs counts, on the device of the candidates."""
    torch = optional("torch")
    texts = [list(one.cpu().numpy()) for one in (candidates, references)]
    table = BLEU(tokenize="ids").count(*texts, threads=THREADS)
    return torch.from_numpy(np.array(table))[:, 2 : 2 + ORDERS].to(candidates.device)


def tensorbleu_matches(candidates: Any, references: Any) -> Any:
    """Return the matches by TensorBLEU's method."""
    torch = optional("torch")
    rows, found = len(candidates), []
    for order in range(1, ORDERS + 1):
        ours, theirs = (one.unfold(1, order, 1) for one in (candidates, references))
        ngrams = torch.cat([ours.flatten(0, 1), theirs.flatten(0, 1)])
        different, numbers = torch.unique(ngrams, dim=0, return_inverse=True)
        places = ours.shape[1]
        first = torch.arange(rows, device=candidates.device).repeat_interleave(places)
        counts = [
            torch.bincount(part + first * len(different), minlength=rows * len(different))
            for part in numbers.split(rows * places)
        ]
        clipped = torch.minimum(*counts).view(rows, len(different))
        found.append(clipped.sum(dim=1))
    return torch.stack(found, dim=1)


def most_ngrams(candidates: Any) -> int:
    """Return how many different n-grams of the longest order a batch has at most."""
    rows, tokens = map(int, candidates.shape)
    return 2 * rows * (tokens - ORDERS + 1)


def measured(
    runners: dict[str, Callable[[], Any]], rounds: int, wait: Callable[[], None]
) -> dict[str, float]:
    """Return the median time of each in seconds; they run in turn."""
    times: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(rounds):
        for name, run in runners.items():
            wait()
            begin = time.perf_counter()
            run()
            wait()
            times[name].append(time.perf_counter() - begin)
    return {name: statistics.median(some) for name, some in times.items()}


if __name__ == "__main__":
    raise SystemExit(main())
