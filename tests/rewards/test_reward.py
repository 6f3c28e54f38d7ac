"""A reward is the metrics' own number, weighted, with penalties; the same in every process."""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import random
import subprocess
import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, CHRF, NIST, SARI, TER, with_sources
from bleuet.errors import BleuetError, InputError, OptionError
from bleuet.metrics.catalogue import NAMES, find_preset, parse_metric
from bleuet.rewards import Reward, leave_one_out, self_similarity, trl_reward
from bleuet.rewards.preprocessing import STEPS, THOUGHTS, WHOLE
from tests.backends import HAS_KERNEL
from tests.contract.settings import counting_word
from tests.effort import examples

HYPOTHESES = ["The cat sat down.", "It rains today.", "The cat the cat the cat the cat.", "Wrong."]
LONG = "One two three four five six."
REFERENCES: list[Any] = [
    "The cat sat up.",
    ["It is raining today.", "Today it rains."],
    "The cat.",
    ["It is right.", None],
]
KINDS = {one: find_preset(one)[0] for one in NAMES}
LEXICAL = [one for one, kind in KINDS.items() if not (kind.learns or kind.reads_sources)]
TEXTS = st.text(st.sampled_from("ab .éÉ\u0301<>/think猫"), max_size=12)


@pytest.mark.parametrize(
    "name",
    [one for one in NAMES if not find_preset(one)[0].learns | find_preset(one)[0].reads_sources],
)
def test_every_metric_is_a_reward(name: str) -> None:
    word = counting_word(name)
    metric = parse_metric(word, sentences=True)
    hypotheses, all_references = [*HYPOTHESES, LONG], [*REFERENCES, LONG]
    found = Reward(word)(hypotheses, all_references)
    for hypothesis, references, value in zip(hypotheses, all_references, found, strict=True):
        score = metric.sentence_score(hypothesis, references).score / 100
        expected = score if metric.higher_is_better else 1 - score
        assert value == pytest.approx(min(1, max(0, expected)), abs=1e-12)
        assert Reward(word).score(hypothesis, references) == value
    assert len(set(found)) > 1


def test_a_metric_that_reads_sources_gets_them_with_the_references() -> None:
    texts, references, sources = ["It rains."], ["It rains."], ["It is raining today."]
    expected = SARI().sentence_score(texts[0], with_sources(references, sources)[0]).score / 100
    assert Reward("sari")(texts, with_sources(references, sources).tolist()) == [expected]
    function = trl_reward("sari", reference="answer", source="text")
    columns = {"answer": [*references, None], "text": [*sources, "It rains."]}
    assert function(["?", "?"], [*texts, "a"], **columns)[0] == expected
    with pytest.raises(InputError, match="came without sources"):
        Reward("sari")(texts, references)
    with pytest.raises(InputError, match="no column 'text'"):
        function(["?"], texts, answer=references)


def test_a_metric_that_learns_must_have_learned() -> None:
    with pytest.raises(OptionError, match="learns from all references"):
        Reward("nist")
    nist = NIST().with_learned(NIST().learn(["The cat sat up.", "It rains."]))
    texts, references = ["The cat.", "It rains."], ["The cat sat up.", "It rains."]
    found = Reward(nist)(texts, references)
    assert found == list(nist.sentence_scores(texts, references).values)


