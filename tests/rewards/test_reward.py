"""A reward is the metrics' own number, weighted, with penalties; the same in every process."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, CHRF, NIST, TER
from bleuet.errors import BleuetError, InputError, OptionError
from bleuet.metrics.catalogue import NAMES, find_preset, parse_metric
from bleuet.rewards import Reward, leave_one_out, self_similarity
from bleuet.rewards.preprocessing import STEPS, WHOLE
from tests.backends import HAS_KERNEL
from tests.effort import examples

HYPOTHESES = ["The cat sat down.", "It rains today.", "The cat the cat the cat the cat.", "Wrong."]
LONG = "One two three four five six."
REFERENCES: list[Any] = [
    "The cat sat up.",
    ["It is raining today.", "Today it rains."],
    "The cat.",
    ["It is right.", None],
]
TEXTS = st.text(st.sampled_from("ab .éÉ\u0301<>/think猫"), max_size=12)


@pytest.mark.parametrize("name", [one for one in NAMES if not find_preset(one)[0].learns])
def test_every_metric_is_a_reward(name: str) -> None:
    metric = parse_metric(name, sentences=True)
    hypotheses, all_references = [*HYPOTHESES, LONG], [*REFERENCES, LONG]
    found = Reward(name)(hypotheses, all_references)
    for hypothesis, references, value in zip(hypotheses, all_references, found, strict=True):
        score = metric.sentence_score(hypothesis, references).score / 100
        expected = score if metric.higher_is_better else 1 - score
        assert value == pytest.approx(min(1, max(0, expected)), abs=1e-12)
        assert Reward(name).score(hypothesis, references) == value
    assert len(set(found)) > 1


def test_a_metric_that_learns_must_have_learned() -> None:
    with pytest.raises(OptionError, match="learns from all references"):
        Reward("nist")
    nist = NIST().with_learned(NIST().learn(["The cat sat up.", "It rains."]))
    texts, references = ["The cat.", "It rains."], ["The cat sat up.", "It rains."]
    found = Reward(nist)(texts, references)
    assert found == list(nist.sentence_scores(texts, references).values)


def test_a_list_has_the_rewards_of_its_texts() -> None:
    prompts = ["Say it: "] * 4
    for reward in (
        Reward({"bleu": 0.5, "chrf:word_order=2": 0.25, TER(): -2}, scale=3),
        Reward("chrf", length_penalty=0.5),
        Reward("bleuberi", repetition_penalty=0.3, length_penalty=0.1, preprocess=WHOLE),
        Reward(BLEU(smooth="floor"), preprocess=["thinking", str.lower]),
    ):
        found = reward(HYPOTHESES, REFERENCES, prompts)
        assert found == list(map(reward.score, HYPOTHESES, REFERENCES, prompts)), reward
        details = reward.details(HYPOTHESES, REFERENCES, prompts)
        assert details.pop("reward") == found
        penalties = len(details) - len(reward.parts)
        weights = [weight for _, weight in reward.parts] + [-1.0] * penalties
        for row, value in enumerate(found):
            parts = [values[row] for values in details.values()]
            total = sum(w * p for w, p in zip(weights, parts, strict=True) if p is not None)
            assert value == pytest.approx(reward.scale * total), reward


@given(st.lists(st.tuples(TEXTS, st.none() | TEXTS | st.lists(st.none() | TEXTS, max_size=2))))
@examples(200)
def test_empty_texts_score_0_and_missing_references_none(pairs: list[Any]) -> None:
    reward = Reward({"chrf": 1, "wer": 1}, length_penalty=0.5, repetition_penalty=0.5)
    hypotheses, references = [one for one, _ in pairs], [one for _, one in pairs]
    found = reward(hypotheses, references)
    for hypothesis, entry, value in zip(hypotheses, references, found, strict=True):
        missing = entry is None or (
            isinstance(entry, list) and not [r for r in entry if r is not None]
        )
        assert (value is None) == missing
        if not missing and not reward.prepared(hypothesis).strip():
            assert value == 0
        assert reward.score(hypothesis, entry) == value


def test_penalties() -> None:
    # Three of the five 3-grams come for the first time.
    repeated = Reward("chrf", repetition_penalty=1).details(["a b c a b c a"], ["a b c a b c a"])
    assert repeated["repetition penalty"] == [pytest.approx(2 / 5)]
    assert repeated["reward"] == [pytest.approx(1 - 2 / 5)]
    lengths = Reward("chrf", length_penalty=0.5).details(
        ["a b c", "a b c"], ["a b", ["a", "a b c d"]]
    )
    assert lengths["length penalty"] == [0.25, 0.125]
    assert Reward("chrf", length_penalty=1).details(["a " * 99], ["a"])["length penalty"] == [1.0]


@pytest.mark.parametrize(
    ("text", "prompt", "expected"),
    [
        ("<think>a</think>b", "", "b"),
        ("<think>a", "", ""),
        ("a</think>b", "", "b"),
        ("a</think>b</think>c", "", "c"),
        ("a</think>b<think>c", "", ""),
        ("a", "<think>", ""),
        ("a", "<think>x</think>", "a"),
        ("a</think>b", "q <think>\n", "b"),
        ("</think>", "", ""),
        ("a", "", "a"),
        ("e\u0301", "", "é"),
    ],
)
def test_thinking_is_left_out(text: str, prompt: str, expected: str) -> None:
    assert Reward("bleu").prepared(text, prompt) == expected
    assert Reward("bleu", preprocess=()).prepared(text, prompt) == text


def test_prompts_and_special_tokens_are_removed_by_option() -> None:
    reward = Reward("chrf", preprocess=WHOLE)
    chat = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    assert reward.prepared(f"{chat}Hello.<|im_end|><|endoftext|>", chat) == "Hello."
    assert reward.prepared(f"<s>{chat}Hello.</s>", chat) == "Hello."
    assert reward.prepared(f"{chat[20:]}Hello.<｜end▁of▁sentence｜>", chat) == "Hello."
    assert reward.prepared("a < b, [1] and <b>c</b>", "") == "a < b, [1] and <b>c</b>"


@given(TEXTS, TEXTS)
@examples(100)
def test_composed_characters_are_equal(hypothesis: str, reference: str) -> None:
    plain = Reward("chrf", preprocess=())
    texts = [unicodedata.normalize("NFC", one) for one in (hypothesis, reference)]
    expected = plain.score(*texts) if texts[0].strip() else 0.0
    assert Reward("chrf", preprocess=["nfc"]).score(hypothesis, [reference]) == expected
    assert plain.prepared(hypothesis) == hypothesis


def test_options() -> None:
    assert Reward("chrf", word_order=2) == Reward(CHRF(word_order=2)) == Reward("chrf++")
    assert Reward("bleu").metrics == (BLEU(effective_order=True),)
    assert Reward(BLEU()).metrics == (BLEU(),)
    assert Reward("bleu", threads=2)(HYPOTHESES, REFERENCES) == Reward("bleu")(
        HYPOTHESES, REFERENCES
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"metric": "blue"}, "did you mean bleu"),
        ({"metric": {}}, "a weight for each metric"),
        ({"metric": {"bleu": "1"}}, "must be a finite number, not '1'"),
        ({"metric": {"bleu": 1}, "lowercase": True}, "follow their names"),
        ({"metric": 1}, "a name or a Metric"),
        ({"metric": "bleu", "scale": float("nan")}, "scale must be a finite number"),
        ({"metric": "bleu", "preprocess": ["thinkin"]}, "did you mean thinking"),
        ({"metric": "bleu", "preprocess": [1]}, "names and functions"),
        ({"metric": "bleu", "smoth": 1}, "smooth"),
    ],
)
def test_wrong_options(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(BleuetError, match=r"\w") as caught:
        Reward(**arguments)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("hypotheses", "references", "said"),
    [
        (["a"], ["a", "b"], "1 hypothes"),
        ("a", ["a"], "a list of strings"),
        ([1], ["a"], "each text must be a string, not 1"),
        (["a"], [1], "a string or a list of strings, not 1"),
        (["a"], [["a", 1]], "each text must be a string, not 1"),
    ],
)
def test_wrong_texts(hypotheses: Any, references: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        Reward("chrf")(hypotheses, references)
    assert said in str(caught.value)


def test_groups() -> None:
    samples = ["The cat sat.", "The cat sat down.", "It rains."]
    reward = Reward("chrf")
    against = [
        [reward.score(one, other) or 0.0 for j, other in enumerate(samples) if j != i]
        for i, one in enumerate(samples)
    ]
    assert leave_one_out(samples, reward) == pytest.approx([sum(row) / 2 for row in against])
    others = [[two for two in samples if two != one] for one in samples]
    expected = [Reward("bleu").score(one, rest) for one, rest in zip(samples, others, strict=True)]
    assert self_similarity(samples) == expected
    assert expected[0] != expected[2]
    with pytest.raises(InputError, match="at least two samples"):
        leave_one_out(["a"])


MADE = """
import pickle
from bleuet.rewards import *
reward = Reward({"chrf++": 0.5, "bleu:smooth=floor": 2}, preprocess=["nfc", "thinking"], scale=2)
for one in (reward, trl_reward(reward), verl_reward("ter"), verl_reward("ter", batch=True),
            openrlhf_reward("bleuberi"), verifiers_reward(reward, answer="x")):
    print(hash(one), pickle.dumps(one).hex())
