"""Rewards over HTTP, by the protocol of OpenRLHF."""

from __future__ import annotations

from bleuet.rewards.frameworks import openrlhf_reward
from bleuet.web.requested_metrics import requested_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def get_reward(metric: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to `POST /get_reward`.

    Args:
        metric: the metric, as after `-m`.
        request: `query`, prompts with responses; `prompts`; `labels`, the references.

    Raises:
        InputError: a query has no reference, or the lists differ in length.
        OptionError: there is no such metric, or it would open a file.

    >>> get_reward("chrf", {"query": ["Say: a.</s>"], "prompts": ["Say: "], "labels": ["a."]})
    {'rewards': [1.0], 'scores': [1.0], 'extra_logs': {'chrF2': [1.0]}}
    """
    # A metric that would open a file is an error here; a reward makes its own, for sentences.
    requested_metric(metric)
    function = openrlhf_reward(metric)
    return function(request["query"], request["prompts"], request["labels"])
