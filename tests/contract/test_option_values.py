"""Whatever value an option gets, the metric refuses it by its range or gives finite numbers.

The values come from the declarations of the options, so that a new metric needs no line here.
"""

from __future__ import annotations

import json
import math
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bleuet import MissingExtraError, OptionError, SignatureError, metric_from_signature
from bleuet.evaluation.system_scores import Scores
from bleuet.metrics.catalogue import CATALOGUE, parse_metric
from bleuet.output.rendering import FORMATS
from tests.backends import HAS_KERNEL, counted_by_python
from tests.contract.settings import (
    OTHER_LIBRARIES,
    accepted,
    every_metric,
    tried_by_an_earlier_metric,
    values_of,
    with_made_edits,
    with_made_sources,
)
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet import Metric, Score
    from bleuet.metrics.base.option import Option

TINY = [5e-324, 1e-310, 2.3e-308, 1e-160, 1e-20, 1e-17, 1e-9, 1e-6]
HUGE = [1e6, 1e9, 2**53 + 1, 1e17, 1.3e154, 1.4e154, 1e306, 1.7e308, 10**400, 10**5000]
NUMBERS = [0, -0.0, 0.1, 0.5, 1, 1.0, 2, 3, 5, 1000, 1001, -1, -1e-320, *TINY, *HUGE]
ARRAYS = [np.float64(0.123), np.float32(0.5), np.int64(3), np.bool_(True), np.array([1.5, 2])]
NO_NUMBERS: list[Any] = [
    math.nan,
    math.inf,
    -math.inf,
    True,
    False,
    None,
    "",
    "1",
    "yes",
    b"x",
    [],
    {},
    1j,
]
# Each adds up to 1.
WEIGHTS = [[1.0], [-0.0, 1.0], *([tiny, 1.0] for tiny in TINY), {0.25, 0.75}, b"\x01", "1"]
# One of so many metrics is checked thoroughly.
THOROUGHLY = 7
# A message says what is right in one of these ways.
RIGHT = (
    "must ", "needs ", "expected ", "belongs to ", "both 0", "tokenizers are", "leave", "download ",
)  # fmt: skip


def _listed(place: int) -> Any:
    # Hypothesis would write the list, and Python writes no int of more than 4300 digits.
    return NUMBERS[place]


ANYTHING = st.one_of(
    st.integers(0, len(NUMBERS) - 1).map(_listed),
    st.sampled_from(NO_NUMBERS),
    st.sampled_from(ARRAYS),
    st.floats(),
    st.integers(),
    st.integers(0, 1000),
    st.floats(0, 10),
    st.text(max_size=5),
)
# One word, nothing, repetition, a perfect match and none.
TEXTS = [
    ("cat", "dog"),
    ("", ""),
    ("", "a"),
    ("a", ""),
    ("a", "a"),
    ("the the the", "the cat sat"),
    ("a cat sat on the mat", "a cat sat on the mat"),
    ("a cat sat on the mat", ["the mat sat on a cat", "no"]),
    (" ".join("abcdefgh"[i % 8] for i in range(40)), " ".join("abcd"[i % 4] for i in range(30))),
]
IDS = [([1], [2]), ([], [[1]]), ([1, 2, 3, 4, 5], [[1, 2, 3, 4, 6], [5]])]


def wild_values(option: Option) -> st.SearchStrategy[Any]:
    """Values of every kind, and lists of numbers where the option takes several."""
    if option.many:
        some = st.lists(st.sampled_from(NUMBERS[:8] + TINY) | st.floats(0, 1), max_size=6)
        return st.one_of(some, some.map(adding_up), st.lists(ANYTHING, max_size=4), ANYTHING)
    return ANYTHING


def adding_up(weights: list[float]) -> list[float]:
    """Numbers that add up to 1 with the first, which may be a wild one then."""
    return [1 - sum(weights[1:]), *weights[1:]] if weights else weights


def settings_that_take(kind: type[Metric], option: Option) -> list[dict[str, Any]]:
    """The other options with which an option has a use, such as each smoothing with a value."""
    if option.follows not in kind._fields:
        return [{}]
    values = kind.option_named(option.follows).choices
    found = [{option.follows: value} for value in values if value not in OTHER_LIBRARIES]
    return [one for one in found if accepted(kind, {**one, option.name: 1})] or [{}]


def complete(kind: type[Metric], options: dict[str, Any]) -> dict[str, Any]:
    """The options with as many orders as weights, or nothing else would be looked at."""
    weights = options.get("weights")
    if not isinstance(weights, list) or "max_ngram_order" not in kind._fields:
        return options
    return {**options, "max_ngram_order": len(weights)}


@st.composite
def chosen(draw: st.DrawFn, kind: type[Metric]) -> dict[str, Any]:
    """A wild value of one option, among values of others that are accepted."""
    wild = kind.option_named(draw(st.sampled_from(kind._fields)))
    options = dict(draw(st.sampled_from(settings_that_take(kind, wild))))
    for name in draw(st.lists(st.sampled_from(kind._fields), max_size=2)):
        if name not in options and (values := values_of(kind.option_named(name))):
            options[name] = draw(st.sampled_from(values))
    options[wild.name] = draw(wild_values(wild))
    return complete(kind, options)


