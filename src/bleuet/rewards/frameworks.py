"""Rewards as the frameworks of reinforcement learning call them; none of them is imported."""

from __future__ import annotations

from zlib import crc32

from bleuet.errors import InputError, InputTypeError
from bleuet.frozen import Frozen
from bleuet.messages import shown
from bleuet.rewards.groups import self_similarity
from bleuet.rewards.preprocessing import WHOLE
from bleuet.rewards.reward import REWARD, Reward, made_reward

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from bleuet.rewards.reward import Metrics


class _Function(Frozen):
    """A reward that is called as a framework does; the same in every process."""

    __slots__ = ("reward",)
    _fields: tuple[str, ...] = ("reward",)
    reward: Reward

    def __init__(self, reward: Reward, **settings: object) -> None:
        self._set(reward=reward, **settings)

    @property
    def __name__(self) -> str:
        """The name in the frameworks' logs, such as "bleu_reward"."""
        return "_".join([*(metric.name.lower() for metric in self.reward.metrics), "reward"])

    def __hash__(self) -> int:
        return crc32(repr(self).encode("utf-8", "surrogatepass"))


# --- TRL ------------------------------------------------------------------------------------------


def trl_reward(
    metric: Metrics | Reward,
    *,
    reference: str = "reference",
    diversity_penalty: float = 0.0,
    **options: Any,
) -> TRLReward:
    """Return a reward function for TRL's trainers, such as `GRPOTrainer(reward_funcs=...)`.

    Args:
        metric: a metric, its name, weights of several, or a `Reward`.
        reference: the column of the data set with the references.
        diversity_penalty: this times the Self-BLEU of a completion, among those of its prompt in
            the batch, is subtracted.
        **options: the options of `Reward` and of the metric.

    Raises:
        OptionError: the reward cannot be made.

    >>> function = trl_reward("chrf", reference="answer")
    >>> function(prompts=["?", "?"], completions=["a", "b"], answer=["a", None])
    [1.0, None]
    """
    return TRLReward(
        made_reward(metric, **options), reference=reference, diversity_penalty=diversity_penalty
    )