"""


@pytest.mark.slow
def test_they_are_the_same_in_every_process() -> None:
    printed = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", MADE]
        printed.add(
            subprocess.run(command, env=environment, check=True, capture_output=True).stdout
        )
    (lines,) = printed
    for line in lines.decode().splitlines():
        one = pickle.loads(bytes.fromhex(line.split()[1]))
        again = copy.deepcopy(one)
        assert one == again == pickle.loads(pickle.dumps(one))
        assert hash(one) == hash(again) == int(line.split()[0])
        assert repr(one) == repr(again)
    assert hash(Reward("bleu")) != hash(Reward("chrf"))


@pytest.mark.slow
def test_nothing_but_the_package_is_imported() -> None:
    code = "import sys, bleuet.rewards; print(*{name.partition('.')[0] for name in sys.modules})"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not {"numpy", "torch", "trl", "verl", "datasets", "pydantic"} & set(found.stdout.split())


@pytest.mark.skipif(not HAS_KERNEL, reason="the Python backend needs the lock")
def test_single_calls_release_the_lock() -> None:
    generator = random.Random(3)
    words = [f"w{n}" for n in range(60)]
    texts = [" ".join(generator.choices(words, k=800)) for _ in range(2)]
    reward = Reward("eed", preprocess=())
    expected = reward.score(*texts)
    with ThreadPoolExecutor(2) as pool:
        started = time.perf_counter()
        work = pool.submit(reward.score, *texts)
        last, longest = started, 0.0
        while not work.done():
            now = time.perf_counter()
            last, longest = now, max(longest, now - last)
        duration = time.perf_counter() - started
        assert work.result() == expected
        assert longest < duration / 2
        assert set(pool.map(reward.score, texts[:1] * 4, texts[1:] * 4)) == {expected}


def test_every_step_is_named() -> None:
    assert set(WHOLE) == set(STEPS)
