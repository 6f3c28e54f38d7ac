"""One of two processes that count parts of a corpus: `python -m tests.torch.process RANK STORE`."""

from __future__ import annotations

import sys
from pathlib import Path

from bleuet.extras import optional

METRICS = {"BLEU": "bleu", "chrF": "chrf", "TER": "ter", "average": "bleu:reference_length=average"}
HYPOTHESES = [f"the {word} cat sat on mat {word}" for word in "abcdefg"]
REFERENCES = [
    [f"the {word} cat sat on the mat", f"a cat {word} {word}"][: 1 + (word < "f")]
    for word in "aacceff"
]
PROCESSES = 2


def counted_in_process(rank: int, store: Path) -> dict[str, str]:
    """Return what each metric scores after both processes have counted their segments."""
    from bleuet.torch import CorpusMetric

    distributed = optional("torch").distributed
    distributed.init_process_group(
        "gloo", init_method=f"file://{store}", rank=rank, world_size=PROCESSES
    )
    try:
        found = {}
        # One process has more segments than the other.
        mine = slice(0, 2) if rank else slice(2, None)
        for name, metric in METRICS.items():
            one = CorpusMetric(metric)
            one.update(HYPOTHESES[mine], REFERENCES[mine])
            with one.sync_context():
                signature = str(one.score().signature)
            found[name] = repr((one.compute().item(), signature))
        return found
    finally:
        distributed.destroy_process_group()


if __name__ == "__main__":
    rank, store = sys.argv[1:]
    print(*counted_in_process(int(rank), Path(store)).values(), sep="\n")
