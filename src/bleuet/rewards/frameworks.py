"""Rewards as the frameworks of reinforcement learning call them; none of them is imported."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from bleuet.errors import InputError, InputTypeError
from bleuet.frozen import Value
from bleuet.messages import shown, wrong_type
from bleuet.rewards.groups import self_similarity
from bleuet.rewards.preprocessing import WHOLE
from bleuet.rewards.reward import REWARD, Reward, finite_number, items, made_reward
from bleuet.text.segments import WithSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import Any, ClassVar

    from bleuet.rewards.reward import Metrics

DIVERSITY = "diversity penalty"
# The keys under which chat messages have a thought that a program has cut off.
THOUGHT_KEYS = ("reasoning_content", "reasoning", "thinking")


class _Function(Value):
    """A reward that is called as a framework does; the same in every process."""

    # The keys that lead from a row of a data set to its references.
    _path: ClassVar[tuple[str, ...]] = ()
    # Whether a sample without a reference is an error.
    _is_required = True
    reward: Reward

    def check(self, dataset: Iterable[Mapping[str, Any]], column: str | None = None) -> None:
        """Raise an error if a reference of a data set cannot be scored; call it before training.

        Args:
            dataset: the rows as dictionaries, such as a `Dataset` of the library datasets.
            column: the column with the references; default, the one that the framework reads.

        Raises:
            InputError: which row is wrong, and what is.
        """
        path = self._path if column is None else (column,)
        for number, row in enumerate(_rows(dataset)):
            try:
                found = self.reward.prepared_reference(_entry(row, path))
            except InputError as error:
                raise type(error)(f"row {number} of the data set: {error.reason}") from None
            if self._is_required and _reference_or_none(found) is None:
                raise InputError(f"row {number} of the data set has no reference: leave it out")

    @property
    def __name__(self) -> str:
        """The name in the frameworks' logs, such as "bleu_reward" or "bleu_lowercase_reward"."""
        names = [
            metric.labelled(metric.suited_to(language="", sentences=True)).replace(" ", "_").lower()
            for metric in self.reward.metrics
        ]
        return "_".join([*names, "reward"])

    def __hash__(self) -> int:
        return crc32(repr(self).encode("utf-8", "surrogatepass"))


def _rows(dataset: Any) -> Iterable[Any]:
    if isinstance(dataset, str | bytes | Mapping) or not hasattr(type(dataset), "__iter__"):
        raise wrong_type("dataset", "the rows of one data set, as dictionaries", dataset)
    return dataset  # type: ignore[no-any-return]


def _entry(row: Any, path: tuple[str, ...]) -> Any:
    """Return the references of a row."""
    entry = row
    for key in path:
        if not isinstance(entry, Mapping):
            raise InputTypeError(
                f"expected a dictionary with {key!r}, not {shown(entry)} (the rows of a data frame "
                "are those of to_dict('records'))"
            )
        if key not in entry:
            raise InputError(
                f"there is no column {key!r} (but {', '.join(map(str, entry)) or 'none'}): name "
                "the column of the references"
            )
        entry = entry[key]
    return entry


def _with_source(source: str, references: Any) -> WithSource | None:
    """Return the references of a completion with its source; None stays, which has no reward."""
    return None if references is None else WithSource(source, references)


def _name(argument: str, value: object) -> str:
    if not isinstance(value, str):
        raise wrong_type(argument, "the name of a column", value)
    return value


# --- TRL ------------------------------------------------------------------------------------------


