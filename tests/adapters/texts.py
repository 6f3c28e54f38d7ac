"""Generated texts, which need nothing but Python."""

from __future__ import annotations

import random

WORDS = ("the", "a", "cat", "dog", "sat", "ran,", "house.", "Tree", "it's", "2.5", "über")


def corpus(seed: int, count: int = 60) -> tuple[list[str], list[str], list[list[str]]]:
    """Return hypotheses, a reference for each, and two for each."""
    drawn = random.Random(seed)
    references = [" ".join(drawn.choices(WORDS, k=drawn.randint(4, 20))) for _ in range(count)]
    hypotheses = [
        " ".join(one if drawn.random() < 0.7 else drawn.choice(WORDS) for one in line.split())
        for line in references
    ]
    several = [[one, references[place - 1]] for place, one in enumerate(references)]
    return hypotheses, references, several


HYPOTHESES, REFERENCES, SEVERAL = corpus(1)
