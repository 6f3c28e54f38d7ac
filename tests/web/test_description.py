"""The API does what its own description says: requests made from it never fail with a 5xx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings

from bleuet.metrics.catalogue import NAMES, find_preset
from bleuet.web.application import make_application
from bleuet.web.comparisons import Comparisons
from bleuet.web.models import MODELS
from bleuet.web.requested_metrics import is_open
from tests.effort import QUICK

if TYPE_CHECKING:
    from schemathesis import Case

comparisons = Comparisons()
application = make_application(frozenset({"testserver", "127.0.0.1", "localhost"}), comparisons)
schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", application)


@schema.parametrize()
@settings(max_examples=20 if QUICK else 60, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_it(case: Case[Any]) -> None:
    case.call_and_validate(checks=[schemathesis.checks.not_a_server_error])


@pytest.mark.parametrize("name", NAMES)
def test_the_types_are_the_declarations(name: str) -> None:
    described: dict[str, Any] = MODELS[name].model_json_schema()["$defs"]
    (options,) = [one for label, one in described.items() if label.endswith("Options")]
    kind, _ = find_preset(name)
    assert set(options["properties"]) == {one.name for one in kind.options if not is_open(one)}
    for one in kind.options:
        if one.name in options["properties"]:
            assert options["properties"][one.name]["description"] == one.help
