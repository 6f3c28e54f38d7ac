"""The work of an assistant's tool ends when the client leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.patience import PATIENCE
from tests.web.conftest import start
from tests.web.test_workers import ALONE, check_work_ends

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.libraries, pytest.mark.slow]
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "calculate", "arguments": ALONE},
}


@pytest.fixture
def served() -> Iterator[str]:
    server, found = start("--mcp")
    yield found
    server.terminate()
    assert server.wait(PATIENCE) == 0


def test_work_ends_when_the_client_leaves(served: str) -> None:
    check_work_ends(served, "/mcp", CALL)