def trl_reward(
    metric: Metrics | Reward,
    *,
    reference: str = "reference",
    source: str = "",
    diversity_penalty: float = 0.0,
    **options: Any,
) -> TRLReward:
    """Return a reward function for TRL's trainers, such as `GRPOTrainer(reward_funcs=...)`.

    Args:
        metric: a metric, its name, weights of several, or a `Reward`.
        reference: the column of the data set with the references; "" for metrics without
            references.
        source: the column with the source texts, for metrics that read them.
        diversity_penalty: the most that a lack of diversity costs: this times the Self-BLEU of a
            completion, among those of the same prompt in the batch. It is multiplied with `scale`
            and logged, as the penalties of a `Reward` are.
        **options: the options of `Reward` and of the metric.

    Raises:
        OptionError: the reward cannot be made.

    >>> function = trl_reward("chrf", reference="answer")
    >>> function(prompts=["?", "?"], completions=["a", "b"], answer=["a", None])
    [1.0, None]
    """
    return TRLReward(
        made_reward(metric, **options),
        reference=_name("reference", reference),
        source=_name("source", source),
        diversity_penalty=finite_number("diversity_penalty", diversity_penalty),
    )


class TRLReward(_Function):
    """A reward function of TRL; `trl_reward` makes it."""

    _is_required = False
    reference: str
    source: str
    diversity_penalty: float

    @property
    def _path(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.reference,)

    @property
    def _needed(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return tuple(name for name in (self.reference, self.source) if name)

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Any],
        completion_ids: Any = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return the reward of each completion, None if it has no reference.

        Args:
            prompts: texts or lists of messages.
            completions: texts or lists of messages; of messages the last one of the assistant.
            completion_ids: not used.
            **columns: the columns of the data set, and what TRL adds.

        Raises:
            InputError: the data set has no column of the references.
        """
        missing = next((one for one in self._needed if one not in columns), None)
        if missing is not None:
            known = ", ".join(name for name, value in columns.items() if isinstance(value, list))
            raise InputError(
                f"the data set has no column {missing!r} (it has {known or 'none'}): name "
                "the column of the references, as in trl_reward('bleu', reference='answer')"
            )
        replies = items("completions", completions)
        asked = items("prompts", prompts)
        if len(asked) != len(replies):
            raise InputError(f"{len(replies)} completions but {len(asked)} prompts")
        texts = list(map(_text, replies))
        asked = list(map(_asked, asked, replies))
        references = columns[self.reference] if self.reference else [[] for _ in texts]
        if self.source:
            references = list(map(_with_source, columns[self.source], references))
        found = self.reward.details(texts, references, asked)
        if self.diversity_penalty:
            self._subtract(self._similarities(list(map(_key, prompts)), texts, asked), found)
        _log(found, columns.get("log_metric"))
        return found[REWARD]

    def _subtract(self, similarities: list[float], found: dict[str, list[float | None]]) -> None:
        """Subtract the penalty from rewards, and add it to what they are made of."""
        rewards, scale = found[REWARD], self.reward.scale
        costs = found[DIVERSITY] = [
            None if reward is None else self.diversity_penalty * similarity
            for reward, similarity in zip(rewards, similarities, strict=True)
        ]
        found[REWARD] = [
            None if reward is None or cost is None else reward - scale * cost
            for reward, cost in zip(rewards, costs, strict=True)
        ]

    def _similarities(
        self, keys: list[Hashable], texts: list[str], asked: list[str]
    ) -> list[float]:
        """Return the Self-BLEU of each text among those of its prompt; 0 for the only one."""
        self_bleu = Reward("bleu", preprocess=(), threads=self.reward.threads)
        groups: dict[Hashable, list[int]] = {}
        for place, key in enumerate(keys):
            groups.setdefault(key, []).append(place)
        found = [0.0] * len(texts)
        for places in groups.values():
            if len(places) > 1:
                several = [self.reward.prepared(texts[place], asked[place]) for place in places]
                values = self_similarity(several, self_bleu)
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
        message = _last_message(one)
        # One that only calls a tool can have no text.
        content = message.get("content") if message.get("tool_calls") else message["content"]
        if isinstance(content, str):
            return content
        return "".join(block.get("text") or "" for block in content or ())
    except (AttributeError, KeyError, TypeError):
        raise InputTypeError(
            f"expected a text or a list of messages with 'role' and 'content', not {shown(one)}"
        ) from None


def _last_message(messages: Sequence[Any]) -> Any:
    """Return the last message of the assistant, or of anyone if it has said nothing."""
    said = [message for message in messages if message.get("role") == "assistant"]
    return (said or list(messages) or [{"content": ""}])[-1]


def _asked(prompt: Any, reply: Any) -> str:
    """Return the text of a prompt, as if it ended with the thought that a program has cut off.

    >>> _asked("?", [{"role": "assistant", "content": "a", "reasoning_content": "a or b"}])
    '?</think>'
    """
    text = _text(prompt)
    if isinstance(reply, str) or not any(map(_last_message(reply).get, THOUGHT_KEYS)):
        return text
    return f"{text}</think>"


def _key(part: Any) -> Hashable:
    """Return a key that equal prompts share, whether they are texts or lists of messages.

    >>> _key([{"role": "user", "content": "a"}]) == _key([{"content": "a", "role": "user"}])
    True
    """
    if isinstance(part, Mapping):
        return frozenset((key, _key(value)) for key, value in part.items())
    if isinstance(part, list | tuple):
        return tuple(map(_key, part))
    try:
        hash(part)
    except TypeError:  # an image or an array
        return part.tobytes() if hasattr(part, "tobytes") else repr(part)
    return part  # type: ignore[no-any-return]


# --- verl -----------------------------------------------------------------------------------------


def verl_reward(metric: Metrics | Reward, **options: Any) -> VerlReward:
    """Return a `compute_score` for verl's `custom_reward_function`.

    Args:
        metric: a metric, its name, weights of several, or a `Reward`.
        **options: the options of `Reward` and of the metric.

    Raises:
        OptionError: the reward cannot be made.

    >>> verl_reward("chrf")("books", "It rains.", "It rains.")
    1.0
    """
    return VerlReward(made_reward(metric, **options))


class VerlReward(_Function):
    """A `compute_score` of verl; `verl_reward` makes it."""

    _path = ("reward_model", "ground_truth")

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
        if self.reward.is_plain:
            found = self.reward.score(solution_str, ground_truth)
            if found is None:
                raise _no_reference("ground_truth")
            return found
        parts = self.reward.details([solution_str], [ground_truth])
        numbers = {name: _all_scored(values, "ground_truth")[0] for name, values in parts.items()}
        return {"score": numbers.pop(REWARD), **numbers}


def _all_scored(rewards: list[float | None], name: str) -> list[float]:
    found = [one for one in rewards if one is not None]
    if len(found) < len(rewards):
        raise _no_reference(name)
    return found


def _no_reference(name: str) -> InputError:
    return InputError(
        f"a text has no reference: expected one in {name}; leave out samples without a reference"
    )


def _reference_or_none(entry: Any) -> Any:
    """Return a reference, or None for an empty text or list."""
    return None if isinstance(entry, str | list | tuple) and not entry else entry


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

    _path = ("label",)

    def __call__(
        self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any]
    ) -> dict[str, Any]:
        """Return rewards, the same from 0 to 1 as scores, and each metric and penalty.

        Args:
            queries: prompts and responses with special tokens.
            prompts: the prompts.
            labels: for each query the reference, or several.

        Raises:
            InputError: there is no reference, or a query does not contain its prompt.
        """
        # Where the data set has no labels, OpenRLHF sends empty texts.
        references = list(map(_reference_or_none, items("labels", labels)))
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
    return VerifiersReward(made_reward(metric, **options), answer=_name("answer", answer))


class VerifiersReward(_Function):
    """A reward function of verifiers; `verifiers_reward` makes it."""

    answer: str

    @property
    def _path(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.answer,)

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
        prompt = _asked("", completion)
        found = self.reward.score(_text(completion), _reference_or_none(answer), prompt)
        if found is None:
            raise _no_reference(self.answer)
        return found
