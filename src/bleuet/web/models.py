"""The types of requests for OpenAPI, made from the options that metrics declare."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

import pydantic

from bleuet.metrics.catalogue import NAMES, PRESETS, find_preset
from bleuet.web.requested_metrics import is_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from bleuet.metrics.option import Option

# Limits of one request; the size of its body is limited besides.
MAX_SEGMENTS = 200_000
MAX_SYSTEMS = 32
MAX_METRICS = 32
MAX_REFERENCES = 256
MAX_ROWS = 100

CLOSED = pydantic.ConfigDict(extra="forbid", strict=True)


def _type_of(option: Option) -> Any:
    """Return the type of an option's values.

    >>> from bleuet.metrics.bleu import BLEU
    >>> _type_of(BLEU.option_named("lowercase"))
    <class 'bool'>
    """
    base = option.annotation.partition(" | ")[0]
    if option.choices:
        found: Any = Literal[tuple(option.choices)]
    else:
        found = {"bool": bool, "int": int, "float": float}.get(base, float)
    if option.least is not None or option.most is not None:
        found = Annotated[found, pydantic.Field(ge=option.least, le=option.most)]
    if option.many:
        found = list[found]
    return found | None if option.depends or "None" in option.annotation else found


def _model_of(name: str) -> type[pydantic.BaseModel]:
    kind, _ = find_preset(name)
    fields: dict[str, Any] = {
        one.name: (_type_of(one), pydantic.Field(default=None, description=one.help))
        for one in kind.options
        if not is_open(one)
    }
    label = "".join(part.capitalize() for part in name.replace("+", "Plus").split("-"))
    options = pydantic.create_model(
        f"{label}Options", __config__=CLOSED, __doc__=f"Options of {name}.", **fields
    )
    described = f"The metric {name}."
    return pydantic.create_model(
        f"{label}Metric",
        __config__=CLOSED,
        __doc__=described,
        name=(Literal[name], ...),  # type: ignore[arg-type]
        options=(options, pydantic.Field(default_factory=options)),
    )


MODELS = {name: _model_of(name) for name in NAMES}
Word = Annotated[
    str,
    pydantic.Field(
        max_length=1000,
        description="a name with options after a colon, such as bleu:smooth=floor",
        examples=["bleu", *list(PRESETS)[:1], "bleu:smooth=floor,lowercase"],
    ),
]
if TYPE_CHECKING:
    # The types below are made while the program runs.
    MetricRequest: TypeAlias = Any
else:
    _named = Annotated[Union[tuple(MODELS.values())], pydantic.Field(discriminator="name")]  # noqa: UP007
    MetricRequest = Word | _named
Metrics = Annotated[list[MetricRequest], pydantic.Field(min_length=1, max_length=MAX_METRICS)]
# The errors of very many wrong values would take much more memory than the values.
Texts = Annotated[list[str], pydantic.Field(min_length=1, max_length=MAX_SEGMENTS, fail_fast=True)]
Several = Annotated[
    list[str | None], pydantic.Field(min_length=1, max_length=MAX_REFERENCES, fail_fast=True)
]
References = Annotated[
    list[str | Several], pydantic.Field(min_length=1, max_length=MAX_SEGMENTS, fail_fast=True)
]
Systems = Annotated[dict[str, Texts], pydantic.Field(min_length=1, max_length=MAX_SYSTEMS)]


class _Request(pydantic.BaseModel):
    model_config = CLOSED

    def plain(self) -> dict[str, Any]:
        """Return the fields that were set, as plain values."""
        return self.model_dump(exclude_unset=True)


class CalculateRequest(_Request):
    """One hypothesis and its references."""

    hypothesis: Annotated[str, pydantic.Field(examples=["The cat sat down."])]
    references: Annotated[
        list[str],
        pydantic.Field(
            min_length=1, max_length=MAX_REFERENCES, fail_fast=True, examples=[["A cat sat."]]
        ),
    ]
    metrics: Metrics = ["bleu"]


class ScoreRequest(_Request):
    """The texts of one or more systems, and the references of each segment."""

    systems: Systems | None = None
    hypotheses: Texts | None = None
    references: References
    metrics: Metrics = ["bleu"]


class ExplainRequest(_Request):
    """The texts of one system, the references, and two settings of one metric."""

    hypotheses: Texts
    references: References
    a: MetricRequest
    b: MetricRequest


class CompareRequest(_Request):
    """The texts of two or more systems, and the references."""

    systems: Systems
    references: References
    metrics: Metrics = ["bleu"]


class PointsRequest(_Request):
    """Two systems and a metric of a comparison, by their numbers from 0."""

    left: Annotated[int, pydantic.Field(ge=0)] = 0
    right: Annotated[int, pydantic.Field(ge=0)] = 0
    metric: Annotated[int, pydantic.Field(ge=0)] = 0


class SentencesRequest(PointsRequest):
    """Which segments of a comparison to return, and in which order; systems are numbers from 0."""

    first: Annotated[int, pydantic.Field(ge=0, description="segments to skip")] = 0
    count: Annotated[int, pydantic.Field(ge=0, le=MAX_ROWS)] = 25
    sort: Annotated[
        Literal["segment", "length", "lead", "difference"] | int,
        pydantic.Field(description="lead: how much better left is than right; or a system"),
    ] = "segment"
    descending: bool = False
    query: Annotated[
        str, pydantic.Field(max_length=1000, pattern=r"^[^\n]*$", description="a phrase")
    ] = ""
    shown: Annotated[
        list[int] | None,
        pydantic.Field(max_length=MAX_SYSTEMS, description="systems to search in; default all"),
    ] = None
    ahead: Literal["left", "right", "same"] | None = None
    low: float | None = None
    high: float | None = None
    score_of: Annotated[
        int | None, pydantic.Field(description="the system of low and high; default any")
    ] = None
    buckets: Annotated[
        list[int | None],
        pydantic.Field(max_length=MAX_SYSTEMS, description="a bucket of each division, or null"),
    ] = []


class RewardRequest(pydantic.BaseModel):
    """What OpenRLHF sends: prompts with responses, prompts, and references."""

    query: Annotated[Texts, pydantic.Field(examples=[["Weather? It rains.</s>"]])]
    prompts: Annotated[Texts, pydantic.Field(examples=[["Weather? "]])]
    labels: Annotated[
        list[str | Several | None],
        pydantic.Field(min_length=1, max_length=MAX_SEGMENTS, fail_fast=True),
    ]


# The type of the requests of each operation of `bleuet.web.operations`.
REQUESTS: dict[str, type[_Request]] = {
    "calculate": CalculateRequest,
    "score": ScoreRequest,
    "sentences": ScoreRequest,
    "explain": ExplainRequest,
    "compare": CompareRequest,
}
