"""The targets: how many times faster a row must be than the tool it is compared with."""

from __future__ import annotations

# row: {corpus: target}. A row with 2 threads is compared with bleuet with one thread.
TARGETS: dict[str, dict[str, float]] = {
    "corpus BLEU": {"generated": 150, "wmt": 115},
    "corpus BLEU, 2 threads": {"generated": 1.8, "wmt": 1.8},
    "sentence BLEU, batch": {"generated": 110, "wmt": 110},
    "sentence BLEU, one call each": {"generated": 40, "wmt": 40},
    "chrF": {"generated": 120, "wmt": 120},
    "chrF++": {"generated": 100, "wmt": 100},
    "TER": {"generated": 150, "wmt": 300},
    "ROUGE-1": {"generated": 50, "wmt": 50},
    "ROUGE-L": {"generated": 100, "wmt": 100},
    "ROUGE-L, stems": {"generated": 50, "wmt": 50},
    "matrix of BLEU": {"generated": 1000, "wmt": 1000},
    "matrix of chrF": {"generated": 100, "wmt": 100},
    "matrix of TER": {"generated": 100, "wmt": 100},
    "marks of TER": {"generated": 100, "wmt": 100},
    "re-segmentation": {"generated": 20, "wmt": 20},
    "bootstrap interval of BLEU": {"generated": 60, "wmt": 60},
    "command line, BLEU": {"generated": 15, "wmt": 15},
}


def target_of(row: str, corpus: str) -> float | None:
    """Return the target of a row, or None."""
    return TARGETS.get(row, {}).get(corpus)