def test_a_list_has_the_rewards_of_its_texts() -> None:
    prompts = ["Say it: "] * 4
    whole = [f"Say it: {one}" for one in HYPOTHESES]
    for reward, hypotheses in (
        (Reward({"bleu": 0.5, "chrf:word_order=2": 0.25, TER(): -2}, scale=3), HYPOTHESES),
        (Reward("chrf", length_penalty=0.5), HYPOTHESES),
        (Reward("bleuberi", repetition_penalty=0.3, length_penalty=0.1, preprocess=WHOLE), whole),
        (Reward(BLEU(smooth="floor"), preprocess=["thinking", str.lower]), HYPOTHESES),
    ):
        found = reward(hypotheses, REFERENCES, prompts)
        assert found == list(map(reward.score, hypotheses, REFERENCES, prompts)), reward
        details = reward.details(hypotheses, REFERENCES, prompts)
        assert details.pop("reward") == found
        penalties = len(details) - len(reward.parts)
        weights = [weight for _, weight in reward.parts] + [-1.0] * penalties
        for row, value in enumerate(found):
            parts = [values[row] for values in details.values()]
            total = sum(w * p for w, p in zip(weights, parts, strict=True) if p is not None)
            assert value == pytest.approx(reward.scale * total), reward


@given(st.lists(st.tuples(TEXTS, st.none() | TEXTS | st.lists(st.none() | TEXTS, max_size=2))))
@examples(200)
def test_empty_texts_score_0_or_are_right_and_missing_references_none(pairs: list[Any]) -> None:
    reward = Reward({"chrf": 1, "wer": 1}, length_penalty=0.5, repetition_penalty=0.5)
    hypotheses, references = [one for one, _ in pairs], [one for _, one in pairs]
    found = reward(hypotheses, references)
    for hypothesis, entry, value in zip(hypotheses, references, found, strict=True):
        missing = entry is None or (
            isinstance(entry, list) and not [r for r in entry if r is not None]
        )
        assert (value is None) == missing
        if not missing and not reward.prepared(hypothesis).strip():
            several = [entry] if isinstance(entry, str) else entry
            is_right = any(text is not None and not text.strip() for text in several)
            assert value == (2 if is_right else 0)
        assert reward.score(hypothesis, entry) == value


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "wer", "cer", "mer", "wil", "rouge-l"])
def test_silence_where_the_reference_is_silent(name: str) -> None:
    """Silence is right there, words are worse, and silence about something is wrong."""
    reward = Reward(name, scale=2)
    for nothing in ("", " ", ["", "well"]):
        found = reward(["", " ", "hello there"], [nothing] * 3)
        assert found[:2] == [2.0, 2.0]
        assert reward.score("", nothing) == 2.0
        assert found[2] is not None
        assert found[2] < 2.0
    assert reward(["", "well"], ["well", "well"]) == [0.0, 2.0]
    # Samples of a model are no answers that are known to be right.
    assert reward.matrix([""], [""]) == [[0.0]]


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


@pytest.mark.parametrize("threads", [1, 2])
def test_a_matrix_has_the_reward_of_each_pair(threads: int) -> None:
    texts = ["a b c d", "a b a b a b a b", "", " ", "The cat sat.", "x"]
    references = ["a b c", "The cat sat down.", "a b c d", "b a b a b a"]
    reward = Reward(
        {"chrf": 0.5, "ter": 2, "bleu": 1},
        scale=-3,
        length_penalty=0.5,
        repetition_penalty=0.25,
        threads=threads,
        preprocess=(),
    )
    for row, text in zip(reward.matrix(texts, references), texts, strict=True):
        expected = [reward.score(text, one) if text.strip() else 0.0 for one in references]
        assert row == pytest.approx(expected)
    # The mean over the others, each of the other samples as the reference.
    found = leave_one_out(texts, reward)
    square = reward.matrix(texts, texts)
    others = [[row[j] for j in range(len(texts)) if j != i] for i, row in enumerate(square)]
    assert found == pytest.approx([sum(row) / len(row) for row in others])


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