def made(make: Callable[[], Metric]) -> Metric | None:
    """The metric, or None where a value is refused; then the message must say what is right."""
    try:
        return make()
    except OptionError as error:
        message = str(error)
        assert "\n" not in message
        assert len(message) < 1500, message
        assert any(word in message for word in RIGHT), message
        return None


def finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def read_json(text: str) -> Any:
    def reject(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=reject)


def scores(metric: Metric) -> list[Score]:
    """The scores of texts as a corpus, one by one and in a batch."""
    texts = IDS if metric.counted_kind == "token ids" else TEXTS
    hypotheses, references = map(list, zip(*texts, strict=True))
    hypotheses = with_made_edits(metric, hypotheses)
    references = with_made_sources(metric, references)
    taught = metric.prepare(metric.corpus(hypotheses, references))
    found: list[Score] = [
        taught.sentence_score(*pair) for pair in zip(hypotheses, references, strict=True)
    ]
    batch = metric.sentence_scores(hypotheses, references)
    assert [one.score for one in found] == list(batch.values)
    for i in range(len(texts)):
        try:
            found.append(metric.corpus_score(hypotheses[i:], references[i:]))
        except OptionError:  # a smoothing of sentences
            assert metric.option_values()["smooth"] in ("nltk-5", "nltk-6", "nltk-7")
    return found


def check(metric: Metric, thoroughly: bool = True) -> None:
    """Check that all numbers are finite, and that the signature makes the metric again.

    Thoroughly: the Python backend gives the same numbers, and every format prints them.
    """
    found = scores(metric)
    for score in found:
        assert finite(score.to_dict()), (metric, score.to_dict())
        assert "nan" not in str(score)
        assert read_json(score.to_json())["score"] == score.score
    again = metric_from_signature(str(found[0].signature))
    assert again.with_options(**unsigned(metric)) == metric
    if not thoroughly:
        return
    answer = Scores(["mine", "theirs"], [[found[0]], [found[-1]]], cumulative=True)
    for name in FORMATS:
        text = answer.render(name)
        if name == "json":
            assert finite(read_json(text))
    if HAS_KERNEL:
        with counted_by_python():
            same = type(metric)(**metric.option_values())
            assert [one.to_dict() for one in scores(same)] == [one.to_dict() for one in found]


def unsigned(metric: Metric) -> dict[str, Any]:
    """The options that a signature leaves out where they have their defaults, and some more."""
    return {one.name: getattr(metric, one.name) for one in metric.options if not one.sign_default}


@pytest.mark.slow
@every_metric
def test_each_option_with_each_value(name: str) -> None:
    kind = CATALOGUE[name].load()
    checked: set[Metric] = set()
    faults = []
    for option in kind.options:
        leaders = settings_that_take(kind, option)
        if len(leaders) > 1 and tried_by_an_earlier_metric(name, kind.option_named(option.follows)):
            leaders = leaders[:1]
        for others in leaders:
            for value in [*NUMBERS, *NO_NUMBERS, *ARRAYS, *WEIGHTS]:
                options = complete(kind, {**others, option.name: value})
                try:
                    metric = made(partial(kind, **options))
                    if metric is not None and metric not in checked:
                        checked.add(metric)
                        check(metric, thoroughly=len(checked) % THOROUGHLY == 0)
                except MissingExtraError:
                    raise
                except Exception as error:
                    faults.append(f"{others} {option.name}={_typed(value)[:30]}: {error!r}"[:250])
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@every_metric
@examples(30)
@given(data=st.data())
def test_a_constructor(name: str, data: st.DataObject) -> None:
    kind = CATALOGUE[name].load()
    options = data.draw(chosen(kind))
    metric = made(lambda: kind(**options))
    if metric is not None:
        check(metric)


@pytest.mark.slow
@every_metric
@examples(30)
@given(data=st.data())
def test_a_word_of_the_command_line(name: str, data: st.DataObject) -> None:
    kind = CATALOGUE[name].load()
    options = data.draw(chosen(kind))
    pieces = []
    for key, value in options.items():
        many = isinstance(value, list) and value
        text = "/".join(map(_typed, value)) if many else _typed(value)
        assume("," not in text and "\\" not in text)
        pieces.append(f"{key}={text}")
    metric = made(lambda: parse_metric(f"{name}:{','.join(pieces)}"))
    if metric is not None:
        check(metric)


@pytest.mark.slow
@every_metric
@examples(30)
@given(data=st.data())
def test_a_signature(name: str, data: st.DataObject) -> None:
    kind = CATALOGUE[name].load()
    keys = [one.key for one in kind.options if one.key]
    pairs = dict(pair.split(":", 1) for pair in str(kind().signature()).split("|"))
    for key in data.draw(st.lists(st.sampled_from(keys), min_size=1, max_size=2, unique=True)):
        wild = data.draw(ANYTHING.map(_typed).filter(lambda text: "|" not in text))
        smooth = data.draw(st.sampled_from(["floor", "add-k", "nltk-4", "chen-cherry-7"]))
        pairs[key] = f"{smooth}[{wild}]" if "smooth" in key else wild
    signature = "|".join(f"{key}:{value}" for key, value in pairs.items())
    with suppress(SignatureError):
        check(metric_from_signature(signature))


def _typed(value: Any) -> str:
    """A value as somebody types it; Python writes no int of more than 4300 digits."""
    try:
        return str(value)
    except ValueError:
        return "1" + "0" * 5000
