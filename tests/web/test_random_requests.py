"""No request that the description of the API allows, or does not, fails with a 5xx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from bleuet.web.application import make_application
from bleuet.web.comparisons import Comparisons
from bleuet.web.workers import Workers
from tests import effort
from tests.effort import examples

if TYPE_CHECKING:
    from schemathesis import Case

pytestmark = [pytest.mark.slow, pytest.mark.libraries]
CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.response_schema_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.status_code_conformance,
]
# `make fuzz` tries the edges of each field too, which are many.
PHASES = list(Phase) if effort.is_fuzzing() else [Phase.generate, Phase.shrink]
HOSTS = frozenset({"testserver", "127.0.0.1", "localhost"})
application = make_application(HOSTS, Comparisons(), Workers())
schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", application)


@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(examples(25), suppress_health_check=list(HealthCheck), phases=PHASES)
def test_no_request_breaks_it(case: Case[Any]) -> None:
    case.call_and_validate(checks=CHECKS)
