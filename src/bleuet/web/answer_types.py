"""The types of answers for OpenAPI, made from the components that scores declare."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from inspect import getattr_static
from types import GenericAlias, SimpleNamespace
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pydantic

from bleuet.comparison import ngrams, pair, sentence_ranking
from bleuet.comparison.by_system import BySystem
from bleuet.comparison.comparison import DEFAULT_PARTS, PARTS
from bleuet.comparison.pair import Pair
from bleuet.explanation import Step
from bleuet.metrics.base import composition
from bleuet.metrics.catalogue import CATALOGUE
from bleuet.output.plain_values import Plain, paths_of, plain_fields_of
from bleuet.significance import blocks
from bleuet.significance.power import PlannedPower
from bleuet.significance.result_parts import MissingScores, PairedComparison
from bleuet.web.operations import OPERATIONS
from bleuet.web.problems import KINDS
from bleuet.web.request_types import OptionValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from bleuet.comparison.comparison import Part


class _Answer(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")


class Problem(_Answer):
    """A problem document (RFC 9457): `type` names the kind, `detail` says how to fix it."""

    # Its kind has a section in docs/api.md.
    type: Literal[tuple(kind.type for kind in KINDS)]  # type: ignore[valid-type]
    title: str
    status: int
    detail: str


def _score_model(kind: type[Any]) -> Any:
    """Return the type of a score: its name, its number, its components, its signature."""
    fields: dict[str, Any] = {"name": str, "score": float}
    for name in kind.components:
        fields[name] = get_type_hints(getattr(kind, name).fget)["return"]
    fields["signature"] = str
    return _model(kind.__name__, kind.__doc__, fields, _Answer)


def _model(name: str, doc: str | None, fields: dict[str, Any], base: Any) -> Any:
    needed: dict[str, Any] = {field: (found, ...) for field, found in fields.items()}
    return pydantic.create_model(name, __base__=base, __doc__=doc, **needed)


SCORES = [
    _score_model(kind)
    for kind in dict.fromkeys(entry.load().score_type for entry in CATALOGUE.values())
]


def _any_score(label: str = "", **more: Any) -> Any:
    """Return the type of any score, which may have more fields.

    Args:
        label: what is put before the names of the types.
        **more: the fields.
    """
    kinds = [_model(f"{label}{one.__name__}", one.__doc__, more, one) for one in SCORES]
    return Union[tuple(kinds)]  # noqa: UP007 - of types that are made while the program runs


# --- Types of plain values, from the annotations of their fields ----------------------------------

# What modules import only for annotations.
_NAMES = {
    name: value
    for module in (ngrams, pair, sentence_ranking, blocks, composition)
    for name, value in vars(module).items()
}
_NAMES |= {"Signature": str, "Mapping": dict}


def _plain_model(kind: type[Any], fields: tuple[str, ...] = (), name: str = "") -> Any:
    """Return the type of a class's plain values.

    Args:
        kind: the class.
        fields: its fields, as in `Plain.plain_fields`; default those of the class.
        name: the name of the type; default that of the class.
    """
    paths = paths_of(fields or plain_fields_of(kind))
    types = {key: _plain_type(_type_at(kind, path)) for key, path in paths.items()}
    if issubclass(kind, BySystem):
        types["systems"] = GenericAlias(dict, (str, *get_args(types["systems"])))
    summary, _, _ = (kind.__doc__ or "").partition("\n")
    return _model(name or kind.__name__, summary, types, _Answer)


def _type_at(kind: Any, path: str) -> Any:
    """Return the type of an attribute, such as "bucket.label"."""
    for name in path.split("."):
        found = getattr_static(kind, name, None)
        made = getattr(found, "fget", None) or getattr(found, "func", None)
        text = made.__annotations__["return"] if made else kind.__annotations__[name]
        there = {**_NAMES, **vars(sys.modules[kind.__module__])}
        kind = get_type_hints(SimpleNamespace(__annotations__={"it": text}), there)["it"]
    return kind


def _plain_type(found: Any) -> Any:
    """Return the type of the plain value that a value of some type has."""
    if found is Any:
        return OptionValue
    if isinstance(found, type) and issubclass(found, Plain):
        return _plain_model(found)
    origin: Any = get_origin(found)
    origin = dict if origin is Mapping else origin
    arguments = [_plain_type(one) for one in get_args(found)]
    if origin is not tuple:
        return origin[tuple(arguments)] if origin in (list, dict) else found
    first, last = arguments[0], arguments[-1]
    if last is ...:
        return GenericAlias(list, first)
    several = pydantic.Field(min_length=len(arguments), max_length=len(arguments))
    return Annotated[GenericAlias(list, first), several]


def _part_type(name: str, part: Part) -> Any:
    """Return the type of a part of a comparison."""
    if part.kind is None:
        return dict[str, list[AnyScore]]
    label = part.kind.__name__ + (name.title() if part.kind is Pair else "")
    several = GenericAlias(list, _plain_model(part.kind, part.fields, label))
    return GenericAlias(dict, (str, several)) if part.by_system else several


class FormField(_Answer):
    """An option of a metric, with what a form needs of it."""

    option: str
    kind: str
    default: OptionValue
    sentence_default: OptionValue
    help: str
    choices: list[str]
    least: float | None
    most: float | None


class FileOption(_Answer):
    """An option that names files, which a request cannot: how to set it elsewhere."""

    option: str
    help: str
    command: str
    python: str


class DescribedMetric(_Answer):
    """A metric and its options."""

    metric: str
    name: str
    higher_is_better: bool
    definition: str
    source: str
    needs: str
    preset: dict[str, OptionValue]
    options: list[FormField]
    files: list[FileOption]


class Metrics(_Answer):
    """All metrics, and the version of the program."""

    version: str
    metrics: list[DescribedMetric]


Ends = Annotated[list[int], pydantic.Field(min_length=2, max_length=2)]


class MarkAnswer(_Answer):
    """What counts: tokens from a place, up to and without another; places count from 0."""

    mark: str
    hypothesis: Ends
    reference: Ends
    reference_number: int


class Marked(_Answer):
    """The tokens of a hypothesis and its references, and what of them counts."""

    hypothesis: list[str]
    references: list[list[str]]
    marks: list[MarkAnswer]


class StepAnswer(_Answer):
    """One step of a computation, as texts."""

    step: str
    formula: str
    value: str


class Bar(_Answer):
    """One bar of the chart: its length in percent, and whether others make it."""

    label: str
    share: float
    text: str
    sum: bool


class Smoothed(_Answer):
    """The score with a smoothing."""

    smooth: str
    score: float
    chosen: bool


class Reading(_Answer):
    """What a score of this range often means, and how rough that is."""

    text: str
    caveat: str


class SentenceScoresAnswer(_Answer):
    """The score of each segment of a system."""

    system: str
    name: str
    scores: list[float]
    signature: str


class ComparedMetric(_Answer):
    """A metric of a comparison."""

    name: str
    higher_is_better: bool
    signature: str
    sentence_signature: str


# A text, and what `bleuet.report.page.word_spans` adds where its words are not between spaces.
WrittenText = str | list[str | list[int] | dict[str, str]]


class SegmentTexts(_Answer):
    """The texts of a segment, whose number counts from 1.

    A text is a string whose words are separated by spaces, or a list: the string, places of words
    in units of UTF-16, and words that are written in another way.
    """

    segment: int
    source: str | None
    references: list[WrittenText]
    hypotheses: list[WrittenText]


class TextsAnswer(_Answer):
    """The segments in the order of the request."""

    segments: list[SegmentTexts]


class SearchAnswer(_Answer):
    """The numbers of the segments that have a phrase, in ascending order, and how often each."""

    segments: list[int]
    hits: list[int]


class Health(_Answer):
    """That the server answers: requests at work or waiting, and the processes that compute."""

    version: str
    requests: int
    processes: int


class ComparisonState(_Answer):
    """How far a comparison of files is."""

    id: str
    state: str
    step: str
    share: float
    error: str
    references: list[str]
    systems: list[str]
    sources: list[str]
    results: list[str]


if TYPE_CHECKING:
    # The types below are made while the program runs.
    AnyScore: TypeAlias = Any
    ExplainedStep: TypeAlias = Any
    SystemScore: TypeAlias = Any
    CalculatedScore: TypeAlias = Any
else:
    AnyScore = _any_score()
    ExplainedStep = _plain_model(Step, name="ExplainedStep")
    SystemScore = _any_score("System", system=str)
    CalculatedScore = _any_score(
        "Calculated",
        metric=str,
        digits=int,
        higher_is_better=bool,
        short_signature=str,
        definition=str,
        source=str,
        marked=Marked | None,
        steps=list[StepAnswer],
        chart=list[Bar],
        smoothings=list[Smoothed],
        reading=Reading | None,
        warnings=list[str],
        python=str,
        command=str,
    )


class Calculated(_Answer):
    """What the calculator shows, for each metric."""

    metrics: list[CalculatedScore]


class Explained(_Answer):
    """Two scores, and the steps from one to the other."""

    from_: AnyScore = pydantic.Field(alias="from")
    to: AnyScore
    difference: float
    steps: list[ExplainedStep]


# By the name of each part that JSON has of a comparison, its type.
_PARTS: dict[str, Any] = {
    name: _part_type(name, part) for name, part in PARTS.items() if part.found is not None
}


def _compared(name: str, doc: str, significance: Any, parts: Iterable[str]) -> Any:
    """Return the type of a comparison that shows some parts."""
    fields = {
        "segments": int,
        "tokenizer": str,
        "systems": list[str],
        "metrics": list[ComparedMetric],
        "warnings": list[str],
        "missing_scores": GenericAlias(dict, (str, _plain_model(MissingScores))),
        "significance": significance,
    }
    shown = {part: _PARTS[part] for part in parts if part in _PARTS}
    return _model(name, doc, {**fields, **shown}, _Answer)


class TestedScore(_Answer):
    """The score of one system by one metric, and its bootstrap interval where there is one."""

    system: str
    metric: str
    score: float
    higher_is_better: bool
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    half_width: float | None = None
    confidence: float | None = None


# Whether the difference of a comparison is significant stands beside its fields.
_TestedDifference = _model(
    "TestedDifference",
    "The difference of two systems by one metric, with its p-value and its interval.",
    {"significant": bool},
    _plain_model(PairedComparison),
)


class Significance(_Answer):
    """Paired tests of all differences: their settings, scores and comparisons."""

    test: str
    draws: int
    trials: int
    seed: int | None
    segments: int
    runs: int
    documents: int | None
    correction: str
    correct_over: str
    alpha: float
    baseline: str | None
    scores: list[TestedScore]
    comparisons: list[_TestedDifference]  # type: ignore[valid-type]
    letters: dict[str, str]
    significantly_worse: dict[str, dict[str, list[str]]]
    detectable: dict[str, float | None]
    power: list[_plain_model(PlannedPower)]  # type: ignore[valid-type]
    missing_scores: dict[str, _plain_model(MissingScores)]  # type: ignore[valid-type]
    signatures: dict[str, str]


Compared = _compared(
    "Compared",
    "A comparison of systems; the parts are those of `bleuet compare --format json`.",
    None,
    DEFAULT_PARTS,
)
ComparedFiles = _compared(
    "ComparedFiles", "A comparison of files, with tests and all parts.", Significance, PARTS
)


class Rewards(_Answer):
    """The reward of each query, the same from 0 to 1, and what it is made of."""

    rewards: list[float]
    scores: list[float]
    extra_logs: dict[str, list[float]]


SystemScores = list[SystemScore]
SentenceScores = list[SentenceScoresAnswer]

# The type of the answers of each operation of `bleuet.web.operations`.
ANSWERS: dict[str, Any] = {name: globals()[one.answer] for name, one in OPERATIONS.items()}