class TRLReward(_Function):
    """A reward function of TRL; `trl_reward` makes it."""

    __slots__ = ("diversity_penalty", "reference")
    _fields = ("reward", "reference", "diversity_penalty")
    reference: str
    diversity_penalty: float

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        completion_ids: Any = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return the reward of each completion, None where it has no reference.

        Args:
            prompts: texts or lists of messages.
            completions: texts or lists of messages; of messages the last one of the assistant.
            completion_ids: not used.
            **columns: the columns of the data set, and what TRL adds.

        Raises:
            InputError: the data set has no column of the references.
        """
        if self.reference not in columns:
            known = ", ".join(name for name, value in columns.items() if isinstance(value, list))
            raise InputError(
                f"the data set has no column {self.reference!r} (it has {known or 'none'}): name "
                "the column of the references, as in trl_reward('bleu', reference='answer')"
            )
        texts = [_text(one) for one in completions]
        asked = [_text(one) for one in prompts]
        found = self.reward.details(texts, columns[self.reference], asked)
        rewards = found[REWARD]
        _log(found, columns.get("log_metric"))
        if self.diversity_penalty:
            penalties = self._similarities(asked, texts)
            rewards = [
                None if one is None else one - self.diversity_penalty * penalty
                for one, penalty in zip(rewards, penalties, strict=True)
            ]
        return rewards

    def _similarities(self, prompts: list[str], texts: list[str]) -> list[float]:
        """Return the Self-BLEU of each text among those of its prompt; 0 for the only one."""
        groups: dict[str, list[int]] = {}
        for place, prompt in enumerate(prompts):
            groups.setdefault(prompt, []).append(place)
        found = [0.0] * len(texts)
        for places in groups.values():
            if len(places) > 1:
                values = self_similarity([self.reward.prepared(texts[place]) for place in places])
                for place, value in zip(places, values, strict=True):
                    found[place] = value
        return found


def _log(found: Mapping[str, list[float | None]], log_metric: Any) -> None:
    """Log the mean of each metric and penalty, where a reward has several."""
    if log_metric is None or len(found) < 3:
        return
    for name, values in found.items():
        numbers = [one for one in values if one is not None]
        if numbers and name != REWARD:
            log_metric(f"reward/{name}", sum(numbers) / len(numbers))


def _text(one: Any) -> str:
    """Return the text of a completion or a prompt.

    >>> _text([{"role": "assistant", "content": [{"type": "text", "text": "Hello."}]}])
    'Hello.'
    """
    if isinstance(one, str):
        return one
    try:
        said = [message["content"] for message in one if message.get("role") == "assistant"]
        content = (said or [message["content"] for message in one] or [""])[-1]
        if isinstance(content, str):
            return content
        return "".join(block.get("text") or "" for block in content or ())
    except (AttributeError, KeyError, TypeError):
        raise InputTypeError(
            f"expected a text or a list of messages with 'role' and 'content', not {shown(one)}"
        ) from None


# --- verl -----------------------------------------------------------------------------------------


def verl_reward(
    metric: Metrics | Reward, *, batch: bool = False, **options: Any
) -> VerlReward | VerlBatchReward:
    """Return a `compute_score` for verl's `custom_reward_function`.

    Args:
        metric: a metric, its name, weights of several, or a `Reward`.
        batch: whether it is called with lists, by verl's batch reward manager.
        **options: the options of `Reward` and of the metric.

    Raises:
        OptionError: the reward cannot be made.

    >>> verl_reward("chrf")("books", "It rains.", "It rains.")
    1.0
    """
    reward = made_reward(metric, **options)
    return VerlBatchReward(reward) if batch else VerlReward(reward)


class VerlReward(_Function):
    """A `compute_score` of verl; `verl_reward` makes it."""

    __slots__ = ()

    def __call__(
        self,
        data_source: Any = None,
        solution_str: str = "",
        ground_truth: Any = None,
        extra_info: Any = None,
        **_: Any,
    ) -> float | dict[str, float]:
        """Return the reward of one solution.

        A reward of several metrics or penalties is a dictionary with `score` and each of them.

        Args:
            data_source: not used.
            solution_str: the text of the model.
            ground_truth: the reference, or several.
            extra_info: not used.

        Raises:
            InputError: there is no reference.
        """
        if not self.reward.is_plain:
            return _keyed(self.reward, [solution_str], [ground_truth])[0]
        found = self.reward.score(solution_str, ground_truth)
        if found is None:
            raise _no_reference("ground_truth")
        return found


class VerlBatchReward(_Function):
    """A `compute_score` of verl's batch reward manager; `verl_reward` makes it."""

    __slots__ = ()

    def __call__(
        self,
        data_sources: Any,
        solution_strs: Sequence[str],
        ground_truths: Sequence[Any],
        extra_infos: Any = None,
        **_: Any,
    ) -> list[float] | list[dict[str, float]]:
        """Return the reward of each solution.

        Args:
            data_sources: not used.
            solution_strs: the texts of the model.
            ground_truths: for each the reference, or several.
            extra_infos: not used.

        Raises:
            InputError: there is no reference.
        """
        if not self.reward.is_plain:
            return _keyed(self.reward, solution_strs, ground_truths)
        return _all_scored(self.reward(solution_strs, ground_truths), "ground_truth")


def _keyed(
    reward: Reward, texts: Sequence[str], references: Sequence[Any]
) -> list[dict[str, float]]:
    found = reward.details(texts, references)
    columns = [_all_scored(values, "ground_truth") for values in found.values()]
    names = ["score" if name == REWARD else name for name in found]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _all_scored(rewards: list[float | None], name: str) -> list[float]:
    found = [one for one in rewards if one is not None]
    if len(found) < len(rewards):
        raise _no_reference(name)
    return found


