"""Sentence BLEU as a reward from 0 to 1: what a training loop calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.sacrebleu_runs import sentence_scores
from benchmarks.timing import Runner
from bleuet.rewards import trl_reward, verl_reward

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs

ONE_CALL = "bleuet, one call each"


def of_a_batch(pairs: Pairs) -> Runner:
    """The rewards of all pairs, in one call as TRL's."""
    function = trl_reward("bleu")
    prompts = ["Translate:"] * len(pairs.hypotheses)

    def run() -> list[Any]:
        return function(prompts, pairs.hypotheses, reference=pairs.references)

    return Runner("bleuet", run)


def of_one_call_each(pairs: Pairs) -> Runner:
    """The rewards of all pairs, in one call each as verl's."""
    function = verl_reward("bleu")

    def run() -> list[Any]:
        both = zip(pairs.hypotheses, pairs.references, strict=True)
        return [function("wmt", text, truth, None) for text, truth in both]

    return Runner(ONE_CALL, run)


def sacrebleu_rewards(pairs: Pairs) -> Runner:
    """The same numbers from sacreBLEU, in one call each."""
    scores = sentence_scores("BLEU", pairs)

    def run() -> list[float]:
        return [min(1.0, score / 100) for score in scores.run()]

    return scores._replace(run=run)
