"""The reward: a number for each text of a model, from metrics, penalties and preprocessing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from math import isnan
from sys import float_info
from zlib import crc32

from bleuet.errors import InputError, InputTypeError, OptionError, TooLongError
from bleuet.frozen import Frozen, checked
from bleuet.messages import nearest, shown, wrong_type
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.score import labels
from bleuet.metrics.catalogue import parse_metric
from bleuet.rewards.preprocessing import DEFAULT, STEPS, composed
from bleuet.statistics.backend import check_threads
from bleuet.text.row_index import shared_index
from bleuet.text.segments import WithSource, like

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    # A name of the preprocessing, or a function from text to text.
    Step: TypeAlias = str | Callable[[str], str]
    Metrics: TypeAlias = str | Metric[Any] | Mapping[str | Metric[Any], float]

# A sequence of so many words that occurs again is a repetition.
REPEATED_WORDS = 3
LENGTH, REPETITION = "length penalty", "repetition penalty"
REWARD = "reward"
LARGEST = float_info.max


class Reward(Frozen):
    r"""A number for each text of a model: `scale` times (weighted metrics minus penalties).

    A metric counts from 0 to 1; an error rate such as TER as 1 minus the rate, but at least 0.
    NIST, CIDEr and neural metrics are not in percent and count as they are, MetricX as a negative
    number. An empty text has the reward 0, but that of a right answer where a reference is empty,
    too: metrics in percent count 1. A text without a reference has None.

    Args:
        metric: a metric, its name as after `-m`, or a weight for each of several metrics. Names
            get the options that suit sentences, such as BLEU's effective order.
        scale: what the sum is multiplied with.
        preprocess: what happens to a text before it is scored, in this order: names, or functions
            from text to text. The answer is what follows the last `</think>` ("thinking"; with
            "closed-thinking" nothing if there is none), or what `<answer>` ("answer") or
            `\boxed{}` ("boxed") holds. "nfc" composes characters, in references too,
            "special-tokens" removes tokens such as `<|im_end|>`, "prompt" removes the prompt.
        length_penalty: the most that a wrong length costs: this times the difference to the words
            of the nearest reference, relative to it and at most 1.
        repetition_penalty: the most that repetitions cost: this times the share of 3-grams of words
            that have come before in the text.
        threads: threads of the kernel for a list of texts, 0 for one per core.
        **options: options of the metric, where it is a name.

    Raises:
        OptionError: there is no such metric, option or preprocessing; a number is not finite; or
            the metric learns from all references and has not.

    >>> reward = Reward({"chrf": 0.5, "ter": 0.5})
    >>> reward(["<think>It rained?</think>It rains.", ""], ["It rains.", "It rains."])
    [1.0, 0.0]
    """

    __slots__ = (
        "length_penalty", "parts", "preprocess", "repetition_penalty", "scale", "threads",
    )  # fmt: skip
    _fields = ("parts", "scale", "preprocess", "length_penalty", "repetition_penalty", "threads")
    # Pairs of a metric and its weight.
    parts: tuple[tuple[Metric[Any], float], ...]
    scale: float
    preprocess: tuple[Step, ...]
    length_penalty: float
    repetition_penalty: float
    threads: int

    def __init__(
        self,
        metric: Metrics,
        scale: float = 1.0,
        *,
        preprocess: Step | Iterable[Step] = DEFAULT,
        length_penalty: float = 0.0,
        repetition_penalty: float = 0.0,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self._set(
            parts=_parts(metric, options),
            scale=finite_number("scale", scale),
            preprocess=_steps(preprocess),
            length_penalty=finite_number("length_penalty", length_penalty),
            repetition_penalty=finite_number("repetition_penalty", repetition_penalty),
            threads=check_threads(threads),
        )

    @property
    def metrics(self) -> tuple[Metric[Any], ...]:
        """The metrics."""
        return tuple(metric for metric, _ in self.parts)

    @property
    def is_plain(self) -> bool:
        """Whether it is one metric without penalties."""
        return len(self.parts) == 1 and not (self.length_penalty or self.repetition_penalty)

    def __call__(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str | Sequence[str | None] | None],
        prompts: Sequence[str] | None = None,
    ) -> list[float | None]:
        """Return the reward of each text.

        Args:
            hypotheses: the texts of the model.
            references: for each text a reference, a list of them, or None. A string that is a list
                of strings in JSON is several references. For metrics that read sources, what
                `with_sources` returns.
            prompts: the prompt of each text, for preprocessing that needs it.

        Raises:
            InputError: the texts cannot be scored; the message says how to fix it.
        """
        return self.details(hypotheses, references, prompts)[REWARD]

    def score(
        self, hypothesis: str, references: str | Sequence[str | None] | None, prompt: str = ""
    ) -> float | None:
        """Return the reward of one text.

        >>> Reward("chrf").score("It rains.", ["It rains.", "It is raining."])
        1.0
        """
        text, against = self.prepared(hypothesis, prompt), self.prepared_reference(references)
        if against is None:
            return None
        if not text or text.isspace():
            return self._silent(against)[REWARD]
        total = 0.0
        for metric, weight in self.parts:
            with suppress(TooLongError):  # whose share is 0
                total += weight * _share(metric, metric.sentence_score(text, against).score)
        for penalty in self._penalties.values():
            total -= penalty(text, against)
        return self.scale * total

    @checked
    def matrix(self, texts: Sequence[str], references: Sequence[str]) -> list[list[float]]:
        """Return the reward of each text by each reference; none of them is prepared.

        Args:
            texts: texts of a model; an empty one has the reward 0.
            references: texts to compare them with.

        >>> Reward("chrf").matrix(["a b", ""], ["a b", "c"])
        [[1.0, 0.0], [0.0, 0.0]]
        """
        parts: list[tuple[Metric[Any], float, Any]] = [
            (metric, weight, metric.matrix(texts, references, threads=self.threads))
            for metric, weight in self.parts
        ]
        rows = []
        for i, text in enumerate(texts):
            row = [0.0] * len(references)
            if text and not text.isspace():
                for metric, weight, scores in parts:
                    shares = [_share(metric, scores[i, j]) for j in range(len(references))]
                    row = [total + weight * one for total, one in zip(row, shares, strict=True)]
                for penalty in self._penalties.values():
                    costs = [penalty(text, one) for one in references]
                    row = [total - one for total, one in zip(row, costs, strict=True)]
            rows.append([self.scale * total for total in row])
        return rows

    def details(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str | Sequence[str | None] | None],
        prompts: Sequence[str] | None = None,
    ) -> dict[str, list[float | None]]:
        """Return the rewards, and what each is made of.

        Args:
            hypotheses: as of a call.
            references: as of a call.
            prompts: as of a call.

        Returns:
            The list "reward", and one for each metric, from 0 to 1, and for each penalty.

        >>> found = Reward("chrf", length_penalty=0.2).details(["a", "a b"], ["a b", None])
        >>> found["length penalty"], found["reward"][1]
        ([0.1, None], None)
        """
        shared_index(hypotheses=hypotheses, references=references, prompts=prompts)
        texts = strings("hypotheses", hypotheses)
        asked = [""] * len(texts) if prompts is None else strings("prompts", prompts)
        if len(asked) != len(texts):
            raise InputError(f"{len(texts)} texts but {len(asked)} prompts")
        for step in self.preprocess:
            if isinstance(step, str):
                texts = list(map(STEPS[step], texts, asked))
            else:
                texts = [_done(step, text) for text in texts]
        against = self._references(references)
        if len(texts) != len(against):
            self.metrics[0].corpus(texts, against)  # which says what to do
        scored = _scored_rows(texts, against)
        if len(scored) == len(texts):
            return self._scored(texts, against)  # type: ignore[return-value]
        found = self._scored([texts[row] for row in scored], [against[row] for row in scored])
        silent = [None if one is None else self._silent(one) for one in against]
        return {
            name: _in_place(values, scored, [None if one is None else one[name] for one in silent])
            for name, values in found.items()
        }

    def prepared(self, text: str, prompt: str = "") -> str:
        """Return a text as it is scored.

        Raises:
            InputTypeError: it is not a string.
        """
        if not isinstance(text, str):
            raise wrong_type("each text", "a string", text)
        if not isinstance(prompt, str):
            raise wrong_type("each prompt", "a string", prompt)
        for step in self.preprocess:
            text = STEPS[step](text, prompt) if isinstance(step, str) else _done(step, text)
        return text

    def check(self, references: Iterable[str | Sequence[str | None] | None]) -> None:
        """Raise an error if a reference cannot be scored, before training rather than in it.

        Args:
            references: those of each text, such as the column of a data set; None has no reward.

        Raises:
            InputError: which reference is wrong, and what is.

        >>> Reward("chrf").check(["It rains.", ["It rains.", "It is raining."], None])
        """
        for row, entry in enumerate(items("references", references)):
            try:
                self.prepared_reference(entry)
            except InputError as error:
                raise type(error)(f"references[{row}]: {error.reason}") from None

    def _references(self, references: Iterable[Any]) -> list[Any]:
        """Return the references after they are prepared, None for a text without one."""
        found = items("references", references)
        if set(map(type, found)) == {str} and not any(one[:1] == "[" for one in found):
            return list(map(composed, found)) if "nfc" in self.preprocess else found
        return list(map(self.prepared_reference, found))

    def prepared_reference(self, entry: Any) -> Any:
        """Prepare a reference, or a list of them, for scoring; None if there is none.

        Raises:
            InputTypeError: it is not a string or a list of strings.
        """
        if isinstance(entry, str):
            entry = _in_json(entry)
        if isinstance(entry, str):
            return composed(entry) if "nfc" in self.preprocess else entry
        several = [one for one in _listed(entry) if one is not None]
        for one in several:
            if not isinstance(one, str):
                raise _wrong_reference(one)
        texts = [composed(one) if "nfc" in self.preprocess else one for one in several]
        return like(texts, entry) if texts or isinstance(entry, WithSource) else None

    def _scored(self, texts: Sequence[str], references: list[Any]) -> dict[str, list[float]]:
        """Return the rewards of texts that are not empty, and what each is made of."""
        found = {}
        totals: list[float] = []
        for name, (metric, weight) in zip(self._names, self.parts, strict=True):
            values = found[name] = _shares(metric, texts, references, threads=self.threads)
            parts = values if weight == 1 else [weight * one for one in values]
            if totals:
                parts = [total + one for total, one in zip(totals, parts, strict=True)]
            totals = parts
        for name, penalty in self._penalties.items():
            values = [penalty(text, one) for text, one in zip(texts, references, strict=True)]
            totals = [total - one for total, one in zip(totals, values, strict=True)]
            found[name] = values
        rewards = list(totals) if self.scale == 1 else [self.scale * total for total in totals]
        return {REWARD: rewards, **found}

    @property
    def _names(self) -> list[str]:
        """The names of the metrics in details."""
        return labels(self.metrics)

    def _silent(self, references: Any) -> dict[str, float]:
        """Return the reward of an empty text, and what it is made of."""
        several = [references] if isinstance(references, str) else references
        share = float(any(not one or one.isspace() for one in several))
        # What the best score is, is known of percentages alone.
        shares = [0.0 if metric.extra_digits else share for metric in self.metrics]
        total = sum(weight * one for (_, weight), one in zip(self.parts, shares, strict=True))
        named = dict(zip(self._names, shares, strict=True))
        return {REWARD: self.scale * total, **named, **dict.fromkeys(self._penalties, 0.0)}

    @property
    def _penalties(self) -> dict[str, Callable[[str, Any], float]]:
        """What is subtracted, as functions of a text and its references."""
        found: dict[str, Callable[[str, Any], float]] = {}
        if self.length_penalty:
            found[LENGTH] = lambda text, against: self.length_penalty * _wrong_length(text, against)
        if self.repetition_penalty:
            found[REPETITION] = lambda text, _: self.repetition_penalty * _repeated(text)
        return found

    def __hash__(self) -> int:
        # The hash of a string differs between processes.
        return crc32(repr(self).encode("utf-8", "surrogatepass"))

    def __repr__(self) -> str:
        steps = ", ".join(
            repr(one) if isinstance(one, str) else _path(one) for one in self.preprocess
        )
        return (
            f"Reward({dict(self.parts)!r}, {self.scale!r}, preprocess=[{steps}], "
            f"length_penalty={self.length_penalty!r}, "
            f"repetition_penalty={self.repetition_penalty!r}, threads={self.threads!r})"
        )


def made_reward(metric: Metrics | Reward, **options: Any) -> Reward:
    """Return a reward as it is, or make one.

    Args:
        metric: a reward, or what `Reward` takes.
        **options: the options of `Reward` and of the metric.

    Raises:
        OptionError: a reward comes with options, or cannot be made.
    """
    if not isinstance(metric, Reward):
        return Reward(metric, **options)
    if options:
        raise OptionError(
            f"a reward has its own options, so that {', '.join(options)} cannot follow: make the "
            "reward with them"
        )
    return metric


# --- Arguments ------------------------------------------------------------------------------------


def _parts(metric: Metrics, options: dict[str, Any]) -> tuple[tuple[Metric[Any], float], ...]:
    if not isinstance(metric, Mapping):
        return ((_metric(metric, options), 1.0),)
    if not metric:
        raise OptionError("expected a weight for each metric, as in {'bleu': 0.5, 'chrf': 0.5}")
    if options:
        raise OptionError(
            f"{', '.join(options)}: options of several metrics follow their names, as in "
            "'chrf:word_order=2'"
        )
    return tuple(
        (_metric(one, {}), finite_number("the weight of a metric", weight))
        for one, weight in metric.items()
    )


def _metric(metric: str | Metric[Any], options: dict[str, Any]) -> Metric[Any]:
    if isinstance(metric, str):
        metric = parse_metric(metric, sentences=True)
    if not isinstance(metric, Metric):
        raise InputTypeError(
            "a metric must be a name, a Metric or a dictionary of weights such as "
            f"{{'bleu': 0.5, 'chrf': 0.5}}, not {shown(metric)}"
        )
    if options:
        metric = metric.with_options(**options)
    if metric.learns and metric.learned is None:
        raise OptionError(
            f"{metric.name} learns from all references: pass a metric that has learned, as in "
            "metric.with_learned(metric.learn(references))"
        )
    return metric


def finite_number(name: str, value: float) -> float:
    """Return a number of an option as a float.

    Raises:
        OptionError: it is not a finite number.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # A whole number can be too large for a float.
    if not is_number or not abs(value) <= LARGEST:
        raise OptionError(f"{name} must be a finite number, not {shown(value)}")
    return float(value)


