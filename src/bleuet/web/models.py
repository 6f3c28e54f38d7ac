"""The types of requests as OpenAPI describes them, made from the options that metrics declare."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union

import pydantic

from bleuet.metrics.catalogue import NAMES, find_preset
from bleuet.web import request_types
from bleuet.web.request_types import CLOSED, MAX_METRICS, Request, Word
from bleuet.web.requested_metrics import is_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from bleuet.metrics.base.option import Option


def _type_of(option: Option) -> Any:
    """Return the type of an option's values.

    >>> from bleuet.metrics.bleu.metric import BLEU
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
if TYPE_CHECKING:
    # The types below are made while the program runs.
    MetricRequest: TypeAlias = Any
else:
    _named = Annotated[Union[tuple(MODELS.values())], pydantic.Field(discriminator="name")]  # noqa: UP007
    MetricRequest = Word | _named
Metrics = Annotated[list[MetricRequest], pydantic.Field(min_length=1, max_length=MAX_METRICS)]
# The fields of requests that name metrics.
FIELDS: dict[str, Any] = {
    "metrics": (Metrics, ["bleu"]),
    "a": (MetricRequest, ...),
    "b": (MetricRequest, ...),
}


def _described(kind: type[Request]) -> type[Request]:
    """Return the type of a request with the types of all options."""
    fields = {name: FIELDS[name] for name in kind.model_fields if name in FIELDS}
    found: type[Request] = pydantic.create_model(
        kind.__name__, __base__=kind, __doc__=kind.__doc__, **fields
    )
    return found


DESCRIBED = {kind: _described(kind) for kind in dict.fromkeys(request_types.REQUESTS.values())}
# The type of the requests of each operation of `bleuet.web.operations`.
REQUESTS = {name: DESCRIBED[kind] for name, kind in request_types.REQUESTS.items()}