CHANNELS = "<|channel|>analysis<|message|>a?<|end|><|start|>assistant<|channel|>final<|message|>b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<thinking>a</thinking>b", "b"),
        ("<thinking>a", ""),
        ("<reasoning>a</reasoning>b", "b"),
        ("<reasoning>a", ""),
        ("[THINK]a[/THINK]b", "b"),
        ("[THINK]a", ""),
        (CHANNELS, "b"),
        (f"{CHANNELS}<|return|>", "b"),
        (CHANNELS.replace("final", "final <|constrain|>json"), "b"),
        (CHANNELS.partition("<|end|>")[0], ""),
        # The same without special tokens, as frameworks decode it.
        ("analysisa?assistantfinalb", "b"),
        ("<think>a</think>b<thinking>c</thinking>d", "d"),
        ("<think>a</think>b<thinking>c", ""),
        ("a <b>c</b> [d]", "a <b>c</b> [d]"),
        ("analysis of a", "analysis of a"),
    ],
)
def test_every_mark_of_a_thought(text: str, expected: str) -> None:
    assert Reward("bleu").prepared(text) == expected
    closed = Reward("bleu", preprocess="closed-thinking")
    has_ended = any(mark in text for mark in (*THOUGHTS.values(), "assistantfinal", "final <|"))
    assert closed.prepared(text) == (expected if has_ended else "")


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [("", ""), ("a <think>\n", ""), ("<think>\n\n</think>\n\n", "It rains. Or"), ("[THINK]", "")],
)
def test_a_thought_can_have_to_end(prompt: str, expected: str) -> None:
    """A template can open the thought where the reward does not see it."""
    text, reference = "It rains. Or", "It rains."
    reward = Reward("chrf", preprocess=("closed-thinking", "nfc"))
    assert reward.prepared(text, prompt) == expected
    assert bool(reward.score(text, reference, prompt)) == bool(expected)
    assert reward.score(f"{text}</think>{reference}", reference, prompt) == 1


@pytest.mark.parametrize(
    ("step", "text", "expected"),
    [
        ("answer", "a <answer> b </answer> c", "b"),
        ("answer", "<answer>a</answer><answer>b</answer>", "b"),
        ("answer", "<answer>a</answer><answer>b", ""),
        ("answer", "<think><answer>a</answer></think><answer>b</answer>", "b"),
        ("answer", "<think><answer>a</answer>", ""),
        ("answer", "a", ""),
        ("boxed", r"It is \boxed{b}.", "b"),
        ("boxed", r"\boxed{a} or \boxed {x^{2}_{1}}", "x^{2}_{1}"),
        ("boxed", r"\boxed{a \} b \{}", r"a \} b \{"),
        ("boxed", r"\boxed{a} \boxed{b", ""),
        ("boxed", r"<think>\boxed{a}</think>b", ""),
        ("boxed", "a", ""),
    ],
)
def test_answers_in_tags_and_boxes(step: str, text: str, expected: str) -> None:
    assert Reward("bleu", preprocess=step).prepared(text) == expected