def _steps(steps: Any) -> tuple[Step, ...]:
    if isinstance(steps, str) or callable(steps):
        steps = (steps,)
    if not hasattr(type(steps), "__iter__") or isinstance(steps, Mapping | Set | bytes):
        raise OptionError(
            "preprocess must be a list of names and functions in the order in which they apply, "
            f"not {shown(steps)}"
        )
    found = tuple(steps)
    for step in found:
        if isinstance(step, str) and step not in STEPS:
            raise OptionError(
                f"there is no preprocessing {step!r}{nearest(step, STEPS)}; it is one of "
                f"{', '.join(STEPS)}, or a function from text to text"
            )
        if not isinstance(step, str):
            _check_function(step)
    return found


def _check_function(step: object) -> None:
    """Raise an error if a step cannot be called with a text alone."""
    if not callable(step):
        raise OptionError(f"preprocess has names and functions, not {shown(step)}")
    from inspect import signature

    try:
        parameters = signature(step)
    except (TypeError, ValueError):  # of functions in C that do not say what they take
        return
    try:
        parameters.bind("")
    except TypeError as error:
        raise OptionError(
            f"preprocess has the function {_path(step)}{parameters}, which cannot be called with "
            f"a text alone ({error}): expected a function from text to text"
        ) from None


def _done(step: Callable[[str], str], text: str) -> str:
    """Return what a function makes of a text."""
    found = step(text)
    if not isinstance(found, str):
        raise InputTypeError(
            f"the function {_path(step)} of preprocess must return a text, not {shown(found)}"
        )
    return found


