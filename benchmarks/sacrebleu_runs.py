"""What sacreBLEU runs. Its caches are emptied before each run, as in a user's first run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest, _bootstrap_resample, estimate_ci

from benchmarks.corpora import shifted
from benchmarks.timing import Runner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.corpora import Pairs

NAME = "sacreBLEU"
METRICS: dict[str, Any] = {
    "BLEU": BLEU,
    "chrF": CHRF,
    "chrF++": lambda: CHRF(word_order=2),
    "TER": TER,
}


def forget() -> None:
    """Empty sacreBLEU's caches of tokenized lines."""
    modules = [m for name, m in list(sys.modules.items()) if name.startswith("sacrebleu")]
    kinds = {kind for module in modules for kind in vars(module).values() if type(kind) is type}
    for owner in (*modules, *kinds):
        for value in list(vars(owner).values()):
            clear = getattr(value, "cache_clear", None)
            if callable(clear):
                clear()


def corpus_score(metric: str, pairs: Pairs) -> Runner:
    """A corpus score from lists of strings."""
    scorer = METRICS[metric]()
    streams = [pairs.references]
    return Runner(
        NAME, lambda: [scorer.corpus_score(pairs.hypotheses, streams).score], before=forget
    )


def prepared(pairs: Pairs) -> Runner:
    """A corpus BLEU with prepared references."""
    scorer = BLEU(references=[pairs.references])
    return Runner(NAME, lambda: [scorer.corpus_score(pairs.hypotheses, None).score], before=forget)


def from_files(hypotheses: Path, references: Path) -> Runner:
    """A corpus BLEU from two files, read the way sacreBLEU's command line reads them."""

    def run() -> list[float]:
        lines = [_lines(path) for path in (hypotheses, references)]
        return [BLEU().corpus_score(lines[0], [lines[1]]).score]

    return Runner(NAME, run, before=forget)


def _lines(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def sentence_scores(metric: str, pairs: Pairs) -> Runner:
    """The sentence scores of all pairs, in one call each: sacreBLEU has no batch call."""
    scorer = BLEU(effective_order=True) if metric == "BLEU" else METRICS[metric]()

    def run() -> list[float]:
        score = scorer.sentence_score
        both = zip(pairs.hypotheses, pairs.references, strict=True)
        return [score(hypothesis, [reference]).score for hypothesis, reference in both]

    return Runner(NAME, run, before=forget)


def interval(pairs: Pairs, rows: int, draws: int) -> Runner:
    """Mean and half width, as printed, of a bootstrap interval from counted rows."""
    scorer = BLEU()
    counted = scorer._extract_corpus_statistics(pairs.hypotheses, [pairs.references])
    repeated = [counted[i % len(counted)] for i in range(rows)]

    def run() -> list[float]:
        _, scores = _bootstrap_resample(repeated, scorer, draws)
        found = estimate_ci(numpy.array([score.score for score in scores]))
        return [round(float(number), 2) for number in found]

    return Runner(NAME, run, before=forget)


def randomization(pairs: Pairs, trials: int) -> Runner:
    """The p-value of a system and a copy of it with some segments exchanged."""
    systems: list[tuple[str, Sequence[str]]] = [("a", pairs.hypotheses), ("b", shifted(pairs))]

    def run() -> list[float]:
        test = PairedTest(systems, {"BLEU": BLEU()}, [pairs.references], "ar", trials)
        found: Any = test()[1]["BLEU"][1]
        return [found.p_value]

    return Runner(NAME, run, before=forget)
