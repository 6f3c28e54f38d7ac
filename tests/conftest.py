from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.backends import HAS_KERNEL
from tests.evaluation_data import REQUIRED, VARIABLE, EvaluationData
from tests.needs import MARKERS, is_never_quick, need_of
from tests.report.browser import started_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

# The suite gives the same result every time; HYPOTHESIS_PROFILE=search draws new examples.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("quick", parent=settings.get_profile("repeatable"), max_examples=20)
settings.register_profile("search", parent=settings.get_profile("repeatable"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


# Shells start background jobs with SIGINT ignored; the programs that tests interrupt would inherit
# that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.getoption("markexpr") == "quick" and is_never_quick(collection_path):
        return True
    return None


# First, since -m selects by these markers in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker(need_of(item))


@pytest.fixture(scope="session")
def evaluation_data() -> EvaluationData:
    data = EvaluationData.find()
    if not data.is_there:
        reason = f"the evaluation data is not in {data.root}; {VARIABLE} says where it is"
        if REQUIRED:
            pytest.fail(f"{reason}, and BLEUET_REQUIRE_DATA=1 asks for it")
        pytest.skip(reason)
    return data


@pytest.fixture
def needs_kernel() -> None:
    if not HAS_KERNEL:
        pytest.skip("the native kernel was not built")


@pytest.fixture
def no_running_loop() -> Iterator[None]:
    """For tests that run a loop of asyncio; that of a browser runs as long as the browser does."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


# One for all folders: a process can drive only one.
@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    yield from started_browser()