def items(name: str, value: Any) -> list[Any]:
    """Return the elements of an argument.

    Raises:
        InputTypeError: it is not a list of something, such as one string.
    """
    if isinstance(value, list):
        return value
    unlike = (str, bytes, Mapping, Set)
    if not hasattr(type(value), "__iter__") or isinstance(value, unlike):
        raise wrong_type(name, "a list with one entry for each text", value)
    return list(value)


def strings(name: str, value: Any) -> list[str]:
    """Return texts.

    Raises:
        InputTypeError: it is not a list, or an element is not a string.
    """
    texts = items(name, value)
    if not set(map(type, texts)) <= {str}:
        for row, text in enumerate(texts):
            if not isinstance(text, str):
                raise wrong_type(f"{name}[{row}]", "a string", text)
    return texts


def _in_json(text: str) -> str | list[str | None]:
    """Return the references of a list in JSON; any other text as it is.

    >>> _in_json('["a", "b"]'), _in_json("[1]")
    (['a', 'b'], '[1]')
    """
    if text[:1] != "[" or text.rstrip()[-1:] != "]":
        return text
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    kinds = set(map(type, found))
    return found if str in kinds and kinds <= {str, type(None)} else text


def _listed(entry: Any) -> list[Any]:
    """Return the references of one text as a list; an array is what Parquet files have."""
    if entry is None:
        return []
    if isinstance(entry, list | tuple):
        return list(entry)
    if hasattr(entry, "tolist"):
        found = entry.tolist()
        return found if isinstance(found, list) else _listed(found)
    raise _wrong_reference(entry)