def test_prompts_are_found_as_tokenizers_write_them() -> None:
    reward = Reward("chrf", preprocess="prompt")
    prompt = "Translate : Il est le\u0301ger ①. "
    answer = "It is light."
    for query in (
        f"{prompt}{answer}",
        f" {prompt}{answer}",
        f"Translate: Il est le\u0301ger  ①.{answer}",
        f"<s>Translate : Il est léger 1.\n{answer}",
        f"est léger ①. {answer}",
    ):
        assert reward.prepared(query, prompt) == answer, query
    with pytest.raises(InputError, match=r"'It is light\.' does not contain its prompt 'Translate"):
        reward.prepared(answer, prompt)
    assert reward.prepared(" \n", prompt) == " \n"
    # Long texts take no time that is quadratic in them.
    assert reward.prepared("a" * 200_000 + "c", "a" * 200_001) == "c"


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
    expected = plain.score(*texts)
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
        ({"metric": 1}, "a name, a Metric or a dictionary of weights such as"),
        ({"metric": {"bleu", "chrf"}}, "{'bleu': 0.5, 'chrf': 0.5}, not {"),
        ({"metric": None}, "not None"),
        ({"metric": ["bleu"]}, "not ['bleu']"),
        ({"metric": iter(["bleu"])}, "not <list_iterator"),
        ({"metric": {"bleu": {"chrf": 1}}}, "the weight of a metric must be a finite number"),
        ({"metric": {None: 1}}, "not None"),
        ({"metric": "bleu", "threads": -1}, "threads must be a whole number"),
        ({"metric": "bleu", "scale": 10**400}, "scale must be a finite number"),
        ({"metric": "bleu", "scale": float("nan")}, "scale must be a finite number"),
        ({"metric": "bleu", "preprocess": ["thinkin"]}, "did you mean thinking"),
        ({"metric": "bleu", "preprocess": [1]}, "names and functions"),
        ({"metric": "bleu", "preprocess": None}, "a list of names and functions"),
        ({"metric": "bleu", "preprocess": {"nfc"}}, "in the order in which they apply, not {"),
        ({"metric": "bleu", "preprocess": lambda: "a"}, "cannot be called with a text alone"),
        ({"metric": "bleu", "preprocess": [lambda a, b: a]}, "missing a required argument: 'b'"),
        ({"metric": "bleu", "smoth": 1}, "smooth"),
    ],
)
def test_wrong_options(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(BleuetError, match=r"\w") as caught:
        Reward(**arguments)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((["a"], ["a", "b"]), "1 hypothes"),
        (("a", ["a"]), "hypotheses must be a list with one entry for each text, not 'a'"),
        ((None, ["a"]), "hypotheses must be a list"),
        (({"a": 1}, ["a"]), "hypotheses must be a list"),
        (([1], ["a"]), "hypotheses[0] must be a string, not 1"),
        (([None], ["a"]), "hypotheses[0] must be a string, not None"),
        ((["a"], "a"), "references must be a list with one entry for each text, not 'a'"),
        ((["a"], {"a"}), "references must be a list"),
        ((["a"], None), "references must be a list"),
        ((["a"], [1]), "a string or a list of strings, not 1: write a number as a string"),
        ((["a"], [math.nan]), "not nan: a text without a reference has None"),
        ((["a"], [{"text": "a"}]), "not {'text': 'a'}: take the text out of the dictionary"),
        ((["a"], [["a", 1]]), "a string or a list of strings, not 1"),
        ((["a"], ["a"], "p"), "prompts must be a list with one entry for each text"),
        ((["a"], ["a"], [None]), "prompts[0] must be a string, not None"),
        ((["a"], ["a"], ["p", "q"]), "1 texts but 2 prompts"),
    ],
)
def test_wrong_texts(arguments: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        Reward("chrf")(*arguments)
    assert said in str(caught.value)


def test_lists_of_any_kind() -> None:
    texts: Any = ["a", "b"]
    found = Reward("chrf")(texts, texts)
    once: list[Any] = [iter(texts), (one for one in texts), iter(texts)]
    assert Reward("chrf")(once[0], tuple(texts), once[1]) == found
    assert leave_one_out(once[2]) == leave_one_out(texts)


def test_functions_must_return_texts() -> None:
    reward = Reward("chrf", preprocess=lambda text: None)  # type: ignore[arg-type]
    for call in (lambda: reward(["a"], ["a"]), lambda: reward.score("a", "a")):
        with pytest.raises(InputError, match="of preprocess must return a text, not None"):
            call()
    assert Reward("chrf", preprocess=str.lower).preprocess == (str.lower,)


def test_references_are_checked_before_training() -> None:
    reward = Reward("chrf")
    reward.check(["a", ["a", None], None, '["a", "b"]'])
    for wrong in (math.nan, 3, {"a": 1}, ["a", 2.5], b"a"):
        with pytest.raises(InputError, match=r"references\[2\]: each reference must be a string"):
            reward.check(["a", None, wrong])  # type: ignore[list-item]


def test_references_in_json() -> None:
    reward = Reward("chrf")
    several = ["It rains.", "It is raining."]
    text = json.dumps(several)
    assert reward(several, [text, text]) == [1, 1]
    assert reward.score(several[1], text) == 1
    assert reward.score("a", '["a", null]') == 1
    # In a list it is one reference, and so is what has other elements.
    for other in ([text], "[1, 2]", "[]", "[a]", "[" * 100_000 + "]" * 100_000):
        expected = other[0] if isinstance(other, list) else other
        assert reward.prepared_reference(other) in (expected, [expected])


# The Python backend would read the longest of these texts for minutes.
SHORTER = 1 if HAS_KERNEL else 10
NASTY = {
    "surrogates": "\ud800 a \udfff",
    "nothing": "",
    "white space": " \n\t\u3000\u200b",
    "control characters": "".join(map(chr, range(32))) + "\x7f\x85\u2028\ufeff",
    "combining marks": "e" + "\u0301" * 2000,
    "no spaces": "猫" * (1500 // SHORTER),
    "repeated": "the cat sat on the mat . " * (400 // SHORTER),
    "one word": "a " * (4000 // SHORTER),
    "different words": " ".join(map(str, range(1500 // SHORTER))),
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈" * 500,
    "marks": "<think>" * 500 + "</think>" * 500 + "\\boxed{" * 500 + "<|channel|>final" * 500,
    "brackets": "[" * 3000 + "<" * 3000 + "{" * 3000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LEXICAL)
def test_no_text_ends_training(name: str) -> None:
    references = ["The cat sat on the mat.", ["It rains.", "a the cat sat on the mat . " * 60]]
    for preprocess in ("thinking", "closed-thinking", "answer", "boxed", "special-tokens"):
        reward = Reward(counting_word(name), preprocess=preprocess, repetition_penalty=0.1)
        for kind, text in NASTY.items():
            if preprocess != "thinking" and kind not in ("marks", "brackets", "surrogates"):
                continue
            found = reward([text] * 2, references)
            assert len(found) == 2
            assert all(one is not None and -0.1 <= one <= 1 for one in found), (kind, found)


def test_a_text_that_is_too_long_has_the_worst_reward() -> None:
    """In its own row alone, and also where a lower score is better."""
    texts, references = ["The cat.", "a " * 200_000, "The dog."], ["The cat.", "b " * 200_001, "A."]
    for name in ("eed", "hlepor"):
        found = Reward(name)([*texts, "x " * 100_000], [*references, "x y " * 90_000])
        assert found[1:2] == Reward(name)(texts[1:2], references[1:2])
        assert found[0] == Reward(name).score(texts[0], references[0])
        assert found[2] == Reward(name).score(texts[2], references[2])
        assert found[3] == 0.0


@pytest.mark.long
@pytest.mark.parametrize("name", LEXICAL)
def test_no_text_of_a_megabyte_ends_training(name: str) -> None:
    reward = Reward(counting_word(name))
    for text in ("the cat sat on the mat . " * 40_000, "a" * 1_000_000, "é猫 " * 333_333):
        assert 0 <= (reward.score(text, "The cat sat on the mat.") or 0) <= 1


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
for one in (reward, trl_reward(reward), verl_reward("ter"),
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

    def scored() -> tuple[float | None, float]:
        return reward.score(*texts), time.thread_time()

    with ThreadPoolExecutor(2) as pool:
        work, started = pool.submit(scored), time.thread_time()
        while not work.done():
            pass
        score, of_worker = work.result()
        assert score == expected
        # This thread could compute meanwhile.
        assert time.thread_time() - started > of_worker / 4
        assert set(pool.map(reward.score, texts[:1] * 4, texts[1:] * 4)) == {expected}


def test_every_step_is_in_the_guide() -> None:
    guide = Path(__file__).parents[2].joinpath("docs", "rewards.md").read_text(encoding="utf-8")
    assert set(WHOLE) < set(STEPS)
    for name in STEPS:
        assert f'| `"{name}"` |' in guide
    for mark in (*THOUGHTS, *THOUGHTS.values()):
        assert mark.replace("|", r"\|") in guide
