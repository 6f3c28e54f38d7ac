"""The functions are called as the released frameworks call them.

TRL 1.16 `GRPOTrainer._calculate_rewards`, verl 0.9.1 `NaiveRewardManager.run_single`, OpenRLHF
0.11.2 `SingleTurnAgentExecutor`, verifiers 0.1.14 `Rubric._call_individual_reward_func` and 0.4.0
`invoke_all`. `test_released.py` calls these themselves, where they are installed.
"""

from __future__ import annotations

import asyncio
import inspect
import math
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from bleuet.errors import BleuetError, InputError, OptionError
from bleuet.rewards import (
    Reward,
    openrlhf_reward,
    self_similarity,
    trl_reward,
    verifiers_reward,
    verl_reward,
)
from bleuet.rewards.frameworks import TRLReward

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
    found, logged = trl(function, prompts, texts, reference=texts)
    costs = [0.5 * one for one in (*self_similarity(texts[:3]), 0)]
    assert found == pytest.approx([1 - one for one in costs])
    assert found[0] < found[2] == 1
    assert logged == {"reward/chrF2": 1, "reward/diversity penalty": pytest.approx(sum(costs) / 4)}
    # It is scaled and has no effect without a reference, as the penalty of the length.
    scaled = trl_reward("chrf", diversity_penalty=0.5, scale=10)
    references = [*texts[:3], None]
    found, _ = trl(scaled, prompts, texts, reference=references)
    assert found == [*(pytest.approx(10 * (1 - one)) for one in costs[:3]), None]


def test_trl_rewards_of_a_prompt_are_the_same_alone_and_among_others() -> None:
    """Wherever its samples stand: prompts alternate, and the second group has more samples."""
    prompts = ["q", "p", "p", "r", "q", "p", "q", "q"]
    texts = ["a b c", "a b c d", "a b c x", "a b", "a b c", "e f g h", "<think>y</think>a b d", "z"]
    references = ["a b c d", "a b c d", "a b", "a b", "e", "e f g h", None, "z y"]
    options: dict[str, Any] = {"length_penalty": 0.25, "scale": 2}
    function = trl_reward({"chrf": 0.5, "ter": 1}, diversity_penalty=0.5, **options)
    plain, _ = trl(trl_reward({"chrf": 0.5, "ter": 1}, **options), prompts, texts, reference=texts)
    whole, logged = trl(function, prompts, texts, reference=references)
    backwards, _ = trl(function, prompts[::-1], texts[::-1], reference=references[::-1])
    assert backwards == whole[::-1]
    costs = []
    for prompt in "pqr":
        places = [place for place, one in enumerate(prompts) if one == prompt]
        own = [texts[place] for place in places]
        against = [references[place] for place in places]
        alone, _ = trl(function, [prompt] * len(own), own, reference=against)
        assert [whole[place] for place in places] == alone
        answers = [text.rpartition(">")[2] for text in own]
        similar = self_similarity(answers) if len(own) > 1 else [0.0]
        costs += [s for s, r in zip(similar, against, strict=True) if r is not None]
        with_texts, _ = trl(function, prompts, texts, reference=texts)
        assert [with_texts[place] for place in places] == pytest.approx(
            [plain[place] - 2 * 0.5 * one for place, one in zip(places, similar, strict=True)]
        )
    assert logged["reward/diversity penalty"] == pytest.approx(0.5 * sum(costs) / 7)


def chat(**contents: str) -> list[dict[str, Any]]:
    return [{"role": role.rstrip("2"), "content": content} for role, content in contents.items()]


@pytest.mark.parametrize(
    "other",
    [
        chat(system="Translate into French.", user="Yes."),
        chat(system="Translate.", user="No."),
        chat(system="Translate.", user="Yes.", assistant="Ja.", user2="Yes."),
        [{"role": "system", "content": "Translate."}, {"role": "tool", "content": "Yes."}],
        [
            {"role": "system", "content": "Translate."},
            {"role": "user", "content": [{"type": "text", "text": "Yes."}, {"type": "image"}]},
        ],
    ],
)
def test_trl_diversity_compares_samples_of_one_whole_prompt(other: Any) -> None:
    prompt = chat(system="Translate.", user="Yes.")
    function = trl_reward("chrf", diversity_penalty=1.0)
    texts = ["It rains today."] * 2
    replies = list(map(messages, texts))
    assert trl(function, [prompt, other], replies, reference=texts)[0] == [1, 1]
    # The same prompt again, whose keys come in another order.
    again = [dict(reversed(one.items())) for one in prompt]
    assert trl(function, [prompt, again], replies, reference=texts)[0] == [0, 0]


def test_trl_diversity_of_prompts_with_images() -> None:
    class Image:
        """Like an image of Pillow, which cannot be hashed and whose repr has its address."""

        __hash__ = None  # type: ignore[assignment]

        def __init__(self, pixels: bytes) -> None:
            self.pixels = pixels

        def tobytes(self) -> bytes:
            return self.pixels

    def prompt(pixels: bytes) -> Any:
        return [{"role": "user", "content": [{"type": "image", "image": Image(pixels)}]}]

    function = trl_reward("chrf", diversity_penalty=1.0)
    prompts = [prompt(b"a"), prompt(b"a"), prompt(b"b")]
    texts = ["It rains today."] * 3
    assert trl(function, prompts, texts, reference=texts)[0] == [0, 0, 1]