def _wrong_reference(entry: Any) -> InputTypeError:
    """Return the error to raise for what is no reference."""
    error = wrong_type("each reference", "a string or a list of strings", entry)
    if isinstance(entry, float) and isnan(entry):  # which is how tables mark a missing text
        hint = "a text without a reference has None"
    elif isinstance(entry, int | float):
        hint = "write a number as a string"
    elif isinstance(entry, Mapping):
        hint = "take the text out of the dictionary"
    else:
        return error
    return InputTypeError(f"{error.reason}: {hint}")


def _path(function: object) -> str:
    """Return the name of a function, which is the same in every process."""
    return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', '')}"


# --- Numbers --------------------------------------------------------------------------------------


def _share(metric: Metric[Any], score: float) -> float:
    """Return a score on the scale of rewards."""
    if metric.extra_digits:  # NIST, CIDEr and neural metrics are not in percent
        return score if metric.higher_is_better else -score
    return max(0.0, min(1.0, score / 100 if metric.higher_is_better else 1 - score / 100))


def _scored_rows(texts: Sequence[str], references: list[Any]) -> Sequence[int]:
    """Return the places of the texts that are not empty and have a reference."""
    if all(texts) and None not in references and not any(map(str.isspace, texts)):
        return range(len(texts))
    return [
        row
        for row, text in enumerate(texts)
        if text and references[row] is not None and not text.isspace()
    ]


