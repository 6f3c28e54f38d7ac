"""The samples of one prompt compared with each other: utilities and diversity."""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.frozen import checked
from bleuet.metrics.bleu.metric import BLEU
from bleuet.rewards.reward import made_reward, strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.rewards.reward import Reward


@checked
def leave_one_out(samples: Sequence[str], metric: Any = "bleu") -> list[float]:
    """Return the utility of each sample: its mean reward against each of the others.

    The sample with the highest utility has the least expected risk (Kumar and Byrne 2004, Minimum
    Bayes-Risk Decoding for Statistical Machine Translation). It needs no reference.

    Args:
        samples: at least two texts for one prompt.
        metric: a reward, or what `Reward` takes.

    Raises:
        InputError: there is only one sample.

    >>> leave_one_out(["a b c d", "a b c d", "e"], "chrf")
    [0.5, 0.5, 0.0]
    """
    reward = made_reward(metric)
    texts = [reward.prepared(one) for one in _several(samples)]
    rows = reward.matrix(texts, texts)
    return [(sum(row) - row[place]) / (len(row) - 1) for place, row in enumerate(rows)]


@checked
def self_similarity(samples: Sequence[str], metric: Any = "bleu") -> list[float]:
    """Return the reward of each sample with all the others as its references: with BLEU, Self-BLEU.

    It is near 1 where a model always writes the same (Zhu et al. 2018, Texygen). Empty samples have
    0.

    Args:
        samples: at least two texts for one prompt.
        metric: a reward, or what `Reward` takes.

    Raises:
        InputError: there is only one sample.

    >>> self_similarity(["a b c d", "a b c d", "e f g h"])
    [1.0, 1.0, 0.0]
    """
    reward = made_reward(metric)
    texts = [reward.prepared(one) for one in _several(samples)]
    if reward.is_plain and type(reward.metrics[0]) is BLEU and all(map(str.strip, texts)):
        return _self_bleu(reward, reward.metrics[0], texts)
    others = [texts[:place] + texts[place + 1 :] for place in range(len(texts))]
    # An empty sample does not show that silence is right.
    numbers = _numbers(reward(samples, others))
    return [one if text.strip() else 0.0 for text, one in zip(texts, numbers, strict=True)]


def _self_bleu(reward: Reward, metric: BLEU, texts: list[str]) -> list[float]:
    """Return the same as rewards of each text against the others, from one count of all texts."""
    table, _ = metric.table_of_others(texts, threads=reward.threads)
    scores = metric.segment_scores(table).values
    ((_, weight),) = reward.parts
    return [reward.scale * (weight * min(1.0, one / 100)) for one in scores]


def _several(samples: Sequence[str]) -> list[str]:
    texts = strings("samples", samples)
    if len(texts) < 2:
        raise InputError(f"expected at least two samples of one prompt, not {len(texts)}")
    return texts


def _numbers(rewards: list[float | None]) -> list[float]:
    return [0.0 if one is None else one for one in rewards]
