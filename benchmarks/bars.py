"""The bars: how many times faster a row has to be than what it is held against."""

from __future__ import annotations

# row: {corpus: bar}. A row with 2 threads is held against bleuet with one thread.
BARS: dict[str, dict[str, float]] = {
    "corpus BLEU": {"generated": 150, "wmt": 115},
    "corpus BLEU, 2 threads": {"generated": 1.8, "wmt": 1.8},
    "sentence BLEU, batch": {"generated": 110, "wmt": 110},
    "sentence BLEU, one call each": {"generated": 40, "wmt": 40},
    "chrF": {"generated": 120, "wmt": 120},
    "chrF++": {"generated": 100, "wmt": 100},
    "TER": {"generated": 150, "wmt": 300},
    "bootstrap interval of BLEU": {"generated": 60, "wmt": 60},
    "command line, BLEU": {"generated": 15, "wmt": 15},
}


def bar_of(row: str, corpus: str) -> float | None:
    """Return the bar of a row, None where there is none."""
    return BARS.get(row, {}).get(corpus)