def _in_place(
    values: list[float], places: Iterable[int], others: list[float | None]
) -> list[float | None]:
    for place, value in zip(places, values, strict=True):
        others[place] = value
    return others


def _shares(
    metric: Metric[Any], texts: Sequence[str], references: list[Any], *, threads: int
) -> list[float]:
    if not texts:
        return []
    try:
        scores = metric.sentence_scores(texts, references, threads=threads).values.tolist()
    except TooLongError:
        # One text that no reference resembles must not end a training.
        if len(texts) == 1:
            return [0.0]
        pairs = zip(texts, references, strict=True)
        return [_shares(metric, [text], [own], threads=threads)[0] for text, own in pairs]
    if metric.higher_is_better and not metric.extra_digits:
        # As `_share`, which would be called for each. Perfect scores can be a little above 100.
        return [one / 100 if one < 100 else 1.0 for one in scores]
    return [_share(metric, one) for one in scores]


def _wrong_length(text: str, references: str | Sequence[str]) -> float:
    """Return how far the words of a text are from those of the nearest reference, at most 1.

    >>> _wrong_length("a b c", ["a b", "a b c d e f"])
    0.5
    """
    several = [references] if isinstance(references, str) else references
    words = len(text.split())
    lengths = [len(one.split()) for one in several] or [words]
    nearest_length = min(lengths, key=lambda length: abs(length - words))
    return min(1.0, abs(words - nearest_length) / max(1, nearest_length))


def _repeated(text: str) -> float:
    """Return the share of the 3-grams of words that have come before.

    >>> _repeated("a b c a b c a b c"), _repeated("a b")
    (0.5714285714285714, 0.0)
    """
    words = text.split()
    ngrams = list(zip(*(words[start:] for start in range(REPEATED_WORDS)), strict=False))
    return 1 - len(set(ngrams)) / len(ngrams) if ngrams else 0.0
