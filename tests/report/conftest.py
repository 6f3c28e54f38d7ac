from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.report.browser import started_browser

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    yield from started_browser()