def test_trl_diversity_compares_answers() -> None:
    """What a text says before its answer, or in a thought that does not end, is no similarity."""
    function = trl_reward("chrf", diversity_penalty=1.0)
    texts = ["a b c d e</think>It rains", "a b c d e</think>Es regnet"]
    assert trl(function, ["p"] * 2, texts, reference=["It rains", "Es regnet"])[0] == [1, 1]
    unfinished = ["a b c d e"] * 2
    assert trl(function, ["p <think>"] * 2, unfinished, reference=["a", "a"])[0] == [0, 0]


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning", "thinking"])
def test_thoughts_that_a_program_has_cut_off_have_ended(key: str) -> None:
    reply = [{"role": "assistant", "content": TEXTS[0], key: "Hm."}]
    function = trl_reward("chrf", preprocess="closed-thinking")
    prompt = [{"role": "user", "content": "p"}]
    assert trl(function, [prompt], [reply], reference=TEXTS[:1])[0] == [1]
    assert trl(function, [prompt], [messages(TEXTS[0])], reference=TEXTS[:1])[0] == [0]


def test_data_sets_are_checked_before_training() -> None:
    rows = [{"answer": one, "prompt": "p"} for one in ("a", ["a", "b"], '["a", "b"]', Array(["a"]))]
    nested = [{"reward_model": {"ground_truth": row["answer"]}} for row in rows]
    labels = [{"label": row["answer"]} for row in rows]
    cases: list[tuple[Any, Any, Any]] = [
        (trl_reward("chrf", reference="answer"), rows, lambda one: {"answer": one}),
        (verl_reward("chrf"), nested, lambda one: {"reward_model": {"ground_truth": one}}),
        (openrlhf_reward("chrf"), labels, lambda one: {"label": one}),
        (verifiers_reward("chrf"), rows, lambda one: {"answer": one}),
    ]
    for function, dataset, row_of in cases:
        function.check(dataset)
        function.check(iter(dataset))
        for wrong in (math.nan, 3, {"text": "a"}, ["a", 1]):
            with pytest.raises(InputError, match="row 4 of the data set: each reference must be"):
                function.check([*dataset, row_of(wrong)])
        with pytest.raises(InputError, match="row 0 of the data set: there is no column"):
            function.check([{"other": 1}])
        with pytest.raises(InputError, match="row 0 of the data set: expected a dictionary"):
            function.check(["a"])
        missing = [row_of(None)]
        if isinstance(function, TRLReward):
            function.check(missing)
        else:
            with pytest.raises(InputError, match="row 0 of the data set has no reference"):
                function.check(missing)
        for no_rows in (None, 3, "rows", {"train": dataset}):
            with pytest.raises(InputError, match="dataset must be the rows of one data set"):
                function.check(no_rows)
    openrlhf_reward("chrf").check(rows, "answer")


def test_trl_needs_the_column() -> None:
    with pytest.raises(InputError, match=r"no column 'reference' \(it has answer\)"):
        trl(trl_reward("bleu"), ["p"], ["a"], answer=["a"])
    with pytest.raises(InputError, match="a text or a list of messages"):
        trl(trl_reward("bleu"), ["p"], [[1]], reference=["a"])
    with pytest.raises(OptionError, match="has its own options"):
        trl_reward(Reward("chrf"), scale=2)
    with pytest.raises(InputError, match="completions must be a list"):
        trl(trl_reward("bleu"), ["p"], None, reference=["a"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="references must be a list"):
        trl(trl_reward("bleu"), ["p"], ["a"], reference="a")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: trl_reward({"bleu", "chrf"}), "a name, a Metric or a dictionary"),  # type: ignore[arg-type]
        (lambda: trl_reward("bleu", reference=3), "reference must be the name of a column"),  # type: ignore[arg-type]
        (lambda: trl_reward("bleu", diversity_penalty="1"), "diversity_penalty must be a finite"),  # type: ignore[arg-type]
        (lambda: trl_reward("bleu", diversity_penalty=math.nan), "diversity_penalty must be a"),
        (lambda: verl_reward(None), "not None"),  # type: ignore[arg-type]
        (lambda: openrlhf_reward(3), "not 3"),  # type: ignore[arg-type]
        (lambda: verifiers_reward("bleu", answer=None), "answer must be the name of a column"),  # type: ignore[arg-type]
    ],
)
def test_wrong_options(make: Any, message: str) -> None:
    with pytest.raises(BleuetError, match=message):
        make()


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
    # As a tokenizer can write it: with other spaces.
    spaced = prompt.replace("\n", " \n") + TEXTS[0]
    assert reward_func([spaced], [prompt], [REFERENCES[0]]) == found
    array = Array([REFERENCES[0], REFERENCES[0]])
    assert reward_func([spaced], [prompt], [array])["scores"] == [expected]
    with pytest.raises(InputError, match="does not contain its prompt"):
        reward_func([TEXTS[0]], [prompt], [REFERENCES[0]])
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


def test_names_have_options() -> None:
    """Two functions have two names in the logs, and two metrics of a reward have two keys."""
    words = ["bleu", "bleu:lowercase", "bleu:tokenize=intl", "chrf", "chrf++", "ter:normalized"]
    assert [trl_reward(word).__name__ for word in words] == [
        "bleu_reward",
        "bleu_lowercase_reward",
        "bleu_tokenize=intl_reward",
        "chrf2_reward",
        "chrf2++_reward",
        "ter_normalized_reward",
    ]
    reward = Reward(dict.fromkeys(words[:3], 1.0))
    found = reward.details(["the cat"], ["The cat"])
    assert list(found) == ["reward", "BLEU", "BLEU lowercase", "BLEU tokenize=intl"]
