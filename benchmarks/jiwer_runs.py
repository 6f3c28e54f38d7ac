"""What jiwer runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jiwer

from benchmarks.timing import Runner

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

NAME = "jiwer"
RATES = {"WER": jiwer.wer, "CER": jiwer.cer}


def corpus_score(metric: str, pairs: Pairs) -> Runner:
    """A corpus score from lists of strings."""
    rate = RATES[metric]
    return Runner(NAME, lambda: [100 * rate(list(pairs.references), list(pairs.hypotheses))])
