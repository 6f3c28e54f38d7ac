"""Random batches of token ids, and the rows that the CPU counts for them.

Run as a program: `python -m tests.torch.batches NUMBER SEED WIDTH` compares a number of batches
with rows up to a width. With `TRITON_INTERPRET=1`, Triton's interpreter runs the GPU's kernel;
further arguments such as `KEY_BITS=20` change its constants.
"""

from __future__ import annotations

import random
import sys
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from bleuet import BLEU
from bleuet.extras import optional

# The first id of a vocabulary: small, negative, beyond 32 bits, and at both ends of 64 bits.
FIRST_IDS = (0, -3, 2**31 - 2, 2**62, -(2**63), 2**63 - 1003)
VOCABULARIES = (1, 2, 3, 5, 20, 1000)
MOST_REFERENCES = 3


class Batch(NamedTuple):
    """Arguments of `bleu_statistics`."""

    candidates: Any
    references: Any
    options: dict[str, Any]


def random_batch(chance: random.Random, width: int, orders: int = 6) -> Batch:
    """Return a batch of up to 5 segments; a tensor can be empty in any dimension but one."""
    torch = optional("torch")
    rows = chance.randrange(6)
    shape = rows, chance.randrange(width + 1)
    several = rows, chance.randint(1, MOST_REFERENCES), chance.randrange(width + 1)
    vocabulary = chance.choice(VOCABULARIES)
    first = chance.choice(FIRST_IDS)

    def ids(*sizes: int) -> Any:
        drawn = [first + chance.randrange(vocabulary) for _ in range(int(np.prod(sizes)))]
        return torch.tensor(drawn, dtype=torch.int64).view(*sizes)

    def lengths(*sizes: int, least: int, most: int) -> Any:
        drawn = [chance.randint(least, most) for _ in range(int(np.prod(sizes)))]
        return torch.tensor(drawn, dtype=torch.int64).view(*sizes)

    options: dict[str, Any] = {"max_ngram_order": chance.randint(1, orders)}
    if chance.random() < 0.5:
        padding = [first + chance.randrange(vocabulary + 1) for _ in range(chance.randint(1, 2))]
        options["padding"] = padding if len(padding) > 1 else padding[0]
    if chance.random() < 0.3:
        options["end"] = first + chance.randrange(vocabulary + 1)
    if chance.random() < 0.5:
        options["candidate_lengths"] = lengths(rows, least=0, most=shape[1])
    if chance.random() < 0.5:
        options["reference_lengths"] = lengths(*several[:2], least=-1, most=several[2])
        # A segment has at least one reference.
        options["reference_lengths"][:, 0].clamp_(min=0)
    return Batch(ids(*shape), ids(*several), options)


def counted_on_cpu(batch: Batch) -> Any:
    """Return the rows that the CPU counts for a batch of at least one segment."""
    candidates, references, options = batch
    padding, end = options.get("padding", []), options.get("end")
    ignored = set(padding if isinstance(padding, list) else [padding])

    def tokens(ids: Any, length: int) -> list[int]:
        found: list[int] = []
        has_begun = False
        for token in ids[:length].tolist():
            if token == end and (has_begun or end not in ignored):
                break
            has_begun = has_begun or token not in ignored
            if token not in ignored:
                found.append(token)
        return found

    ours = options.get("candidate_lengths", [candidates.shape[1]] * len(candidates))
    width = references.shape[2]
    theirs = options.get("reference_lengths", [[width] * references.shape[1]] * len(references))
    hypotheses = [tokens(*pair) for pair in zip(candidates, ours, strict=True)]
    against = [
        [None if n < 0 else tokens(ids, n) for ids, n in zip(several, lengths, strict=True)]
        for several, lengths in zip(references, theirs, strict=True)
    ]
    metric = BLEU(tokenize="ids", max_ngram_order=options["max_ngram_order"])
    return np.asarray(metric.count(hypotheses, against))


def on_device(batch: Batch, device: str) -> Batch:
    """Return a batch whose tensors are on a device."""
    options = {
        name: value.to(device) if hasattr(value, "to") else value
        for name, value in batch.options.items()
    }
    return Batch(batch.candidates.to(device), batch.references.to(device), options)


def compare_batches(number: int, seed: int, width: int, device: str = "cpu") -> None:
    """Raise an error if rows of tensors differ from those of the CPU in one of many batches.

    On a GPU, waiting for it while it counts is an error too.
    """
    from bleuet.torch import bleu_statistics

    cuda = optional("torch").cuda
    chance = random.Random(seed)
    for _ in range(number):
        batch = random_batch(chance, width)
        moved = on_device(batch, device)
        if device == "cuda":
            cuda.set_sync_debug_mode("error")
        rows = bleu_statistics(*moved[:2], **moved.options)
        if device == "cuda":
            cuda.set_sync_debug_mode("default")
        assert rows.shape == (len(batch.candidates), 2 + 2 * batch.options["max_ngram_order"])
        assert not len(rows) or np.array_equal(rows.cpu().numpy(), counted_on_cpu(batch)), batch


if __name__ == "__main__":
    number, seed, width = map(int, sys.argv[1:4])
    for name, value in (one.split("=") for one in sys.argv[4:]):
        setattr(import_module("bleuet.torch.ngram_kernel"), name, int(value))
    compare_batches(number, seed, width)
    print("equal")
