"""What rouge-score runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rouge_score.rouge_scorer import RougeScorer

from benchmarks.timing import Runner

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

NAME = "rouge-score"
# Its name of each variant, and whether it compares stems.
VARIANTS = {
    "ROUGE-1": ("rouge1", False),
    "ROUGE-L": ("rougeL", False),
    "ROUGE-L, stems": ("rougeL", True),
}


def corpus_score(metric: str, pairs: Pairs) -> Runner:
    """The mean F of lists of strings, added in order; rouge-score has single pairs only."""
    name, stems = VARIANTS[metric]
    scorer = RougeScorer([name], use_stemmer=stems)

    def run() -> list[float]:
        total = 0.0
        for hypothesis, reference in zip(pairs.hypotheses, pairs.references, strict=True):
            total += scorer.score(reference, hypothesis)[name].fmeasure
        return [100 * (total / len(pairs.hypotheses))]

    return Runner(NAME, run)
