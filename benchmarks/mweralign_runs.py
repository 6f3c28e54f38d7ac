"""What mweralign runs, and bleuet on the same texts: in lower case, cut after every 37 words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mweralign

from benchmarks.bleuet_runs import NAME as BLEUET
from benchmarks.timing import Runner
from bleuet import WER
from bleuet.resegmentation import align

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

NAME = "mweralign"
WORDS = 37


def _texts(pairs: Pairs) -> tuple[list[str], list[str]]:
    words = " ".join(pairs.hypotheses).lower().split()
    lines = [" ".join(words[begin : begin + WORDS]) for begin in range(0, len(words), WORDS)]
    return lines, [" ".join(line.lower().split()) for line in pairs.references]


def theirs(pairs: Pairs) -> Runner:
    """Cut with mweralign, and count the edits of its segments."""
    hypotheses, references = _texts(pairs)

    def run() -> list[float]:
        found = mweralign.align_texts("\n".join(references), "\n".join(hypotheses))
        score = WER().corpus_score(found.removesuffix("\n").split("\n"), references)
        return [score.substitutions + score.deletions + score.insertions]

    return Runner(NAME, run)


def ours(pairs: Pairs) -> Runner:
    """Cut with bleuet."""
    hypotheses, references = _texts(pairs)
    return Runner(BLEUET, lambda: [align(hypotheses, references).edits])
