"""The work of an assistant's tool ends when the client leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.patience import PATIENCE
from tests.web.conftest import start
from tests.web.test_workers import ALONE, NEEDS_PROC, check_work_ends

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator

pytestmark = [pytest.mark.libraries, pytest.mark.slow]
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "calculate", "arguments": ALONE},
}


@pytest.fixture
def serving() -> Iterator[tuple[subprocess.Popen[str], str]]:
    server, found = start("--mcp")
    yield server, found
    server.terminate()
    assert server.wait(PATIENCE) == 0


@NEEDS_PROC
def test_work_ends_when_the_client_leaves(serving: tuple[subprocess.Popen[str], str]) -> None:
    check_work_ends(serving, "/mcp", CALL)
