"""The types of requests.

The options of a metric are any values here, since the metric checks them itself. The description of
the API has their types (`bleuet.web.models`), which take much longer to make.
"""

from __future__ import annotations

from typing import Annotated, Any

import pydantic

from bleuet.metrics.catalogue import PRESETS
from bleuet.web.operations import OPERATIONS

# Limits of one request; the size of its body is limited besides.
MAX_SEGMENTS = 200_000
MAX_SYSTEMS = 32
MAX_METRICS = 32
MAX_REFERENCES = 256
MAX_ROWS = 100
MAX_OPTIONS = 100

CLOSED = pydantic.ConfigDict(extra="forbid", strict=True)

OptionNumber = bool | int | float
OptionValue = OptionNumber | str | list[OptionNumber | str] | None


class NamedMetric(pydantic.BaseModel):
    """A metric and its options."""

    model_config = CLOSED
    name: Annotated[str, pydantic.Field(max_length=1000)]
    options: Annotated[dict[str, OptionValue], pydantic.Field(max_length=MAX_OPTIONS)] = {}


Word = Annotated[
    str,
    pydantic.Field(
        max_length=1000,
        description="a name with options after a colon, such as bleu:smooth=floor",
        examples=["bleu", *list(PRESETS)[:1], "bleu:smooth=floor,lowercase"],
    ),
]
MetricRequest = Word | NamedMetric
Metrics = Annotated[list[MetricRequest], pydantic.Field(min_length=1, max_length=MAX_METRICS)]
HYPOTHESES = pydantic.Field(description="the texts of one system, one for each segment")
# The errors of very many wrong values would take much more memory than the values.
Texts = Annotated[list[str], pydantic.Field(min_length=1, max_length=MAX_SEGMENTS, fail_fast=True)]
Several = Annotated[
    list[str | None], pydantic.Field(min_length=1, max_length=MAX_REFERENCES, fail_fast=True)
]
References = Annotated[
    list[str | Several],
    pydantic.Field(
        min_length=1,
        max_length=MAX_SEGMENTS,
        fail_fast=True,
        description="for each segment a text, or a list of texts",
    ),
]
# The operation itself says what is wrong with a name.
NAMED = {"propertyNames": {"minLength": 1}}
Systems = Annotated[
    dict[str, Texts],
    pydantic.Field(
        min_length=1,
        max_length=MAX_SYSTEMS,
        json_schema_extra=NAMED,
        description="for each system its name and its texts, one for each segment",
    ),
]


class Request(pydantic.BaseModel):
    """A request, which has no other fields than its own."""

    model_config = CLOSED

    def plain(self) -> dict[str, Any]:
        """Return the fields that were set, as plain values."""
        return self.model_dump(exclude_unset=True)


class CalculateRequest(Request):
    """One hypothesis and its references."""

    hypothesis: Annotated[
        str, pydantic.Field(examples=["The cat sat down."], description="the text to score")
    ]
    references: Annotated[
        list[str],
        pydantic.Field(
            min_length=1,
            max_length=MAX_REFERENCES,
            fail_fast=True,
            examples=[["A cat sat."]],
            description="right texts, one or more",
        ),
    ]
    metrics: Metrics = ["bleu"]


class ScoreRequest(Request):
    """The texts of one or more systems, and the references of each segment."""

    systems: Systems | None = None
    hypotheses: Annotated[Texts | None, HYPOTHESES] = None
    references: References
    metrics: Metrics = ["bleu"]


class ExplainRequest(Request):
    """The texts of one system, the references, and two settings of one metric."""

    hypotheses: Annotated[Texts, HYPOTHESES]
    references: References
    a: Annotated[MetricRequest, pydantic.Field(description="the metric with some options")]
    b: Annotated[MetricRequest, pydantic.Field(description="the metric with other options")]


class CompareRequest(Request):
    """The texts of two or more systems, and the references."""

    systems: Systems
    references: References
    metrics: Metrics = ["bleu"]


class MetricsRequest(Request):
    """A metric that an assistant wants to know, or none for all."""

    name: Annotated[
        str | None,
        pydantic.Field(
            max_length=1000, description="a metric, to see its options; without it: all, in short"
        ),
    ] = None


class TextsRequest(Request):
    """Which segments of a comparison to return."""

    segments: Annotated[
        list[int], pydantic.Field(max_length=MAX_ROWS, description="their numbers, from 1")
    ]


class SearchRequest(Request):
    """What to search in the texts of a comparison."""

    query: Annotated[
        str, pydantic.Field(max_length=1000, pattern=r"^[^\n]*$", description="a phrase")
    ]
    shown: Annotated[
        list[int] | None,
        pydantic.Field(
            max_length=MAX_SYSTEMS,
            description="systems to search in, numbers from 0; default all",
        ),
    ] = None


class RewardRequest(pydantic.BaseModel):
    """What OpenRLHF sends: prompts with responses, prompts, and references."""

    query: Annotated[Texts, pydantic.Field(examples=[["Weather? It rains.</s>"]])]
    prompts: Annotated[Texts, pydantic.Field(examples=[["Weather? "]])]
    labels: Annotated[
        list[str | Several | None],
        pydantic.Field(min_length=1, max_length=MAX_SEGMENTS, fail_fast=True),
    ]


# The type of the requests of each operation of `bleuet.web.operations`.
REQUESTS: dict[str, type[Request]] = {
    name: globals()[one.request] for name, one in OPERATIONS.items() if one.request
}
