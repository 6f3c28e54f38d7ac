from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.backends import HAS_KERNEL
from tests.evaluation_data import EvaluationData
from tests.report.browser import started_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

# Shells start background jobs with SIGINT ignored; the programs that tests interrupt would inherit
# that.
signal.signal(signal.SIGINT, signal.default_int_handler)

if not HAS_KERNEL:
    # Chosen, the Python backend counts without a warning, in programs that tests start too.
    os.environ["BLEUET_BACKEND"] = "python"
# An error that is not expected fails a test with its traceback, and is no line like others.
os.environ["BLEUET_TRACEBACK"] = "1"


@pytest.fixture(scope="session")
def evaluation_data() -> EvaluationData:
    return EvaluationData.find()


@pytest.fixture
def needs_kernel() -> None:
    if not HAS_KERNEL:
        pytest.skip("the native kernel was not built")


# One for all folders: a process can drive only one.
@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    yield from started_browser()
