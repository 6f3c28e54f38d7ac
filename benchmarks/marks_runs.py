"""Marks and steps of segments of about 70 words: the kernel beside the definitions in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.timing import Runner
from bleuet import EED, METEOR, RIBES, ROUGE, TER, WER
from bleuet.statistics import backend as choice
from bleuet.statistics.definitions import plain_python

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.corpora import Pairs
    from bleuet.metrics.base.marked_segment import MarkedSegment

DEFINITIONS = "bleuet's definitions in Python"
METRICS: dict[str, Any] = {
    "TER": TER,
    "CER": lambda: WER(tokenize="char"),
    "CDER": lambda: WER(moves="blocks"),
    "EED": EED,
    "ROUGE-L": ROUGE,
    "RIBES": RIBES,
    "METEOR": lambda: METEOR(matchers="exact"),
}
# Sentences that make a segment.
SENTENCES = 3


def segments(pairs: Pairs) -> int:
    """Return how many segments the sentences make."""
    return len(pairs.hypotheses) // SENTENCES


def marks(name: str, metric: str, pairs: Pairs, *, python: bool = False) -> Runner:
    """The numbers of all marks and steps."""
    made = METRICS[metric]()
    before = choice._chosen
    choice._chosen = plain_python if python else before
    try:
        made._counter  # noqa: B018 - made once, by the backend that is chosen now
    finally:
        choice._chosen = before

    def run() -> list[float]:
        starts = range(0, segments(pairs) * SENTENCES, SENTENCES)
        return [
            number
            for start in starts
            for number in _numbers(
                made.marked(
                    " ".join(pairs.hypotheses[start : start + SENTENCES]),
                    " ".join(pairs.references[start : start + SENTENCES]),
                )
            )
        ]

    return Runner(name, run)


def _numbers(found: MarkedSegment) -> Iterator[float]:
    for mark in found.marks:
        yield from (*mark.hypothesis, *mark.reference)
    for step in found.steps:
        yield step.value
