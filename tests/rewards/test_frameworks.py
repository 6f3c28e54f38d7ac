"""The functions are called as the released frameworks call them.

TRL 1.16 `GRPOTrainer._calculate_rewards`, verl 0.9.1 `NaiveRewardManager.run_single` and
`BatchRewardManager.verify`, OpenRLHF 0.11.2 `SingleTurnAgentExecutor`, verifiers 0.1.14
`Rubric._call_individual_reward_func` and 0.4.0 `invoke_all`. `test_released.py` calls these
themselves, where they are installed.
"""

from __future__ import annotations

import asyncio
import inspect
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from bleuet.errors import InputError, OptionError
from bleuet.rewards import (
    Reward,
    openrlhf_reward,
    self_similarity,
    trl_reward,
    verifiers_reward,
    verl_reward,
)

TEXTS = ["It rains.", "<think>Hm.</think>It is raining.", "It ra"]
REFERENCES: list[Any] = ["It is raining.", ["It is raining.", "It rains."], None]


@cache
def expected_rewards() -> list[float | None]:
    return Reward("chrf")(TEXTS, REFERENCES)


class Array:
    """What numpy's arrays of texts have in common with it."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts

    def tolist(self) -> list[str]:
        return self.texts


def trl(function: Any, prompts: list[Any], completions: list[Any], **columns: Any) -> Any:
    logged: dict[str, float] = {}
    extra = {"trainer_state": object(), "log_extra": None, "log_metric": logged.__setitem__}
    rewards = function(
        prompts=prompts, completions=completions, completion_ids=[[1]], **columns, **extra
    )
    return rewards, logged


def messages(text: str) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": text}]


def test_trl() -> None:
    function = trl_reward("chrf")
    assert function.__name__ == "chrf2_reward"
    assert not inspect.iscoroutinefunction(function)
    assert trl(function, ["p"] * 3, TEXTS, reference=REFERENCES) == (expected_rewards(), {})
    prompts = [[{"role": "user", "content": "p"}]] * 3
    found = trl(function, prompts, list(map(messages, TEXTS)), reference=REFERENCES)
    assert found == (expected_rewards(), {})
    turns = [
        [*messages("No."), {"role": "tool", "content": "1"}, *messages(text)] for text in TEXTS
    ]
    assert trl(function, prompts, turns, reference=REFERENCES)[0] == expected_rewards()
    blocks = [[{"role": "assistant", "content": [{"type": "text", "text": t}]}] for t in TEXTS]
    assert trl(function, prompts, blocks, reference=REFERENCES)[0] == expected_rewards()
    assert (
        trl(trl_reward(Reward("chrf"), reference="answer"), ["p"] * 3, TEXTS, answer=REFERENCES)[0]
        == expected_rewards()
    )
    # A prompt after which the model thinks: what is not closed is no answer.
    assert trl(function, ["p <think>"] * 3, TEXTS, reference=REFERENCES)[0][0] == 0
    silent: Any = [[{"role": "assistant", "content": None, "tool_calls": []}]]
    assert trl(function, ["p"], silent, reference=["a"])[0] == [0.0]


def test_trl_logs_what_a_reward_is_made_of() -> None:
    function = trl_reward({"chrf": 1, "ter": 0.5}, length_penalty=0.1)
    rewards, logged = trl(function, ["p"] * 3, TEXTS, reference=REFERENCES)
    assert rewards == function.reward(TEXTS, REFERENCES)
    assert set(logged) == {"reward/chrF2", "reward/TER", "reward/length penalty"}
    assert logged["reward/chrF2"] == pytest.approx(
        sum(one for one in expected_rewards() if one) / 2
    )


def test_trl_diversity() -> None:
    texts = ["a b c d", "a b c d", "e f g h", "a b c d"]
    prompts = ["p", "p", "p", "q"]
    function = trl_reward("chrf", diversity_penalty=0.5)
    found, _ = trl(function, prompts, texts, reference=texts)
    assert found == pytest.approx([1 - 0.5 * one for one in (*self_similarity(texts[:3]), 0)])
    assert found[0] < found[2] == 1


def test_trl_needs_the_column() -> None:
    with pytest.raises(InputError, match=r"no column 'reference' \(it has answer\)"):
        trl(trl_reward("bleu"), ["p"], ["a"], answer=["a"])
    with pytest.raises(InputError, match="a text or a list of messages"):
        trl(trl_reward("bleu"), ["p"], [[1]], reference=["a"])
    with pytest.raises(OptionError, match="has its own options"):
        trl_reward(Reward("chrf"), scale=2)


def test_verl() -> None:
    function: Any = verl_reward("chrf")
    for text, reference, expected in zip(TEXTS[:2], REFERENCES, expected_rewards(), strict=False):
        for truth in (reference, Array(reference if isinstance(reference, list) else [reference])):
            found = function(
                data_source="wmt",
                solution_str=text,
                ground_truth=truth,
                extra_info={"num_turns": None},
                reward_router_address=None,
            )
            assert found == expected
    with pytest.raises(InputError, match="expected one in ground_truth"):
        function("wmt", "a", None)
    by_several: Any = verl_reward({"chrf": 1, "ter": 1})
    several = by_several("wmt", TEXTS[0], REFERENCES[0])
    assert several["score"] == several["chrF2"] + several["TER"] > 0


def test_verl_in_batches() -> None:
    def call(function: Any, truths: list[Any]) -> Any:
        return function(
            data_sources=Array(["wmt"] * len(truths)),
            solution_strs=TEXTS[: len(truths)],
            ground_truths=truths,
            extra_infos=Array([]),
        )

    assert call(verl_reward("chrf", batch=True), REFERENCES[:2]) == expected_rewards()[:2]
    found = call(verl_reward("chrf", batch=True, length_penalty=0.1), REFERENCES[:2])
    assert [set(one) for one in found] == [{"score", "chrF2", "length penalty"}] * 2
    with pytest.raises(InputError, match="no reference"):
        call(verl_reward("chrf", batch=True), REFERENCES)


def test_openrlhf() -> None:
    prompt = "<|im_start|>user\nWeather?<|im_end|>\n<|im_start|>assistant\n"
    reward_func = openrlhf_reward({"chrf": 1.0, "ter": 0.0}, scale=2)
    expected = expected_rewards()[0]
    found = reward_func([f"{prompt}{TEXTS[0]}<|im_end|>"], [prompt], [REFERENCES[0]])
    assert found == {
        "rewards": [2 * (expected or 0)],
        "scores": [expected],
        "extra_logs": {"chrF2": [expected], "TER": [pytest.approx(1 / 3)]},
    }
    assert openrlhf_reward(Reward("chrf")).reward == Reward("chrf")
    missing: list[Any] = [None, "", []]
    for label in missing:
        with pytest.raises(InputError, match="expected one in labels"):
            reward_func([prompt], [prompt], [label])


@pytest.mark.usefixtures("no_running_loop")
def test_verifiers() -> None:
    def rubric(function: Any, **merged: Any) -> Any:
        """As versions 0.1 call it."""
        parameters = inspect.signature(function).parameters
        assert not {"states", "prompts", "completions", "answers", "tasks"} & set(parameters)
        takes_all = any(one.kind == one.VAR_KEYWORD for one in parameters.values())
        chosen = {k: v for k, v in merged.items() if takes_all or k in parameters}
        return asyncio.run(function(**chosen))

    def task(function: Any, **available: Any) -> Any:
        """As version 0.4 calls it."""
        parameters = inspect.signature(function).parameters
        return asyncio.run(function(**{k: v for k, v in available.items() if k in parameters}))

    function = verifiers_reward("chrf")
    state: dict[str, Any] = {"prompt": "p", "state": {}, "info": {}, "task": None, "parser": None}
    for text, reference, expected in zip(TEXTS[:2], REFERENCES, expected_rewards(), strict=False):
        completion = messages(text)
        assert rubric(function, completion=completion, answer=reference, **state) == expected
        named = verifiers_reward("chrf", answer="target")
        merged = {"completion": text, "answer": "", "target": reference}
        assert rubric(named, **merged, **state) == expected
        data, trace = SimpleNamespace(target=reference), SimpleNamespace(last_reply=text)
        assert task(named, task=data, trace=trace, runtime=None) == expected
    with pytest.raises(InputError, match="expected one in answer"):
        rubric(function, completion="a", answer="", **state)
