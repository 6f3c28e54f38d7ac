"""What bleuet runs, through each of its interfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks import meteor_runs
from benchmarks.corpora import shifted
from benchmarks.timing import Runner
from bleuet import (
    BLEU,
    CHRF,
    METEOR,
    NIST,
    RIBES,
    ROUGE,
    TER,
    WER,
    CIDEr,
    CrystalBLEU,
    EditDistance,
    ExactMatch,
)
from bleuet.engines.counting import score_batches
from bleuet.significance import Evaluation, IntervalSettings, TestSettings, bootstrap_interval
from bleuet.significance.paired import paired_approximate_randomization
from bleuet.statistics.backend import backend
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.corpora import Pairs

NAME = "bleuet"
TWO_THREADS = "bleuet, 2 threads"
METRICS: dict[str, Any] = {
    "BLEU": BLEU,
    "chrF": CHRF,
    "chrF++": lambda: CHRF(word_order=2),
    "TER": TER,
    "WER": WER,
    "CER": lambda: WER(tokenize="char"),
    "edit distance": EditDistance,
    "exact match": lambda: ExactMatch(rules="squad-1.1"),
    "ROUGE-1": lambda: ROUGE(variant="1"),
    "ROUGE-L": ROUGE,
    "ROUGE-L, stems": lambda: ROUGE(stemming=True),
    "METEOR": lambda: METEOR(matchers="exact+stem", resources=str(meteor_runs.jar())),
    "METEOR, all matchers": lambda: METEOR(resources=str(meteor_runs.jar())),
    "NIST": lambda: NIST(tokenize="none", information="paper"),
    "CIDEr-D": lambda: CIDEr(variant="d", tokenize="none"),
    "CrystalBLEU": lambda: CrystalBLEU(tokenize="none"),
    "RIBES": lambda: RIBES(tokenize="none", left_first=False),
}


def _name(threads: int) -> str:
    return NAME if threads == 1 else TWO_THREADS


def corpus_score(metric: str, pairs: Pairs, threads: int = 1) -> Runner:
    """A corpus score from lists of strings."""
    scorer = METRICS[metric]()

    def run() -> list[float]:
        score = scorer.corpus_score(pairs.hypotheses, pairs.references, threads=threads)
        return [score.score]

    return Runner(_name(threads), run)


def prepared(pairs: Pairs, threads: int = 1) -> Runner:
    """A corpus BLEU with prepared references."""
    scorer = BLEU()
    references = scorer.prepare_references(pairs.references)

    def run() -> list[float]:
        return [scorer.corpus_score(pairs.hypotheses, references, threads=threads).score]

    return Runner(_name(threads), run)


def from_files(hypotheses: Path, references: Path, threads: int = 1) -> Runner:
    """A corpus BLEU from two files, read the way the command line reads them."""
    sources = [Source(str(hypotheses))], [Source(str(references))]

    def run() -> list[float]:
        with Parallel(*sources, count_lines=backend().count_lines) as batches:
            return [score_batches([BLEU()], batches, threads=threads)[0][0].score]

    return Runner(_name(threads), run)


def sentence_batch(metric: str, pairs: Pairs, threads: int = 1) -> Runner:
    """The sentence scores of all pairs, in one call."""
    scorer = BLEU(effective_order=True) if metric == "BLEU" else METRICS[metric]()

    def run() -> memoryview[float]:
        scores = scorer.sentence_scores(pairs.hypotheses, pairs.references, threads=threads)
        values: memoryview[float] = scores.values
        return values

    return Runner(_name(threads), run)


def sentence_calls(pairs: Pairs) -> Runner:
    """A BLEU score object for each pair, in one call each."""
    scorer = BLEU(effective_order=True)

    def run() -> list[float]:
        score = scorer.sentence_score
        both = zip(pairs.hypotheses, pairs.references, strict=True)
        return [score(hypothesis, reference).score for hypothesis, reference in both]

    return Runner("bleuet, one call each", run)


def interval(pairs: Pairs, rows: int, draws: int, threads: int = 1) -> Runner:
    """Mean and half width, as printed, of a bootstrap interval from a counted table."""
    scorer = BLEU()
    counted = scorer.count(pairs.hypotheses, pairs.references)
    table = counted.select([i % len(counted) for i in range(rows)])

    def run() -> list[float]:
        found = bootstrap_interval(scorer, table, IntervalSettings(draws=draws), threads=threads)
        return [round(found.mean, 2), round(found.half_width, 2)]

    return Runner(_name(threads), run)


def randomization(pairs: Pairs, trials: int, threads: int = 1) -> Runner:
    """The p-value of a system and a copy of it with some segments exchanged."""
    hypotheses = {"a": pairs.hypotheses, "b": shifted(pairs)}

    def run() -> list[float]:
        systems = Evaluation.count([BLEU()], hypotheses, pairs.references, threads=threads)
        found = paired_approximate_randomization(
            systems, TestSettings(test="sacrebleu-randomization", draws=trials), threads=threads
        )
        return [found.comparisons[0].p_value]

    return Runner(_name(threads), run)
