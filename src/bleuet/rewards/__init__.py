"""Metrics as rewards: how good the texts of a model are, for the program that trains it.

`Reward` is the one definition; the functions named after frameworks call it as these do.
"""

from __future__ import annotations

from bleuet.rewards.frameworks import (
    openrlhf_reward,
    trl_reward,
    verifiers_reward,
    verl_reward,
)
from bleuet.rewards.groups import leave_one_out, self_similarity
from bleuet.rewards.reward import Reward

__all__ = [
    "Reward",
    "leave_one_out",
    "openrlhf_reward",
    "self_similarity",
    "trl_reward",
    "verifiers_reward",
    "verl_reward",
]
