"""Every hypothesis against every reference."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from benchmarks import bleuet_runs, sacrebleu_runs
from benchmarks.timing import Runner

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

# How many of both, so that sacreBLEU takes seconds.
SIZES = {"BLEU": 256, "chrF": 64, "TER": 24}
FASTCHRF = "fastChrF"
# Without it sacreBLEU prints a warning for every pair.
OPTIONS = {"BLEU": {"effective_order": True}}


def ours(metric: str, pairs: Pairs, threads: int = 1) -> Runner:
    """All scores, from lists of strings."""
    scorer = bleuet_runs.METRICS[metric](**OPTIONS.get(metric, {}))

    def run() -> Any:
        matrix = scorer.matrix(pairs.hypotheses, pairs.references, threads=threads)
        return matrix.cast("B").cast("d")

    return Runner(bleuet_runs.NAME if threads == 1 else bleuet_runs.TWO_THREADS, run)


def sacrebleu(metric: str, pairs: Pairs) -> Runner:
    """The same scores, one call each."""
    scorer = sacrebleu_runs.METRICS[metric](**OPTIONS.get(metric, {}))

    def run() -> list[float]:
        return [
            scorer.sentence_score(hypothesis, [reference]).score
            for hypothesis in pairs.hypotheses
            for reference in pairs.references
        ]

    return Runner(sacrebleu_runs.NAME, run, before=sacrebleu_runs.forget)


def fastchrf(pairs: Pairs) -> list[Runner]:
    """The same scores of chrF from fastChrF, if it is installed; it is no extra."""
    if find_spec("fastchrf") is None:
        return []
    module: Any = import_module("fastchrf")

    def run() -> list[float]:
        (rows,) = module.pairwise_chrf([pairs.hypotheses], [pairs.references])
        return [score for row in rows for score in row]

    return [Runner(FASTCHRF, run)]