def _no_reference(name: str) -> InputError:
    return InputError(
        f"a text has no reference: expected one in {name}; leave out the samples without"
    )


# --- OpenRLHF -------------------------------------------------------------------------------------


def openrlhf_reward(metric: Metrics | Reward, **options: Any) -> OpenRLHFReward:
    """Return a `reward_func` for OpenRLHF's `--reward.remote_url FILE.py`.

    Args:
        metric: a metric, its name, weights of several, or a `Reward`. By default, prompt, special
            tokens and thinking are removed.
        **options: the options of `Reward` and of the metric.

    Raises:
        OptionError: the reward cannot be made.

    >>> reward_func = openrlhf_reward("chrf", scale=10)
    >>> reward_func(["Weather? It rains.</s>"], ["Weather? "], ["It rains."])
    {'rewards': [10.0], 'scores': [1.0], 'extra_logs': {'chrF2': [1.0]}}
    """
    if not isinstance(metric, Reward):
        options = {"preprocess": WHOLE, **options}
    return OpenRLHFReward(made_reward(metric, **options))


class OpenRLHFReward(_Function):
    """A `reward_func` of OpenRLHF; `openrlhf_reward` makes it."""

    __slots__ = ()

    def __call__(
        self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any]
    ) -> dict[str, Any]:
        """Return rewards, the same from 0 to 1 as scores, and each metric and penalty.

        Args:
            queries: prompts and responses with special tokens.
            prompts: the prompts.
            labels: for each query the reference, or several.

        Raises:
            InputError: there is no reference.
        """
        # Where the data set has no labels, OpenRLHF sends empty texts.
        references = [one or None for one in labels]
        found = {
            name: _all_scored(values, "labels")
            for name, values in self.reward.details(queries, references, prompts).items()
        }
        rewards = found.pop(REWARD)
        scale = self.reward.scale
        scores = [min(1.0, max(0.0, one / scale)) if scale else 0.0 for one in rewards]
        return {"rewards": rewards, "scores": scores, "extra_logs": found}


# --- verifiers ------------------------------------------------------------------------------------


def verifiers_reward(
    metric: Metrics | Reward, *, answer: str = "answer", **options: Any
) -> VerifiersReward:
    """Return a reward function for Prime Intellect's verifiers.

    It serves `Rubric(funcs=[...])` of versions 0.1 and the tasks of version 0.4.

    Args:
        metric: a metric, its name, weights of several, or a `Reward`.
        answer: the field with the references.
        **options: the options of `Reward` and of the metric.

    Raises:
        OptionError: the reward cannot be made.

    >>> import asyncio
    >>> asyncio.run(verifiers_reward("chrf")(completion="It rains.", answer="It rains."))
    1.0
    """
    return VerifiersReward(made_reward(metric, **options), answer=answer)


class VerifiersReward(_Function):
    """A reward function of verifiers; `verifiers_reward` makes it."""

    __slots__ = ("answer",)
    _fields = ("reward", "answer")
    answer: str

    async def __call__(
        self,
        completion: Any = None,
        answer: Any = None,
        task: Any = None,
        trace: Any = None,
        **fields: Any,
    ) -> float:
        """Return the reward of one rollout.

        Args:
            completion: a text or messages (0.1).
            answer: the reference, or several (0.1).
            task: the data of the task, which has the references in a field (0.4).
            trace: what was said; its last reply is scored (0.4).
            **fields: the other fields of a sample (0.1).

        Raises:
            InputError: there is no reference.
        """
        if trace is not None:
            completion, answer = trace.last_reply, getattr(task, self.answer, None)
        elif self.answer != "answer":
            answer = fields.get(self.answer)
        found = self.reward.score(_text(completion), answer or None)
        if found is None:
            raise _no_reference(self.answer)
        return found
